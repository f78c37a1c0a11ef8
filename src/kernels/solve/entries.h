// SPDX-License-Identifier: Apache-2.0
// The constraint terms of the objective, entry by entry.
//
// Every scalar term is the distance to an interval: with c = clamp(a, lo, hi)
//
//   cost = D c (a - c / 2)     force = -D c          two-sided  (-inf, inf)
//   curvature D if lo < a < hi, else 0               Huber      (-R frictionloss, R frictionloss)
//                                                    one-sided  (-inf, 0): limits, pyramid edges
//
// so one loop without branches covers them all. Along a line a + alpha v the functions return
// differences to alpha = 0. With s = alpha v and everything relative to a, c = clamp(s, lo - a,
// hi - a) and c0 = clamp(0, lo - a, hi - a):
//
//   slope  D (c - c0) v        cost less its linear part  D (c - c0) (s - (c + c0) / 2)
//
// which keeps the digits of small steps: a itself drops out of every sum. Elliptic contacts
// (cone.h, cone_line.h) have D = 0 in that loop.
#pragma once

#include <swept/types.h>

#include "kernels/solve/cone_line.h"
#include "kernels/solve/work.h"

namespace swept::SWEPT_NS {

/// A bound that no residual reaches.
constexpr real unbounded = 3e38_r;

/// Zones of a row, as efc_state has them.
enum RowState : int {
  row_satisfied = 0,
  row_quadratic = 1,
  row_linear_neg = 2,
  row_linear_pos = 3,
  row_cone = 4
};

/// Call f.template operator()<DIM>() for a block's number of rows.
template <class F>
SWEPT_FN void with_dim(int dim, const F& f) {
  switch (dim) {
    case 1:
      return f.template operator()<1>();
    case 3:
      return f.template operator()<3>();
    case 4:
      return f.template operator()<4>();
    default:
      return f.template operator()<6>();
  }
}

/// Parameters of elliptic block b.
template <int DIM>
SWEPT_FN Cone<DIM> cone_of(const Work& w, int b) {
  Cone<DIM> cone;
  for (int k = 0; k < DIM; ++k) {
    cone.D[k] = w.rows.efc_D[w.block_row[b] + k];
    cone.mu[k] = w.rows.efc_mu[w.block_row[b] + k];
  }
  return cone;
}

/// Call f.operator()<DIM>(block) for this lane's elliptic blocks.
template <class F>
SWEPT_FN void for_each_cone(const Group auto g, const Work& w, const F& f) {
  if (!w.any_cone) {
    return;
  }
  for (int b = g.lane(); b < w.nblocks; b += g.size()) {
    if (w.block_type(b) == row_contact_elliptic) {
      switch (w.block_dim(b)) {
        case 3:
          f.template operator()<3>(b);
          break;
        case 4:
          f.template operator()<4>(b);
          break;
        default:
          f.template operator()<6>(b);
          break;
      }
    }
  }
}

/// Values of block b's rows `y` as entries `out`.
template <int DIM>
SWEPT_FN void expand(const Work& w, int b, const real* y, real* out) {
  if (DIM == 1 || w.block_type(b) != row_contact_pyramidal) {
    for (int k = 0; k < DIM; ++k) {
      out[k] = y[k];
    }
    return;
  }
  const real* const mu = w.rows.efc_mu + w.block_row[b];
  for (int k = 1; k < DIM; ++k) {
    out[2 * k - 2] = y[0] + mu[k] * y[k];
    out[2 * k - 1] = y[0] - mu[k] * y[k];
  }
}

/// Forces on the entries `f` of block b as forces on its rows.
template <int DIM>
SWEPT_FN void fold(const Work& w, int b, const real* f, real* out) {
  if (DIM == 1 || w.block_type(b) != row_contact_pyramidal) {
    for (int k = 0; k < DIM; ++k) {
      out[k] = f[k];
    }
    return;
  }
  const real* const mu = w.rows.efc_mu + w.block_row[b];
  out[0] = 0;
  for (int k = 1; k < DIM; ++k) {
    out[0] += f[2 * k - 2] + f[2 * k - 1];
    out[k] = mu[k] * (f[2 * k - 2] - f[2 * k - 1]);
  }
}

/// v = J x as entries, x [np]. Cooperative; x is read by all lanes; v is visible after the next
/// sync().
SWEPT_FN void multiply(const Group auto g, const Work& w, const real* x, real* v) {
  for (int b = g.lane(); b < w.nblocks; b += g.size()) {
    const int n = w.block_strips[b];
    const int* const strips = w.strips_of(b);
    const real* const jac = w.jac + w.block_adr[b];
    with_dim(w.block_dim(b), [&]<int DIM>() {
      StripSum sum[DIM];
      for (int s = 0; s < n; ++s) {
        for (int p = 0; p < strip_size; p += step_of_strip) {
          const Strip xs = load_strip(x + strips[s] * strip_size + p);
          for (int r = 0; r < DIM; ++r) {
            sum[r].add(p, load_strip(jac + (r * n + s) * strip_size + p) * xs);
          }
        }
      }
      real y[DIM];
      for (int r = 0; r < DIM; ++r) {
        y[r] = sum[r].total();
      }
      expand<DIM>(w, b, y, v + w.block_entry[b]);
    });
  }
}

/// out = x + factor J^T f, f forces on entries; out may be x. Each lane owns elements of out and
/// adds blocks in order. Cooperative; f is read by all lanes; out is visible after the next sync().
SWEPT_FN void add_transposed(const Group auto g, const Work& w, const real* x, real factor,
                             const real* f, real* out) {
  const int unit = step_of_strip;
  for (int i = unit * g.lane(); i < w.np; i += unit * g.size()) {
    store_strip(out + i, load_strip(x + i));
  }
  for (int b = 0; b < w.nblocks; ++b) {
    const int n = w.block_strips[b];
    const int* const strips = w.strips_of(b);
    const real* const jac = w.jac + w.block_adr[b];
    with_dim(w.block_dim(b), [&]<int DIM>() {
      real force[DIM];
      fold<DIM>(w, b, f + w.block_entry[b], force);
      for (int r = 0; r < DIM; ++r) {
        force[r] *= factor;
      }
      for (int s = 0; s < n; ++s) {
        // from the first of this lane's elements in the strip
        const int ahead = (g.lane() - strips[s] * (strip_size / unit)) % g.size();
        for (int p = unit * (ahead < 0 ? ahead + g.size() : ahead); p < strip_size;
             p += unit * g.size()) {
          const int i = strips[s] * strip_size + p;
          Strip sum = load_strip(out + i);
          for (int r = 0; r < DIM; ++r) {
            sum += load_strip(jac + (r * n + s) * strip_size + p) * force[r];
          }
          store_strip(out + i, sum);
        }
      }
    });
  }
}

/// Constraint cost at residuals a + alpha v. Cooperative.
SWEPT_FN real cost_of_rows(const Group auto g, const Work& w, real alpha) {
  Sum sum;
  for_strips(g, w.nentry, [&]<int PART>(int i) {
    const pack a = load<pack>(w.a + i) + alpha * load<pack>(w.v + i);
    const pack c = clamp(a, load<pack>(w.lo + i), load<pack>(w.hi + i));
    sum.add<PART>(load<pack>(w.D + i) * c * (a - 0.5_r * c));
  });
  real cost = sum.total();
  for_each_cone(g, w, [&]<int DIM>(int b) {
    const real* const a0 = w.a + w.block_entry[b];
    const real* const v = w.v + w.block_entry[b];
    real a[DIM];
    for (int k = 0; k < DIM; ++k) {
      a[k] = a0[k] + alpha * v[k];
    }
    const ConeValue<DIM> here = evaluate<DIM>(cone_of<DIM>(w, b), a, v);
    for (int k = 0; k < DIM; ++k) {
      cost -= 0.5_r * a[k] * here.force[k];
    }
  });
  return g.sum(cost);
}

/// What the rows give to the start of a line.
struct LineStart {
  real curvature;  ///< that they add at alpha = 0
  real power;      ///< sum of |force rate|, the size of the numbers that cancel in the slope there
};

/// The rows at alpha = 0; w.f holds the forces. Cooperative; the same bits on every lane.
SWEPT_FN LineStart line_start(const Group auto g, const Work& w) {
  Sum curvature;
  Sum power;
  for_strips(g, w.nentry, [&]<int PART>(int i) {
    const pack a = load<pack>(w.a + i);
    const pack v = load<pack>(w.v + i);
    const auto inside = load<pack>(w.lo + i) < a && a < load<pack>(w.hi + i);
    curvature.add<PART>(select(inside, load<pack>(w.D + i) * v * v, pack(0)));
    power.add<PART>(abs(load<pack>(w.f + i) * v));
  });
  LineStart sum{curvature.total(), power.total()};
  for_each_cone(g, w, [&]<int DIM>(int b) {
    const int entry = w.block_entry[b];
    sum.curvature += ConeLine<DIM>(cone_of<DIM>(w, b), w.a + entry, w.v + entry).at(0).curvature;
  });
  return {g.sum(sum.curvature), g.sum(sum.power)};
}

/// Terms of the rows at N places alpha in one pass. Cooperative; the same bits on every lane, and for
/// a place whatever the others are.
template <int N>
SWEPT_FN void line_terms(const Group auto g, const Work& w, const real (&alpha)[N],
                         LineTerms (&out)[N]) {
  Sum cost[N];
  Sum slope[N];
  Sum curvature[N];
  for_strips(g, w.nentry, [&]<int PART>(int i) {
    const pack a = load<pack>(w.a + i);
    const pack v = load<pack>(w.v + i);
    const pack D = load<pack>(w.D + i);
    const pack lo = load<pack>(w.lo + i) - a;
    const pack hi = load<pack>(w.hi + i) - a;
    const pack c0 = clamp(pack(0), lo, hi);
    for (int k = 0; k < N; ++k) {
      const pack s = alpha[k] * v;
      const pack c = clamp(s, lo, hi);
      const pack change = D * (c - c0);
      cost[k].template add<PART>(change * (s - 0.5_r * (c + c0)));
      slope[k].template add<PART>(change * v);
      curvature[k].template add<PART>(select(lo < s && s < hi, D * v * v, pack(0)));
    }
  });
  for (int k = 0; k < N; ++k) {
    out[k] = {cost[k].total(), slope[k].total(), curvature[k].total()};
  }
  for_each_cone(g, w, [&]<int DIM>(int b) {
    const int entry = w.block_entry[b];
    const ConeLine<DIM> line(cone_of<DIM>(w, b), w.a + entry, w.v + entry);
    for (int k = 0; k < N; ++k) {
      const LineTerms t = line.at(alpha[k]);
      out[k] = {out[k].cost + t.cost, out[k].slope + t.slope, out[k].curvature + t.curvature};
    }
  });
  for (int k = 0; k < N; ++k) {
    out[k] = {g.sum(out[k].cost), g.sum(out[k].slope), g.sum(out[k].curvature)};
  }
}

/// Move to a + alpha v and write the forces there. Cooperative; each lane handles its own entries;
/// a and f are visible after the next sync().
SWEPT_FN void move_entries(const Group auto g, const Work& w, real alpha) {
  for (int i = step_of_pack * g.lane(); i < w.nentry; i += step_of_pack * g.size()) {
    const pack a = load<pack>(w.a + i) + alpha * load<pack>(w.v + i);
    store(w.a + i, a);
    store(w.f + i, -load<pack>(w.D + i) * clamp(a, load<pack>(w.lo + i), load<pack>(w.hi + i)));
  }
  if (!w.any_cone) {
    return;
  }
  g.sync();
  for_each_cone(g, w, [&]<int DIM>(int b) {
    const int entry = w.block_entry[b];
    const ConeValue<DIM> here = evaluate<DIM>(cone_of<DIM>(w, b), w.a + entry, w.v + entry);
    for (int k = 0; k < DIM; ++k) {
      w.f[entry + k] = here.force[k];
    }
  });
}

}  // namespace swept::SWEPT_NS
