// SPDX-License-Identifier: Apache-2.0
#include "host/load/part.h"

#include <algorithm>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

namespace swept::load_detail {
namespace {

template <class T>
constexpr Held list_of = Held::body;
template <>
constexpr Held list_of<Joint> = Held::joint;
template <>
constexpr Held list_of<Geom> = Held::geom;
template <>
constexpr Held list_of<Site> = Held::site;
template <>
constexpr Held list_of<Camera> = Held::camera;
template <>
constexpr Held list_of<Light> = Held::light;

FrameMember as_written(const Joint& joint) {
  return {Held::joint, 0, {joint.pos, identity_quat}, joint.axis};
}

FrameMember as_written(const Light& light) {
  return {Held::light, 0, {light.pos, identity_quat}, light.dir};
}

template <class T>
FrameMember as_written(const T& element) {
  return {list_of<T>, 0, {element.pos, element.quat}, {}};
}

void write(const FrameMember& member, Joint* joint) {
  // a free joint has its place from its body
  if (joint->type != JointType::free) {
    joint->pos = member.pose.pos;
    joint->axis = member.axis;
  }
}

void write(const FrameMember& member, Light* light) {
  light->pos = member.pose.pos;
  light->dir = member.axis;
}

template <class T>
void write(const FrameMember& member, T* element) {
  element->pos = member.pose.pos;
  element->quat = member.pose.quat;
}

/// Calls visit(list of `from`, same list of `to`) for every list that frames hold elements of.
template <class From, class Visit>
void each_list(From& from, Body* to, const Visit& visit) {
  visit(from.joints, &to->joints);
  visit(from.geoms, &to->geoms);
  visit(from.sites, &to->sites);
  visit(from.cameras, &to->cameras);
  visit(from.lights, &to->lights);
  visit(from.bodies, &to->bodies);
}

/// An element of a list by its index.
using Slot = std::pair<Held, std::size_t>;

bool begins_with(const BodyPath& path, const BodyPath& beginning) {
  return path.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), path.begin());
}

/// Copies frames that are chosen, with their parents' new indices.
///   choose(frame, path)   says if a frame belongs, and the path that it gets
template <class Choose>
void copy_frames(const std::vector<Frame>& from, std::vector<Frame>* to, const Choose& choose) {
  std::map<int, int> moved;
  for (std::size_t f = 0; f < from.size(); ++f) {
    BodyPath path;
    if (!choose(from[f], static_cast<int>(f), &path)) {
      continue;
    }
    moved[static_cast<int>(f)] = static_cast<int>(to->size());
    to->push_back(from[f]);
    Frame& copy = to->back();
    copy.body = std::move(path);
    copy.open = false;
    const auto parent = moved.find(copy.parent);
    copy.parent = parent == moved.end() ? -1 : parent->second;
  }
}

/// The pose that a body was written with, in the innermost frame around it.
Pose written_pose(const Part& part, const BodyPath& path) {
  const Body& body = body_at(path, part.root);
  if (!path.empty()) {
    const BodyPath parent(path.begin(), path.end() - 1);
    for (const Frame& frame : part.frames) {
      if (frame.body != parent) {
        continue;
      }
      for (const FrameMember& member : frame.members) {
        if (member.list == Held::body && member.index == path.back()) {
          return member.pose;
        }
      }
    }
  }
  return {body.pos, body.quat};
}

}  // namespace

void place(const Pose& outer, Joint* joint) {
  if (joint->type != JointType::free) {
    joint->pos = compose(outer, {joint->pos, identity_quat}).pos;
    joint->axis = rotate(outer.quat, joint->axis);
  }
}

void place(const Pose& outer, Light* light) {
  light->pos = compose(outer, {light->pos, identity_quat}).pos;
  light->dir = rotate(outer.quat, light->dir);
}

template <class T>
void append(const Pose& outer, int frame, T element, std::vector<T>* list, Part* part) {
  if (frame >= 0) {
    FrameMember member = as_written(element);
    member.index = list->size();
    part->frames[static_cast<std::size_t>(frame)].members.push_back(member);
  }
  place(outer, &element);
  list->push_back(std::move(element));
}

template void append(const Pose&, int, Joint, std::vector<Joint>*, Part*);
template void append(const Pose&, int, Geom, std::vector<Geom>*, Part*);
template void append(const Pose&, int, Site, std::vector<Site>*, Part*);
template void append(const Pose&, int, Camera, std::vector<Camera>*, Part*);
template void append(const Pose&, int, Light, std::vector<Light>*, Part*);
template void append(const Pose&, int, Body, std::vector<Body>*, Part*);

void append(const Pose& outer, int frame, Part&& from, const BodyPath& path, Part* to) {
  // elements that the part's own frames hold are members of those
  std::set<Slot> held;
  for (const Frame& each : from.frames) {
    if (each.body.empty()) {
      for (const FrameMember& member : each.members) {
        held.insert({member.list, member.index});
      }
    }
  }

  // elements, and where each list of the body stood before
  Body& body = body_at(path, &to->root);
  std::map<Held, std::size_t> before;
  each_list(from.root, &body, [&](auto& list, auto* target) {
    constexpr Held kind = list_of<typename std::remove_reference_t<decltype(list)>::value_type>;
    before.emplace(kind, target->size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (frame >= 0 && held.count({kind, i}) == 0) {
        FrameMember member = as_written(list[i]);
        member.index = target->size();
        to->frames[static_cast<std::size_t>(frame)].members.push_back(member);
      }
      place(outer, &list[i]);
      target->push_back(std::move(list[i]));
    }
  });

  // frames, after those that are there
  const int base = static_cast<int>(to->frames.size());
  for (Frame& each : from.frames) {
    const bool at_root = each.body.empty();
    if (at_root) {
      for (FrameMember& member : each.members) {
        member.index += before[member.list];
      }
    } else {
      each.body.front() += before[Held::body];
    }
    each.body.insert(each.body.begin(), path.begin(), path.end());
    if (at_root && each.parent < 0) {
      each.parent = frame;
    } else if (each.parent >= 0) {
      each.parent += base;
    }
    to->frames.push_back(std::move(each));
  }
}

Body& body_at(const BodyPath& path, Body* root) {
  for (const std::size_t child : path) {
    root = &root->bodies[child];
  }
  return *root;
}

const Body& body_at(const BodyPath& path, const Body& root) {
  const Body* body = &root;
  for (const std::size_t child : path) {
    body = &body->bodies[child];
  }
  return *body;
}

std::optional<BodyPath> find_body(const Body& root, const std::string& name) {
  if (root.name == name) {
    return BodyPath{};
  }
  for (std::size_t i = 0; i < root.bodies.size(); ++i) {
    if (std::optional<BodyPath> path = find_body(root.bodies[i], name)) {
      path->insert(path->begin(), i);
      return path;
    }
  }
  return std::nullopt;
}

int find_frame(const Part& part, const std::string& name) {
  const auto found = std::find_if(part.frames.begin(), part.frames.end(),
                                  [&name](const Frame& frame) { return frame.name == name; });
  return found == part.frames.end() || name.empty() ? -1
                                                    : static_cast<int>(found - part.frames.begin());
}

Part copy_body(const Part& from, const BodyPath& path) {
  Part part;
  part.root.bodies.push_back(body_at(path, from.root));
  Body& body = part.root.bodies.back();
  const Pose pose = written_pose(from, path);
  body.pos = pose.pos;
  body.quat = pose.quat;
  copy_frames(from.frames, &part.frames, [&path](const Frame& frame, int, BodyPath* to) {
    if (!begins_with(frame.body, path)) {
      return false;
    }
    to->push_back(0);
    to->insert(to->end(), frame.body.begin() + static_cast<std::ptrdiff_t>(path.size()),
               frame.body.end());
    return true;
  });
  return part;
}

Part copy_frame(const Part& from, int chosen) {
  Part part;
  const BodyPath& path = from.frames[static_cast<std::size_t>(chosen)].body;

  // the frame and those in it, with their poses; their members in the order of the body's lists
  std::map<int, Pose> poses;
  std::map<Slot, FrameMember> members;
  for (std::size_t f = static_cast<std::size_t>(chosen); f < from.frames.size(); ++f) {
    const Frame& frame = from.frames[f];
    const int index = static_cast<int>(f);
    const auto parent = poses.find(frame.parent);
    if (index == chosen) {
      poses[index] = frame.pose;
    } else if (frame.body == path && parent != poses.end()) {
      poses[index] = compose(parent->second, frame.pose);
    } else {
      continue;
    }
    for (const FrameMember& member : frame.members) {
      FrameMember placed = member;
      placed.pose = compose(poses[index], member.pose);
      placed.axis = rotate(poses[index].quat, member.axis);
      members[{member.list, member.index}] = placed;
    }
  }

  // their elements
  std::map<Slot, std::size_t> moved;
  each_list(body_at(path, from.root), &part.root, [&](const auto& list, auto* target) {
    using T = typename std::remove_reference_t<decltype(list)>::value_type;
    constexpr Held kind = list_of<T>;
    for (auto at = members.lower_bound({kind, 0}); at != members.end() && at->first.first == kind;
         ++at) {
      moved[at->first] = target->size();
      target->push_back(list[at->first.second]);
      write(at->second, &target->back());
    }
  });

  // their frames, and the frames in bodies that they hold
  copy_frames(from.frames, &part.frames, [&](const Frame& frame, int index, BodyPath* to) {
    if (frame.body == path) {
      return poses.count(index) > 0;
    }
    if (!begins_with(frame.body, path)) {
      return false;
    }
    const auto body = moved.find({Held::body, frame.body[path.size()]});
    if (body == moved.end()) {
      return false;
    }
    to->assign(frame.body.begin() + static_cast<std::ptrdiff_t>(path.size()), frame.body.end());
    to->front() = body->second;
    return true;
  });
  for (Frame& frame : part.frames) {
    if (frame.body.empty()) {
      for (FrameMember& member : frame.members) {
        member.index = moved[{member.list, member.index}];
      }
    }
  }
  return part;
}

void rename_part(const PartNames& names, const Affix& affix, Part* part) {
  rename_tree(names, affix, &part->root);
  for (Frame& frame : part->frames) {
    affix.apply(&frame.name);
  }
}

}  // namespace swept::load_detail
