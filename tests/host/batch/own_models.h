// SPDX-License-Identifier: Apache-2.0
// What the tests of model fields share: the scene, numbers to write, and environments bit by bit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/load.h>

#include "host/batch/edit_rules.h"
#include "host/batch/own_models_scene.h"
#include "host/compile/setconst/set_constants.h"

namespace swept::test {

inline Model scene() {
  return compile(load_string(everything_xml, Format::xml, "everything"));
}

/// Fields in which a difference of models shows.
inline const std::vector<std::string> observed = {
    "time",        "qpos",         "qvel",      "act",           "qacc_warmstart", "xipos",
    "ximat",       "geom_xpos",    "geom_xmat", "site_xpos",     "site_xmat",      "M",
    "qfrc_spring", "qfrc_passive", "qfrc_bias", "qfrc_actuator", "qacc",
};

/// The bits of one environment in one field.
inline std::string bits(Batch* batch, const std::string& name, int env) {
  const FieldInfo info = batch->field_info(name);
  const std::size_t size = info.scalar == Scalar::f32 ? 4 : 8;
  const std::size_t width = static_cast<std::size_t>(info.shape[1] * info.shape[2]) * size;
  std::string out(width, '\0');
  std::memcpy(
      out.data(),
      static_cast<const char*>(info.data) + static_cast<std::size_t>(env * info.stride[0]) * size,
      width);
  return out;
}

/// Where two environments of two batches differ; empty if nowhere.
inline std::string difference(Batch* a, int env_a, Batch* b, int env_b) {
  for (const std::string& name : observed) {
    if (bits(a, name, env_a) != bits(b, name, env_b)) {
      return name;
    }
  }
  return a->status(env_a) == b->status(env_b) ? "" : "status";
}

inline void observe(Batch* batch) {
  for (const std::string& name : observed) {
    batch->field_info(name);
  }
}

/// Reset, push and take some steps, in which things fall, hit limits and touch.
inline void run(Batch* batch, int steps = 60) {
  observe(batch);
  batch->reset();
  std::vector<double> qvel;
  for (int i = 0; i < batch->model().nv * batch->nenv(); ++i) {
    const int dof = i % batch->model().nv;
    qvel.push_back(dof == 2 || dof == 15 ? -1 : dof >= 8 && dof < 13 ? 3 : 0.5);
  }
  batch->write("qvel", qvel);
  const std::size_t nu = static_cast<std::size_t>(batch->model().nu);
  batch->write("ctrl", std::vector<double>(nu * static_cast<std::size_t>(batch->nenv()), 0.4));
  batch->step(steps);
}

/// Another number for a field, not far away, that its model can have.
inline std::vector<double> nearby(const Model& model, const EditRule& rule) {
  std::vector<double> values = model.*rule.values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] += 0.03 * std::abs(values[i]) + (i % 3 == 0 ? 0.004 : 0.001);
  }
  Model probe = model;
  probe.*rule.values = values;
  normalize_directions(&probe);
  return probe.*rule.values;
}

/// Fields that may be written and have numbers in this model.
inline std::vector<const EditRule*> writable(const Model& model) {
  std::vector<const EditRule*> rules;
  for (const EditRule& rule : edit_rules()) {
    if (rule.kind != EditKind::derived && rule.kind != EditKind::fixed &&
        !(model.*rule.values).empty()) {
      rules.push_back(&rule);
    }
  }
  return rules;
}

inline Model edited_model(const Model& model, const EditRule& rule) {
  Model edited = model;
  edited.*rule.values = nearby(model, rule);
  compiler::set_constants(edited);
  return edited;
}

}  // namespace swept::test
