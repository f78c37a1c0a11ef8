// SPDX-License-Identifier: Apache-2.0
// Everything in a Model that follows from other arrays of the same Model, in one function:
// compile() runs it once, and a batch runs it again on the model of an environment that was edited.
// It does what the official library's mj_setConst does:
//
//   which frames coincide        body_sameframe, geom_sameframe, site_sameframe
//   which bodies are simple      body_simple, dof_simplenum: what is simple may cease to be
//   sums                         body_subtreemass, body_margin
//   who lends damping, armature  jnt_actuatorid, tendon_actuatorid
//   bounds                       geom_rbound, geom_aabb
//   what drags a medium along    geom_fluid: virtual masses and inertias
//   measured at qpos0            dof_M0, dof_invweight0, body_invweight0, dof_length,
//                                tendon_length0, tendon_invweight0, actuator_length0, actuator_acc0
//
// The official library refuses to go on when the frames of a simple body cease to coincide; here it
// ceases to be simple, as if the scene had said simple="false".
//
// What only the text of a scene asks for is not in it: damping ratios of actuators, spring-dampers
// of joints, springs of tendons at their length of rest, and the averages in `stat`.
#pragma once

#include "host/compile/setconst/mass_matrix.h"

namespace swept::compiler {

/// A model at qpos0. The model must outlive it.
class RestState {
 public:
  explicit RestState(const Model& model)
      : pose(reference_pose(model, model.qpos0)), mass(model, pose) {}
  RestState(const RestState&) = delete;
  RestState& operator=(const RestState&) = delete;

  const ReferencePose pose;
  const MassMatrix mass;
};

/// Fill the arrays above from the others. `body_simple` says on entry which bodies may be simple
/// (1 or 2), by their place in the tree and the scene's wish. Does nothing to a compiled model that
/// was not changed, bit for bit. Numbers of the model that cannot be (a mass of 0, NaN) give
/// numbers that cannot be; nothing is thrown.
void set_constants(Model& model);

/// Whether the sizes of a geom can be, by its type.
bool has_valid_size(const Model& model, int geom);

}  // namespace swept::compiler
