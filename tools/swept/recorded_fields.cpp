// SPDX-License-Identifier: Apache-2.0
// The table of recordable fields, from the tables of state and derived fields.
#include "tools/swept/recorded_fields.h"

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

// names by id; an unnamed element is called by its kind and number
std::vector<std::string> element_names(const std::vector<std::string>& names, const char* kind,
                                       int count) {
  std::vector<std::string> all;
  for (int i = 0; i < count; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    all.push_back(at < names.size() && !names[at].empty() ? names[at]
                                                          : fmt::format("{} {}", kind, i));
  }
  return all;
}

// names of numbers of which each joint has some: "hip", or "root[0]" where there are several
std::vector<std::string> joint_numbers(const Model& m, const std::vector<int>& first, int total) {
  const std::vector<std::string> joints = element_names(m.names.joint, "joint", m.njnt);
  std::vector<std::string> all;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const int end = j + 1 < joints.size() ? first[j + 1] : total;
    for (int i = 0; i < end - first[j]; ++i) {
      all.push_back(end - first[j] == 1 ? joints[j] : fmt::format("{}[{}]", joints[j], i));
    }
  }
  return all;
}

// names of activations, by their actuators
std::vector<std::string> activation_names(const Model& m) {
  const std::vector<std::string> actuators = element_names(m.names.actuator, "actuator", m.nu);
  std::vector<std::string> all(static_cast<std::size_t>(m.na));
  for (std::size_t u = 0; u < actuators.size(); ++u) {
    for (int i = 0; i < m.actuator_actnum[u]; ++i) {
      all[static_cast<std::size_t>(m.actuator_actadr[u] + i)] =
          m.actuator_actnum[u] == 1 ? actuators[u] : fmt::format("{}[{}]", actuators[u], i);
    }
  }
  return all;
}

std::vector<std::string> row_names(const Model& m, std::string_view rows) {
  if (rows == "nq") {
    return joint_numbers(m, m.jnt_qposadr, m.nq);
  }
  if (rows == "nv") {
    return joint_numbers(m, m.jnt_dofadr, m.nv);
  }
  if (rows == "na") {
    return activation_names(m);
  }
  if (rows == "nu") {
    return element_names(m.names.actuator, "actuator", m.nu);
  }
  if (rows == "nbody") {
    return element_names(m.names.body, "body", m.nbody);
  }
  if (rows == "njnt") {
    return element_names(m.names.joint, "joint", m.njnt);
  }
  if (rows == "ngeom") {
    return element_names(m.names.geom, "geom", m.ngeom);
  }
  if (rows == "nsite") {
    return element_names(m.names.site, "site", m.nsite);
  }
  return rows == "ntendon" ? element_names(m.names.tendon, "tendon", m.ntendon)
                           : std::vector<std::string>{};
}

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
