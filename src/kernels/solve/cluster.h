// SPDX-License-Identifier: Apache-2.0
// The matrices of a cluster of the preconditioner (precondition.h): P = L L^T and its inverse.
//
// Clusters are factored strip by strip, P = L L^T with U = L^T, and of a cluster of n places two n x n
// matrices are kept:
//
//   V   U's strips above the diagonal ones; on those their inverses, rows of U_ss^-1
//   X   on the diagonal strips rows of L_ss^-1
//
// so that a solution is a chain of strips, not of places: y_s = L_ss^-1 (r_s - sum of U_ts^T y_t over
// t < s), and back. (P^-1 itself would not stay definite, in f32 and with stiff contacts.) A cluster
// that no row acts on is the identity and is marked by V[0] = 0. Gaps between trees have 1 on the
// diagonal, and longer clusters than most_places in full.
#pragma once

#include "kernels/solve/work.h"

/// Before a loop over eight rows that are to stay in registers.
#ifdef SWEPT_PACKS
#define SWEPT_UNROLL _Pragma("GCC unroll 8")
#else
#define SWEPT_UNROLL
#endif

namespace swept::SWEPT_NS {

/// Places of the longest cluster that is preconditioned.
constexpr int most_places = 64;

/// One cluster's matrices.
struct Cluster {
  int first;  ///< place
  int n;      ///< places
  real* X;    ///< [n][n]
  real* V;    ///< [n][n]
};

SWEPT_FN Cluster cluster_at(const ModelAt<real>& m, const Work& w, int c) {
  const int first = strip_size * m.cluster_strip(c);
  const int n = strip_size * m.cluster_strip(c + 1) - first;
  real* const X = w.precond + m.cluster_adr(c);
  return {first, n, X, X + n * n};
}

/// Whether a row acts on a cluster.
SWEPT_FN bool is_active(const Cluster& c) {
  return c.V[0] != 0;
}
SWEPT_FN void set_active(const Cluster& c, bool active) {
  c.V[0] = active ? 1_r : 0_r;
}

/// X = 1, upper strips.
SWEPT_FN void set_identity(const Cluster& c) {
  for (int i = 0; i < c.n; ++i) {
    for (int p = i / strip_size * strip_size; p < c.n; p += step_of_strip) {
      store_strip(c.X + i * c.n + p, Strip{});
    }
    c.X[i * c.n + i] = 1;
  }
}

#ifdef SWEPT_PACKS
/// A row of a diagonal strip.
using StripRow = Lanes<strip_size>;
#else
struct StripRow {
  real at[strip_size];

  SWEPT_FN real& operator[](int k) { return at[k]; }
  SWEPT_FN void operator*=(const StripRow& x) {
    for (int k = 0; k < strip_size; ++k) {
      at[k] *= x.at[k];
    }
  }
  SWEPT_FN void operator*=(real x) {
    for (int k = 0; k < strip_size; ++k) {
      at[k] *= x;
    }
  }
  SWEPT_FN void operator-=(const StripRow& x) {
    for (int k = 0; k < strip_size; ++k) {
      at[k] -= x.at[k];
    }
  }
};
SWEPT_FN StripRow operator*(real x, StripRow y) {
  y *= x;
  return y;
}
#endif

/// From the diagonal strip of P at place p, in X, to L^-1 in X and L^-T in V: P = L D L^T with L unit,
/// so that the one chain from row to row has no square root in it.
SWEPT_FN void invert_diagonal(const Cluster& c, int p) {
  using Row = StripRow;
  Row S[strip_size], X[strip_size], V[strip_size], root;
  SWEPT_UNROLL
  for (int i = 0; i < strip_size; ++i) {
    __builtin_memcpy(&S[i], c.X + (p + i) * c.n + p, sizeof(Row));
  }
  SWEPT_UNROLL
  for (int j = 0; j < strip_size; ++j) {
    // at least 1 but for rounding
    const real inverse = 1 / max(S[j][j], 0.5_r);
    root[j] = inverse;
    V[j] = inverse * S[j];  // row j of L^T
    SWEPT_UNROLL
    for (int i = j + 1; i < strip_size; ++i) {
      S[i] -= V[j][i] * S[j];
    }
  }
  SWEPT_UNROLL
  for (int j = 0; j < strip_size; ++j) {
    root[j] = sqrt(root[j]);
  }
  SWEPT_UNROLL
  for (int i = 0; i < strip_size; ++i) {
    X[i] = Row{};
    X[i][i] = 1;
    SWEPT_UNROLL
    for (int j = 0; j < i; ++j) {
      X[i] -= V[j][i] * X[j];
    }
  }
  SWEPT_UNROLL
  for (int i = strip_size - 1; i >= 0; --i) {
    Row U = V[i];
    V[i] = Row{};
    V[i][i] = 1;
    SWEPT_UNROLL
    for (int j = i + 1; j < strip_size; ++j) {
      V[i] -= U[j] * V[j];
    }
  }
  SWEPT_UNROLL
  for (int i = 0; i < strip_size; ++i) {
    X[i] *= root[i];
    V[i] *= root;
    __builtin_memcpy(c.X + (p + i) * c.n + p, &X[i], sizeof(Row));
    __builtin_memcpy(c.V + (p + i) * c.n + p, &V[i], sizeof(Row));
  }
}

/// Eight rows of a matrix [n][n], of each the Strip at the column of `p`.
struct Rows8 {
  Strip at[strip_size];

  [[gnu::always_inline]] SWEPT_FN Rows8(const real* p, int n) {
    SWEPT_UNROLL
    for (int i = 0; i < strip_size; ++i) {
      at[i] = load_strip(p + i * n);
    }
  }
};

/// U's strips right of the diagonal one at place s: L_ss^-1 times P's, from X into V.
SWEPT_FN void solve_panel(const Cluster& c, int s) {
  for (int p = s + strip_size; p < c.n; p += step_of_strip) {
    const Rows8 rows(c.X + s * c.n + p, c.n);
    for (int i = 0; i < strip_size; ++i) {
      const real* const L = c.X + (s + i) * c.n + s;
      // beyond i zeros
      Strip sum = L[0] * rows.at[0];
      SWEPT_UNROLL
      for (int j = 1; j < strip_size; ++j) {
        sum += L[j] * rows.at[j];
      }
      store_strip(c.V + (s + i) * c.n + p, sum);
    }
  }
}

/// Whether nothing couples places s and t: U's strip there is zero, or so small that its squares are.
SWEPT_FN bool is_zero(const Cluster& c, int s, int t) {
  StripSum sum;
  for (int i = 0; i < strip_size; ++i) {
    for (int p = 0; p < strip_size; p += step_of_strip) {
      const Strip x = load_strip(c.V + (s + i) * c.n + t + p);
      sum.add(p, x * x);
    }
  }
  return sum.total() == 0;
}

/// What eliminating the strip at place s leaves of P: P_tp -= U_st^T U_sp.
SWEPT_FN void eliminate(const Cluster& c, int s) {
  for (int t = s + strip_size; t < c.n; t += strip_size) {
    if (is_zero(c, s, t)) {
      continue;
    }
    for (int p = t; p < c.n; p += step_of_strip) {
      const Rows8 rows(c.V + s * c.n + p, c.n);
      for (int i = 0; i < strip_size; ++i) {
        real* const to = c.X + (t + i) * c.n + p;
        Strip left = load_strip(to);
        SWEPT_UNROLL
        for (int j = 0; j < strip_size; ++j) {
          left -= c.V[(s + j) * c.n + t + i] * rows.at[j];
        }
        store_strip(to, left);
      }
    }
  }
}

/// From P in X to X and V. One lane does the whole cluster.
SWEPT_FN void factor_cluster(const Cluster& c) {
  for (int s = 0; s < c.n; s += strip_size) {
    invert_diagonal(c, s);
    solve_panel(c, s);
    eliminate(c, s);
  }
}

/// to = sum of x_i row_i over eight rows of a diagonal strip.
[[gnu::always_inline]] SWEPT_FN void sum_rows(const real* rows, int n, const real* x, real* to) {
  constexpr int parts = strip_size / step_of_strip;
  Strip sum[parts] = {};
  SWEPT_UNROLL
  for (int i = 0; i < strip_size; ++i) {
    for (int p = 0; p < parts; ++p) {
      sum[p] += x[i] * load_strip(rows + i * n + p * step_of_strip);
    }
  }
  for (int p = 0; p < parts; ++p) {
    store_strip(to + p * step_of_strip, sum[p]);
  }
}

/// out = P^-1 r in a cluster.
SWEPT_FN void solve_cluster(const Cluster& c, const real* r, real* out) {
  const int n = c.n;
  alignas(64) real y[most_places];
  for (int p = 0; p < n; p += step_of_strip) {
    store_strip(out + p, load_strip(r + p));
  }
  // y = L^-1 r, what is left of r in out
  for (int s = 0; s < n; s += strip_size) {
    sum_rows(c.V + s * n + s, n, out + s, y + s);
    for (int p = s + strip_size; p < n; p += step_of_strip) {
      Strip left = load_strip(out + p);
      SWEPT_UNROLL
      for (int j = s; j < s + strip_size; ++j) {
        left -= y[j] * load_strip(c.V + j * n + p);
      }
      store_strip(out + p, left);
    }
  }
  // out = L^-T y
  for (int s = n - strip_size; s >= 0; s -= strip_size) {
    for (int i = s; i < s + strip_size && s + strip_size < n; ++i) {
      StripSum sum;
      for (int p = s + strip_size; p < n; p += step_of_strip) {
        sum.add(p, load_strip(c.V + i * n + p) * load_strip(out + p));
      }
      y[i] -= sum.total();
    }
    sum_rows(c.X + s * n + s, n, y + s, out + s);
  }
}

}  // namespace swept::SWEPT_NS

#undef SWEPT_UNROLL
