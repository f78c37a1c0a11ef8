// SPDX-License-Identifier: Apache-2.0
// The preconditioner of the solver's linear systems: the Hessian's blocks on clusters.
//
// In the coordinates z, where M is the identity, the Hessian is H = 1 + sum of J_b^T K_b J_b over
// blocks b of rows with K_b their curvature. A cluster is a run of strips of z that share kinematic
// trees. P is H without what couples clusters: for one robot it is H itself, for a hundred that do
// not touch each other too, and in a pile it is what every body feels if the others stand still.
// Conjugate gradients with P then take as many iterations as the contacts between clusters ask for.
//
// For a cluster of n places, with P = L L^T, two n x n matrices are kept:
//
//   X   L^-1,  row i from place 0 to i
//   V   L^-T,  row i from place i to the end
//
// since then P^-1 r = L^-T (L^-1 r) is a sum of rows times numbers, y = sum of V_j r_j and sum of
// X_i y_i, without a chain of substitutions from place to place, and definite whatever is rounded.
// (The inverse itself would lose that, in f32 and with stiff contacts.) Gaps between trees have 1 on
// the diagonal, and longer clusters than most_places in full.
#pragma once

#include "kernels/solve/entries.h"

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

/// Call f(cluster) for this lane's clusters that are preconditioned.
template <class F>
SWEPT_FN void for_each_cluster(const Group auto g, const ModelAt<real>& m, const Work& w,
                               const F& f) {
  for (int c = g.lane(); c < m->ncluster; c += g.size()) {
    if (m.cluster_adr(c) >= 0) {
      f(cluster_at(m, w, c));
    }
  }
}

/// to += factor from, from place `begin`'s strip to that of `end`, exclusive.
[[gnu::always_inline]] SWEPT_FN void add_row(real* to, real factor, const real* from, int begin,
                                             int end) {
  for (int p = begin / strip_size * strip_size; p < end; p += step_of_strip) {
    store_strip(to + p, load_strip(to + p) + factor * load_strip(from + p));
  }
}

/// The curvature of block b at its residuals, K [DIM][DIM] over its rows; false if it is all zero.
template <int DIM>
SWEPT_FN bool curvature_of(const Work& w, int b, real (&K)[DIM][DIM]) {
  const int entry = w.block_entry[b];
  const real* const a = w.a + entry;
  for (auto& row : K) {
    for (real& x : row) {
      x = 0;
    }
  }
  const auto active = [&](int k) { return w.lo[entry + k] < a[k] && a[k] < w.hi[entry + k]; };
  if constexpr (DIM == 1) {
    K[0][0] = active(0) ? w.D[entry] : 0_r;
    return K[0][0] != 0;
  } else if (w.block_type(b) == row_contact_pyramidal) {
    // an edge is n + s t with s = +-mu
    const real* const mu = w.rows.efc_mu + w.block_row[b];
    bool any = false;
    for (int k = 1; k < DIM; ++k) {
      for (int side = 0; side < 2; ++side) {
        const int e = 2 * k - 2 + side;
        if (active(e)) {
          const real s = side == 0 ? mu[k] : -mu[k], D = w.D[entry + e];
          K[0][0] += D;
          K[0][k] += D * s;
          K[k][k] += D * s * s;
          any = true;
        }
      }
      K[k][0] = K[0][k];
    }
    return any;
  } else {
    const Cone<DIM> cone = cone_of<DIM>(w, b);
    if (evaluate<DIM>(cone, a, a).zone == cone_separated) {
      return false;
    }
    for (int k = 0; k < DIM; ++k) {
      real unit[DIM] = {};
      unit[k] = 1;
      apply_hessian<DIM>(cone, a, unit, K[k]);
    }
    return true;
  }
}

/// Add y^T K y to the upper strips of P in X, y the strips `begin` .. `end` of block b's rows, which
/// lie in the cluster.
template <int DIM>
SWEPT_FN void add_block(const Work& w, int b, const real (&K)[DIM][DIM], const Cluster& c,
                        int begin, int end) {
  const int stride = w.block_strips[b] * strip_size;
  const int* const strips = w.strips_of(b);
  const real* const jac = w.jac + w.block_adr[b];
  for (int s = begin; s < end; ++s) {
    const int column = strips[s] * strip_size - c.first;
    for (int p = 0; p < strip_size; p += step_of_strip) {
      // K y of these columns
      Strip right[DIM];
      for (int r = 0; r < DIM; ++r) {
        right[r] = Strip{};
        for (int q = 0; q < DIM; ++q) {
          right[r] += K[r][q] * load_strip(jac + q * stride + s * strip_size + p);
        }
      }
      for (int u = begin; u <= s; ++u) {
        const int row = strips[u] * strip_size - c.first;
        for (int i = 0; i < strip_size; ++i) {
          real* const to = c.X + (row + i) * c.n + column + p;
          const real* const left = jac + u * strip_size + i;
          Strip sum = load_strip(to);
          for (int r = 0; r < DIM; ++r) {
            sum += left[r * stride] * right[r];
          }
          store_strip(to, sum);
        }
      }
    }
  }
}

/// P of this lane's clusters into X, upper strips. Cooperative; each lane looks at all blocks and
/// writes its own clusters.
SWEPT_FN void form_clusters(const Group auto g, const ModelAt<real>& m, const Work& w) {
  for_each_cluster(g, m, w, [&](const Cluster& c) {
    for (int p = 0; p < c.n * c.n; p += step_of_strip) {
      store_strip(c.X + p, Strip{});
    }
    for (int i = 0; i < c.n; ++i) {
      c.X[i * c.n + i] = 1;
    }
  });
  for (int b = 0; b < w.nblocks; ++b) {
    with_dim(w.block_dim(b), [&]<int DIM>() {
      real K[DIM][DIM];
      bool known = false;
      const int* const strips = w.strips_of(b);
      for (int begin = 0, end = 0; begin < w.block_strips[b]; begin = end) {
        const int c = m.strip_cluster(strips[begin]);
        while (end < w.block_strips[b] && m.strip_cluster(strips[end]) == c) {
          ++end;
        }
        if (c % g.size() != g.lane() || m.cluster_adr(c) < 0) {
          continue;
        }
        if (!known && !curvature_of<DIM>(w, b, K)) {
          break;
        }
        known = true;
        add_block<DIM>(w, b, K, cluster_at(m, w, c), begin, end);
      }
    });
  }
}

#ifdef SWEPT_PACKS
/// The same for a cluster of one strip, in registers: P = L D L^T with L unit, so that the one chain
/// from row to row has no square root in it.
SWEPT_FN void invert_strip(const Cluster& c) {
  using Row = Lanes<strip_size>;
  Row S[strip_size], X[strip_size], V[strip_size], root;
#pragma GCC unroll 8
  for (int i = 0; i < strip_size; ++i) {
    __builtin_memcpy(&S[i], c.X + i * strip_size, sizeof(Row));
  }
#pragma GCC unroll 8
  for (int j = 0; j < strip_size; ++j) {
    // at least 1 but for rounding
    const real inverse = 1 / max(S[j][j], 0.5_r);
    root[j] = inverse;
    V[j] = inverse * S[j];  // row j of L^T
#pragma GCC unroll 8
    for (int i = j + 1; i < strip_size; ++i) {
      S[i] -= V[j][i] * S[j];
    }
  }
#pragma GCC unroll 8
  for (int j = 0; j < strip_size; ++j) {
    root[j] = sqrt(root[j]);
  }
#pragma GCC unroll 8
  for (int i = 0; i < strip_size; ++i) {
    X[i] = Row{};
    X[i][i] = 1;
#pragma GCC unroll 8
    for (int j = 0; j < i; ++j) {
      X[i] -= V[j][i] * X[j];
    }
  }
#pragma GCC unroll 8
  for (int i = strip_size - 1; i >= 0; --i) {
    const Row U = V[i];
    V[i] = Row{};
    V[i][i] = 1;
#pragma GCC unroll 8
    for (int j = i + 1; j < strip_size; ++j) {
      V[i] -= U[j] * V[j];
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < strip_size; ++i) {
    X[i] *= root[i];
    V[i] *= root;
    __builtin_memcpy(c.X + i * strip_size, &X[i], sizeof(Row));
    __builtin_memcpy(c.V + i * strip_size, &V[i], sizeof(Row));
  }
}
#endif

/// From P in X to X and V. One lane does the whole cluster.
SWEPT_FN void invert_cluster(const Cluster& c) {
#ifdef SWEPT_PACKS
  if (c.n == strip_size) {
    return invert_strip(c);
  }
#endif
  const int n = c.n;
  // U = L^T row by row into V, the diagonal as its inverse
  for (int j = 0; j < n; ++j) {
    real* const U = c.V + j * n;
    const real* const own = c.X + j * n;
    // at least 1 but for rounding
    const real inverse = 1 / sqrt(max(own[j], 0.5_r));
    for (int p = j / strip_size * strip_size; p < n; p += step_of_strip) {
      store_strip(U + p, inverse * load_strip(own + p));
    }
    for (int i = j + 1; i < n; ++i) {
      if (U[i] != 0) {
        add_row(c.X + i * n, -U[i], U, i, n);
      }
    }
    U[j] = inverse;
  }
  // X_i = (e_i - sum over j < i of L_ij X_j) / L_ii
  for (int i = 0; i < n; ++i) {
    real* const X = c.X + i * n;
    const real inverse = c.V[i * n + i];
    for (int p = 0; p < n; p += step_of_strip) {
      store_strip(X + p, Strip{});
    }
    for (int j = 0; j < i; ++j) {
      const real factor = -inverse * c.V[j * n + i];
      if (factor != 0) {
        add_row(X, factor, c.X + j * n, 0, j + 1);
      }
    }
    X[i] = inverse;
  }
  // V_i = (e_i - sum over j > i of U_ij V_j) / U_ii
  for (int i = n - 1; i >= 0; --i) {
    real* const U = c.V + i * n;
    alignas(64) real V[most_places];
    for (int p = 0; p < n; p += step_of_strip) {
      store_strip(V + p, Strip{});
    }
    const real inverse = U[i];
    for (int j = i + 1; j < n; ++j) {
      const real factor = -inverse * U[j];
      if (factor != 0) {
        add_row(V, factor, c.V + j * n, j, n);
      }
    }
    V[i] = inverse;
    for (int p = 0; p < n; p += step_of_strip) {
      store_strip(U + p, load_strip(V + p));
    }
  }
}

/// Set up P^-1 at the entries' present residuals. Cooperative; each lane makes its own clusters.
SWEPT_FN void set_up_preconditioner(const Group auto g, const ModelAt<real>& m, const Work& w) {
  form_clusters(g, m, w);
  for_each_cluster(g, m, w, [](const Cluster& c) { invert_cluster(c); });
}

/// out = P^-1 r in a cluster of one strip.
SWEPT_FN void solve_strip(const Cluster& c, const real* r, real* out) {
  constexpr int parts = strip_size / step_of_strip;
  const auto multiply = [](const real* rows, const real* x, real* to) {
    Strip sum[parts] = {};
    for (int i = 0; i < strip_size; ++i) {
      for (int p = 0; p < parts; ++p) {
        sum[p] += x[i] * load_strip(rows + i * strip_size + p * step_of_strip);
      }
    }
    for (int p = 0; p < parts; ++p) {
      store_strip(to + p * step_of_strip, sum[p]);
    }
  };
  alignas(64) real y[strip_size];
  multiply(c.V, r, y);
  multiply(c.X, y, out);
}

/// out = P^-1 r in any cluster.
SWEPT_FN void solve_cluster(const Cluster& c, const real* r, real* out) {
  if (c.n == strip_size) {
    solve_strip(c, r, out);
    return;
  }
  alignas(64) real y[most_places];
  for (int p = 0; p < c.n; p += step_of_strip) {
    store_strip(y + p, Strip{});
    store_strip(out + p, Strip{});
  }
  for (int j = 0; j < c.n; ++j) {
    add_row(y, r[j], c.V + j * c.n, j, c.n);
  }
  for (int i = 0; i < c.n; ++i) {
    add_row(out, y[i], c.X + i * c.n, 0, i + 1);
  }
}

/// out = P^-1 r, both by place, not the same. Cooperative: r is read where other lanes may have
/// written, so that a sync() must stand before; out is visible after the next one.
SWEPT_FN void precondition(const Group auto g, const ModelAt<real>& m, const Work& w, const real* r,
                           real* out) {
  for (int c = g.lane(); c < m->ncluster; c += g.size()) {
    const int first = strip_size * m.cluster_strip(c);
    const int end = strip_size * m.cluster_strip(c + 1);
    if (m.cluster_adr(c) >= 0) {
      solve_cluster(cluster_at(m, w, c), r + first, out + first);
    } else {
      for (int p = first; p < end; p += step_of_strip) {
        store_strip(out + p, load_strip(r + p));
      }
    }
  }
}

}  // namespace swept::SWEPT_NS
