// SPDX-License-Identifier: Apache-2.0
// A height-field asset compiled: its elevations brought to [0, 1].
#pragma once

#include <swept/spec.h>

#include <vector>

namespace swept::compiler {

struct CompiledHField {
  int nrow = 0;
  int ncol = 0;
  std::vector<float> elevation;  ///< [nrow, ncol] in [0, 1]; flat: all 0
};

/// Brings elevations to [0, 1], in single precision: minus the least, over their range if that is
/// above 1e-14.
///   spec        the scene, for messages
///   elevation   [nrow, ncol] in any unit; empty: flat
/// Throws Error if there are not 2 rows and columns, or if a number is not finite.
CompiledHField compile_hfield(const Spec& spec, const HField& hfield, int nrow, int ncol,
                              std::vector<float> elevation);

}  // namespace swept::compiler
