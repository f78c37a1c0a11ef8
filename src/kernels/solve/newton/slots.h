// SPDX-License-Identifier: Apache-2.0
// The memory of Newton's methods on packs: slots of constraint rows, side by side for the
// environments of a pack.
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
enum SlotVector : int {
  slot_b,       ///< residual at qacc_smooth: J qacc_smooth - aref
  slot_r,       ///< residual now
  slot_lambda,  ///< force now, linear where f is not
  slot_f,       ///< force that the residual asks for
  slot_c,       ///< part of f that does not depend on r
  slot_delta,   ///< step of lambda
  slot_rate,    ///< A delta: rate of the residual
  slot_try_r,   ///< the same at a trial point
  slot_try_f,
  slot_D,  ///< scalar rows, 0 in others
  slot_lo,
  slot_hi,
  slot_E,         ///< tangents of pyramids: D of an edge; cones: D of the row
  slot_mu,        ///< tangents: friction; normals of cones: that of the regularised cone
  slot_off,       ///< tangents: slots to the normal, negative in cones; 0 in others
  slot_tangents,  ///< normals of cones: tangents; 0 in others
  slot_zone,      ///< which piece of f the residual is on
  slot_try_zone,
  slot_diag,     ///< C: diagonal
  slot_y,        ///< by place in the list of active slots: right-hand side and solution
  slot_inverse,  ///< by place in the list: 1 / diagonal of the factor
  slot_vectors
};

/// Arrays over dofs, in the coordinates where M is the identity: qacc - qacc_smooth = L^-1 D^-1/2 z.
enum DofVector : int {
  dof_z,        ///< acceleration
  dof_step,     ///< step of z
  dof_inverse,  ///< 1 / diagonal of the primal factor
  dof_column,   ///< four columns of Y C
  dof_vectors = dof_column + 4
};

/// The dual method's system has a row per slot: beyond so many the primal one is cheaper.
constexpr int dual_most_rows = 48;
/// The primal method's has one per dof, dense: with more, conjugate gradients make better use of the
/// zeros (16 balls, 96 dofs, 104 rows: 1.5 times).
constexpr int primal_most_dofs = 64;
/// More dofs are solved by conjugate gradients.
constexpr int newton_most_dofs = 128;
/// More rows than this are solved by conjugate gradients, whatever the model.
constexpr int newton_most_rows = 256;

/// Most tangents of a contact.
constexpr int most_tangents = 5;

/// Rows up to which a model with nv dofs is solved by the dual method.
SWEPT_HD constexpr int dual_rows_of(int nv) {
  const int rows = 8 + nv + nv / 4;
  return nv > newton_most_dofs ? 0 : (rows < dual_most_rows ? rows : dual_most_rows);
}

/// Rows up to which it is solved by the primal one, where there is room for `capacity` rows. With more
/// than three a dof its memory would be the largest of all.
SWEPT_HD constexpr int primal_rows_of(int nv, int capacity) {
  const int most = nv < 24 ? newton_most_rows : 3 * nv;
  return nv > primal_most_dofs ? 0 : (capacity < most ? capacity : most);
}

/// Elements per environment for `rows` slots of a model with nv dofs, without matrices of a method.
SWEPT_HD constexpr long long slots_size(long long rows, long long nv) {
  return (slot_vectors + most_tangents) * rows + rows * nv + dof_vectors * nv;
}
/// Elements for a method.
SWEPT_HD constexpr long long dual_size(long long rows, long long nv) {
  return slots_size(rows, nv) + rows * rows + rows * (rows + 1) / 2;
}
SWEPT_HD constexpr long long primal_size(long long rows, long long nv) {
  return rows == 0 ? 0 : slots_size(rows, nv) + nv * (nv + 1) / 2;
}

/// The memory of the environments of one V, with room for `room` slots of which n are used.
template <class V>
struct Slots {
  int n;
  int nv;
  int room;
  bool any_cone;  ///< is a row of any lane one of an elliptic contact
  real* base;     ///< element 0 at the lane

  SWEPT_FN Slice<V> from(long long element) const { return {base + element * W}; }
  SWEPT_FN Slice<V> vec(SlotVector k) const { return from(k * room); }
  SWEPT_FN Ref<V> vec(SlotVector k, int s) const { return vec(k)(s); }
  /// C: entries below the diagonal, by link.
  SWEPT_FN Slice<V> link() const { return from(slot_vectors * room); }
  SWEPT_FN Slice<V> dof(int k) const {
    return from((slot_vectors + most_tangents) * room + k * nv);
  }
  /// Row s of Y = D^-1/2 L^-T J^T; before that J itself.
  SWEPT_FN Slice<V> Y(int s) const { return from(rows_of_Y() + s * nv); }
  /// Dual: row s of A = Y^T Y = J M^-1 J^T.
  SWEPT_FN Slice<V> A(int s) const { return from(matrices() + s * n); }
  /// Dual: row a, by place in the list of active slots, of a lower triangle: A C, then C^T A C, then
  /// the factor.
  SWEPT_FN Slice<V> G(int a) const { return from(matrices() + room * room + a * (a + 1) / 2); }
  /// Primal: row i of a lower triangle: Y C C^T Y^T, then the factor.
  SWEPT_FN Slice<V> H(int i) const { return from(matrices() + i * (i + 1) / 2); }

 private:
  SWEPT_FN int rows_of_Y() const {
    return (slot_vectors + most_tangents) * room + dof_vectors * nv;
  }
  SWEPT_FN int matrices() const { return rows_of_Y() + room * nv; }
};

/// A column of C, and the row of one of its entries below the diagonal.
struct SlotLink {
  short column, row;
};

/// Links in the order of their columns.
struct SlotLinks {
  SlotLink at[newton_most_rows * most_tangents];
  short of[newton_most_rows][most_tangents];  ///< [s][j - 1]: number of the link s, s + j
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
