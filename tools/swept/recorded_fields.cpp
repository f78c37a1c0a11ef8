// SPDX-License-Identifier: Apache-2.0
// The table of recordable fields, from the tables of state and derived fields.
#include "tools/swept/recorded_fields.h"

#include "tools/swept/row_names.h"

#include <swept/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace swept::cli {

namespace {

struct Known {
  std::string_view name, unit, meaning;
  std::string_view rows;  ///< the size that counts them
  bool derived;
};

constexpr Known known_fields[] = {
#define SWEPT_STATE(name, rows, cols, unit, meaning) {#name, unit, meaning, #rows, false},
#include <swept/fields/state.def>
#undef SWEPT_STATE
#define SWEPT_DERIVED(name, rows, cols, unit, meaning) {#name, unit, meaning, #rows, true},
#include <swept/fields/derived.def>
#undef SWEPT_DERIVED
    {"status", "1", "why the environment stands still, 0: it does not", "1", false},
    {"ncon", "1", "contacts", "1", true},
    {"nefc", "1", "constraint rows", "1", true},
    {"solver_niter", "1", "iterations of the solver", "1", true},
};

}  // namespace

std::vector<RecordedField> recorded_fields(const Model& model,
                                           const std::vector<std::string>& names) {
  std::vector<RecordedField> fields;
  for (const std::string& name : names) {
    const auto known = std::find_if(std::begin(known_fields), std::end(known_fields),
                                    [&](const Known& field) { return field.name == name; });
    if (known == std::end(known_fields)) {
      std::string all;
      for (const Known& field : known_fields) {
        all += (all.empty() ? "" : ", ") + std::string(field.name);
      }
      throw Error(fmt::format("'{}' is no field that can be recorded", name), "use " + all);
    }
    if (std::any_of(fields.begin(), fields.end(),
                    [&](const RecordedField& field) { return field.name == name; })) {
      throw Error(fmt::format("field '{}' stands twice in --record-fields", name), "name it once");
    }
    fields.push_back({name, std::string(known->unit), std::string(known->meaning),
                      row_names(model, known->rows), known->derived});
  }
  return fields;
}

}  // namespace swept::cli
