// SPDX-License-Identifier: Apache-2.0
// The preconditioner of the solver's linear systems: the Hessian's blocks on clusters.
//
// In the coordinates z, where M is the identity, the Hessian is H = 1 + sum of J_b^T K_b J_b over
// blocks b of rows with K_b their curvature. A cluster is a run of strips of z that share kinematic
// trees. P is H without what couples clusters: for one robot it is H itself, for a hundred that do
// not touch each other too, and in a pile it is what every body feels if the others stand still.
// Conjugate gradients with P then take as many iterations as the contacts between clusters ask for.
//
// Clusters are factored (cluster.h); one that no row acts on is the identity.
#pragma once

#include "kernels/solve/cluster.h"
#include "kernels/solve/entries.h"

namespace swept::SWEPT_NS {

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

/// P of this lane's clusters on which a row acts into X, upper strips. Cooperative; each lane looks at
/// all blocks and writes its own clusters.
SWEPT_FN void form_clusters(const Group auto g, const ModelAt<real>& m, const Work& w) {
  for_each_cluster(g, m, w, [](const Cluster& c) { set_active(c, false); });
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
        const Cluster cluster = cluster_at(m, w, c);
        if (!is_active(cluster)) {
          set_identity(cluster);
          set_active(cluster, true);
        }
        add_block<DIM>(w, b, K, cluster, begin, end);
      }
    });
  }
}

/// Set up P^-1 at the entries' present residuals. Cooperative; each lane makes its own clusters.
SWEPT_FN void set_up_preconditioner(const Group auto g, const ModelAt<real>& m, const Work& w) {
  form_clusters(g, m, w);
  for_each_cluster(g, m, w, [](const Cluster& c) {
    if (is_active(c)) {
      factor_cluster(c);
    }
  });
}

/// out = P^-1 r, both by place, not the same. Cooperative: r is read where other lanes may have
/// written, so that a sync() must stand before; out is visible after the next one.
SWEPT_FN void precondition(const Group auto g, const ModelAt<real>& m, const Work& w, const real* r,
                           real* out) {
  for (int c = g.lane(); c < m->ncluster; c += g.size()) {
    const int first = strip_size * m.cluster_strip(c);
    const int end = strip_size * m.cluster_strip(c + 1);
    if (m.cluster_adr(c) >= 0 && is_active(cluster_at(m, w, c))) {
      solve_cluster(cluster_at(m, w, c), r + first, out + first);
    } else {
      for (int p = first; p < end; p += step_of_strip) {
        store_strip(out + p, load_strip(r + p));
      }
    }
  }
}

}  // namespace swept::SWEPT_NS
