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

/// Unit length for a row of a field of quaternions.
void normalize_row(int row, int width, std::vector<double>& field) {
  for (int i = row * width / 4; i < (row + 1) * width / 4; ++i) {
    set_row(field, i, normalized(get_row<4>(field, i)));
  }
}

/// Poses of mocap bodies in the model: 3 or 4 numbers of each.
template <std::size_t N>
std::vector<double> mocap_rows(const Model& model, const std::vector<double>& of_bodies) {
  std::vector<double> rows;
  for (const int b : model.mocap_bodyid) {
    const std::array<double, N> row = get_row<N>(of_bodies, b);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

/// Poses of mocap bodies are given for all of them or for none.
void check_mocap(const Scene& scene, const Key& key, const char* what,
                 const std::vector<double>& given, int width) {
  if (!given.empty() && given.size() != at(width)) {
    throw scene.error("key", key,
                      std::string(what) + " has " + std::to_string(given.size()) +
                          " numbers, the mocap bodies have " + std::to_string(width),
                      "give the pose of every mocap body, or leave it out");
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
    const int npos = 3 * model.nmocap, nquat = 4 * model.nmocap;
    check_mocap(scene, key, "mpos", key.mpos, npos);
    check_mocap(scene, key, "mquat", key.mquat, nquat);
    fill_vector(scene, key, "mpos", key.mpos, mocap_rows<3>(model, model.body_pos), k, npos,
                model.key_mpos);
    fill_vector(scene, key, "mquat", key.mquat, mocap_rows<4>(model, model.body_quat), k, nquat,
                model.key_mquat);
    normalize_row(k, nquat, model.key_mquat);
  }
}

}  // namespace swept::compiler
