// SPDX-License-Identifier: Apache-2.0
// Nonlinear conjugate gradients with the update of Hager and Zhang ("A new conjugate gradient
// method with guaranteed descent and an efficient line search", SIAM J. Optim. 16, 2005), in the
// metric's coordinates (metric.h). With g the gradient, d the search direction, y = g - g_old:
//
//   beta = (y.g - 2 (y.y / d.y) d.g) / d.y,  at least -1 / (|d| min(0.01, |g|));  0 if d.y < 1e-15
//
// It stops when half of the scaled g.g, which bounds the distance to the smallest objective from
// above, is below the tolerance; or when the scaled decrease of a step is, and that bound is not
// far off (in badly conditioned piles a short step alone says nothing). scale = 1 / trace(M).
#pragma once

#include "kernels/solve/line_search.h"
#include "kernels/solve/metric.h"

namespace swept::SWEPT_NS {

/// When to stop.
struct SolverOptions {
  real scale;
  real tolerance;
  real ls_tolerance;
  int iterations;
  int ls_iterations;
};

/// A short step ends the iteration while the bound is below this many tolerances; 10 are usual.
constexpr real short_step_bound = 1000;

/// The inner products that an update needs.
struct Products {
  real gg, yg, yy, dy, dg;
};

/// Of the gradient `next` after a step along `search` from the gradient `grad`. Cooperative.
SWEPT_FN Products products(const Group auto g, const Work& w) {
  Sum gg, yg, yy, dy, dg;
  for_strips(g, w.np, [&]<int PART>(int i) {
    const pack next = load<pack>(w.next + i);
    const pack y = next - load<pack>(w.grad + i);
    const pack d = load<pack>(w.search + i);
    gg.add<PART>(next * next);
    yg.add<PART>(y * next);
    yy.add<PART>(y * y);
    dy.add<PART>(d * y);
    dg.add<PART>(d * next);
  });
  return {g.sum(gg.total()), g.sum(yg.total()), g.sum(yy.total()), g.sum(dy.total()),
          g.sum(dg.total())};
}

/// The factor of the old direction in the new one.
SWEPT_FN real hager_zhang(const Products& p, real dd) {
  constexpr real tiny = 1e-15_r;
  if (p.dy < tiny) {
    return 0;
  }
  const real beta = (p.yg - 2 * (p.yy / p.dy) * p.dg) / p.dy;
  return max(beta, -1 / max(tiny, sqrt(dd) * min(0.01_r, sqrt(p.gg))));
}

/// search = beta search - grad. Cooperative; each lane handles its own elements.
SWEPT_FN void turn(const Group auto g, const Work& w, real beta) {
  for (int i = step_of_pack * g.lane(); i < w.np; i += step_of_pack * g.size()) {
    const pack d = beta == 0 ? pack(0) : pack(beta * load<pack>(w.search + i));
    store(w.search + i, d - load<pack>(w.grad + i));
  }
}

/// grad of the objective at w->z into `out`; entries hold the forces there. Cooperative; ends with
/// a sync.
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

/// Iterations done, and whether a stopping measure was met.
struct CgResult {
  int niter;
  bool converged;
};

/// Conjugate gradients from w->z, where entries and `grad` stand already.
///   gg   inner product of `grad` with itself at the start
/// Cooperative; z, grad and entries are visible on return.
template <class Metric>
SWEPT_FN CgResult conjugate_gradients(const Group auto g, Work* w, const Metric& metric,
                                      const SolverOptions& o, real gg) {
  int niter = 0;
  bool steepest = true;
  turn(g, *w, 0_r);
  g.sync();
  while (niter < o.iterations && 0.5_r * o.scale * gg >= o.tolerance) {
    // rates of the entries along the direction
    multiply(g, *w, w->search, w->v);
    const real slope = dot(g, w->np, w->search, w->grad);
    const real dMd = energy(g, *w, metric);
    const real dd = Metric::identity ? dMd : dot(g, w->np, w->search, w->search);
    g.sync();

    LineStep step{};
    if (slope < 0) {
      const real tolerance = o.tolerance * o.ls_tolerance * sqrt(dd) / o.scale;
      step = search_line(g, *w, {slope, dMd, tolerance, o.ls_iterations});
    }
    if (!(step.alpha > 0)) {
      // no descent: once more from the gradient itself
      if (steepest) {
        break;
      }
      steepest = true;
      turn(g, *w, 0_r);
      g.sync();
      continue;
    }

    // move
    for (int i = step_of_pack * g.lane(); i < w->np; i += step_of_pack * g.size()) {
      store(w->z + i, load<pack>(w->z + i) + step.alpha * load<pack>(w->search + i));
    }
    move_entries(g, *w, step.alpha);
    g.sync();
    gradient_at(g, *w, metric, w->next);
    const Products p = products(g, *w);
    gg = p.gg;
    ++niter;

    // turn
    real* const old = w->grad;
    w->grad = w->next;
    w->next = old;
    const real improvement = o.scale * step.improvement;
    if (improvement > 0 && improvement < o.tolerance &&
        0.5_r * o.scale * gg < short_step_bound * o.tolerance) {
      return {niter, true};
    }
    const real beta = hager_zhang(p, dd);
    steepest = beta == 0;
    turn(g, *w, beta);
    g.sync();
  }
  return {niter, 0.5_r * o.scale * gg < o.tolerance};
}

}  // namespace swept::SWEPT_NS
