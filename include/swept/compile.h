// SPDX-License-Identifier: Apache-2.0
// From the described scene to the compiled one.
#pragma once

#include <swept/model.h>
#include <swept/spec.h>

namespace swept {

/// Compile a scene: number its elements, resolve references between them, and compute everything
/// that depends on the scene alone (inertias, bounds, sparsity, contact candidates, and the
/// quantities at qpos0 such as dof_invweight0).
///   spec   as the loader made it, or built by a program; orientations need not be of unit length
/// Throws Error with file, line and element if the scene is inconsistent.
Model compile(const Spec& spec);

/// Give every array of the field table the length that the model's sizes ask for, zero-filled.
/// Sizes must not be negative. Arrays that already have the right length keep their content.
void resize_fields(Model& model);

/// Most geom pairs in the candidate list; scenes with more have none, and are swept instead.
inline constexpr std::size_t max_candidates = std::size_t{1} << 20;

}  // namespace swept
