// SPDX-License-Identifier: Apache-2.0
// The dual solver's memory: slots of constraint rows, side by side for the environments of a pack.
//
// Slot s holds row s of every environment, with one change of order: the tangents of a contact come
// first and its normal last, so that a normal finds its tangents before it. Environments with fewer
// rows leave their last slots empty: J, D and residual are zero there, and so is the force.
//
//   scalar rows   force -D clamp(r, lo, hi)      (entries.h says which bounds make which kind)
//   pyramids      a tangent t of friction mu and its normal n, `off` slots further, have two edges
//                 r_n +- mu r_t; each gives the force -E min(edge, 0)
//   cones         a normal of `tangents` tangents before it; E and mu of every row as in cone.h
//
// A link is a pair of slots that C couples in at least one environment: a tangent and its normal,
// or two rows of a cone.
#pragma once

#include "kernels/smooth/access.h"
#include "kernels/solve/work.h"

namespace swept::SWEPT_NS {

/// Arrays over slots.
enum DualVector : int {
  dual_b,       ///< residual at qacc_smooth: J qacc_smooth - aref
  dual_r,       ///< residual now
  dual_lambda,  ///< force now, linear where f is not
  dual_f,       ///< force that the residual asks for
  dual_c,       ///< part of f that does not depend on r
  dual_delta,   ///< step of lambda
  dual_rate,    ///< A delta: rate of the residual
  dual_try_r,   ///< the same at a trial point
  dual_try_f,
  dual_D,  ///< scalar rows, 0 in others
  dual_lo,
  dual_hi,
  dual_E,         ///< tangents of pyramids: D of an edge; cones: D of the row
  dual_mu,        ///< tangents: friction; normals of cones: that of the regularised cone
  dual_off,       ///< tangents: slots to the normal, negative in cones; 0 in others
  dual_tangents,  ///< normals of cones: tangents; 0 in others
  dual_zone,      ///< which piece of f the residual is on
  dual_try_zone,
  dual_diag,     ///< C: diagonal
  dual_y,        ///< by place in the list of active slots: right-hand side and solution
  dual_inverse,  ///< by place in the list: 1 / diagonal of the factor
  dual_vectors
};

/// More rows than this are solved by conjugate gradients, whatever the model.
constexpr int dual_most_rows = 48;

/// Most tangents of a contact.
constexpr int dual_most_tangents = 5;

/// Rows up to which a model with nv dofs is solved here: beyond, conjugate gradients cost less.
SWEPT_HD constexpr int dual_rows_of(int nv) {
  const int rows = 8 + nv + nv / 4;
  return nv > 128 ? 0 : (rows < dual_most_rows ? rows : dual_most_rows);
}

/// Elements per environment for `rows` slots of a model with nv dofs.
SWEPT_HD constexpr long long dual_size(long long rows, long long nv) {
  return rows * nv + rows * rows + rows * (rows + 1) / 2 +
         (dual_vectors + dual_most_tangents) * rows + nv;
}

/// The memory of the environments of one V, with room for `room` slots of which n are used.
template <class V>
struct DualWork {
  int n;
  int nv;
  int room;
  bool any_cone;  ///< is a row of any lane one of an elliptic contact
  real* base;     ///< element 0 at the lane

  SWEPT_FN Slice<V> from(long long element) const { return {base + element * W}; }
  SWEPT_FN Slice<V> vec(DualVector k) const { return from(k * room); }
  SWEPT_FN Ref<V> vec(DualVector k, int s) const { return vec(k)(s); }
  /// C: entries below the diagonal, by link.
  SWEPT_FN Slice<V> link() const { return from(dual_vectors * room); }
  /// Row s of Y = D^-1/2 L^-T J^T; before that J itself.
  SWEPT_FN Slice<V> Y(int s) const { return from(matrices() + s * nv); }
  /// Row s of A = Y^T Y = J M^-1 J^T.
  SWEPT_FN Slice<V> A(int s) const { return from(matrices() + room * nv + s * n); }
  /// Row a, by place in the list of active slots, of a lower triangle: A C, then C^T A C, then the
  /// factor.
  SWEPT_FN Slice<V> G(int a) const {
    return from(matrices() + room * nv + room * room + a * (a + 1) / 2);
  }
  SWEPT_FN Slice<V> z() const {
    return from(matrices() + room * nv + room * room + room * (room + 1) / 2);
  }
  SWEPT_FN int matrices() const { return (dual_vectors + dual_most_tangents) * room; }
};

/// A column of C, and the row of one of its entries below the diagonal.
struct DualLink {
  short column, row;
};

/// Links in the order of their columns.
struct DualLinks {
  DualLink at[dual_most_rows * dual_most_tangents];
  short of[dual_most_rows][dual_most_tangents];  ///< [s][j - 1]: number of the link s, s + j
  int n = 0;
};

/// R inner products at once: sums[k] = rows[k] . x over n elements. Sums that do not wait for each
/// other keep the arithmetic units busy.
template <int R, class V>
[[gnu::always_inline]] SWEPT_FN void inner_products(const Slice<V> (&rows)[4], Slice<V> x, int n,
                                                    V (&sums)[4]) {
  for (int k = 0; k < R; ++k) {
    sums[k] = V(0_r);
  }
  for (int i = 0; i < n; ++i) {
    const V xi = x(i);
    for (int k = 0; k < R; ++k) {
      sums[k] = fma(V(rows[k](i)), xi, sums[k]);
    }
  }
}

/// The same for r = 1 .. 4 rows.
template <class V>
[[gnu::always_inline]] SWEPT_FN void inner_products(int r, const Slice<V> (&rows)[4], Slice<V> x,
                                                    int n, V (&sums)[4]) {
  switch (r) {
    case 4:
      return inner_products<4>(rows, x, n, sums);
    case 3:
      return inner_products<3>(rows, x, n, sums);
    case 2:
      return inner_products<2>(rows, x, n, sums);
    default:
      return inner_products<1>(rows, x, n, sums);
  }
}

/// Call visit(first, r, rows) for groups of up to four of n rows; row(i) is row i.
template <class V, class Row, class Visit>
SWEPT_FN void each_four(int n, const Row& row, const Visit& visit) {
  for (int first = 0; first < n; first += 4) {
    const int r = n - first < 4 ? n - first : 4;
    const auto at = [&](int k) { return row(k < r ? first + k : first); };
    const Slice<V> rows[4] = {at(0), at(1), at(2), at(3)};
    visit(first, r, rows);
  }
}

}  // namespace swept::SWEPT_NS
