// SPDX-License-Identifier: Apache-2.0
// Newton's method in the space of dofs, for environments with many rows, on packs.
//
// In the coordinates z of qacc = qacc_smooth + L^-1 D^-1/2 z, where M = L^T D L is the identity, the
// objective is 1/2 z.z + sum of rows s(b + Y^T z) with Y = D^-1/2 L^-T J^T. Its gradient is z - Y f
// and, on the pieces where the rows are with C C^T their curvature, its Hessian I + (Y C) (Y C)^T:
// a step costs by the rows what the dual method pays by their square. What it does not keep are the
// digits of forces of stiff rows, which are differences of large numbers here.
#pragma once

#include "kernels/solve/newton/cholesky.h"
#include "kernels/solve/newton/minimise.h"

namespace swept::SWEPT_NS {

/// to = Y slots.
template <class V>
SWEPT_FN void multiply_Y(const Slots<V>& w, SlotVector from, Slice<V> to) {
  for (int i = 0; i < w.nv; ++i) {
    to(i) = V(0_r);
  }
  each_four<V>(
      w.n, [&](int s) { return w.Y(s); },
      [&](int s, int r, const Slice<V>(&rows)[4]) {
        V x[4];
        for (int k = 0; k < r; ++k) {
          x[k] = w.vec(from, s + k);
        }
        for (int i = 0; i < w.nv; ++i) {
          V sum = to(i);
          for (int k = 0; k < r; ++k) {
            sum = fma(V(rows[k](i)), x[k], sum);
          }
          to(i) = sum;
        }
      });
}

/// to = Y^T dofs.
template <class V>
SWEPT_FN void multiply_YT(const Slots<V>& w, Slice<V> from, SlotVector to) {
  each_four<V>(
      w.n, [&](int s) { return w.Y(s); },
      [&](int s, int r, const Slice<V>(&rows)[4]) {
        V sums[4];
        inner_products(r, rows, from, w.nv, sums);
        for (int k = 0; k < r; ++k) {
          w.vec(to, s + k) = sums[k];
        }
      });
}

/// H += sum of z z^T over r columns z of Y C.
template <int R, class V>
[[gnu::always_inline]] SWEPT_FN void add_columns(const Slots<V>& w) {
  const Slice<V> z[4] = {w.dof(dof_column), w.dof(dof_column + 1), w.dof(dof_column + 2),
                         w.dof(dof_column + 3)};
  for (int i = 0; i < w.nv; ++i) {
    const Slice<V> row = w.H(i);
    V zi[R];
    zi[0] = z[0](i);
    mask_t<V> moves = zi[0] != V(0_r);
    for (int k = 1; k < R; ++k) {
      zi[k] = z[k](i);
      moves = moves || zi[k] != V(0_r);
    }
    // a dof that the columns do not touch in any lane
    if (none_of(moves)) {
      continue;
    }
    for (int j = 0; j <= i; ++j) {
      V sum = row(j);
      for (int k = 0; k < R; ++k) {
        sum = fma(zi[k], V(z[k](j)), sum);
      }
      row(j) = sum;
    }
  }
}

/// H = (Y C) (Y C)^T, lower triangle.
template <class V>
SWEPT_FN void form_hessian(const Slots<V>& w, const SlotLinks& links) {
  for (int i = 0; i < w.nv; ++i) {
    for (int j = 0; j <= i; ++j) {
      w.H(i)(j) = V(0_r);
    }
  }
  int columns = 0, link = 0;
  for (int s = 0; s < w.n; ++s) {
    const int first = link;
    while (link < links.n && links.at[link].column == s) {
      ++link;
    }
    const V diag = w.vec(slot_diag, s);
    if (none_of(diag != V(0_r))) {
      continue;
    }
    const Slice<V> z = w.dof(dof_column + columns), own = w.Y(s);
    for (int i = 0; i < w.nv; ++i) {
      z(i) = diag * V(own(i));
    }
    for (int l = first; l < link; ++l) {
      const V take = w.link()(l);
      if (any_of(take != V(0_r))) {
        const Slice<V> other = w.Y(links.at[l].row);
        for (int i = 0; i < w.nv; ++i) {
          z(i) = fma(take, V(other(i)), V(z(i)));
        }
      }
    }
    if (++columns == 4) {
      add_columns<4>(w);
      columns = 0;
    }
  }
  switch (columns) {
    case 3:
      return add_columns<3>(w);
    case 2:
      return add_columns<2>(w);
    case 1:
      return add_columns<1>(w);
    default:
      return;
  }
}

/// z = D^1/2 L (qacc_warmstart - qacc_smooth) into the step.
template <class V>
SWEPT_FN void load_warm_start(const Slots<V>& w, const ModelAt<V>& m, const DataAt<V>& d) {
  const Slice<V> x = w.dof(dof_column), z = w.dof(dof_step);
  for (int i = 0; i < w.nv; ++i) {
    x(i) = V(d.qacc_warmstart(i)) - V(d.qacc_smooth(i));
  }
  const Slice<V> L = slice(d.qLD(0)), dinv = slice(d.qLDiagInv(0));
  for (int i = 0; i < w.nv; ++i) {
    const int adr = m.M_rowadr(i), depth = m.dof_depth(i);
    V sum = x(i);
    for (int c = 0; c < depth; ++c) {
      sum = fma(V(L(adr + c)), V(x(m.M_colind(adr + c))), sum);
    }
    z(i) = sum / sqrt(V(dinv(i)));
  }
}

/// Cost of the rows at a residual to which `force` is the answer. What is not clamped has a cost of
/// degree two, half of residual times force.
template <class V>
SWEPT_FN V cost_of_slots(const Slots<V>& w, SlotVector residual, SlotVector force) {
  V cost(0_r);
  for (int s = 0; s < w.n; ++s) {
    const V r = w.vec(residual, s), D = w.vec(slot_D, s);
    const V c = clamp(r, V(w.vec(slot_lo, s)), V(w.vec(slot_hi, s)));
    cost +=
        select(D > V(0_r), V(D * c * (r - V(0.5_r) * c)), V(V(-0.5_r) * V(w.vec(force, s)) * r));
  }
  return cost;
}

/// The primal method of minimise_newton(). In: slots with Y.
template <class V>
struct PrimalMethod {
  const Slots<V>& w;
  const SlotLinks& links;
  const ModelAt<V>& m;
  const DataAt<V>& d;
  static constexpr bool own_forces = false;

  /// qacc_smooth or the warm start, whichever costs less.
  SWEPT_FN void start() const {
    const Slice<V> z = w.dof(dof_z), step = w.dof(dof_step);
    for (int i = 0; i < w.nv; ++i) {
      z(i) = V(0_r);
    }
    for (int s = 0; s < w.n; ++s) {
      w.vec(slot_r, s) = V(w.vec(slot_b, s));
    }
    answer(w, links, slot_r, slot_f, slot_zone);
    if ((m->opt.disableflags & disable_warmstart) != 0) {
      return;
    }
    load_warm_start(w, m, d);
    multiply_YT(w, step, slot_rate);
    V gauss(0_r);
    for (int i = 0; i < w.nv; ++i) {
      gauss = fma(V(step(i)), V(step(i)), gauss);
    }
    for (int s = 0; s < w.n; ++s) {
      w.vec(slot_try_r, s) = V(w.vec(slot_r, s)) + V(w.vec(slot_rate, s));
    }
    answer(w, links, slot_try_r, slot_try_f, slot_try_zone);
    const V cold = cost_of_slots(w, slot_r, slot_f);
    const V warm = V(0.5_r) * gauss + cost_of_slots(w, slot_try_r, slot_try_f);
    move(warm < cold, V(1_r));
  }

  SWEPT_FN Descent<V> descent() const {
    const Slice<V> z = w.dof(dof_z), step = w.dof(dof_step), inverse = w.dof(dof_inverse);
    const auto row = [&](int i) { return w.H(i); };
    curvature(w, links);
    form_hessian(w, links);
    factor_shifted(w.nv, row, inverse);
    multiply_Y(w, slot_f, step);
    for (int i = 0; i < w.nv; ++i) {
      step(i) = V(step(i)) - V(z(i));
    }
    solve_shifted(w.nv, row, inverse, step);
    multiply_YT(w, step, slot_rate);
    V slope(0_r), terms(0_r);
    for (int i = 0; i < w.nv; ++i) {
      slope = fma(V(z(i)), V(step(i)), slope);
      terms = fma(abs(V(z(i))), abs(V(step(i))), terms);
    }
    V noise = terms;
    for (int s = 0; s < w.n; ++s) {
      const V rate = w.vec(slot_rate, s), f = w.vec(slot_f, s), diag = w.vec(slot_diag, s);
      slope = fma(-f, rate, slope);
      terms = fma(abs(f), abs(rate), terms);
      // the residual is what is left of b
      noise = fma(abs(f) + diag * diag * abs(V(w.vec(slot_b, s))), abs(rate), noise);
    }
    return {slope, terms, noise};
  }

  SWEPT_FN V slope_at(V alpha) const {
    for (int s = 0; s < w.n; ++s) {
      w.vec(slot_try_r, s) = fma(alpha, V(w.vec(slot_rate, s)), V(w.vec(slot_r, s)));
    }
    answer(w, links, slot_try_r, slot_try_f, slot_try_zone);
    const Slice<V> z = w.dof(dof_z), step = w.dof(dof_step);
    V slope(0_r);
    for (int i = 0; i < w.nv; ++i) {
      slope = fma(fma(alpha, V(step(i)), V(z(i))), V(step(i)), slope);
    }
    for (int s = 0; s < w.n; ++s) {
      slope = fma(-V(w.vec(slot_try_f, s)), V(w.vec(slot_rate, s)), slope);
    }
    return slope;
  }

  SWEPT_FN void move(mask_t<V> live, V alpha) const {
    const Slice<V> z = w.dof(dof_z), step = w.dof(dof_step);
    accept_trial(w, live);
    for (int i = 0; i < w.nv; ++i) {
      z(i) = select(live, fma(alpha, V(step(i)), V(z(i))), V(z(i)));
    }
  }
};

}  // namespace swept::SWEPT_NS
