// SPDX-License-Identifier: Apache-2.0
// The sparse factor M = L^T D L of the joint-space inertia and the solve with it (Featherstone,
// chapter 6).
//
// L is unit lower triangular and has M's pattern: row i holds the ancestors of dof i by depth, then
// the diagonal, where D stands. Written as gathers, so that the dofs of one depth are independent:
// with k over the descendants of i from last to first,
//
//   D_i    = M_ii - sum_k L_ki^2 D_k
//   L_ij   = (M_ij - sum_k L_ki D_k L_kj) / D_i          for ancestors j
//
// A pivot below 1e-15 is taken as 1e-15.
#pragma once

#include "kernels/smooth/access.h"

namespace swept::SWEPT_NS {

/// N columns of row i from column `first` on: M_ij - sum_k L_ki D_k L_kj, into out[0 .. N-1].
template <int N, class V>
[[gnu::always_inline]] SWEPT_FN void reduce_columns(const ModelAt<V>& m, Slice<V> factor, int i,
                                                    int depth, int first, Slice<V> source,
                                                    V (&out)[8]) {
  V sum[N];
  const Slice<V> row = slice(source(m.M_rowadr(i) + first));
  for (int c = 0; c < N; ++c) {
    sum[c] = row(c);
  }
  for (int k = i + m.dof_subtreenum(i) - 1; k > i; --k) {
    const int adr = m.M_rowadr(k);
    const V scaled = -(factor(adr + depth) * factor(adr + m.dof_depth(k)));
    const Slice<V> other = slice(factor(adr + first));
    for (int c = 0; c < N; ++c) {
      sum[c] = fma(scaled, V(other(c)), sum[c]);
    }
  }
  for (int c = 0; c < N; ++c) {
    out[c] = sum[c];
  }
}

/// The same for n = 1 .. 8 columns.
template <class V>
[[gnu::always_inline]] SWEPT_FN void reduce_columns(const ModelAt<V>& m, Slice<V> factor, int i,
                                                    int depth, int first, int n, Slice<V> source,
                                                    V (&out)[8]) {
  switch (n) {
    case 1:
      return reduce_columns<1>(m, factor, i, depth, first, source, out);
    case 2:
      return reduce_columns<2>(m, factor, i, depth, first, source, out);
    case 3:
      return reduce_columns<3>(m, factor, i, depth, first, source, out);
    case 4:
      return reduce_columns<4>(m, factor, i, depth, first, source, out);
    case 5:
      return reduce_columns<5>(m, factor, i, depth, first, source, out);
    case 6:
      return reduce_columns<6>(m, factor, i, depth, first, source, out);
    case 7:
      return reduce_columns<7>(m, factor, i, depth, first, source, out);
    default:
      return reduce_columns<8>(m, factor, i, depth, first, source, out);
  }
}

/// Row i of the factor; the rows of its descendants are final. add is added to the diagonal.
template <class V>
[[gnu::always_inline]] SWEPT_FN void factor_row(const ModelAt<V>& m, Slice<V> source,
                                                Slice<V> factor, Slice<V> dinv, int i, int depth,
                                                V add) {
  V sum[8];
  const Slice<V> row = slice(factor(m.M_rowadr(i)));
  // the last columns, with the diagonal
  int n = depth + 1 < 8 ? depth + 1 : 8, first = depth + 1 - n;
  reduce_columns(m, factor, i, depth, first, n, source, sum);
  const V pivot = sum[n - 1] + add;
  const V diagonal = select(pivot < V(1e-15_r), V(1e-15_r), pivot);
  const V inverse = V(1_r) / diagonal;
  row(depth) = diagonal;
  dinv(i) = inverse;
  for (int c = 0; c < n - 1; ++c) {
    row(first + c) = sum[c] * inverse;
  }
  // the others
  while (first > 0) {
    n = first < 8 ? first : 8;
    first -= n;
    reduce_columns(m, factor, i, depth, first, n, source, sum);
    for (int c = 0; c < n; ++c) {
      row(first + c) = sum[c] * inverse;
    }
  }
}

/// factor, dinv = L^T D L factor of source + diag(add(i)) and 1 / D; source may be factor itself.
/// Visible to all lanes.
template <class V, class Add>
SWEPT_FN void factor_m(const Group auto g, const ModelAt<V>& m, Slice<V> source, Slice<V> factor,
                       Slice<V> dinv, const Add& add) {
  for (int depth = m->ndoflevelp1 - 2; depth >= 0; --depth) {
    for (int k = m.level_dofadr(depth) + g.lane(); k < m.level_dofadr(depth + 1); k += g.size()) {
      const int i = m.level_dofid(k);
      factor_row(m, source, factor, dinv, i, depth, add(i));
    }
    g.sync();
  }
}

/// x = (L^T D L)^-1 x in place. factor(k), dinv(i) and x(i) give elements that read and write like
/// V. In: x visible to all lanes; out: likewise.
template <class V, class Factor, class Dinv, class X>
SWEPT_FN void solve_m(const Group auto g, const ModelAt<V>& m, const Factor& factor,
                      const Dinv& dinv, const X& x) {
  // x = L^-T x: descendants first
  for (int depth = m->ndoflevelp1 - 2; depth >= 0; --depth) {
    for (int k = m.level_dofadr(depth) + g.lane(); k < m.level_dofadr(depth + 1); k += g.size()) {
      const int j = m.level_dofid(k);
      V sum = x(j);
      for (int i = j + m.dof_subtreenum(j) - 1; i > j; --i) {
        sum = fma(-V(factor(m.M_rowadr(i) + depth)), V(x(i)), sum);
      }
      x(j) = sum;
    }
    g.sync();
  }
  // x = L^-1 D^-1 x: ancestors first
  for (int depth = 0; depth < m->ndoflevelp1 - 1; ++depth) {
    for (int k = m.level_dofadr(depth) + g.lane(); k < m.level_dofadr(depth + 1); k += g.size()) {
      const int i = m.level_dofid(k), adr = m.M_rowadr(i);
      V sum = V(x(i)) * V(dinv(i));
      for (int c = 0; c < depth; ++c) {
        sum = fma(-V(factor(adr + c)), V(x(m.M_colind(adr + c))), sum);
      }
      x(i) = sum;
    }
    g.sync();
  }
}

}  // namespace swept::SWEPT_NS
