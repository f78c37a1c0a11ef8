// SPDX-License-Identifier: Apache-2.0
// The arrays of a compiled scene by name: a table of what there is, and read access as spans.
#pragma once

#include <swept/model.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace swept {

/// One array of a Model: shape [rows, cols], row-major.
struct ModelField {
  std::string_view name;     ///< MuJoCo's name
  std::string_view unit;     ///< empty for integers
  std::string_view meaning;  ///< one line
  bool is_int = false;
  std::size_t rows = 0;
  std::size_t cols = 0;
};

/// Every array of a model with its shape there, in the order of the field table.
std::vector<ModelField> model_fields(const Model& model);

/// A real array by name, for example real_field(model, "body_mass").
/// Throws Error if there is no such array, or if it holds integers. Valid as long as the model.
std::span<const double> real_field(const Model& model, std::string_view name);

/// An integer array by name, for example int_field(model, "body_parentid").
/// Throws Error if there is no such array, or if it holds reals. Valid as long as the model.
std::span<const int> int_field(const Model& model, std::string_view name);

}  // namespace swept
