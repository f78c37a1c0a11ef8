// SPDX-License-Identifier: Apache-2.0
// Names of rows, from the names of bodies, joints, geoms and so on.
#include "tools/swept/row_names.h"

#include <fmt/format.h>

namespace swept::cli {

namespace {

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

}  // namespace

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
  if (rows == "ntendon") {
    return element_names(m.names.tendon, "tendon", m.ntendon);
  }
  if (rows == "npair") {
    return element_names(m.names.pair, "pair", m.npair);
  }
  if (rows == "nkey") {
    return element_names(m.names.key, "key", m.nkey);
  }
  return rows == "3" ? std::vector<std::string>{"x", "y", "z"} : std::vector<std::string>{};
}

}  // namespace swept::cli
