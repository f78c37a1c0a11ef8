// SPDX-License-Identifier: Apache-2.0
// The metric of the objective and the coordinates in which the solver works.
//
// With M = L^T D L (D diagonal, L unit lower triangular with the pattern of the tree) and
//
//   z = D^1/2 L (a - a_smooth)        J_z = J L^-1 D^-1/2
//
// the Gauss term 1/2 (a - a_smooth)^T M (a - a_smooth) is 1/2 z^T z: conjugate gradients on z
// take the steps that M^-1-preconditioned ones take on a, and need neither a product with M nor a
// solve in the loop. J_z fills at most the chains of the dofs that J
// touches.
//
// A metric offers
//   apply(g, z, out)      its product in these coordinates; `identity` says that it is none
//   into(g, x, z)         z of an acceleration relative to a_smooth
//   out_of(g, z, x)       the reverse
//   gradient(g, gz, gx)   gradient in z to gradient in a
//   whiten<DIM>(...)      one block of J
// Another metric that is close to M keeps these coordinates (M's factor is its preconditioner) and
// has an apply() of its own.
#pragma once

#include "kernels/solve/work.h"

namespace swept::SWEPT_NS {

/// The joint-space inertia by its factor.
struct TreeMetric {
  static constexpr bool identity = true;

  ModelAt<real> m;
  const real* L;
  const real* dinvsqrt;
  int nv;

  /// z = D^1/2 L x. Cooperative; x [nv] is read by all lanes; z is visible after the next sync().
  SWEPT_FN void into(const Group auto g, const real* x, real* z) const {
    for (int i = g.lane(); i < nv; i += g.size()) {
      const int adr = m.M_rowadr(i);
      const int n = m.M_rownnz(i) - 1;
      real sum = x[i];
      for (int k = adr; k < adr + n; ++k) {
        sum += L[k] * x[m.M_colind(k)];
      }
      z[m.dof_place(i)] = sum / dinvsqrt[i];
    }
  }

  /// x = L^-1 D^-1/2 z, by levels of the tree. Cooperative; ends with a sync.
  SWEPT_FN void out_of(const Group auto g, const real* z, real* x) const {
    for (int level = 0; level + 1 < m->ndoflevelp1; ++level) {
      const int end = m.level_dofadr(level + 1);
      for (int p = m.level_dofadr(level) + g.lane(); p < end; p += g.size()) {
        const int i = m.level_dofid(p);
        const int adr = m.M_rowadr(i);
        const int n = m.M_rownnz(i) - 1;
        real sum = z[m.dof_place(i)] * dinvsqrt[i];
        for (int k = adr; k < adr + n; ++k) {
          sum -= L[k] * x[m.M_colind(k)];
        }
        x[i] = sum;
      }
      g.sync();
    }
  }

  /// gx = L^T D^1/2 gz. Cooperative; gz is read by all lanes; gx is visible after the next sync().
  SWEPT_FN void gradient(const Group auto g, const real* gz, real* gx) const {
    for (int j = g.lane(); j < nv; j += g.size()) {
      const int depth = m.dof_depth(j);
      const int end = j + m.dof_subtreenum(j);
      const real* const own = gz + (m.dof_place(j) - j);  // a tree's places are consecutive
      real sum = own[j] / dinvsqrt[j];
      for (int i = j + 1; i < end; ++i) {
        sum += L[m.M_rowadr(i) + depth] * (own[i] / dinvsqrt[i]);
      }
      gx[j] = sum;
    }
  }

  /// The product with the metric; never called, see `identity`.
  SWEPT_FN void apply(const Group auto, const real*, real*) const {}

  /// The largest dof below i in the union of the chains of `cols`; `*k` entries of cols are left.
  /// Dofs are numbered depth first, so one look at the parent and one at the list are enough.
  SWEPT_FN int next_of_union(int i, const int* cols, int* k) const {
    const int parent = m.dof_parentid(i);
    if (*k > 0 && cols[*k - 1] >= parent) {
      --*k;
      return cols[*k];
    }
    return parent;
  }

  /// The strip of dof i.
  SWEPT_FN int strip_of(int i) const { return m.dof_place(i) / strip_size; }

  /// Strips in the union of the chains of n columns.
  SWEPT_FN int count_strips(const int* cols, int n) const {
    int strips = 0;
    int last = -1;
    int k = n - 1;
    for (int i = cols[k]; i >= 0; i = next_of_union(i, cols, &k)) {
      strips += strip_of(i) != last ? 1 : 0;
      last = strip_of(i);
    }
    return strips;
  }

  /// Copy block b of J into its strips and whiten it. One lane does the whole block.
  template <int DIM>
  SWEPT_FN void whiten(const Work& w, int b) const {
    const int row = w.block_row[b];
    const int n = w.rows.efc_rownnz[row];
    const int* const cols = w.rows.efc_J_colind + w.rows.efc_rowadr[row];
    const int nstrips = w.block_strips[b];
    const int stride = nstrips * strip_size;
    int* const strips = w.strips + w.block_adr[b] / strip_size;

    // which strips, ascending
    int last = -1;
    int k = n - 1;
    for (int i = cols[k], s = nstrips; i >= 0; i = next_of_union(i, cols, &k)) {
      if (strip_of(i) != last) {
        last = strip_of(i);
        strips[--s] = last;
      }
    }

    // J, scattered
    real* const jac = w.jac + w.block_adr[b];
    for (int p = 0; p < DIM * stride; p += step_of_strip) {
      store_strip(jac + p, Strip{});
    }
    for (int p = 0, s = 0; p < n; ++p) {
      const int place = m.dof_place(cols[p]);
      while (strips[s] != place / strip_size) {
        ++s;
      }
      for (int r = 0; r < DIM; ++r) {
        jac[r * stride + s * strip_size + place % strip_size] =
            w.rows.efc_J[w.rows.efc_rowadr[row + r] + p];
      }
    }

    if (strips[nstrips - 1] - strips[0] == nstrips - 1) {
      whiten_run<DIM>(cols, n, stride, jac - strips[0] * strip_size);
    } else {
      whiten_strips<DIM>(cols, n, stride, strips, nstrips, jac);
    }
  }

 private:
  // strips without a gap: an element of a row is a place
  template <int DIM>
  SWEPT_FN void whiten_run(const int* cols, int n, int stride, real* jac) const {
    const int* const colind = m->M_colind;
    int k = n - 1;
    for (int i = cols[k]; i >= 0; i = next_of_union(i, cols, &k)) {
      const int adr = m.M_rowadr(i);
      const int end = adr + m.M_rownnz(i) - 1;
      real x[DIM];
      for (int r = 0; r < DIM; ++r) {
        real* const own = jac + r * stride + m.dof_place(i);
        x[r] = *own;
        *own = x[r] * dinvsqrt[i];
      }
      for (int p = adr; p < end; ++p) {
        const real l = L[p];
        real* const place = jac + m.dof_place(colind[p]);
        for (int r = 0; r < DIM; ++r) {
          place[r * stride] -= l * x[r];
        }
      }
    }
  }

  // any strips: both walks go down through their list
  template <int DIM>
  SWEPT_FN void whiten_strips(const int* cols, int n, int stride, const int* strips, int nstrips,
                              real* jac) const {
    int k = n - 1;
    int s = nstrips - 1;
    for (int i = cols[k]; i >= 0; i = next_of_union(i, cols, &k)) {
      const int own = m.dof_place(i);
      while (strips[s] != own / strip_size) {
        --s;
      }
      real x[DIM];
      for (int r = 0; r < DIM; ++r) {
        real* const place = jac + r * stride + s * strip_size + own % strip_size;
        x[r] = *place;
        *place = x[r] * dinvsqrt[i];
      }
      const int adr = m.M_rowadr(i);
      int u = s;
      for (int p = adr + m.M_rownnz(i) - 2; p >= adr; --p) {
        const int place = m.dof_place(m.M_colind(p));
        while (strips[u] != place / strip_size) {
          --u;
        }
        for (int r = 0; r < DIM; ++r) {
          jac[r * stride + u * strip_size + place % strip_size] -= L[p] * x[r];
        }
      }
    }
  }
};

}  // namespace swept::SWEPT_NS
