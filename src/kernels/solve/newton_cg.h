// SPDX-License-Identifier: Apache-2.0
// Newton's method with conjugate gradients inside, for models and row counts beyond the methods on
// packs. With H = 1 + J^T C J in the metric's coordinates (metric.h), C the curvature of every entry
// at the point:
//
//   H p = -g     by conjugate gradients (Hestenes and Stiefel, 1952) with the preconditioner P of
//                precondition.h, to a relative residual
//   z += alpha p by the exact line search
//
// until half of the scaled |g^T p|, what the step promises to lower the objective by, is below the
// tolerance before the step, or half of the scaled g.g is, which bounds that from above (H >= 1).
// scale = 1 / trace(M). Early systems need no digits, since the active rows are not known yet: "Inexact
// Newton methods" (Dembo, Eisenstat and Steihaug, SIAM J. Numer. Anal. 19, 1982).
//
// Tried in a pile of 400 bodies, 500 contacts, tolerance 1e-6: with a residual of 0.3, 0.1 and 0.03 a
// solution takes 17.6, 11.8 and 9.9 rounds and 86, 99 and 123 iterations inside, 0.1 being the
// fastest. P from the first round in all of them: 1089 iterations. Nonlinear conjugate gradients
// (Hager and Zhang, 2005), without P: 1e5 tolerances off after 50 iterations; with P: unfinished after
// 180, since they lose their conjugacy wherever rows begin or cease to act.
#pragma once

#include "kernels/solve/line_search.h"
#include "kernels/solve/metric.h"
#include "kernels/solve/precondition.h"

namespace swept::SWEPT_NS {

/// When to stop.
struct SolverOptions {
  real scale;
  real tolerance;
  real ls_tolerance;
  int iterations;
  int ls_iterations;
};

/// Below this tolerance the last digits are asked for: linear systems are solved to theirs, and
/// rounds go on while they shrink the gradient a hundredfold.
constexpr real last_digits_below = 1e-11_r;

/// Relative residuals of linear systems, in the norm of P^-1: usual, and for the last digits.
constexpr real inexact_residual = 0.1_r;
constexpr real exact_residual = sizeof(real) == 4 ? 1e-4_r : 1e-9_r;

/// A usual solution takes fewer rounds. Where rows are so stiff that what is left of the residual in
/// them hides all else, usual residuals go on for hundreds of rounds, and exact ones do not.
constexpr int usual_rounds = 25;

/// A step that is longer is not the last.
constexpr real longest_last = 1.5_r;

/// A step is a stall if it lowers the objective by rounding only; or if it promises a part of z.z as
/// small as `noisy`, is no short one (those are still looking for the active rows) and yet promises no
/// less than the best before. So many stalls in a row are the end.
constexpr int stalls_allowed = 3;
constexpr real noisy = sizeof(real) == 4 ? 1e-4_r : 1e-11_r;
constexpr real epsilon = sizeof(real) == 4 ? 1e-7_r : 2e-16_r;

/// grad of the objective at w.z into `out`; entries hold the forces there. Cooperative; ends with a
/// sync.
template <class Metric>
SWEPT_FN void gradient_at(const Group auto g, const Work& w, const Metric& metric, real* out) {
  if constexpr (Metric::identity) {
    add_transposed(g, w, w.z, -1_r, w.f, out);
  } else {
    metric.apply(g, w.z, out);
    g.sync();
    add_transposed(g, w, out, -1_r, w.f, out);
  }
  g.sync();
}

/// search^T M search. Cooperative.
template <class Metric>
SWEPT_FN real energy(const Group auto g, const Work& w, const Metric& metric) {
  if constexpr (Metric::identity) {
    return dot(g, w.np, w.search, w.search);
  } else {
    metric.apply(g, w.search, w.other);
    g.sync();
    return dot(g, w.np, w.search, w.other);
  }
}

/// w.h = C w.v, the curvature at w.a times the rates. Cooperative; visible after the next sync().
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

/// out = H s. Uses v and h. Cooperative; ends with a sync.
template <class Metric>
SWEPT_FN void apply_H(const Group auto g, const Work& w, const Metric& metric, const real* s,
                      real* out) {
  multiply(g, w, s, w.v);
  g.sync();
  apply_curvature(g, w);
  if constexpr (!Metric::identity) {
    metric.apply(g, s, out);
  }
  g.sync();
  add_transposed(g, w, Metric::identity ? s : out, 1_r, w.h, out);
  g.sync();
}

/// search = -H^-1 grad, H at w.z, until the residual is `enough` of the first. P must be set up. Uses
/// next, other, warm, v and h. Cooperative; ends with a sync; returns grad . search.
template <class Metric>
SWEPT_FN real newton_direction(const Group auto g, const Work& w, const Metric& metric, real enough,
                               int iterations) {
  real* const p = w.search;
  real* const r = w.next;      // residual -g - H p
  real* const s = w.other;     // direction
  real* const image = w.warm;  // H s, then P^-1 r
  for (int i = step_of_pack * g.lane(); i < w.np; i += step_of_pack * g.size()) {
    store(p + i, pack(0));
    store(r + i, -load<pack>(w.grad + i));
  }
  g.sync();
  precondition(g, metric.m, w, r, s);
  g.sync();
  real rz = dot(g, w.np, r, s);
  const real end = enough * enough * rz;
  for (int n = 0; n < iterations && rz > end; ++n) {
    apply_H(g, w, metric, s, image);
    const real alpha = rz / dot(g, w.np, s, image);
    if (!is_finite(alpha)) {
      break;
    }
    for (int i = step_of_pack * g.lane(); i < w.np; i += step_of_pack * g.size()) {
      store(p + i, load<pack>(p + i) + alpha * load<pack>(s + i));
      store(r + i, load<pack>(r + i) - alpha * load<pack>(image + i));
    }
    g.sync();
    precondition(g, metric.m, w, r, image);
    g.sync();
    const real old = rz;
    rz = dot(g, w.np, r, image);
    const real beta = rz / old;
    for (int i = step_of_pack * g.lane(); i < w.np; i += step_of_pack * g.size()) {
      store(s + i, load<pack>(image + i) + beta * load<pack>(s + i));
    }
    g.sync();
  }
  return dot(g, w.np, w.grad, p);
}

/// Minimise from the point w->z, where entries and `grad` stand; returns the rounds. Cooperative; z,
/// grad and entries are visible on return.
template <class Metric>
SWEPT_FN int minimise(const Group auto g, Work* w, const Metric& metric, const SolverOptions& o) {
  const bool last_digits = o.tolerance < last_digits_below;
  int rounds = 0, stalls = 0;
  real gg = dot(g, w->np, w->grad, w->grad), best = unbounded;
  while (rounds < o.iterations && stalls < stalls_allowed && gg > 0 &&
         (last_digits || 0.5_r * o.scale * gg >= o.tolerance)) {
    set_up_preconditioner(g, metric.m, *w);
    g.sync();
    const bool exact = last_digits || rounds >= usual_rounds;
    const real slope = newton_direction(
        g, *w, metric, exact ? exact_residual : inexact_residual, 2 * w->nv + 20);
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

    // move
    for (int i = step_of_pack * g.lane(); i < w->np; i += step_of_pack * g.size()) {
      store(w->z + i, load<pack>(w->z + i) + step.alpha * load<pack>(w->search + i));
    }
    move_entries(g, *w, step.alpha);
    g.sync();
    gradient_at(g, *w, metric, w->grad);
    const real old = gg;
    gg = dot(g, w->np, w->grad, w->grad);
    ++rounds;

    // and stop?
    const real zz = dot(g, w->np, w->z, w->z);
    const bool better = -slope < 0.9_r * best || -slope > noisy * zz;
    stalls = step.improvement <= epsilon * zz || (step.alpha > 0.5_r && !better) ? stalls + 1 : 0;
    best = min(best, -slope);
    // a longer step than Newton's let rows go, whose curvature had held the promise down
    const bool last = -0.5_r * o.scale * slope < o.tolerance && step.alpha < longest_last;
    if (last && (!last_digits || !(gg < 0.01_r * old))) {
      break;
    }
  }
  return rounds;
}

}  // namespace swept::SWEPT_NS
