// SPDX-License-Identifier: Apache-2.0
// A tile in host memory whose model is the official library's, so that a test can run single stages
// and compare them with mj_forward.
//
//   OracleModel scene(path);                      // mj_loadXML; throws with the library's message
//   OracleTile tile(scene.model, 5);              // 5 environments, scratch at qpos0, all else
//   zero random_state(scene.model, scene.data, seed);  // qpos, qvel, act, ctrl, applied forces
//   tile.load_state(2, scene.data);               // mjData -> environment 2
//   kinematics(ctx, tile.get(), tile->nblocks);
//   tile.read(&Layout::xpos, 2)                   // 3 nbody doubles
//
// Fields that mjModel has under the same name are copied; those marked (swept) in the field table
// are computed here, independently of the compiler. Lists of candidate pairs are empty until
// set_candidates() is called.
#pragma once

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/host_tile.h"

namespace swept::SWEPT_NS {

/// A model of the official library and its data.
class OracleModel {
 public:
  explicit OracleModel(const std::filesystem::path& path) {
    char error[1000] = "";
    take(mj_loadXML(path.string().c_str(), nullptr, error, sizeof error), error);
  }
  /// From MJCF text.
  static OracleModel from_text(const std::string& xml) {
    char error[1000] = "";
    mjSpec* const spec = mj_parseXMLString(xml.c_str(), nullptr, error, sizeof error);
    if (spec == nullptr) {
      throw std::runtime_error(std::string("the oracle refused the scene: ") + error);
    }
    mjModel* const m = mj_compile(spec, nullptr);
    const std::string reason = m == nullptr ? mjs_getError(spec) : "";
    mj_deleteSpec(spec);
    OracleModel scene;
    scene.take(m, reason);
    return scene;
  }
  OracleModel(OracleModel&& other) noexcept
      : model(std::exchange(other.model, nullptr)), data(std::exchange(other.data, nullptr)) {}
  OracleModel& operator=(OracleModel&&) = delete;
  ~OracleModel() {
    mj_deleteData(data);
    mj_deleteModel(model);
  }

  mjModel* model = nullptr;
  mjData* data = nullptr;

 private:
  OracleModel() = default;
  void take(mjModel* m, const std::string& error) {
    if (m == nullptr) {
      throw std::runtime_error("the oracle refused the scene: " + error);
    }
    model = m;
    data = mj_makeData(m);
  }
};

/// Why the smooth stages do not cover this model; empty if they do.
inline std::string unsupported_by_smooth(const mjModel* m) {
  if (m->nflex > 0 || m->nmocap > 0 || m->nplugin > 0) {
    return "flex, mocap or plugin";
  }
  if (m->nu != m->nactuator || m->nu != m->nout) {
    return "actuators with several controls or outputs";
  }
  for (int i = 0; i < m->nwrap; ++i) {
    if (m->wrap_type[i] != mjWRAP_JOINT) {
      return "spatial tendon";
    }
  }
  for (int i = 0; i < m->nu; ++i) {
    const int type = m->actuator_trntype[i];
    if (type != mjTRN_JOINT && type != mjTRN_JOINTINPARENT && type != mjTRN_TENDON &&
        type != mjTRN_SITE) {
      return "transmission";
    }
    if (m->actuator_dyntype[i] > mjDYN_FILTEREXACT || m->actuator_gaintype[i] > mjGAIN_AFFINE ||
        m->actuator_biastype[i] > mjBIAS_AFFINE || m->actuator_history[2 * i] > 0) {
      return "actuator type";
    }
  }
  for (int i = 0; i < m->njnt; ++i) {
    if (m->jnt_plasticadr[i] >= 0) {
      return "plastic joint";
    }
  }
  for (int i = 0; i < m->ntendon; ++i) {
    if (m->tendon_plasticadr[i] >= 0) {
      return "plastic tendon";
    }
  }
  return "";
}

using OracleCapacity = HostCapacity;

/// A candidate pair of geoms; see candidate_* in the field table.
struct OracleCandidate {
  int geom1 = 0;
  int geom2 = 0;
  int pairid = -1;
  int kind = 0;
};

/// Sizes that mjModel has under the same names.
inline Sizes sizes_of(const mjModel* m) {
  Sizes s;
  const auto set = [](int& to, mjtSize from) { to = static_cast<int>(from); };
  set(s.nq, m->nq), set(s.nv, m->nv), set(s.nu, m->nu), set(s.na, m->na);
  set(s.nbody, m->nbody), set(s.njnt, m->njnt), set(s.ngeom, m->ngeom), set(s.nsite, m->nsite);
  set(s.ncam, m->ncam), set(s.nlight, m->nlight), set(s.ntendon, m->ntendon),
      set(s.nwrap, m->nwrap);
  set(s.nmesh, m->nmesh), set(s.nmeshvert, m->nmeshvert), set(s.nmeshface, m->nmeshface);
  set(s.nmeshgraph, m->nmeshgraph), set(s.nmeshpoly, m->nmeshpoly);
  set(s.nmeshpolyvert, m->nmeshpolyvert), set(s.nmeshpolymap, m->nmeshpolymap);
  set(s.nhfield, m->nhfield), set(s.nhfielddata, m->nhfielddata);
  set(s.npair, m->npair), set(s.nexclude, m->nexclude), set(s.nkey, m->nkey),
      set(s.ntree, m->ntree);
  set(s.nnumeric, m->nnumeric), set(s.nnumericdata, m->nnumericdata);
  return s;
}

/// Options, and the model's fields that are options in mjModel.
inline void copy_options(const mjModel* m, ModelArrays* scene) {
  const mjOption& from = m->opt;
  scene->opt_timestep = {from.timestep};
  scene->opt_gravity.assign(from.gravity, from.gravity + 3);
  scene->opt_wind.assign(from.wind, from.wind + 3);
  scene->opt_density = {from.density};
  scene->opt_viscosity = {from.viscosity};
  scene->opt_impratio = {from.impratio};
  OptionView& opt = scene->opt;
  opt.tolerance = static_cast<real>(from.tolerance);
  opt.ls_tolerance = static_cast<real>(from.ls_tolerance);
  opt.iterations = from.iterations;
  opt.ls_iterations = from.ls_iterations;
  opt.integrator = from.integrator;
  opt.cone = from.cone;
  opt.disableflags = from.disableflags;
  opt.enableflags = from.enableflags;
  opt.disableactuator = from.disableactuator;
  opt.surface_velocity = m->flg_surfacevel;
  for (int i = 0; i < m->nv; ++i) {
    const bool damped = m->dof_damping[i] > 0 || m->dof_dampingpoly[2 * i] != 0 ||
                        m->dof_dampingpoly[2 * i + 1] != 0;
    opt.implicit_damping |= damped || m->jnt_actuatorid[m->dof_jntid[i]] != -1 ? 1 : 0;
  }
}

/// Every field that mjModel has under the same name. (A template, so that a field that it lacks is
/// left out.)
template <class Model>
void copy_fields(const Model* m, ModelArrays* scene) {
#define SWEPT_MODEL_INT(name, rows, cols, meaning)             \
  if constexpr (requires { m->name; }) {                       \
    scene->name.assign(m->name, m->name + scene->name.size()); \
  }
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) SWEPT_MODEL_INT(name, rows, cols, meaning)
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
}

/// The compiled scene of the library in our arrays.
inline ModelArrays arrays_of(const mjModel* m) {
  ModelArrays scene;
  static_cast<Sizes&>(scene) = sizes_of(m);
  scene.resize();
  copy_fields(m, &scene);
  copy_options(m, &scene);
  finish_tree(&scene);
  return scene;
}

/// A tile whose scene is the library's.
class OracleTile : public HostTile {
 public:
  OracleTile(const mjModel* m, int nenv, OracleCapacity capacity = {})
      : HostTile(arrays_of(m), nenv, capacity) {}

  /// Copy the state of mjData into an environment's scratch.
  void load_state(int env, const mjData* d) {
    write(&Layout::time, env, &d->time);
    write(&Layout::qpos, env, d->qpos);
    write(&Layout::qvel, env, d->qvel);
    write(&Layout::act, env, d->act);
    write(&Layout::qacc_warmstart, env, d->qacc_warmstart);
    write(&Layout::ctrl, env, d->ctrl);
    write(&Layout::qfrc_applied, env, d->qfrc_applied);
    write(&Layout::xfrc_applied, env, d->xfrc_applied);
  }

  /// Copy an environment's state back into mjData.
  void store_state(int env, mjData* d) const {
    const auto out = [&](int Layout::*field, mjtNum* target) {
      const std::vector<double> values = read(field, env);
      std::copy(values.begin(), values.end(), target);
    };
    out(&Layout::time, &d->time);
    out(&Layout::qpos, d->qpos);
    out(&Layout::qvel, d->qvel);
    out(&Layout::act, d->act);
    out(&Layout::qacc_warmstart, d->qacc_warmstart);
    out(&Layout::ctrl, d->ctrl);
    out(&Layout::qfrc_applied, d->qfrc_applied);
    out(&Layout::xfrc_applied, d->xfrc_applied);
  }

  /// Copy a matrix with the library's rows (M, qLD) into an environment's. Our rows hold the whole
  /// chain of every dof, the library's only the diagonal of simple dofs.
  void write_inertia(int Layout::*field, int env, const mjModel* m, const mjtNum* values) {
    std::vector<double> rows;
    for (int i = 0; i < m->nv; ++i) {
      rows.insert(rows.end(), static_cast<std::size_t>(model().M_rownnz[i] - m->M_rownnz[i]), 0.0);
      rows.insert(rows.end(), values + m->M_rowadr[i], values + m->M_rowadr[i] + m->M_rownnz[i]);
    }
    write(field, env, rows.data());
  }

  /// The list of candidate pairs. The buffers for pairs keep their capacity.
  void set_candidates(const std::vector<OracleCandidate>& list) {
    std::vector<int> geom1, geom2, pairid, kind;
    for (const OracleCandidate& c : list) {
      geom1.push_back(c.geom1);
      geom2.push_back(c.geom2);
      pairid.push_back(c.pairid);
      kind.push_back(c.kind);
    }
    model().ncandidate = static_cast<int>(list.size());
    model().candidate_geom1 = keep_copy<int>(geom1);
    model().candidate_geom2 = keep_copy<int>(geom2);
    model().candidate_pairid = keep_copy<int>(pairid);
    model().candidate_kind = keep_copy<int>(kind);
  }
};

/// A random state: joints around qpos0, quaternions anywhere and not quite normalised,
/// activations and controls of order one, velocities and applied forces of the given size. Calls no
/// stage of the library.
inline void random_state(const mjModel* m, mjData* d, unsigned seed, double velocity = 1.0,
                         double force = 1.0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  mj_resetData(m, d);
  for (int j = 0; j < m->njnt; ++j) {
    double* const q = d->qpos + m->jnt_qposadr[j];
    const int type = m->jnt_type[j];
    const int scalars = type == mjJNT_FREE ? 3 : (type == mjJNT_BALL ? 0 : 1);
    for (int i = 0; i < scalars; ++i) {
      q[i] += 0.4 * normal(random);
    }
    if (type == mjJNT_FREE || type == mjJNT_BALL) {
      double length = 0;
      for (int i = scalars; i < scalars + 4; ++i) {
        q[i] = normal(random);
        length += q[i] * q[i];
      }
      const double scale = (1.0 + 0.1 * normal(random)) / std::sqrt(length);
      for (int i = scalars; i < scalars + 4; ++i) {
        q[i] *= scale;
      }
    }
  }
  const auto fill = [&](double* values, mjtSize n, double scale) {
    for (mjtSize i = 0; i < n; ++i) {
      values[i] = scale * normal(random);
    }
  };
  d->time = std::abs(normal(random));
  fill(d->qvel, m->nv, velocity);
  fill(d->act, m->na, 0.5);
  fill(d->ctrl, m->nu, 1.0);
  fill(d->qfrc_applied, m->nv, force);
  fill(d->xfrc_applied + 6, 6 * (m->nbody - 1), force);
}

}  // namespace swept::SWEPT_NS
