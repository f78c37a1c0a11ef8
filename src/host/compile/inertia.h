// SPDX-License-Identifier: Apache-2.0
// Mass and inertia of bodies: from their inertial elements or from their geoms.
#pragma once

#include "host/compile/scene.h"

#include <vector>

namespace swept::compiler {

/// A part of a body: mass and principal moments in a frame of the body.
struct MassPart {
  double mass = 0.0;  ///< [kg]
  Pose frame;         ///< centre of mass and principal axes
  Vec3 moments{};     ///< [kg m^2]
};

/// Whether mass and inertia of a body come from its geoms, if these have any.
bool infers_inertia(const Spec& spec, const Body& body);

/// Whether a geom of such a body has a part in them, by its group.
bool gives_inertia(const Spec& spec, const Geom& geom);

/// One body from several parts: mean position weighted by mass, sum of the tensors about it,
/// principal axes. A single part is taken as it is. The sum of the masses must be positive.
BodyInertia combine(const std::vector<MassPart>& parts);

/// Mass and inertia of a body as `spec.compiler` asks for: from its inertial (where the rules
/// prefer it), else from the geoms of the groups that take part. Bounds are not applied.
///   assets   compiled; geoms have their places (place_geoms)
/// Throws Error if a full inertia is not positive definite.
BodyInertia body_inertia(const Spec& spec, const Assets& assets, const Body& body);

/// As body_inertia(), with the lower bounds applied and the triangle inequality checked or
/// restored. Throws Error if a mass or an inertia is impossible.
BodyInertia checked_inertia(const Spec& spec, const Assets& assets, const Body& body);

/// The part that a body with this inertia is, seen from a frame in which the body frame is `pose`.
MassPart as_part(const BodyInertia& inertia, const Pose& pose);

/// Fill in the inertia of every body of the scene, align free bodies with their inertial frames,
/// and apply settotalmass. Re-expresses geoms, sites, cameras and lights of bodies that are
/// aligned. Throws Error if a mass or an inertia is impossible, or if something moves that has
/// none.
void compute_inertias(Scene& scene);

}  // namespace swept::compiler
