// SPDX-License-Identifier: Apache-2.0
// Length and moment of an actuator at one pose, in double and plainly written, for the compiler. On
// a joint: its coordinate; on a tendon: the tendon's length; on a site: nothing, or its place and
// orientation seen from a reference site; all times gear. The moment is the force on the dofs per
// force of the actuator.
#pragma once

#include "host/compile/setconst/mass_matrix.h"
#include "host/compile/setconst/reference_pose.h"

namespace swept::compiler {

/// Length, gear included. Reads tendon_length0. `pose` is that at qpos0.
double actuator_length(const Model& model, const ReferencePose& pose, int actuator);

/// The row of the moment, gear included. `pose` is that at qpos0.
SparseDofs actuator_moment(const Model& model, const ReferencePose& pose, int actuator);

}  // namespace swept::compiler
