// SPDX-License-Identifier: Apache-2.0
// Planes that turn with the nearest features, to keep two geoms apart for longer.
//
// Along a vector n that stays, the tips of two crossing rods that turn seem to close though the rods
// do not. With n(t) turning at the rate n' across itself, the planes that bear the nearest features
// stay with them:
//
//   face    n' = domega x n of the geom that has it
//   edges   n stays across both: n' . e = -n . (domega x e) for each
//
// In the frame of n(t), at Omega = n x n', geom i turns at domega_i - Omega, and the centres come closer
// at -n . (relative way) - n' . (c2 - c1). The second derivative of n(t) . (p2 - p1) is at most
//
//   |n'|^2 |p2 - p1| + 2 |n'| |velocity| + |acceleration|
#pragma once

#include "kernels/speculative/closing.h"

namespace swept::SWEPT_NS {

/// The corners of one geom at the nearest points: how many are different, and the edge between the
/// first two of these in the frame of the geom.
struct FeatureSeen {
  int corners;
  Vec3<real> edge;
};
SWEPT_FN FeatureSeen feature_seen(const int* id, const Vec3<real>* point, int count) {
  FeatureSeen f = {count > 0 ? 1 : 0, zero3<real>()};
  if (count > 1 && id[1] != id[0]) {
    f = {2, point[1] - point[0]};
  }
  if (count > 2 && id[2] != id[0] && id[2] != id[1]) {
    f = {f.corners + 1, f.corners == 1 ? point[2] - point[0] : f.edge};
  }
  return f;
}

/// The rate n' [1 per step] at which n turns with the nearest features; zero if there are none that
/// bear a plane.
SWEPT_FN Vec3<real> normal_rate(const SweptPair& pair, const Looker& view, const WarmCorners& warm,
                                Vec3<real> n) {
  if (view.plane || !view.cores.polytopes) {
    return zero3<real>();
  }
  const FeatureSeen one = feature_seen(warm.id1, warm.on1, warm.count),
                    two = feature_seen(warm.id2, warm.on2, warm.count);
  const Vec3<real> domega1 = pair.motion1.domega, domega2 = pair.motion2.domega;
  if (one.corners == 3) {
    return cross(domega1, n);
  }
  if (two.corners == 3) {
    return cross(domega2, n);
  }
  if (one.corners != 2 || two.corners != 2) {
    return zero3<real>();
  }
  const Vec3<real> e1 = unit(view.at.mat1 * one.edge), e2 = unit(view.at.mat2 * two.edge);
  const real c = dot(e1, e2), det = 1_r - c * c;
  // nearly parallel edges would make it turn wildly
  if (!(det > 1e-3_r)) {
    return zero3<real>();
  }
  const real r1 = -dot(n, cross(domega1, e1)), r2 = -dot(n, cross(domega2, e2));
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

/// How long [steps] a clearance along n lasts, across the better of the two, up to `rest`.
SWEPT_FN real longest_safe_time(const SweptPair& pair, Looker* view, const SpinRadii& radii,
                                const WarmCorners& warm, Vec3<real> n, real clearance,
                                const ClosingBound& steady, real rest) {
  const real first = safe_time(clearance, steady, rest);
  const Vec3<real> rate = normal_rate(pair, *view, warm, n);
  if (!(first < rest) || !(dot(rate, rate) > 0_r)) {
    return first;
  }
  ClosingBound turning;
  turning_bound(pair, view, radii, n, rate, &turning);
  return max(first, safe_time(clearance, turning, rest));
}

}  // namespace swept::SWEPT_NS
