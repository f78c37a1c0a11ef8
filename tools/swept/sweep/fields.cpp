// SPDX-License-Identifier: Apache-2.0
// The table of fields, from those of model, state and derived fields.
#include "tools/swept/sweep/fields.h"

#include "tools/swept/row_names.h"

#include <swept/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace swept::cli {

namespace {

/// Inside this struct the tables' shapes, written as names of sizes, are expressions.
struct Table : Sizes {
  std::vector<Field> all() const {
    using enum FieldKind;
    return {
#define SWEPT_MODEL_INT(name, rows, cols, meaning)
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) \
  {#name, unit, meaning, #rows, model, rows, cols},
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
#define SWEPT_STATE(name, rows, cols, unit, meaning) \
  {#name, unit, meaning, #rows, state, rows, cols},
#include <swept/fields/state.def>
#undef SWEPT_STATE
#define SWEPT_DERIVED(name, rows, cols, unit, meaning) \
  {#name, unit, meaning, #rows, derived, rows, cols},
#include <swept/fields/derived.def>
#undef SWEPT_DERIVED
        {"ncon", "1", "contacts", "1", derived, 1, 1},
        {"nefc", "1", "constraint rows", "1", derived, 1, 1},
        {"solver_niter", "1", "iterations of the solver", "1", derived, 1, 1},
    };
  }
};

// a whole number in [0, count), or -1
int number_of(const std::string& text, int count) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && number >= 0 && number < count ? number : -1;
}

/// A list of at most so many names.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 40;
  const std::vector<std::string> shown(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size())));
  return fmt::format("{}{}", fmt::join(shown, ", "), names.size() > most ? ", ..." : "");
}

// finds labels among names, or as numbers below `count`; no labels: all
std::vector<int> find_labels(const std::vector<std::string>& labels,
                             const std::vector<std::string>& names, int count, const char* kind,
                             const Field& field, const Place& place) {
  std::vector<int> found;
  if (labels.empty()) {
    for (int i = 0; i < count; ++i) {
      found.push_back(i);
    }
  }
  for (const std::string& label : labels) {
    const auto named = std::find(names.begin(), names.end(), label);
    const int id =
        named != names.end() ? static_cast<int>(named - names.begin()) : number_of(label, count);
    if (id < 0) {
      throw Error(place, fmt::format("field '{}' has no {} '{}'", field.name, kind, label),
                  count == 0      ? "it is empty in this scene"
                  : names.empty() ? fmt::format("give a number from 0 to {}", count - 1)
                                  : fmt::format("give a number from 0 to {}, or of {}", count - 1,
                                                some_of(names)));
    }
    if (std::find(found.begin(), found.end(), id) != found.end()) {
      throw Error(place, fmt::format("{} '{}' of '{}' is named twice", kind, label, field.name),
                  "name it once");
    }
    found.push_back(id);
  }
  if (found.empty()) {
    throw Error(place, fmt::format("field '{}' is empty in this scene", field.name),
                "use another field");
  }
  return found;
}

std::vector<std::string> column_names(int columns) {
  if (columns == 3) {
    return {"x", "y", "z"};
  }
  return columns == 4 ? std::vector<std::string>{"w", "x", "y", "z"} : std::vector<std::string>{};
}

/// Is the number a length of a joint, and not an angle: 1, 0; -1: it is of no joint.
int is_length(const Model& model, const Field& field, int row) {
  const bool positions = field.row_size == "nq", joints = field.row_size == "njnt";
  if (!positions && !joints && field.row_size != "nv") {
    return -1;
  }
  int joint = row, number = 0;
  if (!joints) {
    const std::vector<int>& first = positions ? model.jnt_qposadr : model.jnt_dofadr;
    joint = static_cast<int>(std::upper_bound(first.begin(), first.end(), row) - first.begin()) - 1;
    number = row - first[static_cast<std::size_t>(joint)];
  }
  const int type = model.jnt_type[static_cast<std::size_t>(joint)];
  return type == joint_slide || (type == joint_free && number < 3) ? 1 : 0;
}

std::vector<std::string> split(std::string_view text, std::string_view by) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at != std::string_view::npos;) {
    const std::size_t end = text.find(by, at);
    parts.emplace_back(text.substr(at, end == std::string_view::npos ? end : end - at));
    at = end == std::string_view::npos ? end : end + by.size();
  }
  return parts;
}

// the unit of one number: its column's, and of "m or rad" the one that its joint has
std::string unit_of(const Model& model, const Field& field, int row, int column) {
  const std::vector<std::string> columns = split(field.unit, ", ");
  const int count = static_cast<int>(columns.size());
  std::string unit = std::string(field.unit);
  if (field.columns % count == 0) {
    unit = columns[static_cast<std::size_t>(column * count / field.columns)];
  }
  const std::vector<std::string> choices = split(unit, " or ");
  const int length = is_length(model, field, row);
  if (choices.size() == 2 && length >= 0 && !unit.starts_with("per ")) {
    unit = choices[length == 1 ? 0 : 1];
    // an angle in qpos; the numbers of a quaternion have no unit
    const bool hinge = field.row_size != "njnt" && unit == "1" && field.row_size == "nq" &&
                       row_names(model, "nq")[static_cast<std::size_t>(row)].back() != ']';
    unit = hinge ? "rad" : unit;
  }
  return unit;
}

}  // namespace

Numbers find_numbers(const Model& model, const Selection& selection, const std::string& file,
                     const std::string& place) {
  const Place where{file, 0, place};
  const std::vector<Field> all = Table{model}.all();
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const Field& field) { return field.name == selection.field; });
  if (found == all.end()) {
    std::vector<std::string> names;
    for (const Field& field : all) {
      if (field.kind != FieldKind::model) {
        names.emplace_back(field.name);
      }
    }
    throw Error(where, fmt::format("there is no field '{}'", selection.field),
                fmt::format("use a real field of the model (body_mass, geom_friction, ...), or "
                            "one of {}",
                            fmt::join(names, ", ")));
  }
  Numbers numbers{*found, {}, {}};
  const std::vector<int> rows = find_labels(selection.rows, row_names(model, found->row_size),
                                            found->rows, "row", *found, where);
  const std::vector<int> columns = find_labels(selection.columns, column_names(found->columns),
                                               found->columns, "column", *found, where);
  for (const int row : rows) {
    for (const int column : columns) {
      numbers.offsets.push_back(row * found->columns + column);
      const std::string unit = unit_of(model, *found, row, column);
      const bool first = numbers.offsets.size() == 1;
      numbers.unit = first || numbers.unit == unit ? unit : std::string(found->unit);
    }
  }
  return numbers;
}

}  // namespace swept::cli
