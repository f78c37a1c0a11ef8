// SPDX-License-Identifier: Apache-2.0
// The line search of MuJoCo's primal solvers. Along the search direction the objective less its
// value at the start, phi(alpha), is convex and its slope monotone; every evaluation gives phi,
// phi' and phi'', and counts. A point is flat where |phi'| is below
//
//   gtol = tolerance ls_tolerance |search| / scale
//
//   1. A at 0, B by Newton's step from A. Done if B is flat and lower than A.
//   2. Newton's steps on from B, C the point before, until the slope changes its sign. Done at the
//      first flat and lower point.
//   3. B and C hold the minimum between them. In each round three candidates: Newton's steps from
//      B and from C, and the middle. Done at the lowest flat one. B moves, candidate by candidate,
//      to those on its own side of the minimum that are flatter; C likewise; done at the middle if
//      neither moves.
//   4. Out of evaluations: the lower one of B and C, if that is lower than A.
//
// Two things keep the digits. Slopes and costs are formed as differences to the start,
//
//   phi'(alpha) = phi'(0) + alpha search^T M search + sum of the rows' differences
//
// whose terms but the first are not negative. And gtol is not below the level of rounding, under
// which evaluations tell nothing: some units in the last place of phi'(0), and of the sum of |force
// rate| over the rows, since phi'(0) is what is left of it. The candidates of a round are evaluated
// in one pass over the rows.
#pragma once

#include "kernels/solve/entries.h"

namespace swept::SWEPT_NS {

/// The Gauss term along the line, and when to stop.
struct Line {
  real slope;       ///< phi'(0), negative
  real curvature;   ///< search^T M search
  real tolerance;   ///< gtol, before it is raised to the level of rounding
  int evaluations;  ///< most of them; a round that has begun is ended
};

/// A step, the decrease of the objective, and what it took.
struct LineStep {
  real alpha;
  real improvement;
  int evaluations;
};

/// A point of the line.
struct LinePoint {
  real alpha;
  LineTerms phi;
};

/// The level of rounding of slopes, relative to the slope at the start and to the power there.
constexpr real slope_rounding = sizeof(real) == 4 ? 1e-6_r : 4e-15_r;
constexpr real power_rounding = sizeof(real) == 4 ? 2e-7_r : 1e-15_r;

/// The place of Newton's step from p; a curvature that has vanished by rounding is replaced.
SWEPT_FN real newton_step(const LinePoint& p) {
  return p.alpha - p.phi.slope / (p.phi.curvature > 0 ? p.phi.curvature : 1e-15_r);
}

/// Evaluate phi at N points. Cooperative.
template <int N>
SWEPT_FN void evaluate_points(const Group auto g, const Work& w, const Line& line,
                              LinePoint (&p)[N]) {
  real alpha[N];
  LineTerms rows[N];
  for (int k = 0; k < N; ++k) {
    alpha[k] = p[k].alpha;
  }
  line_terms(g, w, alpha, rows);
  for (int k = 0; k < N; ++k) {
    const real x = alpha[k];
    p[k].phi.cost = rows[k].cost + (x * line.slope + 0.5_r * x * x * line.curvature);
    p[k].phi.slope = rows[k].slope + (line.slope + x * line.curvature);
    p[k].phi.curvature = rows[k].curvature + line.curvature;
  }
}

/// The lowest flat candidate, the first of equals; null if none is flat.
SWEPT_FN const LinePoint* lowest_flat(const LinePoint (&candidates)[3], real gtol) {
  const LinePoint* best = nullptr;
  for (const LinePoint& c : candidates) {
    if (abs(c.phi.slope) < gtol && (best == nullptr || c.phi.cost < best->phi.cost)) {
      best = &c;
    }
  }
  return best;
}

/// Move p to every flatter candidate on its side of the minimum, in order; returns whether it did.
SWEPT_FN bool tighten(LinePoint* p, const LinePoint (&candidates)[3]) {
  bool moved = false;
  for (const LinePoint& c : candidates) {
    const real slope = p->phi.slope;
    if ((slope < 0 && c.phi.slope < 0 && c.phi.slope > slope) ||
        (slope > 0 && c.phi.slope > 0 && c.phi.slope < slope)) {
      *p = c;
      moved = true;
    }
  }
  return moved;
}

/// The third stage, between b and c; `n` evaluations are done. Cooperative.
SWEPT_FN LineStep search_bracket(const Group auto g, const Work& w, const Line& line, LinePoint b,
                                 LinePoint c, real gtol, int n) {
  // Newton's step from b, the one from c, the middle
  LinePoint candidates[3] = {b, b, b};
  candidates[0].alpha = newton_step(b);
  ++n;
  while (n < line.evaluations) {
    candidates[2].alpha = 0.5_r * (b.alpha + c.alpha);
    ++n;
    evaluate_points(g, w, line, candidates);

    if (const LinePoint* best = lowest_flat(candidates, gtol)) {
      return {best->alpha, -best->phi.cost, n};
    }
    const bool b_moves = tighten(&b, candidates);
    const bool c_moves = tighten(&c, candidates);
    if (!b_moves && !c_moves) {
      return {candidates[2].alpha, -candidates[2].phi.cost, n};
    }
    if (b_moves) {
      candidates[0].alpha = newton_step(b);
      ++n;
    }
    if (c_moves) {
      candidates[1].alpha = newton_step(c);
      ++n;
    }
  }
  const LinePoint& lower = b.phi.cost <= c.phi.cost ? b : c;
  if (!(lower.phi.cost < 0)) {
    return {0, 0, n};
  }
  return {lower.alpha, -lower.phi.cost, n};
}

/// Minimise along the search direction. Cooperative; the same result on every lane.
SWEPT_FN LineStep search_line(const Group auto g, const Work& w, const Line& line) {
  const LineStart rows = line_start(g, w);
  const real gtol = max(line.tolerance, slope_rounding * -line.slope + power_rounding * rows.power);
  const LinePoint a{0, {0, line.slope, line.curvature + rows.curvature}};
  LinePoint b[1] = {a};
  LinePoint c = a;
  int n = 1;
  const auto step = [&] {
    c = b[0];
    b[0].alpha = newton_step(b[0]);
    evaluate_points(g, w, line, b);
    ++n;
    return abs(b[0].phi.slope) < gtol && b[0].phi.cost < 0;
  };

  // Newton's step, then on until the slope changes its sign
  bool done = step();
  const bool falling = b[0].phi.slope < 0;
  while (!done && n < line.evaluations &&
         (falling ? b[0].phi.slope <= -gtol : b[0].phi.slope >= gtol)) {
    done = step();
  }
  if (done || n >= line.evaluations) {
    return {b[0].alpha, -b[0].phi.cost, n};
  }
  return search_bracket(g, w, line, b[0], c, gtol, n);
}

}  // namespace swept::SWEPT_NS
