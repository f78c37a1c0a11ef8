// SPDX-License-Identifier: Apache-2.0
// Keyframes, completed with defaults and with quaternions of unit length.
#include "host/compile/passes.h"

#include <algorithm>

namespace swept::compiler {
namespace {

/// Write one vector of a keyframe into its row.
///   given     from the scene; may be shorter than the row
///   missing   what completes it; empty: zeros
void fill_vector(const Scene& scene, const Key& key, const char* what,
                 const std::vector<double>& given, const std::vector<double>& missing, int row,
                 int width, std::vector<double>& field) {
  if (given.size() > at(width)) {
    throw scene.error("key", key,
                      std::string(what) + " has " + std::to_string(given.size()) +
                          " numbers, the model has " + std::to_string(width),
                      "take the surplus away");
  }
  const auto to = field.begin() + std::ptrdiff_t{row} * width;
  std::copy(missing.begin(), missing.end(), to);
  std::copy(given.begin(), given.end(), to);
}

/// Quaternions of free and ball joints in one row of key_qpos.
void normalize_quats(Model& model, int row) {
  for (int j = 0; j < model.njnt; ++j) {
    const int type = model.jnt_type[at(j)];
    if (type != joint_free && type != joint_ball) {
      continue;
    }
    const int adr = row * model.nq + model.jnt_qposadr[at(j)] + (type == joint_free ? 3 : 0);
    Quat quat{};
    for (std::size_t k = 0; k < 4; ++k) {
      quat[k] = model.key_qpos[at(adr) + k];
    }
    quat = normalized(quat);
    for (std::size_t k = 0; k < 4; ++k) {
      model.key_qpos[at(adr) + k] = quat[k];
    }
  }
}

}  // namespace

void fill_keyframes(const Scene& scene, Model& model) {
  const Key empty;
  for (int k = 0; k < model.nkey; ++k) {
    const bool given = at(k) < scene.spec.keys.size();
    const Key& key = given ? scene.spec.keys[at(k)] : empty;
    model.key_time[at(k)] = key.time;
    fill_vector(scene, key, "qpos", key.qpos, model.qpos0, k, model.nq, model.key_qpos);
    fill_vector(scene, key, "qvel", key.qvel, {}, k, model.nv, model.key_qvel);
    fill_vector(scene, key, "act", key.act, {}, k, model.na, model.key_act);
    fill_vector(scene, key, "ctrl", key.ctrl, {}, k, model.nu, model.key_ctrl);
    normalize_quats(model, k);
  }
}

}  // namespace swept::compiler
