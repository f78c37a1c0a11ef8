// SPDX-License-Identifier: Apache-2.0
// Newton's method with conjugate gradients inside, for solutions to the last digits.
//
// The nonlinear iteration of cg.h slows down where its stopping measures reach rounding, and in
// badly conditioned piles. From there on Newton's method finishes: with H = M + J^T C J, C the
// curvature of every entry at the point,
//
//   H p = -g   by linear conjugate gradients (Hestenes and Stiefel, 1952), to a relative residual
//   z += alpha p   by the exact line search
//
// until half of the scaled g^T H^-1 g is below the tolerance before a step; that step squares the
// error and is the last, but for steps that still shrink the gradient a hundredfold.
#pragma once

#include "kernels/solve/cg.h"

namespace swept::SWEPT_NS {

/// Below this tolerance every solution is polished; above it those that cg.h left unfinished.
constexpr real polish_below = 1e-11_r;

/// Relative residual of a round's linear system.
constexpr real polish_residual = sizeof(real) == 4 ? 1e-4_r : 1e-9_r;

/// A step is a stall if it lowers the objective by rounding only, or is no short one and yet
/// g^T H^-1 g does not fall (short steps are still looking for the active rows). So many stalls in
/// a row are the end.
constexpr int stalls_allowed = 3;
constexpr real epsilon = sizeof(real) == 4 ? 1e-7_r : 2e-16_r;

/// w->h = C w->v, the curvature at w->a times the rates. Cooperative; visible after the next
/// sync().
SWEPT_FN void apply_curvature(const Group auto g, const Work& w) {
  for (int i = step_of_pack * g.lane(); i < w.nentry; i += step_of_pack * g.size()) {
    const pack a = load<pack>(w.a + i);
    const pack inside = load<pack>(w.D + i) * load<pack>(w.v + i);
    store(w.h + i, select(load<pack>(w.lo + i) < a && a < load<pack>(w.hi + i), inside, pack(0)));
  }
  if (!w.any_cone) {
    return;
  }
  g.sync();
  for_each_cone(g, w, [&]<int DIM>(int b) {
    const int entry = w.block_entry[b];
    apply_hessian<DIM>(cone_of<DIM>(w, b), w.a + entry, w.v + entry, w.h + entry);
  });
}

/// search = -H^-1 grad, H at w->z. Uses next, other, warm, v and h. Cooperative; ends with a sync;
/// returns grad . search.
template <class Metric>
SWEPT_FN real newton_direction(const Group auto g, const Work& w, const Metric& metric, real gg,
                               int iterations) {
  real* const p = w.search;
  real* const r = w.next;   // residual -g - H p
  real* const s = w.other;  // direction
  real* const Hs = w.warm;
  for (int i = step_of_pack * g.lane(); i < w.np; i += step_of_pack * g.size()) {
    const pack minus = -load<pack>(w.grad + i);
    store(p + i, pack(0));
    store(r + i, minus);
    store(s + i, minus);
  }
  g.sync();
  real rr = gg;
  const real enough = polish_residual * polish_residual * gg;
  for (int n = 0; n < iterations && rr > enough; ++n) {
    // H s = M s + J^T C J s
    multiply(g, w, s, w.v);
    g.sync();
    apply_curvature(g, w);
    if constexpr (!Metric::identity) {
      metric.apply(g, s, Hs);
    }
    g.sync();
    add_transposed(g, w, Metric::identity ? s : Hs, 1_r, w.h, Hs);
    g.sync();

    const real alpha = rr / dot(g, w.np, s, Hs);
    if (!is_finite(alpha)) {
      break;
    }
    for (int i = step_of_pack * g.lane(); i < w.np; i += step_of_pack * g.size()) {
      store(p + i, load<pack>(p + i) + alpha * load<pack>(s + i));
      store(r + i, load<pack>(r + i) - alpha * load<pack>(Hs + i));
    }
    const real old = rr;
    rr = dot(g, w.np, r, r);
    const real beta = rr / old;
    for (int i = step_of_pack * g.lane(); i < w.np; i += step_of_pack * g.size()) {
      store(s + i, load<pack>(r + i) + beta * load<pack>(s + i));
    }
    g.sync();
  }
  return dot(g, w.np, w.grad, p);
}

/// Polish the point w->z, where entries and `grad` stand, in at most `most` rounds; returns the
/// rounds. Cooperative; z, grad and entries are visible on return.
template <class Metric>
SWEPT_FN int polish(const Group auto g, Work* w, const Metric& metric, const SolverOptions& o,
                    int most) {
  int rounds = 0;
  int stalls = 0;
  real gg = dot(g, w->np, w->grad, w->grad);
  real best = unbounded;
  while (rounds < most && stalls < stalls_allowed && gg > 0) {
    const real slope = newton_direction(g, *w, metric, gg, 2 * w->nv + 20);
    multiply(g, *w, w->search, w->v);
    const real dMd = energy(g, *w, metric);
    g.sync();
    if (!(slope < 0)) {
      break;
    }
    const LineStep step = search_line(g, *w, {slope, dMd, 0_r, o.ls_iterations});
    if (!(step.alpha > 0)) {
      break;
    }
    for (int i = step_of_pack * g.lane(); i < w->np; i += step_of_pack * g.size()) {
      store(w->z + i, load<pack>(w->z + i) + step.alpha * load<pack>(w->search + i));
    }
    move_entries(g, *w, step.alpha);
    g.sync();
    gradient_at(g, *w, metric, w->grad);
    const real old = gg;
    gg = dot(g, w->np, w->grad, w->grad);
    ++rounds;
    const bool better = -slope < 0.9_r * best;
    const bool short_of_rounding = step.improvement <= epsilon * dot(g, w->np, w->z, w->z);
    stalls = short_of_rounding || (step.alpha > 0.5_r && !better) ? stalls + 1 : 0;
    best = min(best, -slope);
    const bool last = -0.5_r * o.scale * slope < o.tolerance;
    if (last && (o.tolerance >= polish_below || !(gg < 0.01_r * old))) {
      break;
    }
  }
  return rounds;
}

}  // namespace swept::SWEPT_NS
