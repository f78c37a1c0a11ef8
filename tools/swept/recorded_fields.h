// SPDX-License-Identifier: Apache-2.0
// The fields that `swept run --record` can write: their units, meanings, and the names of their
// rows.
#pragma once

#include <swept/model.h>

#include <string>
#include <vector>

namespace swept::cli {

/// A field of [rows, columns] numbers per environment.
struct RecordedField {
  std::string name, unit, meaning;
  std::vector<std::string> row_names;  ///< such as the bodies of xpos; empty: rows have no names
  bool derived = false;                ///< computed by a forward pass from the state
};

/// The fields with these names, in their order. Throws Error for a name that cannot be recorded, or
/// that stands twice.
std::vector<RecordedField> recorded_fields(const Model& model,
                                           const std::vector<std::string>& names);

}  // namespace swept::cli
