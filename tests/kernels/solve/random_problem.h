// SPDX-License-Identifier: Apache-2.0
// Random problems for the solver: a random tree of dofs with a random factor of M on its pattern,
// and blocks of rows of all kinds over random dofs.
#pragma once

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "host/compile/solver_places.h"
#include "kernels/base/buffer.h"
#include "kernels/solve/dense_objective.h"
#include "kernels/solve/load_solver.h"
#include "kernels/solve/solve.h"

namespace swept::SWEPT_NS::test {

/// What a problem may contain.
struct ProblemKind {
  int nv = 10;
  int blocks = 10;
  bool pyramids = true;
  bool cones = false;
  double spread = 1;  ///< of the logarithms of M's and the rows' diagonals
  unsigned tree = 0;  ///< seed of the tree, 0: as of the rest
};

/// Kind number n of many: all sizes up to 40 dofs and `most_blocks` blocks of rows, and both cones.
inline ProblemKind kind_of(int n, int most_blocks = 24) {
  ProblemKind kind;
  kind.nv = 1 + n % 40;
  kind.blocks = 1 + (n * 7) % most_blocks;
  kind.cones = n % 2 == 1;
  return kind;
}

/// A tile of one environment with rows that come from nowhere.
class RandomProblem {
 public:
  RandomProblem(const ProblemKind& kind, unsigned seed) : random_(seed) {
    if (kind.tree != 0) {
      random_.seed(kind.tree);
      make_tree(kind.nv);
      random_.seed(seed);
    } else {
      make_tree(kind.nv);
    }
    allocate(kind.blocks);
    make_inertia(kind.spread);
    for (int i = 0; i < kind.nv; ++i) {
      data().qacc_smooth(i) = real(10 * normal());
      data().qacc_warmstart(i) = real(10 * normal());
    }
    // rows in the official order
    const int n = kind.blocks;
    for (int k = 0; k < n / 4; ++k) {
      add_block(row_equality, 1, kind.spread);
    }
    for (int k = 0; k < n / 4; ++k) {
      add_block(row_friction_dof, 1, kind.spread);
    }
    for (int k = 0; k < n / 4; ++k) {
      add_block(row_limit_joint, 1, kind.spread);
    }
    for (int k = 3 * (n / 4); k < n; ++k) {
      const int dim = std::array{1, 3, 4, 6}[below(4)];
      if (dim == 1 || (!kind.pyramids && !kind.cones)) {
        add_block(row_contact_frictionless, 1, kind.spread);
      } else {
        add_block(kind.cones ? row_contact_elliptic : row_contact_pyramidal, dim, kind.spread);
      }
    }
  }

  Tile& tile() { return tile_; }
  DataAt<real> data() const { return tile_.data_at<real>(0, 0); }
  int nv() const { return tile_.model.nv; }

  /// Load and solve with one lane; returns qacc.
  Eigen::VectorXd solve() {
    load_solver(Serial{}, tile_, 0);
    SWEPT_NS::solve(Serial{}, tile_, 0);
    return qacc();
  }
  Eigen::VectorXd qacc() const {
    return vector([&](int i) { return data().qacc(i).get(); });
  }
  Eigen::VectorXd qacc_smooth() const {
    return vector([&](int i) { return data().qacc_smooth(i).get(); });
  }
  template <class F>
  Eigen::VectorXd vector(const F& at) const {
    Eigen::VectorXd x(nv());
    for (int i = 0; i < nv(); ++i) {
      x[i] = static_cast<double>(at(i));
    }
    return x;
  }

  /// M as the tile's factor has it.
  Eigen::MatrixXd inertia() const {
    const ModelView& m = tile_.model;
    Eigen::MatrixXd L = Eigen::MatrixXd::Identity(nv(), nv());
    Eigen::VectorXd D(nv());
    for (int i = 0; i < nv(); ++i) {
      for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i] - 1; ++k) {
        L(i, m.M_colind[k]) = static_cast<double>(data().qLD(k).get());
      }
      D[i] = 1 / static_cast<double>(data().qLDiagInv(i).get());
    }
    return L.transpose() * D.asDiagonal() * L;
  }

  /// The minimiser, with M given.
  Eigen::VectorXd newton(const Eigen::MatrixXd& M) const { return objective(M).minimiser(); }
  DenseObjective objective(const Eigen::MatrixXd& M) const { return {tile_, M, qacc_smooth()}; }

  double normal() { return normal_(random_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

 private:
  template <class T>
  T* keep(long long n) {
    auto buffer = std::make_shared<Buffer<T>>(static_cast<std::size_t>(n + 1));
    memory_.push_back(buffer);
    return buffer->data();
  }
  int* keep_ints(const std::vector<int>& values) {
    int* const p = keep<int>(static_cast<long long>(values.size()));
    std::copy(values.begin(), values.end(), p);
    return p;
  }

  // dofs numbered depth first: the parent of dof i is on the path to dof i - 1
  void make_tree(int nv) {
    std::vector<int> parent, depth, path, rowadr, rownnz, colind;
    for (int i = 0; i < nv; ++i) {
      const int keep_of_path =
          below(4) != 0 ? static_cast<int>(path.size()) : below(static_cast<int>(path.size()) + 1);
      path.resize(static_cast<std::size_t>(keep_of_path));
      parent.push_back(path.empty() ? -1 : path.back());
      depth.push_back(static_cast<int>(path.size()));
      rowadr.push_back(static_cast<int>(colind.size()));
      path.push_back(i);
      colind.insert(colind.end(), path.begin(), path.end());
      rownnz.push_back(static_cast<int>(path.size()));
    }
    std::vector<int> subtree(static_cast<std::size_t>(nv), 1), levels, order;
    for (int i = nv - 1; i >= 0; --i) {
      if (parent[static_cast<std::size_t>(i)] >= 0) {
        subtree[static_cast<std::size_t>(parent[static_cast<std::size_t>(i)])] +=
            subtree[static_cast<std::size_t>(i)];
      }
    }
    levels.push_back(0);
    for (int level = 0; static_cast<int>(order.size()) < nv; ++level) {
      for (int i = 0; i < nv; ++i) {
        if (depth[static_cast<std::size_t>(i)] == level) {
          order.push_back(i);
        }
      }
      levels.push_back(static_cast<int>(order.size()));
    }
    ModelView& m = tile_.model;
    m.nv = nv;
    m.nM = static_cast<int>(colind.size());
    m.ndoflevelp1 = static_cast<int>(levels.size());
    m.dof_parentid = keep_ints(parent);
    m.dof_depth = keep_ints(depth);
    const SolverPlaces places = solver_places(parent);
    m.dof_place = keep_ints(places.dof_place);
    m.strip_cluster = keep_ints(places.strip_cluster);
    m.cluster_strip = keep_ints(places.cluster_strip);
    m.cluster_adr = keep_ints(places.cluster_adr);
    m.nplace = places.nplace;
    m.nstrip = static_cast<int>(places.strip_cluster.size());
    m.ncluster = static_cast<int>(places.cluster_adr.size());
    m.nprecond = places.nprecond;
    m.dof_subtreenum = keep_ints(subtree);
    m.M_rowadr = keep_ints(rowadr);
    m.M_rownnz = keep_ints(rownnz);
    m.M_colind = keep_ints(colind);
    m.level_dofadr = keep_ints(levels);
    m.level_dofid = keep_ints(order);
    m.opt.tolerance = 1e-15_r;
    m.opt.ls_tolerance = 0.01_r;
    m.opt.iterations = 400;
    m.opt.ls_iterations = 50;
  }

  void allocate(int blocks) {
    Tile& t = tile_;
    t.nenv = t.nblocks = 1;
    t.layout = make_layout(t.model);
    t.scratch = keep<real>(static_cast<long long>(t.layout.size) * W);
    t.frozen = keep<int>(W);
    t.settled = keep<int>(W);
    t.control = keep<Control>(1);
    const int rows = 6 * blocks;
    const int nonzeros = rows * static_cast<int>(SolverView::padded(t.model.nplace));
#define SWEPT_ROW_REAL(name, unit, meaning) t.rows.name = keep<real>(rows);
#define SWEPT_ROW_INT(name, meaning) t.rows.name = keep<int>(rows);
#include "kernels/base/fields_row.def"
#undef SWEPT_ROW_REAL
#undef SWEPT_ROW_INT
    t.rows.nefc = keep<int>(W);
    t.rows.nnz = keep<int>(W);
    t.rows.efc_J = keep<real>(nonzeros);
    t.rows.efc_J_colind = keep<int>(nonzeros);
    t.rows.capacity = rows;
    t.rows.capacity_nnz = nonzeros;
    t.solver.vectors = keep<real>(SolverView::vectors_size(t.model.nplace));
    t.solver.matrices = keep<real>(SolverView::matrices_size(t.model.nM));
    t.solver.precond = keep<real>(SolverView::precond_size(t.model.nprecond));
    t.solver.row_vectors = keep<real>(SolverView::row_vectors_size(rows));
    t.solver.row_ints = keep<int>(SolverView::row_ints_size(rows));
    t.solver.jac = keep<real>(SolverView::jac_size(nonzeros));
    t.solver.jac_strips = keep<int>(SolverView::jac_strips_size(nonzeros));
    t.solver.niter = keep<int>(W);
    t.solver.residual = keep<real>(W);
  }

  void make_inertia(double spread) {
    const ModelView& m = tile_.model;
    for (int i = 0; i < nv(); ++i) {
      for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i] - 1; ++k) {
        data().qLD(k) = real(0.3 * normal());
      }
      data().qLDiagInv(i) = real(std::exp(spread * normal()));
    }
    const Eigen::MatrixXd M = inertia();
    for (int i = 0; i < nv(); ++i) {
      for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) {
        data().M(k) = real(M(i, m.M_colind[k]));
      }
    }
  }

  void add_block(int type, int dim, double spread) {
    RowsAt r = tile_.rows_at(0);
    std::vector<int> cols;
    const int chance = 1 + below(4);
    const int sure = below(nv());
    for (int i = 0; i < nv(); ++i) {
      if (i == sure || below(chance) == 0) {
        cols.push_back(i);
      }
    }
    const int first = *r.nefc;
    const double R0 = 0.1 * std::exp(spread * normal());
    const double impratio = std::exp(0.5 * std::abs(normal()));
    std::array<double, 5> friction;
    for (double& f : friction) {
      f = 0.05 + std::abs(normal());
    }
    for (int k = 0; k < dim; ++k) {
      const int i = first + k;
      r.efc_type[i] = type;
      r.efc_dim[i] = k == 0 ? dim : 0;
      r.efc_rowadr[i] = *r.nnz;
      r.efc_rownnz[i] = static_cast<int>(cols.size());
      for (const int col : cols) {
        r.efc_J[*r.nnz] = real(normal());
        r.efc_J_colind[*r.nnz] = col;
        ++*r.nnz;
      }
      r.efc_b[i] = real(10 * normal());
      r.efc_frictionloss[i] = type == row_friction_dof ? real(10 * std::abs(normal())) : 0_r;
      const double fk = k == 0 ? 1 : friction[static_cast<std::size_t>(k - 1)];
      const double R = type != row_contact_elliptic || k == 0
                           ? R0
                           : R0 / impratio * std::pow(friction[0] / fk, 2);
      r.efc_mu[i] = real(dim == 1 ? 0 : (k == 0 ? friction[0] / std::sqrt(impratio) : fk));
      r.efc_D[i] = real(1 / R);
      r.efc_R[i] = 1 / r.efc_D[i];
    }
    *r.nefc += dim;
  }

  Tile tile_;
  std::vector<std::shared_ptr<void>> memory_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

}  // namespace swept::SWEPT_NS::test
