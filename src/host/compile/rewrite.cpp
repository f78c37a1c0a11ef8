// SPDX-License-Identifier: Apache-2.0
// The two passes that rewrite a scene before it is compiled: discardvisual and fusestatic.
#include "host/compile/inertia.h"
#include "host/compile/passes.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace swept::compiler {
namespace {

using NameSet = std::unordered_set<std::string>;

/// Call f on a body and everything below it.
template <class F>
void for_each_body(Body& body, const F& f) {
  f(body);
  for (Body& child : body.bodies) {
    for_each_body(child, f);
  }
}

/// Names of bodies that something refers to.
NameSet referenced_bodies(Spec& spec) {
  NameSet names;
  for (const Exclude& exclude : spec.excludes) {
    names.insert({exclude.body1, exclude.body2});
  }
  for (const Tuple& tuple : spec.tuples) {
    for (const Tuple::Entry& entry : tuple.entries) {
      if (entry.objtype == "body" || entry.objtype == "xbody") {
        names.insert(entry.objname);
      }
    }
  }
  for_each_body(spec.worldbody, [&](const Body& body) {
    for (const Camera& camera : body.cameras) {
      names.insert(camera.target);
    }
    for (const Light& light : body.lights) {
      names.insert(light.target);
    }
  });
  names.erase("");
  return names;
}

/// Names of geoms that something refers to.
NameSet referenced_geoms(const Spec& spec) {
  NameSet names;
  for (const Pair& pair : spec.pairs) {
    names.insert({pair.geom1, pair.geom2});
  }
  for (const Tuple& tuple : spec.tuples) {
    for (const Tuple::Entry& entry : tuple.entries) {
      if (entry.objtype == "geom") {
        names.insert(entry.objname);
      }
    }
  }
  names.erase("");
  return names;
}

/// An inertial element with the given content.
Inertial as_inertial(const BodyInertia& inertia, Source source) {
  Inertial result;
  result.source = source;
  result.pos = inertia.frame.pos;
  result.quat = inertia.frame.quat;
  result.mass = inertia.mass;
  result.diaginertia = inertia.moments;
  return result;
}

/// Pose of a child in the frame that `pose` is given in.
template <class Item>
void move_into(Item& item, const Pose& pose) {
  const Pose moved = compose(pose, {item.pos, normalized(item.quat)});
  item.pos = moved.pos;
  item.quat = moved.quat;
}

/// Append `from` to `to`, re-expressed.
template <class Item>
void move_all(std::vector<Item>& from, const Pose& pose, std::vector<Item>& to) {
  for (Item& item : from) {
    move_into(item, pose);
    to.push_back(std::move(item));
  }
}

/// Must this body stay a body?
bool stays(const Spec& spec, const Assets& assets, const NameSet& referenced, const Body& body,
           const Body& parent, bool parent_is_world) {
  if (!body.joints.empty() || body.mocap || referenced.contains(body.name)) {
    return true;
  }
  if (parent_is_world) {
    return false;
  }
  // what has mass cannot be merged if gravity is compensated by another share, if the parent's
  // inertia is inferred from its geoms, or in a medium; there ellipsoids cannot either
  const bool from_geoms = spec.compiler.inertiafromgeom == InertiaFromGeom::yes;
  const bool medium = spec.option.density > 0.0 || spec.option.viscosity > 0.0;
  const bool ellipsoids = std::any_of(body.geoms.begin(), body.geoms.end(),
                                      [](const Geom& geom) { return geom.fluid_ellipsoid; });
  return (medium && ellipsoids) || ((medium || from_geoms || body.gravcomp != parent.gravcomp) &&
                                    checked_inertia(spec, assets, body).mass > 0.0);
}

/// Merge a child into its parent; its bodies take its place in the list, from `position` on.
void merge(const Spec& spec, const Assets& assets, Body& parent, std::size_t position,
           bool parent_is_world) {
  Body child = std::move(parent.bodies[position]);
  const Pose pose{child.pos, normalized(child.quat)};

  // the parent takes over the inertia, which is explicit from then on
  if (!parent_is_world) {
    const MassPart added = as_part(checked_inertia(spec, assets, child), pose);
    if (added.mass > 0.0) {
      const MassPart own = as_part(checked_inertia(spec, assets, parent), {});
      const bool alone = own.mass == 0.0 && own.moments == Vec3{};
      parent.inertial =
          as_inertial(combine(alone ? std::vector{added} : std::vector{own, added}), parent.source);
    }
  }

  // what hangs on it
  move_all(child.geoms, pose, parent.geoms);
  move_all(child.sites, pose, parent.sites);
  move_all(child.cameras, pose, parent.cameras);
  for (Light& light : child.lights) {
    light.pos = pose.pos + rotate(pose.quat, light.pos);
    light.dir = rotate(pose.quat, light.dir);
    parent.lights.push_back(std::move(light));
  }
  for (Body& grandchild : child.bodies) {
    move_into(grandchild, pose);
  }
  const auto place = parent.bodies.begin() + static_cast<std::ptrdiff_t>(position);
  const auto next = parent.bodies.erase(place);
  parent.bodies.insert(next, std::make_move_iterator(child.bodies.begin()),
                       std::make_move_iterator(child.bodies.end()));
}

void fuse_below(const Spec& spec, const Assets& assets, const NameSet& referenced, Body& body,
                bool is_world) {
  std::size_t i = 0;
  while (i < body.bodies.size()) {
    if (stays(spec, assets, referenced, body.bodies[i], body, is_world)) {
      fuse_below(spec, assets, referenced, body.bodies[i], false);
      ++i;
    } else {
      merge(spec, assets, body, i, is_world);
    }
  }
}

/// Does this geom go when what is only looked at goes?
bool is_visual(const NameSet& referenced, const Geom& geom) {
  return geom.contype == 0 && geom.conaffinity == 0 && !geom.fluid_ellipsoid &&
         !referenced.contains(geom.name);
}

}  // namespace

void discard_idle(Spec& spec) {
  const NameSet referenced = referenced_geoms(spec);
  for_each_body(spec.worldbody, [&](Body& body) {
    const bool infers = &body != &spec.worldbody && infers_inertia(spec, body);
    std::erase_if(body.geoms, [&](const Geom& geom) {
      return is_visual(referenced, geom) && !(infers && gives_inertia(spec, geom));
    });
  });
}

void discard_visual(Spec& spec, const Assets& assets) {
  const NameSet referenced = referenced_geoms(spec);
  const auto goes = [&](const Geom& geom) { return is_visual(referenced, geom); };
  for_each_body(spec.worldbody, [&](Body& body) {
    // the inertia as it is with these geoms, made explicit
    const bool is_world = &body == &spec.worldbody;
    const bool loses = std::any_of(body.geoms.begin(), body.geoms.end(), goes);
    if (!loses) {
      return;
    }
    const BodyInertia before = body_inertia(spec, assets, body);
    std::erase_if(body.geoms, goes);
    if (is_world) {
      return;
    }
    if (spec.compiler.inertiafromgeom != InertiaFromGeom::yes) {
      if (before.given) {
        body.inertial = as_inertial(before, body.source);
      }
    } else if (body_inertia(spec, assets, body).mass != before.mass) {
      throw spec.error(body.source, label("body", body),
                       "discardvisual would remove geoms whose mass inertiafromgeom=\"true\" needs",
                       "set inertiafromgeom=\"auto\", which keeps the inertia");
    }
  });
}

void fuse_static(Spec& spec, const Assets& assets) {
  const NameSet referenced = referenced_bodies(spec);
  fuse_below(spec, assets, referenced, spec.worldbody, true);
}

Assets rewrite(Spec* spec) {
  const CompilerSettings& settings = spec->compiler;
  if (settings.discardvisual) {
    discard_idle(*spec);
    drop_unused_meshes(spec, nullptr);
  }
  Assets assets = compile_assets(*spec);
  place_geoms(assets, spec);
  if (settings.discardvisual) {
    discard_visual(*spec, assets);
    drop_unused_meshes(spec, &assets);
  }
  if (settings.fusestatic) {
    fuse_static(*spec, assets);
  }
  return assets;
}

}  // namespace swept::compiler
