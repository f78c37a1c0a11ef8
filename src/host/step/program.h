// SPDX-License-Identifier: Apache-2.0
// The order of the stages: what a forward pass and a step consist of.
#pragma once

#include <optional>
#include <vector>

#include <swept/model.h>

#include "kernels/engine/engine.h"

namespace swept {

/// Everything up to qacc.
std::vector<Call> forward_program(const Model& model);

/// One step by the model's integrator. `auto_reset` is the keyframe (-1: the default state) that
/// environments go back to which are frozen at its start or at its end; empty: they stay. Throws
/// Error for an integrator that is not there.
std::vector<Call> step_program(const Model& model, std::optional<int> auto_reset);

}  // namespace swept
