// SPDX-License-Identifier: Apache-2.0
#include "host/load/keys.h"

#include <functional>
#include <iterator>
#include <map>

namespace swept::load_detail {
namespace {

/// Starts every temporary name; no scene writes it.
constexpr char mark = '\x01';

template <class T>
void name_temporarily(std::vector<T>* elements, int* counter) {
  for (T& element : *elements) {
    if (element.name.empty()) {
      element.name = mark + std::to_string((*counter)++);
    }
  }
}

template <class T>
void unname(std::vector<T>* elements) {
  for (T& element : *elements) {
    if (element.name.find(mark) != std::string::npos) {
      element.name.clear();
    }
  }
}

void each_body(Body* body, const std::function<void(Body*)>& visit) {
  visit(body);
  for (Body& child : body->bodies) {
    each_body(&child, visit);
  }
}

std::size_t qvel_size(JointType type) {
  return type == JointType::free ? 6 : type == JointType::ball ? 3 : 1;
}

std::size_t act_size(const Actuator& actuator) {
  if (actuator.actdim >= 0) {
    return static_cast<std::size_t>(actuator.actdim);
  }
  return actuator.dyntype == DynType::none ? 0 : 1;
}

/// A joint with its coordinates at the reference pose.
struct JointSlot {
  std::string name;
  std::vector<double> qpos0;
  std::size_t qvel = 1;
};

void list_joints(const Body& body, std::vector<JointSlot>* slots) {
  for (const Joint& joint : body.joints) {
    JointSlot slot{joint.name, {joint.ref}, qvel_size(joint.type)};
    if (joint.type == JointType::ball) {
      slot.qpos0 = {1.0, 0.0, 0.0, 0.0};
    } else if (joint.type == JointType::free) {
      slot.qpos0.assign(body.pos.begin(), body.pos.end());
      slot.qpos0.insert(slot.qpos0.end(), body.quat.begin(), body.quat.end());
    }
    slots->push_back(std::move(slot));
  }
  for (const Body& child : body.bodies) {
    list_joints(child, slots);
  }
}

/// A mocap body with its pose in the scene.
struct MocapSlot {
  std::string name;
  std::vector<double> pos, quat;
};

void list_mocaps(const Body& body, std::vector<MocapSlot>* slots) {
  if (body.mocap) {
    slots->push_back(
        {body.name, {body.pos.begin(), body.pos.end()}, {body.quat.begin(), body.quat.end()}});
  }
  for (const Body& child : body.bodies) {
    list_mocaps(child, slots);
  }
}

/// Cuts the next piece off a vector; nothing of an empty one.
std::vector<double> cut(const std::vector<double>& from, std::size_t* at, std::size_t size) {
  if (from.empty()) {
    return {};
  }
  const auto begin = from.begin() + static_cast<std::ptrdiff_t>(*at);
  *at += size;
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

void check_length(const Spec& spec, const Key& key, std::string_view what,
                  const std::vector<double>& values, std::size_t size) {
  if (!values.empty() && values.size() != size) {
    throw spec.error(key.source, "key '" + key.name + "'",
                     std::string(what) + " has " + std::to_string(values.size()) +
                         " numbers, the model has " + std::to_string(size));
  }
}

/// Appends a piece, or what stands for it where the keyframe says nothing of it.
void append(const std::vector<double>* piece, const std::vector<double>& otherwise,
            std::vector<double>* to) {
  const std::vector<double>& source = piece == nullptr || piece->empty() ? otherwise : *piece;
  to->insert(to->end(), source.begin(), source.end());
}

/// Parts of a keyframe by name.
using PartsByName = std::map<std::string, const KeyPart*>;

PartsByName by_name(const std::vector<KeyPart>& parts) {
  PartsByName map;
  for (const KeyPart& part : parts) {
    map.emplace(part.name, &part);
  }
  return map;
}

/// The part of that name, or null.
const KeyPart* find_part(const PartsByName& parts, const std::string& name) {
  const auto found = parts.find(name);
  return found == parts.end() ? nullptr : found->second;
}

}  // namespace

void add_temporary_names(Spec* spec) {
  int counter = 0;
  each_body(&spec->worldbody, [&counter](Body* body) {
    name_temporarily(&body->joints, &counter);
    if (body->mocap && body->name.empty()) {
      body->name = mark + std::to_string(counter++);
    }
  });
  name_temporarily(&spec->actuators, &counter);
}

void remove_temporary_names(Spec* spec) {
  each_body(&spec->worldbody, [](Body* body) {
    unname(&body->joints);
    unname(&body->bodies);
  });
  unname(&spec->actuators);
}

std::vector<PartialKey> split_keys(const Spec& spec) {
  std::vector<JointSlot> joints;
  list_joints(spec.worldbody, &joints);
  std::size_t nq = 0;
  std::size_t nv = 0;
  for (const JointSlot& joint : joints) {
    nq += joint.qpos0.size();
    nv += joint.qvel;
  }
  std::size_t na = 0;
  for (const Actuator& actuator : spec.actuators) {
    na += act_size(actuator);
  }

  std::vector<MocapSlot> mocaps;
  list_mocaps(spec.worldbody, &mocaps);

  std::vector<PartialKey> keys;
  for (const Key& key : spec.keys) {
    check_length(spec, key, "qpos", key.qpos, nq);
    check_length(spec, key, "qvel", key.qvel, nv);
    check_length(spec, key, "act", key.act, na);
    check_length(spec, key, "ctrl", key.ctrl, spec.actuators.size());
    check_length(spec, key, "mpos", key.mpos, 3 * mocaps.size());
    check_length(spec, key, "mquat", key.mquat, 4 * mocaps.size());
    PartialKey partial;
    partial.key = key;
    std::size_t qpos = 0;
    std::size_t qvel = 0;
    std::size_t act = 0;
    std::size_t ctrl = 0;
    for (const JointSlot& joint : joints) {
      partial.joints.push_back(
          {joint.name, cut(key.qpos, &qpos, joint.qpos0.size()), cut(key.qvel, &qvel, joint.qvel)});
    }
    for (const Actuator& actuator : spec.actuators) {
      partial.actuators.push_back(
          {actuator.name, cut(key.ctrl, &ctrl, 1), cut(key.act, &act, act_size(actuator))});
    }
    std::size_t mpos = 0;
    std::size_t mquat = 0;
    for (const MocapSlot& mocap : mocaps) {
      partial.mocaps.push_back({mocap.name, cut(key.mpos, &mpos, 3), cut(key.mquat, &mquat, 4)});
    }
    keys.push_back(std::move(partial));
  }
  return keys;
}

void rename_keys(const PartNames& names, const Affix& affix, std::vector<PartialKey>* keys) {
  for (PartialKey& key : *keys) {
    for (KeyPart& part : key.joints) {
      if (names.joints.count(part.name) > 0) {
        affix.apply(&part.name);
      }
    }
    for (KeyPart& part : key.mocaps) {
      if (names.bodies.count(part.name) > 0) {
        affix.apply(&part.name);
      }
    }
    for (KeyPart& part : key.actuators) {
      if (names.actuators.count(part.name) > 0) {
        affix.apply(&part.name);
      }
    }
  }
}

void copy_joint_keys(const NameSet& joints, const Affix& affix, std::vector<PartialKey>* keys) {
  for (PartialKey& key : *keys) {
    std::vector<KeyPart> copies;
    for (const KeyPart& part : key.joints) {
      if (joints.count(part.name) > 0) {
        copies.push_back(part);
        affix.apply(&copies.back().name);
      }
    }
    std::move(copies.begin(), copies.end(), std::back_inserter(key.joints));
  }
}

void join_keys(const std::vector<PartialKey>& keys, Spec* spec) {
  std::vector<JointSlot> joints;
  list_joints(spec->worldbody, &joints);
  std::vector<MocapSlot> mocaps;
  list_mocaps(spec->worldbody, &mocaps);
  for (const PartialKey& partial : keys) {
    const PartsByName of_joint = by_name(partial.joints);
    const PartsByName of_actuator = by_name(partial.actuators);
    const PartsByName of_mocap = by_name(partial.mocaps);

    Key key;
    key.name = partial.key.name;
    key.source = partial.key.source;
    key.time = partial.key.time;
    for (const JointSlot& joint : joints) {
      const KeyPart* const part = find_part(of_joint, joint.name);
      if (!partial.key.qpos.empty()) {
        append(part != nullptr ? &part->position : nullptr, joint.qpos0, &key.qpos);
      }
      if (!partial.key.qvel.empty()) {
        append(part != nullptr ? &part->rate : nullptr, std::vector<double>(joint.qvel), &key.qvel);
      }
    }
    for (const Actuator& actuator : spec->actuators) {
      const KeyPart* const part = find_part(of_actuator, actuator.name);
      if (!partial.key.ctrl.empty()) {
        append(part != nullptr ? &part->position : nullptr, {0.0}, &key.ctrl);
      }
      if (!partial.key.act.empty()) {
        append(part != nullptr ? &part->rate : nullptr, std::vector<double>(act_size(actuator)),
               &key.act);
      }
    }
    for (const MocapSlot& mocap : mocaps) {
      const KeyPart* const part = find_part(of_mocap, mocap.name);
      if (!partial.key.mpos.empty()) {
        append(part != nullptr ? &part->position : nullptr, mocap.pos, &key.mpos);
      }
      if (!partial.key.mquat.empty()) {
        append(part != nullptr ? &part->rate : nullptr, mocap.quat, &key.mquat);
      }
    }
    spec->keys.push_back(std::move(key));
  }
}

}  // namespace swept::load_detail
