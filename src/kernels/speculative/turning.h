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
SWEPT_FN Vec3<real> edges_rate(const SweptPair& pair, const Looker& view, const WarmCorners& warm,
                               Vec3<real> n) {
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
  const real r1 = -dot(n, cross(pair.motion1.domega, e1)),
             r2 = -dot(n, cross(pair.motion2.domega, e2));
  return e1 * ((r1 - c * r2) / det) + e2 * ((r2 - c * r1) / det);
}

/// The bound across an n that turns at the rate n'.
SWEPT_FN void turning_bound(const SweptPair& pair, Looker* view, const SpinRadii& radii,
                            Vec3<real> n, Vec3<real> rate, ClosingBound* out) {
  const Vec3<real> across = rate - n * dot(n, rate), omega = cross(n, across);
  const Vec3<real> way = relative_way(pair);
  const Vec3<real> turn1 = cross(n, pair.motion1.domega - omega),
                   turn2 = cross(n, pair.motion2.domega - omega);
  const real angle1 = norm(pair.motion1.domega), angle2 = norm(pair.motion2.domega);
  const real speed = norm(across),
             apart = norm(view->at.pos2) + norm(way) + pair.bound1 + pair.bound2;
  const real fastest = norm(way) + angle1 * radii.first + angle2 * radii.second;
  out->any_time = no_thickness;
  out->along = -dot(n, way) - dot(across, view->at.pos2);
  out->growth = speed * speed * apart + 2_r * speed * fastest + angle1 * angle1 * radii.first +
                angle2 * angle2 * radii.second;
  const Mat3<real>&mat1 = view->at.mat1, &mat2 = view->at.mat2;
  corner_speeds(&view->cores.core1, transpose_mul(mat1, n), transpose_mul(mat1, turn1),
                view->length, &out->one);
  corner_speeds(&view->cores.core2, -transpose_mul(mat2, n), -transpose_mul(mat2, turn2),
                view->length, &out->two);
}

/// How long [steps] a clearance across n lasts, up to `rest`: n stays, or turns.
///   steady   the bound if it stays
SWEPT_FN real longest_safe_time(const SweptPair& pair, Looker* view, const SpinRadii& radii,
                                const WarmCorners& warm, Vec3<real> n, real clearance,
                                const ClosingBound& steady, real rest) {
  real longest = safe_time(clearance, steady, rest);
  const auto try_rate = [&](Vec3<real> rate) {
    if (longest < rest && dot(rate, rate) > 0_r) {
      ClosingBound turning;
      turning_bound(pair, view, radii, n, rate, &turning);
      longest = max(longest, safe_time(clearance, turning, rest));
    }
  };
  if (!view->plane) {
    try_rate(edges_rate(pair, *view, warm, n));
    try_rate(cross(pair.motion1.domega, n));
    try_rate(cross(pair.motion2.domega, n));
  }
  return longest;
}

}  // namespace swept::SWEPT_NS
