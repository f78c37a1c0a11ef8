// SPDX-License-Identifier: Apache-2.0
// The sparse factor A = U L of a matrix that is not symmetric but has the pattern of M in both
// triangles, without pivoting, and the solve with it. L is unit lower triangular, U upper with the
// pivots on its diagonal; both have A's pattern, for a dof's descendants couple its ancestors only.
// Entry (j, i) of the upper triangle stands in `upper` where (i, j) stands in `lower`. As gathers,
// with k over the descendants of i and j over its ancestors:
//
//   D_i  = A_ii - sum_k U_ik L_ki
//   L_ij = (A_ij - sum_k U_ik L_kj) / D_i        U_ji = A_ji - sum_k U_jk L_ki
//
// A pivot whose size is below 1e-15 is taken as 1e-15.
#pragma once

#include "kernels/smooth/access.h"

namespace swept::SWEPT_NS {

/// Row i of L and column i of U, in place; those of its descendants are final.
template <class V>
SWEPT_FN void factor_lu_row(const ModelAt<V>& m, Slice<V> lower, Slice<V> upper, Slice<V> dinv,
                            int i, int depth) {
  const int adr = m.M_rowadr(i), last = i + m.dof_subtreenum(i) - 1;
  V inverse = V(1_r);
  for (int c = depth; c >= 0; --c) {
    V left = lower(adr + c), right = upper(adr + c);
    for (int k = last; k > i; --k) {
      const int other = m.M_rowadr(k);
      left = fma(-V(upper(other + depth)), V(lower(other + c)), left);
      right = fma(-V(upper(other + c)), V(lower(other + depth)), right);
    }
    if (c == depth) {
      const V pivot = select(abs(left) < V(1e-15_r), V(1e-15_r), left);
      inverse = V(1_r) / pivot;
      lower(adr + c) = pivot;
      dinv(i) = inverse;
    } else {
      lower(adr + c) = left * inverse;
      upper(adr + c) = right;
    }
  }
}

/// lower, upper = U L of the matrix in them; dinv = 1 / D. Visible to all lanes.
template <class V>
SWEPT_FN void factor_lu(const Group auto g, const ModelAt<V>& m, Slice<V> lower, Slice<V> upper,
                        Slice<V> dinv) {
  for (int depth = m->ndoflevelp1 - 2; depth >= 0; --depth) {
    for (int k = m.level_dofadr(depth) + g.lane(); k < m.level_dofadr(depth + 1); k += g.size()) {
      factor_lu_row(m, lower, upper, dinv, m.level_dofid(k), depth);
    }
    g.sync();
  }
}

/// x = (U L)^-1 x in place. In: x visible to all lanes; out: likewise.
template <class V>
SWEPT_FN void solve_lu(const Group auto g, const ModelAt<V>& m, Slice<V> lower, Slice<V> upper,
                       Slice<V> dinv, Slice<V> x) {
  // x = U^-1 x: descendants first
  for (int depth = m->ndoflevelp1 - 2; depth >= 0; --depth) {
    for (int k = m.level_dofadr(depth) + g.lane(); k < m.level_dofadr(depth + 1); k += g.size()) {
      const int i = m.level_dofid(k);
      V sum = x(i);
      for (int below = i + m.dof_subtreenum(i) - 1; below > i; --below) {
        sum = fma(-V(upper(m.M_rowadr(below) + depth)), V(x(below)), sum);
      }
      x(i) = sum * dinv(i);
    }
    g.sync();
  }
  // x = L^-1 x: ancestors first
  for (int depth = 0; depth < m->ndoflevelp1 - 1; ++depth) {
    for (int k = m.level_dofadr(depth) + g.lane(); k < m.level_dofadr(depth + 1); k += g.size()) {
      const int i = m.level_dofid(k), adr = m.M_rowadr(i);
      V sum = x(i);
      for (int c = 0; c < depth; ++c) {
        sum = fma(-V(lower(adr + c)), V(x(m.M_colind(adr + c))), sum);
      }
      x(i) = sum;
    }
    g.sync();
  }
}

}  // namespace swept::SWEPT_NS
