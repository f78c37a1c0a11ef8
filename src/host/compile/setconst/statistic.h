// SPDX-License-Identifier: Apache-2.0
// Averages over the scene at qpos0.
#pragma once

#include "host/compile/setconst/mass_matrix.h"

namespace swept::compiler {

/// dof_length: 1 for translations, the size of the body for rotations.
void fill_dof_length(const ReferencePose& pose, Model& model);

/// Fill model.stat.
///   stat.center, extent   box over centres of bodies, joints, sites and bounding spheres of geoms
///   stat.meansize         mean over bodies of the largest distance from the centre of mass to a
///   joint
///                         (own ones and the children's) or to the far side of a geom
///   stat.meanmass, meaninertia   mean mass; mean diagonal of M
/// What the scene's statistic element gives replaces the computed values.
void fill_statistic(const Scene& scene, const ReferencePose& pose, const MassMatrix& mass,
                    Model& model);

}  // namespace swept::compiler
