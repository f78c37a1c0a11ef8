// SPDX-License-Identifier: Apache-2.0
// A tile in host memory for tests of single stages, and the compiled scene that it is made from.
//
//   ModelArrays scene;                    // sizes first, then resize(): all arrays zero
//   scene.nbody = 2; ... scene.resize();
//   scene.body_mass[1] = 3; ...
//   finish_tree(&scene);                  // what the field table marks (swept) about the tree
//   HostTile tile(scene, 5);              // 5 environments, scratch at qpos0, all else zero
//   tile.write(&Layout::qvel, 2, values); // environment 2
//   tile.read(&Layout::xpos, 2);          // 3 nbody doubles
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "host/compile/solver_places.h"
#include "kernels/base/buffer.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// The arrays of a compiled scene by name, in double, and its options.
struct ModelArrays : Sizes {
#define SWEPT_MODEL_INT(name, rows, cols, meaning) std::vector<int> name;
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) std::vector<double> name;
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
  OptionView opt;

  /// Give every array the length that the sizes say; what is new is zero.
  void resize() {
    nv4 = 4 * nv;
    na4 = 4 * na;
    nbodyderiv = nbody;
    nuderiv = nu;
    nvderiv = nv;
#define SWEPT_MODEL_INT(name, rows, cols, meaning) \
  name.resize(static_cast<std::size_t>((rows) * (cols)));
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) \
  name.resize(static_cast<std::size_t>((rows) * (cols)));
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
  }
};

/// Items sorted by level and then by number: the address of each level, and the items.
inline std::pair<std::vector<int>, std::vector<int>> sort_by_level(const std::vector<int>& level) {
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

/// The fields about bodies that are marked (swept), from body_parentid, body_dofadr, body_dofnum.
inline void finish_bodies(ModelArrays* m) {
  const std::size_t nbody = static_cast<std::size_t>(m->nbody);
  std::vector<int> depth(nbody, 0);
  m->body_subtreenum.assign(nbody, 1);
  m->body_lastdof.assign(nbody, -1);
  for (std::size_t b = 1; b < nbody; ++b) {
    const std::size_t parent = static_cast<std::size_t>(m->body_parentid[b]);
    depth[b] = depth[parent] + 1;
    m->body_lastdof[b] =
        m->body_dofnum[b] > 0 ? m->body_dofadr[b] + m->body_dofnum[b] - 1 : m->body_lastdof[parent];
  }
  for (std::size_t b = nbody - 1; b > 0; --b) {
    m->body_subtreenum[static_cast<std::size_t>(m->body_parentid[b])] += m->body_subtreenum[b];
  }
  m->body_childid.clear();
  for (int b = 0; b < m->nbody; ++b) {
    const int first = static_cast<int>(m->body_childid.size());
    for (int c = b + 1; c < m->nbody; ++c) {
      if (m->body_parentid[static_cast<std::size_t>(c)] == b) {
        m->body_childid.push_back(c);
      }
    }
    m->body_childadr[static_cast<std::size_t>(b)] = first;
    m->body_childnum[static_cast<std::size_t>(b)] =
        static_cast<int>(m->body_childid.size()) - first;
  }
  m->body_childid.push_back(-1);
  std::tie(m->level_bodyadr, m->level_bodyid) = sort_by_level(depth);
  m->nlevelp1 = static_cast<int>(m->level_bodyadr.size());
}

/// The fields about dofs that are marked (swept), and M's rows with the whole chain of every dof,
/// from dof_parentid.
inline void finish_dofs(ModelArrays* m) {
  const std::size_t nv = static_cast<std::size_t>(m->nv);
  m->dof_subtreenum.assign(nv, 1);
  m->M_colind.clear();
  for (int i = 0; i < m->nv; ++i) {
    const std::size_t self = static_cast<std::size_t>(i);
    std::vector<int> chain;
    for (int j = i; j >= 0; j = m->dof_parentid[static_cast<std::size_t>(j)]) {
      chain.insert(chain.begin(), j);
      m->dof_subtreenum[static_cast<std::size_t>(j)] += j == i ? 0 : 1;
    }
    m->dof_depth[self] = static_cast<int>(chain.size()) - 1;
    m->M_rownnz[self] = static_cast<int>(chain.size());
    m->M_rowadr[self] = static_cast<int>(m->M_colind.size());
    m->M_colind.insert(m->M_colind.end(), chain.begin(), chain.end());
  }
  m->nM = m->nMupper = static_cast<int>(m->M_colind.size());
  fill_solver_places(m);
  std::tie(m->level_dofadr, m->level_dofid) = sort_by_level(m->dof_depth);
  m->ndoflevelp1 = static_cast<int>(m->level_dofadr.size());
}

/// All fields about the tree that are marked (swept).
inline void finish_tree(ModelArrays* m) {
  finish_bodies(m);
  finish_dofs(m);
}

/// How many entries per environment the tile's buffers hold.
struct HostCapacity {
  int pairs = 0;
  int contacts = 0;
  int rows = 0;
  int nonzeros = 0;
  int slots = 0;
};

/// The tile. It owns copies of everything; it neither moves nor copies.
class HostTile {
 public:
  HostTile(const ModelArrays& scene, int nenv, HostCapacity capacity = {}) {
    upload(scene);
    allocate(nenv, capacity);
    for (int env = 0; env < tile_->nblocks * W; ++env) {
      write(&Layout::qpos, env, scene.qpos0.data());
    }
  }
  HostTile(const HostTile&) = delete;
  HostTile& operator=(const HostTile&) = delete;

  Tile* operator->() { return tile_.get(); }
  const Tile* operator->() const { return tile_.get(); }
  Tile* get() { return tile_.get(); }
  const Tile* get() const { return tile_.get(); }
  ModelView& model() { return tile_->model; }
  const ModelView& model() const { return tile_->model; }

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

  /// M (or qLD, qH) of an environment as a dense symmetric matrix, row-major.
  std::vector<double> dense(int Layout::*field, int env) const {
    const ModelView& m = tile_->model;
    const std::size_t nv = static_cast<std::size_t>(m.nv);
    const std::vector<double> values = read(field, env);
    std::vector<double> full(nv * nv, 0.0);
    for (int i = 0; i < m.nv; ++i) {
      for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) {
        const std::size_t row = static_cast<std::size_t>(i),
                          col = static_cast<std::size_t>(m.M_colind[k]);
        full[row * nv + col] = full[col * nv + row] = values[static_cast<std::size_t>(k)];
      }
    }
    return full;
  }

  /// Make a model field of n numbers per environment: value(env, i). Inert lanes are as the last
  /// environment.
  template <class F>
  void vary(Param ModelView::*field, int n, const F& value) {
    const int nblocks = tile_->nblocks;
    real* const p = keep<real>(static_cast<long long>(nblocks) * n * W);
    for (int env = 0; env < nblocks * W; ++env) {
      for (int i = 0; i < n; ++i) {
        p[(env / W * n + i) * W + env % W] =
            static_cast<real>(value(std::min(env, tile_->nenv - 1), i));
      }
    }
    model().*field = Param{p, n};
  }

 protected:
  /// Memory of any type, zeroed, that lives as long as the tile.
  template <class T>
  T* keep(long long count) {
    auto buffer = std::make_shared<Buffer<T>>(static_cast<std::size_t>(std::max(count, 1LL)));
    memory_.push_back(buffer);
    return buffer->data();
  }
  /// A copy of some numbers.
  template <class To, class From>
  To* keep_copy(const std::vector<From>& values) {
    To* const p = keep<To>(static_cast<long long>(values.size()));
    std::transform(values.begin(), values.end(), p, [](From x) { return static_cast<To>(x); });
    return p;
  }

 private:
  real* place(int Layout::*field, int env) const {
    const Tile& t = *tile_;
    return t.scratch + (static_cast<long long>(env / W) * t.layout.size + t.layout.*field) * W +
           env % W;
  }

  void upload(const ModelArrays& scene) {
    ModelView& view = tile_->model;
    static_cast<Sizes&>(view) = scene;
    view.opt = scene.opt;
#define SWEPT_MODEL_INT(name, rows, cols, meaning) view.name = keep_copy<int>(scene.name);
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) \
  view.name = Param{keep_copy<real>(scene.name), 0};
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
  }

  void allocate(int nenv, HostCapacity capacity) {
    Tile& t = *tile_;
    t.nenv = nenv;
    t.nblocks = (nenv + W - 1) / W;
    t.layout = make_layout(t.model);
    const long long lanes = static_cast<long long>(t.nblocks) * W;
    t.scratch = keep<real>(lanes * t.layout.size);
    t.frozen = keep<int>(lanes);
    t.settled = keep<int>(lanes);
    t.control = keep<Control>(1);
    FieldMaker{t.model, *this}.make(&t.state, lanes, &fields_);
    t.state.status = keep<int>(lanes);
    t.state.status_step = keep<long long>(lanes);
    t.state.steps = keep<long long>(lanes);
    t.state.resets = keep<long long>(lanes);
    t.state.reset_status = keep<int>(lanes);
    t.aside = keep<int>(lanes);
    t.steps = keep<int>(lanes);
    t.resets = keep<int>(lanes);
    t.reset_status = keep<int>(lanes);

    // pairs and contacts
    t.pairs = {keep<int>(lanes * capacity.pairs * PairsView::entry_ints),
               keep<int>(lanes * capacity.pairs),
               keep<unsigned>(lanes * capacity.pairs),
               keep<int>(lanes),
               keep<int>(lanes),
               capacity.pairs};
    t.hits = {keep<real>(lanes * capacity.slots * HitsView::nreal), capacity.slots};
    t.sweep = {keep<real>(lanes * SweepView::box_reals(t.model.nsweep)),
               keep<int>(lanes * SweepView::item_ints(t.model.nsweep)),
               keep<int>(t.model.nsweep > 0 ? lanes * 4 * capacity.pairs : 0), keep<int>(lanes)};
    t.contacts.reals = keep<real>(lanes * capacity.contacts * ContactLayout::nreal);
    t.contacts.ints = keep<int>(lanes * capacity.contacts * ContactLayout::nint);
    t.contacts.ncon = keep<int>(lanes);
    t.contacts.capacity = capacity.contacts;

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
    t.solver.vectors = keep<real>(lanes * SolverView::vectors_size(t.model.nplace));
    t.solver.matrices = keep<real>(lanes * SolverView::matrices_size(t.model.nM));
    t.solver.precond = keep<real>(lanes * SolverView::precond_size(t.model.nprecond));
    t.solver.row_vectors = keep<real>(lanes * SolverView::row_vectors_size(capacity.rows));
    t.solver.row_ints = keep<int>(lanes * SolverView::row_ints_size(capacity.rows));
    t.solver.jac = keep<real>(lanes * SolverView::jac_size(capacity.nonzeros));
    t.solver.jac_strips = keep<int>(lanes * SolverView::jac_strips_size(capacity.nonzeros));
    t.solver.niter = keep<int>(lanes);
    t.solver.residual = keep<real>(lanes);
  }

  // the state in the batch's layout, and the length of every field of scratch
  struct FieldMaker : Sizes {
    HostTile& owner;
    void make(StateView* state, long long lanes,
              std::vector<std::pair<int Layout::*, int>>* fields) const {
#define SWEPT_STATE(name, rows, cols, unit, meaning)       \
  state->name = owner.keep<real>(lanes * (rows) * (cols)); \
  fields->emplace_back(&Layout::name, (rows) * (cols));
#define SWEPT_DERIVED(name, rows, cols, unit, meaning) \
  fields->emplace_back(&Layout::name, (rows) * (cols));
#define SWEPT_SCRATCH(name, rows, cols, meaning) \
  fields->emplace_back(&Layout::name, (rows) * (cols));
#include <swept/fields/derived.def>
#include <swept/fields/scratch.def>
#include <swept/fields/state.def>
#undef SWEPT_STATE
#undef SWEPT_DERIVED
#undef SWEPT_SCRATCH
    }
  };

  std::unique_ptr<Tile> tile_ = std::make_unique<Tile>();
  std::vector<std::shared_ptr<void>> memory_;
  std::vector<std::pair<int Layout::*, int>> fields_;
};

}  // namespace swept::SWEPT_NS
