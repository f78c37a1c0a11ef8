// SPDX-License-Identifier: Apache-2.0
// The field table of the compiled scene, expanded to shapes, allocation and access by name.
#include <swept/compile.h>
#include <swept/error.h>
#include <swept/model_fields.h>

#include <algorithm>
#include <array>
#include <string>

namespace swept {
namespace {

/// Rows of the table that do not depend on a model.
struct Row {
  std::string_view name;
  std::string_view unit;
  std::string_view meaning;
  std::vector<int> Model::*ints;
  std::vector<double> Model::*reals;
};

constexpr Row rows_of_table[] = {
#define SWEPT_MODEL_INT(name, rows, cols, meaning) {#name, "", meaning, &Model::name, nullptr},
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) \
  {#name, unit, meaning, nullptr, &Model::name},
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
};

constexpr std::size_t field_count = std::size(rows_of_table);

struct Shape {
  std::size_t rows;
  std::size_t cols;
};

/// Inside this struct the table's shapes, written as names of sizes, are expressions.
struct Shapes : Sizes {
  std::array<Shape, field_count> all() const {
    return {{
#define SWEPT_MODEL_INT(name, rows, cols, meaning) \
  {static_cast<std::size_t>(rows), static_cast<std::size_t>(cols)},
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) \
  {static_cast<std::size_t>(rows), static_cast<std::size_t>(cols)},
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
    }};
  }
};

std::array<Shape, field_count> shapes_of(const Sizes& sizes) {
  return Shapes{sizes}.all();
}

const Row& find(std::string_view name) {
  const auto* found = std::find_if(std::begin(rows_of_table), std::end(rows_of_table),
                                   [&](const Row& row) { return row.name == name; });
  if (found == std::end(rows_of_table)) {
    throw Error("the model has no array '" + std::string(name) + "'",
                "model_fields() lists the arrays there are");
  }
  return *found;
}

}  // namespace

void resize_fields(Model& model) {
  const auto shapes = shapes_of(model);
  for (std::size_t i = 0; i < field_count; ++i) {
    const Row& row = rows_of_table[i];
    const std::size_t length = shapes[i].rows * shapes[i].cols;
    if (row.ints != nullptr) {
      (model.*row.ints).resize(length);
    } else {
      (model.*row.reals).resize(length);
    }
  }
}

std::vector<ModelField> model_fields(const Model& model) {
  const auto shapes = shapes_of(model);
  std::vector<ModelField> fields;
  fields.reserve(field_count);
  for (std::size_t i = 0; i < field_count; ++i) {
    const Row& row = rows_of_table[i];
    fields.push_back(
        {row.name, row.unit, row.meaning, row.ints != nullptr, shapes[i].rows, shapes[i].cols});
  }
  return fields;
}

std::span<const double> real_field(const Model& model, std::string_view name) {
  const Row& row = find(name);
  if (row.reals == nullptr) {
    throw Error("the array '" + std::string(name) + "' holds integers", "use int_field()");
  }
  return model.*row.reals;
}

std::span<const int> int_field(const Model& model, std::string_view name) {
  const Row& row = find(name);
  if (row.ints == nullptr) {
    throw Error("the array '" + std::string(name) + "' holds reals", "use real_field()");
  }
  return model.*row.ints;
}

}  // namespace swept
