// SPDX-License-Identifier: Apache-2.0
// A tile in host memory whose model is the official library's, so that a test can run single stages
// and compare them with mj_forward.
//
//   OracleModel scene(path);                      // mj_loadXML; throws with the library's message
//   OracleTile tile(scene.model, 5);              // 5 environments, scratch at qpos0, all else zero
//   random_state(scene.model, scene.data, seed);  // qpos, qvel, act, ctrl, applied forces
//   tile.load_state(2, scene.data);               // mjData -> environment 2
//   kinematics(ctx, tile.get(), tile->nblocks);
//   tile.read(&Layout::xpos, 2)                   // 3 nbody doubles
//
// Fields that mjModel has under the same name are copied; those marked (swept) in the field table are
// computed here, independently of the compiler. Lists of candidate pairs are empty until
// set_candidates() is called.
#pragma once

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/base/buffer.h"
#include "kernels/base/tile.h"

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
  if (m->opt.density > 0 || m->opt.viscosity > 0) {
    return "fluid";
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
    if (m->actuator_trntype[i] != mjTRN_JOINT && m->actuator_trntype[i] != mjTRN_TENDON) {
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

/// How many entries per environment the tile's buffers hold.
struct OracleCapacity {
  int pairs = 0;
  int contacts = 0;
  int rows = 0;
  int nonzeros = 0;
};

/// A candidate pair of geoms; see candidate_* in the field table.
struct OracleCandidate {
  int geom1 = 0;
  int geom2 = 0;
  int pairid = -1;
  int kind = 0;
};

/// The tile. It keeps pointers to nothing of mjModel; it neither moves nor copies.
class OracleTile {
 public:
  OracleTile(const mjModel* m, int nenv, OracleCapacity capacity = {}) {
    set_sizes(m);
    set_fields(m);
    set_options(m);
    set_tree(m);
    allocate(nenv, capacity);
    for (int env = 0; env < tile_->nblocks * W; ++env) {
      write(&Layout::qpos, env, m->qpos0);
    }
  }
  OracleTile(const OracleTile&) = delete;
  OracleTile& operator=(const OracleTile&) = delete;

  Tile* operator->() { return tile_.get(); }
  const Tile* operator->() const { return tile_.get(); }
  Tile* get() { return tile_.get(); }
  const Tile* get() const { return tile_.get(); }
  ModelView& model() { return tile_->model; }

  /// Model and scratch as one environment sees them.
  ModelAt<real> model_at(int env) const { return tile_->model_at<real>(env / W, env % W); }
  DataAt<real> data_at(int env) const { return tile_->data_at<real>(env / W, env % W); }

  /// Number of elements of a scratch field.
  int count(int Layout::*field) const {
    for (const auto& [name, elements] : fields_) {
      if (name == field) {
        return elements;
      }
    }
    throw std::logic_error("not a field of scratch");
  }

  /// Copy all elements of a scratch field of one environment from an array of numbers.
  template <class T>
  void write(int Layout::*field, int env, const T* values) {
    real* const first = place(field, env);
    for (int i = 0, n = count(field); i < n; ++i) {
      first[i * W] = static_cast<real>(values[i]);
    }
  }

  /// All elements of a scratch field of one environment.
  std::vector<double> read(int Layout::*field, int env) const {
    const real* const first = place(field, env);
    std::vector<double> values(static_cast<std::size_t>(count(field)));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<double>(first[i * W]);
    }
    return values;
  }

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
    model().candidate_geom1 = keep_ints(geom1);
    model().candidate_geom2 = keep_ints(geom2);
    model().candidate_pairid = keep_ints(pairid);
    model().candidate_kind = keep_ints(kind);
  }

  /// Make a model field of n numbers per environment: value(env, i).
  template <class F>
  void vary(Param ModelView::*field, int n, const F& value) {
    const int nblocks = tile_->nblocks;
    real* const p = keep<real>(static_cast<std::size_t>(nblocks) * static_cast<std::size_t>(n) * W);
    for (int env = 0; env < nblocks * W; ++env) {
      for (int i = 0; i < n; ++i) {
        p[(env / W * n + i) * W + env % W] = static_cast<real>(value(std::min(env, tile_->nenv - 1), i));
      }
    }
    model().*field = Param{p, n};
  }

  /// M (or qLD, qH) of an environment as a dense symmetric matrix, row-major.
  std::vector<double> dense(int Layout::*field, int env) const {
    const ModelView& m = tile_->model;
    const std::size_t nv = static_cast<std::size_t>(m.nv);
    const std::vector<double> values = read(field, env);
    std::vector<double> full(nv * nv, 0.0);
    for (int i = 0; i < m.nv; ++i) {
      for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) {
        const std::size_t row = static_cast<std::size_t>(i), col = static_cast<std::size_t>(m.M_colind[k]);
        full[row * nv + col] = full[col * nv + row] = values[static_cast<std::size_t>(k)];
      }
    }
    return full;
  }

 private:
  // memory of any type that lives as long as the tile
  template <class T>
  T* keep(std::size_t count) {
    auto buffer = std::make_shared<Buffer<T>>(std::max<std::size_t>(count, 1));
    memory_.push_back(buffer);
    return buffer->data();
  }
  template <class T>
  T* keep(long long count) {
    return keep<T>(static_cast<std::size_t>(count));
  }
  int* keep_ints(const std::vector<int>& values) {
    int* const p = keep<int>(values.size());
    std::copy(values.begin(), values.end(), p);
    return p;
  }
  template <class To, class From>
  To* copy(int count, const From* values) {
    To* const p = keep<To>(static_cast<std::size_t>(count));
    if (values != nullptr) {
      std::transform(values, values + count, p, [](From x) { return static_cast<To>(x); });
    }
    return p;
  }
  template <class To>
  To* copy(int count, std::nullptr_t) {
    return keep<To>(static_cast<std::size_t>(count));
  }

  real* place(int Layout::*field, int env) const {
    const Tile& t = *tile_;
    return t.scratch + (static_cast<long long>(env / W) * t.layout.size + t.layout.*field) * W + env % W;
  }

  void set_sizes(const mjModel* m) {
    Sizes& s = tile_->model;
    const auto set = [](int& to, mjtSize from) { to = static_cast<int>(from); };
    set(s.nq, m->nq), set(s.nv, m->nv), set(s.nu, m->nu), set(s.na, m->na);
    set(s.nbody, m->nbody), set(s.njnt, m->njnt), set(s.ngeom, m->ngeom), set(s.nsite, m->nsite);
    set(s.ncam, m->ncam), set(s.nlight, m->nlight), set(s.ntendon, m->ntendon), set(s.nwrap, m->nwrap);
    set(s.npair, m->npair), set(s.nexclude, m->nexclude), set(s.nkey, m->nkey), set(s.ntree, m->ntree);
    set(s.nM, m->nM), set(s.nnumeric, m->nnumeric), set(s.nnumericdata, m->nnumericdata);
    s.nv4 = 4 * s.nv;
    s.na4 = 4 * s.na;
  }

  // every field that mjModel has under the same name
  struct FieldCopier : Sizes {
    OracleTile& owner;
    void copy_all(ModelView* view, const auto* m) const {
#define SWEPT_MODEL_INT(name, rows, cols, meaning)                          \
  if constexpr (requires { m->name; }) {                                    \
    view->name = owner.copy<int>((rows) * (cols), m->name);                 \
  }
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning)                   \
  if constexpr (requires { m->name; }) {                                    \
    view->name = Param{owner.copy<real>((rows) * (cols), m->name), 0};      \
  }
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
    }
  };
  void set_fields(const mjModel* m) { FieldCopier{tile_->model, *this}.copy_all(&tile_->model, m); }

  void set_options(const mjModel* m) {
    ModelView& view = tile_->model;
    const mjOption& from = m->opt;
    view.opt_timestep = Param{copy<real>(1, &from.timestep), 0};
    view.opt_gravity = Param{copy<real>(3, from.gravity), 0};
    view.opt_impratio = Param{copy<real>(1, &from.impratio), 0};
    view.opt.tolerance = static_cast<real>(from.tolerance);
    view.opt.ls_tolerance = static_cast<real>(from.ls_tolerance);
    view.opt.iterations = from.iterations;
    view.opt.ls_iterations = from.ls_iterations;
    view.opt.integrator = from.integrator;
    view.opt.cone = from.cone;
    view.opt.disableflags = from.disableflags;
    view.opt.enableflags = from.enableflags;
    view.opt.disableactuator = from.disableactuator;
    for (int i = 0; i < m->nv; ++i) {
      if (m->dof_damping[i] > 0 || m->dof_dampingpoly[2 * i] != 0 || m->dof_dampingpoly[2 * i + 1] != 0 ||
          m->jnt_actuatorid[m->dof_jntid[i]] != -1) {
        view.opt.implicit_damping = 1;
      }
    }
  }

  // items sorted by level and then by number, with the address of each level
  std::pair<std::vector<int>, std::vector<int>> by_level(const std::vector<int>& level) const {
    const int levels = level.empty() ? 0 : *std::max_element(level.begin(), level.end()) + 1;
    std::vector<int> adr{0}, id;
    for (int l = 0; l < levels; ++l) {
      for (int i = 0; i < static_cast<int>(level.size()); ++i) {
        if (level[static_cast<std::size_t>(i)] == l) {
          id.push_back(i);
        }
      }
      adr.push_back(static_cast<int>(id.size()));
    }
    return {adr, id};
  }

  // the fields marked (swept) that describe the tree
  void set_tree(const mjModel* m) {
    ModelView& view = tile_->model;
    const std::size_t nbody = static_cast<std::size_t>(m->nbody), nv = static_cast<std::size_t>(m->nv);

    // bodies
    std::vector<int> depth(nbody, 0), subtree(nbody, 1), lastdof(nbody, -1), childadr, childnum, childid;
    for (int b = 1; b < m->nbody; ++b) {
      const std::size_t parent = static_cast<std::size_t>(m->body_parentid[b]), self = static_cast<std::size_t>(b);
      depth[self] = depth[parent] + 1;
      lastdof[self] = m->body_dofnum[b] > 0 ? m->body_dofadr[b] + m->body_dofnum[b] - 1 : lastdof[parent];
    }
    for (int b = static_cast<int>(m->nbody) - 1; b > 0; --b) {
      subtree[static_cast<std::size_t>(m->body_parentid[b])] += subtree[static_cast<std::size_t>(b)];
    }
    for (int b = 0; b < m->nbody; ++b) {
      childadr.push_back(static_cast<int>(childid.size()));
      for (int c = b + 1; c < m->nbody; ++c) {
        if (m->body_parentid[c] == b) {
          childid.push_back(c);
        }
      }
      childnum.push_back(static_cast<int>(childid.size()) - childadr.back());
    }
    childid.push_back(-1);
    const auto [bodyadr, bodyid] = by_level(depth);
    view.body_lastdof = keep_ints(lastdof);
    view.body_subtreenum = keep_ints(subtree);
    view.level_bodyadr = keep_ints(bodyadr);
    view.level_bodyid = keep_ints(bodyid);
    view.body_childadr = keep_ints(childadr);
    view.body_childnum = keep_ints(childnum);
    view.body_childid = keep_ints(childid);
    view.nlevelp1 = static_cast<int>(bodyadr.size());

    // dofs, and M's rows with the whole chain of every dof
    std::vector<int> dofdepth(nv, 0), dofsubtree(nv, 1), rownnz, rowadr, colind;
    for (int i = 0; i < m->nv; ++i) {
      std::vector<int> chain;
      for (int j = i; j >= 0; j = m->dof_parentid[j]) {
        chain.insert(chain.begin(), j);
        if (j != i) {
          ++dofsubtree[static_cast<std::size_t>(j)];
        }
      }
      dofdepth[static_cast<std::size_t>(i)] = static_cast<int>(chain.size()) - 1;
      rownnz.push_back(static_cast<int>(chain.size()));
      rowadr.push_back(static_cast<int>(colind.size()));
      colind.insert(colind.end(), chain.begin(), chain.end());
    }
    const auto [dofadr, dofid] = by_level(dofdepth);
    view.dof_subtreenum = keep_ints(dofsubtree);
    view.dof_depth = keep_ints(dofdepth);
    view.level_dofadr = keep_ints(dofadr);
    view.level_dofid = keep_ints(dofid);
    view.M_rownnz = keep_ints(rownnz);
    view.M_rowadr = keep_ints(rowadr);
    view.M_colind = keep_ints(colind);
    view.nM = static_cast<int>(colind.size());
    view.ndoflevelp1 = static_cast<int>(dofadr.size());
  }

  void allocate(int nenv, OracleCapacity capacity) {
    Tile& t = *tile_;
    t.nenv = nenv;
    t.nblocks = (nenv + W - 1) / W;
    t.layout = make_layout(t.model);
    const long long lanes = static_cast<long long>(t.nblocks) * W;
    t.scratch = keep<real>(lanes * t.layout.size);
    t.frozen = keep<int>(lanes);
    t.control = keep<Control>(1LL);

    // state of the batch, environment-major
    struct StateMaker : Sizes {
      OracleTile& owner;
      void make(StateView* state, long long n) const {
#define SWEPT_STATE(name, rows, cols, unit, meaning) state->name = owner.keep<real>(n * (rows) * (cols));
#include <swept/fields/state.def>
#undef SWEPT_STATE
        state->status = owner.keep<int>(n);
        state->status_step = owner.keep<long long>(n);
        state->steps = owner.keep<long long>(n);
      }
    };
    StateMaker{t.model, *this}.make(&t.state, lanes);

    // pairs and contacts
    t.pairs = {keep<int>(lanes * capacity.pairs), keep<unsigned>(lanes * capacity.pairs), keep<int>(lanes), capacity.pairs};
    t.contacts = {keep<real>(lanes * capacity.contacts * ContactLayout::nreal),
                  keep<int>(lanes * capacity.contacts * ContactLayout::nint), keep<int>(lanes), capacity.contacts};

    // rows and the solver's memory
    const long long rows = lanes * capacity.rows;
#define SWEPT_ROW_REAL(name, unit, meaning) t.rows.name = keep<real>(rows);
#define SWEPT_ROW_INT(name, meaning) t.rows.name = keep<int>(rows);
#include "kernels/base/fields_row.def"
#undef SWEPT_ROW_REAL
#undef SWEPT_ROW_INT
    t.rows.nefc = keep<int>(lanes);
    t.rows.nnz = keep<int>(lanes);
    t.rows.efc_J_colind = keep<int>(lanes * capacity.nonzeros);
    t.rows.efc_J = keep<real>(lanes * capacity.nonzeros);
    t.rows.capacity = capacity.rows;
    t.rows.capacity_nnz = capacity.nonzeros;
    t.solver.vectors = keep<real>(lanes * SolverView::vectors_size(t.model.nv));
    t.solver.matrices = keep<real>(lanes * SolverView::matrices_size(t.model.nM));
    t.solver.row_vectors = keep<real>(lanes * SolverView::row_vectors_size(capacity.rows));
    t.solver.row_ints = keep<int>(lanes * SolverView::row_ints_size(capacity.rows));
    t.solver.jac = keep<real>(lanes * SolverView::jac_size(capacity.nonzeros));
    t.solver.jac_strips = keep<int>(lanes * SolverView::jac_strips_size(capacity.nonzeros));
    t.solver.niter = keep<int>(lanes);
    t.solver.residual = keep<real>(lanes);

    CountMaker{t.model}.make(&fields_);
  }

  // number of elements of every field of scratch
  struct CountMaker : Sizes {
    void make(std::vector<std::pair<int Layout::*, int>>* fields) const {
#define SWEPT_STATE(name, rows, cols, unit, meaning) fields->emplace_back(&Layout::name, (rows) * (cols));
#define SWEPT_DERIVED(name, rows, cols, unit, meaning) SWEPT_STATE(name, rows, cols, unit, meaning)
#define SWEPT_SCRATCH(name, rows, cols, meaning) SWEPT_STATE(name, rows, cols, "", meaning)
#include <swept/fields/state.def>
#include <swept/fields/derived.def>
#include <swept/fields/scratch.def>
#undef SWEPT_STATE
#undef SWEPT_DERIVED
#undef SWEPT_SCRATCH
    }
  };

  std::unique_ptr<Tile> tile_ = std::make_unique<Tile>();
  std::vector<std::shared_ptr<void>> memory_;
  std::vector<std::pair<int Layout::*, int>> fields_;
};

/// A random state: joints around qpos0, quaternions anywhere and not quite normalised, velocities,
/// activations, controls and applied forces of order one. Calls no stage of the library.
inline void random_state(const mjModel* m, mjData* d, unsigned seed, double velocity = 1.0) {
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
  fill(d->qfrc_applied, m->nv, 1.0);
  fill(d->xfrc_applied + 6, 6 * (m->nbody - 1), 1.0);
}

}  // namespace swept::SWEPT_NS
