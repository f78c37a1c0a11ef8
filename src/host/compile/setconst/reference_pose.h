// SPDX-License-Identifier: Apache-2.0
// The scene at one configuration: poses and motion axes, in double and plainly written. The
// compiler uses it at qpos0. The 6D convention is MuJoCo's: rotation before translation, about the
// centre of mass of the whole tree (subtree_com of the body's root), world axes.
#pragma once

#include "host/compile/scene.h"

#include <array>
#include <vector>

namespace swept::compiler {

using Vec6 = std::array<double, 6>;

/// Poses of everything in the world, and motion axes of the dofs.
struct ReferencePose {
  std::vector<Pose> body;       ///< [nbody]
  std::vector<Vec3> xipos;      ///< [nbody] centres of mass
  std::vector<Quat> xiquat;     ///< [nbody] principal axes
  std::vector<Vec3> xanchor;    ///< [njnt]
  std::vector<Vec3> xaxis;      ///< [njnt]
  std::vector<Vec3> geom_xpos;  ///< [ngeom]
  std::vector<Vec3> site_xpos;  ///< [nsite]
  std::vector<Vec3> root_com;   ///< [nbody] centre of mass of the body's tree, the origin of cdof
  std::vector<Vec6> cdof;       ///< [nv]
};

/// Kinematics of the compiled arrays at a configuration.
///   qpos   [nq]
ReferencePose reference_pose(const Model& model, const std::vector<double>& qpos);

}  // namespace swept::compiler
