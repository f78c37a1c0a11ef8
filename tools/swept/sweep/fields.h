// SPDX-License-Identifier: Apache-2.0
// The fields that a sweep can set and measure: shapes, units, and the numbers that a selection means.
#pragma once

#include "tools/swept/sweep/plan.h"

#include <swept/model.h>

#include <string>
#include <string_view>
#include <vector>

namespace swept::cli {

enum class FieldKind {
  model,    ///< a real field of the model
  state,    ///< of the state
  derived,  ///< computed by a forward pass from the state
};

/// A field of one environment, [rows, columns], row-major.
struct Field {
  std::string_view name, unit, meaning;
  std::string_view row_size;  ///< the size that counts its rows, such as "nbody"
  FieldKind kind = FieldKind::state;
  int rows = 0, columns = 0;
};

/// The numbers of a field that a selection means.
struct Numbers {
  Field field;
  std::vector<int> offsets;  ///< row * columns + column; row by row, in the order of the selection
  std::string unit;          ///< of all of them; where they differ, the field's whole text
};

/// Find the field and the rows and columns of a selection. Throws Error at `place` of the sweep file
/// for a field, row or column that does not exist, naming those that do.
Numbers find_numbers(const Model& model, const Selection& selection, const std::string& file,
                     const std::string& place);

}  // namespace swept::cli
