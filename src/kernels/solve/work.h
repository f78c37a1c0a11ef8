// SPDX-License-Identifier: Apache-2.0
// The solver's memory of one environment, and loops over it.
//
// Vectors over places of dofs and over entries are padded with zeros to whole packs. The loops take
// a pack of neighbouring elements at a time (on CUDA one element), so that on the CPU one environment
// fills the vector unit. An entry is a row, except that a pyramid has its 2 (dim - 1) edges there.
// Rows of J are kept in strips of 8 places (base/strip.h).
//
//   block        a scalar row, or all rows of a contact
//   block_row    its first row          block_entry  its first entry
//   block_adr    its J in `jac`, row after row of block_strips strips
//                strip s of it holds the 8 places from 8 strips_of(block)[s] on
#pragma once

#include "kernels/base/strip.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// Memory of one environment.
struct Work {
  int nv;
  int np;  ///< places of dofs, padded
  int nblocks;
  int nentry;     ///< entries, padded
  bool any_cone;  ///< is a block an elliptic contact

  // vectors over dofs; those of the first line come from load_solver, in the model's order
  real *smooth, *warm, *dinvsqrt;
  // by place, where an acceleration's gaps are 0
  real *z, *grad, *next, *search, *other;
  real* L;
  real* precond;  ///< clusters' matrices (precondition.h)

  // vectors over entries
  real* a;            ///< residual J qacc - aref
  real* v;            ///< its rate along the search direction
  real* f;            ///< force
  real* h;            ///< curvature times rate, in Newton's method
  real *D, *lo, *hi;  ///< scalar entries: force -D clamp(a, lo, hi); D = 0 in elliptic ones

  // blocks
  int *block_row, *block_entry, *block_adr, *block_strips;
  real* jac;
  int* strips;
  RowsAt rows;

  SWEPT_FN int block_dim(int b) const { return rows.efc_dim[block_row[b]]; }
  SWEPT_FN int block_type(int b) const { return rows.efc_type[block_row[b]]; }
  SWEPT_FN const int* strips_of(int b) const { return strips + block_adr[b] / strip_size; }
};

/// The memory of environment `env`.
SWEPT_FN Work work_at(const Tile& t, int env) {
  const SolverView& s = t.solver;
  const long long e = env;
  Work w{};
  w.nv = t.model.nv;
  w.np = static_cast<int>(SolverView::padded(t.model.nplace));

  real* vector = s.vectors + e * SolverView::vectors_size(t.model.nplace);
  int k = 0;
  w.smooth = vector + k++ * w.np;
  w.warm = vector + k++ * w.np;
  w.dinvsqrt = vector + k++ * w.np;
  w.z = vector + k++ * w.np;
  w.grad = vector + k++ * w.np;
  w.next = vector + k++ * w.np;
  w.search = vector + k++ * w.np;
  w.other = vector + k++ * w.np;
  w.L = s.matrices + e * SolverView::matrices_size(t.model.nM);
  w.precond = s.precond + e * SolverView::precond_size(t.model.nprecond);

  const int entries = static_cast<int>(SolverView::padded(2LL * t.rows.capacity));
  real* const entry = s.row_vectors + e * SolverView::row_vectors_size(t.rows.capacity);
  w.a = entry;
  w.v = entry + entries;
  w.f = entry + 2LL * entries;
  w.D = entry + 3LL * entries;
  w.lo = entry + 4LL * entries;
  w.hi = entry + 5LL * entries;
  w.h = entry + 6LL * entries;

  const int rows = t.rows.capacity;
  int* const list = s.row_ints + e * SolverView::row_ints_size(rows);
  w.block_row = list;
  w.block_entry = list + rows;
  w.block_adr = list + 2LL * rows;
  w.block_strips = list + 3LL * rows;
  w.jac = s.jac + e * SolverView::jac_size(t.rows.capacity_nnz);
  w.strips = s.jac_strips + e * SolverView::jac_strips_size(t.rows.capacity_nnz);
  w.rows = t.rows_at(env);
  return w;
}

/// Inner product of two padded vectors. Cooperative; the same bits on every lane; the order of the
/// sum depends on the group's size, not on the width of a pack.
SWEPT_FN real dot(const Group auto g, int np, const real* x, const real* y) {
  Sum sum;
  for_strips(g, np, [&]<int PART>(int i) { sum.add<PART>(load<pack>(x + i) * load<pack>(y + i)); });
  return g.sum(sum.total());
}

}  // namespace swept::SWEPT_NS
