// SPDX-License-Identifier: Apache-2.0
// Newton's method in the space of rows, for small models, on packs.
//
// With qacc = qacc_smooth + M^-1 J^T lambda the residual is r = b + A lambda, A = J M^-1 J^T, and the
// optimum is where lambda = f(r), the force that every row answers with. On its present piece a row
// has f(r) = c - C C^T r, where c is the force of friction loss that has reached its bound and 0
// otherwise (on a cone's surface that is the tangent plane). There lambda = f(b + A lambda) gives
//
//   lambda = c + C u,   (I + C^T A C) u = -C^T (b + A c),
//
// which is the step of the primal Newton method, with no difference of large numbers in it however
// stiff the rows are. f is linear on a piece, so a full step that stays on its pieces is the
// optimum. Otherwise the step delta goes to where the slope of the objective along it,
//
//   slope(alpha) = (lambda + alpha delta - f(r + alpha A delta)) . A delta,
//
// has all but vanished. C is lower triangular (dual_pieces.h).
//
// Every lane takes its own steps and stands still when it is done: results do not depend on the
// environments beside it, whose rows and active slots add exact zeros to its sums. (So a sum is one
// chain: which of two chains a term joins would depend on them.)
#pragma once

#include "kernels/solve/dual/dual_pieces.h"
#include "kernels/solve/dual/dual_rows.h"

namespace swept::SWEPT_NS {

/// The slope that ends a search, relative to the first.
constexpr real dual_slope = 0.1_r;
/// A full step that stays on its pieces is exact if it leaves no more of the slope: else rounding has
/// spoiled the factor, and another step refines.
constexpr real dual_exact = sizeof(real) == 4 ? 1e-5_r : 1e-8_r;
/// A slope that is so small a part of the terms that it is the sum of leads one step to the optimum.
constexpr real dual_close = sizeof(real) == 4 ? 1e-5_r : 1e-9_r;
/// A slope below so much of the absolute sum that it is made of is rounding.
constexpr real dual_rounding = sizeof(real) == 4 ? 2e-7_r : 4e-16_r;
/// Most trial points of a search after the full step.
constexpr int dual_trials = 12;
/// Below this part of it, steps that do not halve the slope tell of rounding; so many are the end.
constexpr real dual_noisy = sizeof(real) == 4 ? 1e-4_r : 1e-11_r;
constexpr int dual_stalls = 4;

/// The slots on which any environment has curvature, and those that C links to them, in order.
struct ActiveSlots {
  int at[dual_most_rows];
  int place[dual_most_rows];  ///< of a slot in `at`, -1: not there
  int n = 0;
};

template <class V>
SWEPT_FN void find_active(const DualWork<V>& w, const DualLinks& links, ActiveSlots* active) {
  for (int s = 0; s < w.n; ++s) {
    active->place[s] = any_of(V(w.vec(dual_diag, s)) != V(0_r)) ? 0 : -1;
  }
  for (int i = 0; i < links.n; ++i) {
    if (active->place[links.at[i].column] == 0) {
      active->place[links.at[i].row] = 0;
    }
  }
  active->n = 0;
  for (int s = 0; s < w.n; ++s) {
    if (active->place[s] == 0) {
      active->place[s] = active->n;
      active->at[active->n++] = s;
    }
  }
}

/// to(a) = C^T x for the first n active slots; x by slot.
template <class V>
SWEPT_FN void apply_CT(const DualWork<V>& w, const DualLinks& links, const ActiveSlots& active,
                       int n, Slice<V> x, Slice<V> to) {
  for (int a = 0; a < n; ++a) {
    const int s = active.at[a];
    to(a) = V(w.vec(dual_diag, s)) * V(x(s));
  }
  for (int i = 0; i < links.n; ++i) {
    const int a = active.place[links.at[i].column];
    if (a >= n) {
      break;
    }
    if (a >= 0) {
      to(a) = fma(V(w.link()(i)), V(x(links.at[i].row)), V(to(a)));
    }
  }
}

/// to = A from.
template <class V>
SWEPT_FN void multiply_A(const DualWork<V>& w, DualVector from, DualVector to) {
  const Slice<V> x = w.vec(from);
  each_four<V>(
      w.n, [&](int s) { return w.A(s); },
      [&](int s, int r, const Slice<V>(&rows)[4]) {
        V sums[4];
        inner_products(r, rows, x, w.n, sums);
        for (int k = 0; k < r; ++k) {
          w.vec(to, s + k) = sums[k];
        }
      });
}

/// G = C^T A C over the active slots, lower triangle.
template <class V>
SWEPT_FN void form_system(const DualWork<V>& w, const DualLinks& links, const ActiveSlots& active) {
  // A C by rows; entry b of row a is used where b <= a only
  for (int a = 0; a < active.n; ++a) {
    apply_CT(w, links, active, a + 1, w.A(active.at[a]), w.G(a));
  }
  // C^T of it; rows below still hold A C
  int link = 0;
  for (int a = 0; a < active.n; ++a) {
    const int s = active.at[a];
    const Slice<V> row = w.G(a);
    const V diag = w.vec(dual_diag, s);
    for (int b = 0; b <= a; ++b) {
      row(b) = diag * V(row(b));
    }
    while (link < links.n && links.at[link].column < s) {
      ++link;
    }
    for (; link < links.n && links.at[link].column == s; ++link) {
      const Slice<V> other = w.G(active.place[links.at[link].row]);
      const V take = w.link()(link);
      for (int b = 0; b <= a; ++b) {
        row(b) = fma(take, V(other(b)), V(row(b)));
      }
    }
  }
}

/// The Cholesky factor of I + G in place, four rows at a time; its diagonal only as inverse.
template <class V>
SWEPT_FN void factor_system(const DualWork<V>& w, int n) {
  const Slice<V> inverse = w.vec(dual_inverse);
  each_four<V>(
      n, [&](int a) { return w.G(a); },
      [&](int a, int r, const Slice<V>(&rows)[4]) {
        for (int b = 0; b < a + r; ++b) {
          V sums[4];
          inner_products(r, rows, w.G(b), b, sums);
          if (b >= a) {
            const V pivot = V(1_r) + V(rows[b - a](b)) - sums[b - a];
            // at least 1 but for rounding
            inverse(b) = V(1_r) / sqrt(max(pivot, V(0.5_r)));
          }
          for (int k = b >= a ? b - a + 1 : 0; k < r; ++k) {
            rows[k](b) = (V(rows[k](b)) - sums[k]) * V(inverse(b));
          }
        }
      });
}

/// y = (I + G)^-1 y with the factor.
template <class V>
SWEPT_FN void solve_system(const DualWork<V>& w, int n) {
  const Slice<V> y = w.vec(dual_y), inverse = w.vec(dual_inverse);
  for (int a = 0; a < n; ++a) {
    const Slice<V> row = w.G(a);
    V sum = y(a);
    for (int b = 0; b < a; ++b) {
      sum = fma(-V(row(b)), V(y(b)), sum);
    }
    y(a) = sum * V(inverse(a));
  }
  for (int a = n - 1; a >= 0; --a) {
    const Slice<V> row = w.G(a);
    const V x = V(y(a)) * V(inverse(a));
    y(a) = x;
    for (int b = 0; b < a; ++b) {
      y(b) = fma(-V(row(b)), x, V(y(b)));
    }
  }
}

/// delta, the step of lambda to the optimum of the present pieces, and its rate A delta.
template <class V>
SWEPT_FN void newton_step(const DualWork<V>& w, const DualLinks& links, const ActiveSlots& active) {
  // c, and b + A c
  bool any = false;
  for (int s = 0; s < w.n; ++s) {
    const mask_t<V> held = V(w.vec(dual_D, s)) > V(0_r) && V(w.vec(dual_zone, s)) != V(0_r);
    const V c = select(held, V(w.vec(dual_f, s)), V(0_r));
    w.vec(dual_c, s) = c;
    w.vec(dual_rate, s) = V(0_r);
    any = any || any_of(c != V(0_r));
  }
  if (any) {
    multiply_A(w, dual_c, dual_rate);
  }
  for (int s = 0; s < w.n; ++s) {
    w.vec(dual_rate, s) = -(V(w.vec(dual_b, s)) + V(w.vec(dual_rate, s)));
  }
  apply_CT(w, links, active, active.n, w.vec(dual_rate), w.vec(dual_y));
  solve_system(w, active.n);

  // c + C u - lambda
  for (int s = 0; s < w.n; ++s) {
    w.vec(dual_delta, s) = V(w.vec(dual_c, s));
  }
  for (int a = 0; a < active.n; ++a) {
    const int s = active.at[a];
    w.vec(dual_delta, s) += V(w.vec(dual_diag, s)) * V(w.vec(dual_y, a));
  }
  for (int i = 0; i < links.n; ++i) {
    const int a = active.place[links.at[i].column];
    if (a >= 0) {
      w.vec(dual_delta, links.at[i].row) += V(w.link()(i)) * V(w.vec(dual_y, a));
    }
  }
  for (int s = 0; s < w.n; ++s) {
    w.vec(dual_delta, s) -= V(w.vec(dual_lambda, s));
  }
  multiply_A(w, dual_delta, dual_rate);
}

/// Evaluate the trial point at alpha and return the slope there.
template <class V>
SWEPT_FN V try_step(const DualWork<V>& w, const DualLinks& links, V alpha) {
  for (int s = 0; s < w.n; ++s) {
    w.vec(dual_try_r, s) = fma(alpha, V(w.vec(dual_rate, s)), V(w.vec(dual_r, s)));
  }
  answer(w, links, dual_try_r, dual_try_f, dual_try_zone);
  V slope(0_r);
  for (int s = 0; s < w.n; ++s) {
    const V lambda = fma(alpha, V(w.vec(dual_delta, s)), V(w.vec(dual_lambda, s)));
    slope = fma(lambda - V(w.vec(dual_try_f, s)), V(w.vec(dual_rate, s)), slope);
  }
  return slope;
}

/// Lanes in which the full step, tried last, is the optimum: on the same pieces, with nothing left of
/// the slope. On a cone's surface f is curved and Newton's step squares the error: there the step
/// must have been a small one.
///   first   the slope at 0
///   last    the slope at 1
///   terms   what `first` is made of
template <class V>
SWEPT_FN mask_t<V> is_optimum(const DualWork<V>& w, V first, V last, V terms) {
  mask_t<V> same = first == first, flat = same;
  for (int s = 0; s < w.n; ++s) {
    const V zone = w.vec(dual_zone, s);
    same = same && zone == V(w.vec(dual_try_zone, s));
    flat = flat && zone != V(dual_cone_middle);
  }
  return same && ((flat && abs(last) <= V(-dual_exact) * first) ||
                  (!flat && -first <= V(dual_close) * terms));
}

/// A step's length, and whether it ended at the optimum.
template <class V>
struct DualStep {
  V alpha;
  mask_t<V> exact;
};

/// The length of the step for the lanes of `live`; `first` is the slope at 0, negative there. The
/// full step, unless the slope has risen past zero: then the root of it by false positions, kept
/// off the ends of the bracket.
template <class V>
SWEPT_FN DualStep<V> step_length(const DualWork<V>& w, const DualLinks& links, mask_t<V> live,
                                 V first, V terms) {
  V alpha(1_r);
  V high_slope = try_step(w, links, alpha);
  const mask_t<V> exact = is_optimum(w, first, high_slope, terms);
  // what rounding leaves is no slope
  const V enough = max(V(V(-dual_slope) * first), V(V(8 * dual_rounding) * terms));
  mask_t<V> open = live && first < V(0_r) && high_slope > enough;
  V low(0_r), high(1_r), low_slope = first;
  for (int n = 0; n < dual_trials && any_of(open); ++n) {
    const V width = high - low;
    const V guess = low + width * (low_slope / (low_slope - high_slope));
    const V inside = clamp(guess, V(low + V(0.1_r) * width), V(high - V(0.1_r) * width));
    alpha = select(open, inside, alpha);
    const V slope = try_step(w, links, alpha);
    const mask_t<V> below = open && slope < V(0_r), above = open && !(slope < V(0_r));
    low = select(below, alpha, low);
    low_slope = select(below, slope, low_slope);
    high = select(above, alpha, high);
    high_slope = select(above, slope, high_slope);
    open = open && abs(slope) > enough;
  }
  return {alpha, exact};
}

/// Move the lanes of `live` to the trial point that was evaluated last.
template <class V>
SWEPT_FN void take_step(const DualWork<V>& w, mask_t<V> live, V alpha) {
  for (int s = 0; s < w.n; ++s) {
    const auto move = [&](DualVector to, DualVector from) {
      w.vec(to, s) = select(live, V(w.vec(from, s)), V(w.vec(to, s)));
    };
    const V lambda = w.vec(dual_lambda, s);
    w.vec(dual_lambda, s) = select(live, fma(alpha, V(w.vec(dual_delta, s)), lambda), lambda);
    move(dual_r, dual_try_r);
    move(dual_f, dual_try_f);
    move(dual_zone, dual_try_zone);
  }
}

/// Minimise; returns the iterations of every lane. In: slots and A.
///   live    lanes that are solved here
///   scale   1 / trace(M)
template <class V>
SWEPT_FN V minimise_dual(const DualWork<V>& w, mask_t<V> live, V scale, real tolerance,
                         int iterations) {
  DualLinks links;
  find_links(w, &links);
  ActiveSlots active;
  V niter(0_r), best(unbounded), stalls(0_r);
  for (int s = 0; s < w.n; ++s) {
    w.vec(dual_r, s) = V(w.vec(dual_b, s));
  }
  answer(w, links, dual_r, dual_f, dual_zone);
  for (int k = 0; k < iterations && any_of(live); ++k) {
    curvature(w, links);
    find_active(w, links, &active);
    form_system(w, links, active);
    factor_system(w, active.n);
    newton_step(w, links, active);
    V slope(0_r), terms(0_r);
    for (int s = 0; s < w.n; ++s) {
      const V rate = w.vec(dual_rate, s), f = w.vec(dual_f, s), lambda = w.vec(dual_lambda, s);
      slope = fma(lambda - f, rate, slope);
      terms = fma(abs(f) + abs(lambda), abs(rate), terms);
    }
    // no descent beyond rounding, or a NaN; the first step is taken in any case, since forces that
    // cancel are forces nevertheless
    live = live && slope < (k == 0 ? V(unbounded) : V(V(-dual_rounding) * terms));
    const DualStep<V> step = step_length(w, links, live, slope, terms);
    take_step(w, live, step.alpha);
    niter = select(live, V(niter + V(1_r)), niter);
    const mask_t<V> halved = -slope < V(0.5_r) * best || -slope > V(dual_noisy) * terms;
    stalls = select(halved, V(0_r), V(stalls + V(1_r)));
    best = min(best, -slope);
    const mask_t<V> small = V(-0.5_r) * scale * slope < V(tolerance);
    live = live && !step.exact && !small && stalls < V(static_cast<real>(dual_stalls));
  }
  return niter;
}

}  // namespace swept::SWEPT_NS
