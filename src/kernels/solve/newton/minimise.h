// SPDX-License-Identifier: Apache-2.0
// The iteration that the dual and the primal method share: Newton's steps over the pieces of the
// rows' forces, each to where the slope of the objective along it has all but vanished.
//
// A full step that stays on its pieces, on which the forces are linear, is the optimum. Every lane
// takes its own steps and stands still when it is done: results do not depend on the environments
// beside it, whose rows and active slots add exact zeros to its sums. (So a sum is one chain: which
// of two chains a term joins would depend on them.)
//
// A Method has
//   w, links          the slots; which of them C couples
//   start()           a first point, with slot_r, slot_f and slot_zone there
//   descent()         factors the system at the present point and finds the step; returns its slope
//                     at 0, and the absolute sum of what that is made of
//   slope_at(alpha)   evaluates slot_try_r, slot_try_f, slot_try_zone
//   move(live, alpha) to the point that was evaluated last
//   own_forces        whether forces are variables of their own that a step moves by its length. Then
//                     one that was cut short leaves them short, and the slope, which sees what they
//                     do to dofs, does not tell: a contact whose normal passes through the pivot of
//                     its body moves nothing and has a force all the same. So the last step is a
//                     full one
#pragma once

#include "kernels/solve/entries.h"
#include "kernels/solve/newton/pieces.h"

namespace swept::SWEPT_NS {

/// The slope that ends a search, relative to the first.
constexpr real newton_slope = 0.1_r;
/// A full step that stays on its pieces is exact if it leaves no more of the slope: else rounding has
/// spoiled the factor, and another step refines.
constexpr real newton_exact = sizeof(real) == 4 ? 1e-5_r : 1e-8_r;
/// A slope that is so small a part of the terms that it is the sum of leads one step to the optimum.
constexpr real newton_close = sizeof(real) == 4 ? 1e-5_r : 1e-9_r;
/// A slope below so much of the absolute sum that it is made of is rounding.
constexpr real newton_rounding = sizeof(real) == 4 ? 2e-7_r : 4e-16_r;
/// Most trial points of a search after the full step.
constexpr int newton_trials = 12;
/// Below this part of it, steps that do not halve the slope tell of rounding; so many are the end.
constexpr real newton_noisy = sizeof(real) == 4 ? 1e-4_r : 1e-11_r;
constexpr int newton_stalls = 4;

/// The rate of the objective along a step, at its start.
template <class V>
struct Descent {
  V slope;
  V terms;  ///< absolute sum of its terms
  V noise;  ///< absolute sum of what was rounded on the way to them
};

/// Lanes in which the full step, tried last, is the optimum: on the same pieces, with nothing left of
/// the slope. On a cone's surface f is curved and Newton's step squares the error: there the step
/// must have been a small one.
///   first   the slope at 0
///   last    the slope at 1
///   terms   what `first` is made of
template <class V>
SWEPT_FN mask_t<V> is_optimum(const Slots<V>& w, V first, V last, V terms) {
  mask_t<V> same = first == first, flat = same;
  for (int s = 0; s < w.n; ++s) {
    const V zone = w.vec(slot_zone, s);
    same = same && zone == V(w.vec(slot_try_zone, s));
    flat = flat && zone != V(slot_cone_middle);
  }
  return same && ((flat && abs(last) <= V(-newton_exact) * first) ||
                  (!flat && -first <= V(newton_close) * terms));
}

/// A step's length, and whether it ended at the optimum.
template <class V>
struct NewtonStep {
  V alpha;
  mask_t<V> exact;
};

/// The length of the step for the lanes of `live`, in which the slope at 0 is negative. The
/// full step, unless the slope has risen past zero: then the root of it by false positions, kept
/// off the ends of the bracket.
template <class V, class Method>
SWEPT_FN NewtonStep<V> step_length(const Method& method, mask_t<V> live, const Descent<V>& at0) {
  const V first = at0.slope;
  V alpha(1_r);
  V high_slope = method.slope_at(alpha);
  const mask_t<V> exact = is_optimum(method.w, first, high_slope, at0.terms);
  // what rounding leaves is no slope
  const V enough = max(V(V(-newton_slope) * first), V(V(8 * newton_rounding) * at0.noise));
  mask_t<V> open = live && first < V(0_r) && high_slope > enough;
  V low(0_r), high(1_r), low_slope = first;
  for (int n = 0; n < newton_trials && any_of(open); ++n) {
    const V width = high - low;
    const V guess = low + width * (low_slope / (low_slope - high_slope));
    const V inside = clamp(guess, V(low + V(0.1_r) * width), V(high - V(0.1_r) * width));
    alpha = select(open, inside, alpha);
    const V slope = method.slope_at(alpha);
    const mask_t<V> below = open && slope < V(0_r), above = open && !(slope < V(0_r));
    low = select(below, alpha, low);
    low_slope = select(below, slope, low_slope);
    high = select(above, alpha, high);
    high_slope = select(above, slope, high_slope);
    open = open && abs(slope) > enough;
  }
  return {alpha, exact};
}

/// Take the trial point that was evaluated last for the present one, in the lanes of `live`.
template <class V>
SWEPT_FN void accept_trial(const Slots<V>& w, mask_t<V> live) {
  const auto move = [&](SlotVector to, SlotVector from) {
    for (int s = 0; s < w.n; ++s) {
      w.vec(to, s) = select(live, V(w.vec(from, s)), V(w.vec(to, s)));
    }
  };
  move(slot_r, slot_try_r);
  move(slot_f, slot_try_f);
  move(slot_zone, slot_try_zone);
}

/// Minimise; returns the iterations of every lane.
///   live    lanes that are solved here
///   scale   1 / trace(M)
template <class V, class Method>
SWEPT_FN V minimise_newton(const Method& method, mask_t<V> live, V scale, real tolerance,
                           int iterations) {
  V niter(0_r), best(unbounded), stalls(0_r), length(1_r);
  method.start();
  for (int k = 0; k < iterations && any_of(live); ++k) {
    const Descent<V> at0 = method.descent();
    const V slope = at0.slope;
    // no descent beyond rounding, or a NaN; the first step is taken in any case, since forces that
    // cancel are forces nevertheless
    const mask_t<V> descends = slope < (k == 0 ? V(unbounded) : V(V(-newton_rounding) * at0.noise));
    live = live && (descends || (length < V(1_r) && slope == slope));
    const NewtonStep<V> step = step_length(method, live, at0);
    method.move(live, step.alpha);
    length = Method::own_forces ? step.alpha : length;
    niter = select(live, V(niter + V(1_r)), niter);
    const mask_t<V> halved = -slope < V(0.5_r) * best || -slope > V(newton_noisy) * at0.noise;
    stalls = select(halved, V(0_r), V(stalls + V(1_r)));
    best = min(best, -slope);
    const mask_t<V> small = V(-0.5_r) * scale * slope < V(tolerance) && length >= V(1_r);
    live = live && !step.exact && !small && stalls < V(static_cast<real>(newton_stalls));
  }
  return niter;
}

}  // namespace swept::SWEPT_NS
