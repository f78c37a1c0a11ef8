// SPDX-License-Identifier: Apache-2.0
// Inertia from geoms and inertials, with MuJoCo's rules; see the header.
#include "host/compile/inertia.h"

#include "host/compile/principal_axes.h"
#include "host/compile/shape.h"

namespace swept::compiler {
namespace {

constexpr double smallest_mass = 1e-14;    ///< geoms below it do not count
constexpr double smallest_moving = 1e-15;  ///< what moves must have at least this much

/// Volume, or surface area of a shell.
double content_of(const Geom& geom, const CompiledMesh* mesh) {
  if (mesh != nullptr) {
    return mesh->content;
  }
  return geom.shellinertia ? surface(geom.type, geom.size) : volume(geom.type, geom.size);
}

/// Mass and inertia of one geom.
MassPart geom_part(const Spec& spec, const Assets& assets, const Geom& geom) {
  const CompiledMesh* const mesh =
      geom.type == GeomType::mesh ? &assets.meshes[at(find_mesh(spec, geom.mesh))] : nullptr;
  MassPart part;
  part.frame = {geom.pos, normalized(geom.quat)};
  const double content = content_of(geom, mesh);
  if (!geom.mass.has_value()) {
    part.mass = geom.density * content;
  } else if (content > smallest_mass) {
    part.mass = *geom.mass;
  }
  if (mesh != nullptr) {
    // that of a box, which has it
    part.moments = solid_inertia(GeomType::box, mesh->box, part.mass);
  } else {
    part.moments = geom.shellinertia ? shell_inertia(geom.type, geom.size, part.mass)
                                     : solid_inertia(geom.type, geom.size, part.mass);
  }
  return part;
}

/// What an inertial element says.
BodyInertia from_inertial(const Spec& spec, const Body& body) {
  const Inertial& inertial = *body.inertial;
  BodyInertia result{true, {inertial.pos, normalized(inertial.quat)}, inertial.mass, {}};
  if (inertial.diaginertia.has_value()) {
    result.moments = *inertial.diaginertia;
  }
  if (inertial.fullinertia.has_value()) {
    const auto& f = *inertial.fullinertia;
    const PrincipalAxes axes =
        principal_axes({f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2]});
    // what round-off leaves of a zero eigenvalue may be lifted by boundinertia
    const double bound = spec.compiler.boundinertia;
    const double allowed = bound > 0.0 ? -1e-12 * axes.moments[0] : 1e-14;
    if (axes.moments[2] < allowed) {
      throw spec.error(inertial.source, label("body", body) + " inertial",
                       "fullinertia is not positive definite (smallest eigenvalue " +
                           std::to_string(axes.moments[2]) + ")",
                       "correct the six numbers, or set compiler boundinertia");
    }
    result.frame.quat = result.frame.quat * axes.quat;
    result.moments = axes.moments;
  }
  return result;
}

/// Lower bounds and consistency of one body's inertia.
void check_inertia(const Spec& spec, const Body& body, BodyInertia& inertia) {
  const CompilerSettings& settings = spec.compiler;
  inertia.mass = std::max(inertia.mass, settings.boundmass);
  for (double& moment : inertia.moments) {
    moment = std::max(moment, settings.boundinertia);
  }
  Vec3& i = inertia.moments;
  if (inertia.mass < 0.0 || i[0] < 0.0 || i[1] < 0.0 || i[2] < 0.0) {
    throw spec.error(body.source, label("body", body), "mass and inertia must not be negative");
  }
  // no rigid body has a principal moment above the sum of the other two
  if (i[0] + i[1] < i[2] || i[0] + i[2] < i[1] || i[1] + i[2] < i[0]) {
    if (!settings.balanceinertia) {
      throw spec.error(body.source, label("body", body),
                       "principal inertias must satisfy A + B >= C, they are " +
                           std::to_string(i[0]) + ", " + std::to_string(i[1]) + ", " +
                           std::to_string(i[2]),
                       "correct them, or set compiler balanceinertia=\"true\"");
    }
    const double mean = (i[0] + i[1] + i[2]) / 3.0;
    i = {mean, mean, mean};
  }
}

/// Re-express everything that hangs on a body in a new body frame, given in the old one.
void move_frame(Body& body, const Pose& frame) {
  const Pose back = inverse(frame);
  const auto moved = [&](auto& item) {
    const Pose pose = compose(back, {item.pos, normalized(item.quat)});
    item.pos = pose.pos;
    item.quat = pose.quat;
  };
  for (Geom& geom : body.geoms) {
    moved(geom);
  }
  for (Site& site : body.sites) {
    moved(site);
  }
  for (Camera& camera : body.cameras) {
    moved(camera);
  }
  for (Light& light : body.lights) {
    light.pos = back.pos + rotate(back.quat, light.pos);
    light.dir = rotate(back.quat, light.dir);
  }
  const Pose pose = compose({body.pos, normalized(body.quat)}, frame);
  body.pos = pose.pos;
  body.quat = pose.quat;
}

/// Does the frame of this free body move to its inertial frame?
bool is_aligned(const Scene& scene, const Body& body) {
  if (body.joints.size() != 1 || body.joints[0].type != JointType::free || !body.bodies.empty()) {
    return false;
  }
  const Tristate align = body.joints[0].align;
  return align == Tristate::yes || (align == Tristate::automatic && scene.spec.compiler.alignfree);
}

/// Is there mass and inertia on this body, or on what is rigidly fixed to it?
bool has_inertia(const Scene& scene, const std::vector<std::vector<int>>& children, int id) {
  const BodyInertia& inertia = scene.bodies[at(id)].inertia;
  if (inertia.mass >= smallest_moving && inertia.moments[0] >= smallest_moving &&
      inertia.moments[1] >= smallest_moving && inertia.moments[2] >= smallest_moving) {
    return true;
  }
  for (const int child : children[at(id)]) {
    if (scene.bodies[at(child)].body->joints.empty() && has_inertia(scene, children, child)) {
      return true;
    }
  }
  return false;
}

/// What moves must have inertia, or the mass matrix is singular.
void check_moving_bodies(const Scene& scene) {
  std::vector<std::vector<int>> children(scene.bodies.size());
  for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
    children[at(scene.bodies[b].parent)].push_back(static_cast<int>(b));
  }
  for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
    const Body& body = *scene.bodies[b].body;
    if (!body.joints.empty() && !has_inertia(scene, children, static_cast<int>(b))) {
      throw scene.error("body", body, "moves but has no mass or no inertia",
                        "give it an inertial or a geom with mass, or set compiler boundmass and "
                        "boundinertia");
    }
  }
}

/// Scale all masses and inertias to a given total.
void scale_to_total(Scene& scene, double total) {
  double mass = 0.0;
  for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
    mass += scene.bodies[b].inertia.mass;
  }
  const double scale = std::max(smallest_moving, total / std::max(smallest_moving, mass));
  for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
    scene.bodies[b].inertia.mass *= scale;
    scene.bodies[b].inertia.moments = scene.bodies[b].inertia.moments * scale;
  }
}

}  // namespace

BodyInertia combine(const std::vector<MassPart>& parts) {
  BodyInertia result;
  if (parts.empty()) {
    return result;
  }
  result.given = true;
  if (parts.size() == 1) {
    result.frame = parts[0].frame;
    result.mass = parts[0].mass;
    result.moments = parts[0].moments;
    return result;
  }

  // centre of mass
  Vec3 centre{};
  for (const MassPart& part : parts) {
    result.mass += part.mass;
    centre = centre + part.frame.pos * part.mass;
  }
  centre = centre * (1.0 / result.mass);

  // tensor about it, then its axes
  Mat3 tensor{};
  for (const MassPart& part : parts) {
    const Mat3 one =
        inertia_about(part.frame.quat, part.moments, part.mass, part.frame.pos - centre);
    for (std::size_t k = 0; k < 9; ++k) {
      tensor[k] += one[k];
    }
  }
  const PrincipalAxes axes = principal_axes(tensor);
  result.frame = {centre, axes.quat};
  result.moments = axes.moments;
  return result;
}

bool infers_inertia(const Spec& spec, const Body& body) {
  const InertiaFromGeom from = spec.compiler.inertiafromgeom;
  return from == InertiaFromGeom::yes ||
         (from == InertiaFromGeom::automatic && !body.inertial.has_value());
}

bool gives_inertia(const Spec& spec, const Geom& geom) {
  const auto& groups = spec.compiler.inertiagrouprange;
  return geom.group >= groups[0] && geom.group <= groups[1];
}

BodyInertia body_inertia(const Spec& spec, const Assets& assets, const Body& body) {
  if (infers_inertia(spec, body)) {
    std::vector<MassPart> parts;
    for (const Geom& geom : body.geoms) {
      if (!gives_inertia(spec, geom)) {
        continue;
      }
      const MassPart part = geom_part(spec, assets, geom);
      if (part.mass > smallest_mass) {
        parts.push_back(part);
      }
    }
    if (!parts.empty()) {
      return combine(parts);
    }
  }
  if (body.inertial.has_value()) {
    return from_inertial(spec, body);
  }
  // a body with neither keeps its own pose in the parent as its inertial frame, as in MuJoCo
  return {false, {body.pos, normalized(body.quat)}, 0.0, {}};
}

BodyInertia checked_inertia(const Spec& spec, const Assets& assets, const Body& body) {
  BodyInertia inertia = body_inertia(spec, assets, body);
  check_inertia(spec, body, inertia);
  return inertia;
}

MassPart as_part(const BodyInertia& inertia, const Pose& pose) {
  return {inertia.mass, compose(pose, inertia.frame), inertia.moments};
}

void compute_inertias(Scene& scene) {
  for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
    Body& body = *scene.bodies[b].body;
    BodyInertia& inertia = scene.bodies[b].inertia;
    inertia = checked_inertia(scene.spec, scene.assets, body);
    if (is_aligned(scene, body)) {
      move_frame(body, inertia.frame);
      inertia.frame = {};
    }
  }
  check_moving_bodies(scene);
  if (scene.spec.compiler.settotalmass > 0.0) {
    scale_to_total(scene, scene.spec.compiler.settotalmass);
  }
}

}  // namespace swept::compiler
