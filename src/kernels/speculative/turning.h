// SPDX-License-Identifier: Apache-2.0
// Planes that turn, to keep two geoms apart for longer.
//
// Along a vector n that stays, the tips of two crossing rods that turn seem to close though the rods
// do not. With n(t) turning at the rate n' across itself, the planes may stay with what is nearest:
//
//   a geom     n' = domega x n: its face, or its tangent plane
//   two edges  n stays across both: n' . e = -n . (domega x e) for each
//
// All are tried, and the longest time counts.
//
// In the frame of n(t), at Omega = n x n', geom i turns at domega_i - Omega, and the centres come closer
// at -n . (relative way) - n' . (c2 - c1). The second derivative of n(t) . (p2 - p1) is at most
//
//   |n'|^2 |p2 - p1| + 2 |n'| |velocity| + |acceleration|
#pragma once

#include "kernels/speculative/closing.h"

namespace swept::SWEPT_NS {

/// The edge of one geom at the nearest points, in its frame; zero if they are not on one.
SWEPT_FN Vec3<real> edge_seen(const int* id, const Vec3<real>* point, int count) {
  if (count == 2) {
    return id[1] != id[0] ? point[1] - point[0] : zero3<real>();
  }
  if (count == 3) {
    const bool first = id[0] == id[1], last = id[2] == id[1], ends = id[0] == id[2];
    const bool two = (first ? 1 : 0) + (last ? 1 : 0) + (ends ? 1 : 0) == 1;
    return two ? (first ? point[2] - point[0] : point[1] - point[0]) : zero3<real>();
  }
  return zero3<real>();
}

/// The rate n' [1 per step] at which n stays across both edges at the nearest points; zero if there
/// are not two.
SWEPT_FN Vec3<real> edges_rate(const Looker& view, const WarmCorners& warm, Vec3<real> n) {
  const Vec3<real> edge1 = edge_seen(warm.id1, warm.on1, warm.count),
                   edge2 = edge_seen(warm.id2, warm.on2, warm.count);
  if (!view.cores.polytopes || !(dot(edge1, edge1) > 0_r) || !(dot(edge2, edge2) > 0_r)) {
    return zero3<real>();
  }
  const Vec3<real> e1 = unit(view.at.mat1 * edge1), e2 = unit(view.at.mat2 * edge2);
  const real c = dot(e1, e2), det = 1_r - c * c;
  // nearly parallel edges would make it turn wildly
  if (!(det > 1e-3_r)) {
    return zero3<real>();
  }
  const real r1 = -dot(n, cross(view.at.rates.omega1, e1)),
             r2 = -dot(n, cross(view.at.rates.omega2, e2));
  return e1 * ((r1 - c * r2) / det) + e2 * ((r2 - c * r1) / det);
}

/// What is known, for the rest of the step, of any point of geom 1 and any of geom 2.
struct AnywhereLimits {
  real apart;    ///< [m] they are no further from each other
  real fastest;  ///< [m per step] their relative velocity is no greater
  real growth;   ///< [m per step^2] nor their relative acceleration
};
SWEPT_FN AnywhereLimits limits_anywhere(const SweptPair& pair, const SpinRadii& radii,
                                        const Placing& at) {
  const PairRates& rates = at.rates;
  const real angle1 = norm(rates.omega1), angle2 = norm(rates.omega2), way = norm(rates.way);
  return {norm(at.pos2) + way + pair.bound1 + pair.bound2,
          way + angle1 * radii.first + angle2 * radii.second,
          angle1 * angle1 * radii.first + angle2 * angle2 * radii.second};
}

/// The bound across an n that turns at the rate n'.
///   most   limits_anywhere of the pair
SWEPT_FN void turning_bound(Looker* view, const AnywhereLimits& most, Vec3<real> n, Vec3<real> rate,
                            ClosingBound* out) {
  const Vec3<real> across = rate - n * dot(n, rate), omega = cross(n, across);
  const PairRates& rates = view->at.rates;
  const Vec3<real> turn1 = cross(n, rates.omega1 - omega), turn2 = cross(n, rates.omega2 - omega);
  const real speed = norm(across);
  out->any_time = no_thickness;
  out->along = -dot(n, rates.way) - dot(across, view->at.pos2);
  out->growth = speed * speed * most.apart + 2_r * speed * most.fastest + most.growth;
  const Mat3<real>&mat1 = view->at.mat1, &mat2 = view->at.mat2;
  corner_speeds(&view->cores.core1, transpose_mul(mat1, n), transpose_mul(mat1, turn1),
                view->length, &out->one);
  corner_speeds(&view->cores.core2, -transpose_mul(mat2, n), -transpose_mul(mat2, turn2),
                view->length, &out->two);
}

/// How long [steps] a clearance across n lasts, up to `rest`: n stays, or turns.
///   limits   motion_limits of the pair
///   steady   the bound if it stays
template <class Pair, class Limits>
SWEPT_FN real longest_safe_time(const Pair& pair, Looker* view, const Limits& limits,
                                const WarmCorners& warm, Vec3<real> n, real clearance,
                                const ClosingBound& steady, real rest) {
  real longest = safe_time(clearance, steady, rest);
  if (view->plane || !(longest < rest)) {
    return longest;
  }
  const AnywhereLimits most = limits_anywhere(pair, limits, view->at);
  const auto try_rate = [&](Vec3<real> rate) {
    if (longest < rest && dot(rate, rate) > 0_r) {
      ClosingBound turning;
      turning_bound(view, most, n, rate, &turning);
      longest = max(longest, safe_time(clearance, turning, rest));
    }
  };
  try_rate(edges_rate(*view, warm, n));
  try_rate(cross(view->at.rates.omega1, n));
  try_rate(cross(view->at.rates.omega2, n));
  return longest;
}

}  // namespace swept::SWEPT_NS
