// SPDX-License-Identifier: Apache-2.0
// What is measured on a model at qpos0.
#pragma once

#include "host/compile/setconst/set_constants.h"

namespace swept::compiler {

/// dof_M0, body_invweight0, dof_invweight0, dof_length; length and inverse weight of tendons;
/// length and acceleration per unit force of actuators.
void fill_constants(const RestState& rest, Model& model);

/// What the text of a scene leaves to the state at qpos0: spring lengths -1 -1 of tendons, damping
/// ratios of actuators, spring-dampers of joints, and the averages in `stat`.
void resolve_constants(const Scene& scene, const RestState& rest, Model& model);

}  // namespace swept::compiler
