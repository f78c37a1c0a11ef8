// SPDX-License-Identifier: Apache-2.0
// Exact line search. The objective along a line is convex and its slope is monotone (piecewise
// linear but for elliptic cones), so the minimiser is the root of the slope: Newton's method inside
// a bracket. A step that meets the same pieces on both ends is exact, and is told by equal
// curvature. Slopes are formed as differences to the start,
//
//   slope(alpha) = slope(0) + alpha search^T M search + sum of the rows' differences
//
// and so keep their digits when slope(0) is a small rest of large forces.
#pragma once

#include "kernels/solve/entries.h"

namespace swept::SWEPT_NS {

/// The Gauss term along the line, and when to stop.
struct Line {
  real slope;       ///< of the objective at 0, negative
  real curvature;   ///< search^T M search
  real tolerance;   ///< absolute, on the slope
  int evaluations;  ///< most of them
};

/// A step and the decrease of the objective.
struct LineStep {
  real alpha;
  real improvement;
};

/// Slope tolerance relative to the start; the search is exact well below the error of a step.
constexpr real line_relative = sizeof(real) == 4 ? 1e-4_r : 1e-7_r;

/// Minimise along the search direction. Cooperative; the same result on every lane.
SWEPT_FN LineStep search_line(const Group auto g, const Work& w, const Line& line) {
  const real enough = max(line.tolerance, line_relative * -line.slope);
  const auto at = [&](real alpha) {
    LineTerms t = line_terms(g, w, alpha);
    t.cost += alpha * line.slope + 0.5_r * alpha * alpha * line.curvature;
    t.slope += line.slope + alpha * line.curvature;
    t.curvature += line.curvature;
    return t;
  };

  // [low, high] holds the root once high is positive
  real low = 0;
  real high = -1;
  real alpha = 0;
  LineTerms here = at(0_r);
  LineTerms best = here;
  real best_alpha = 0;
  bool slow = false;
  for (int n = 1; n < line.evaluations; ++n) {
    // Newton's step; halve the bracket where that leaves it or has just failed to halve the slope
    real next = alpha - here.slope / here.curvature;
    if (high > 0 && (slow || !(next > low && next < high))) {
      next = 0.5_r * (low + high);
    } else if (!(next > low)) {
      next = 2 * low;
    }
    if (!(next > low) || next == high) {
      break;  // the bracket is as narrow as numbers are, or not a number
    }
    const LineTerms from = here;
    alpha = next;
    here = at(alpha);
    if (n == 1 || abs(here.slope) < abs(best.slope)) {
      best = here;
      best_alpha = alpha;
    }
    const bool exact =
        here.curvature == from.curvature && abs(here.slope) <= 1e-3_r * abs(from.slope);
    if (abs(here.slope) <= enough || exact) {
      break;
    }
    slow = abs(here.slope) > 0.5_r * abs(from.slope);
    (here.slope < 0 ? low : high) = alpha;
  }
  return {best_alpha, -best.cost};
}

}  // namespace swept::SWEPT_NS
