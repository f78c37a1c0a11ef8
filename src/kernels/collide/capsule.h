// SPDX-License-Identifier: Apache-2.0
// Contacts of a capsule with a capsule: balls around the nearest points of the two segments
// p1 + s a1, |s| <= h1, and p2 + t a2, |t| <= h2.
//
//   crossing   with n = a1 x a2 and d = p2 - p1 the lines are nearest at s = (d x a2) . n / |n|^2
//              and t = a2 . (p1 + s a1 - p2). s is clamped and t follows; where t must be clamped
//              too, s follows t and is clamped. One contact.
//   parallel   |n| < 1e-4: the part where the segments lie beside each other, measured along a1,
//              is bounded by ends of either. A contact at its lower end, then one at its upper end,
//              each between the segment's end that bounds it and the nearest point of the other.
#pragma once

#include "kernels/collide/sphere.h"

namespace swept::SWEPT_NS {

/// Sines below this count as parallel.
constexpr real parallel_sine = 1e-4_r;

/// Parameters [m] of one point on each of two segments.
template <class V>
struct SegmentPoints {
  V s, t;
};

/// The nearest points of two segments that are not parallel.
///   d        p2 - p1
///   n        a1 x a2
///   u, v, c  a1 . d, -a2 . d, a1 . a2
template <class V>
SWEPT_FN SegmentPoints<V> crossing_points(Vec3<V> d, Vec3<V> a2, Vec3<V> n, V u, V v, V c, V h1,
                                          V h2) {
  const V square = dot(n, n);
  const V s = clamp(V(dot(cross(d, a2), n) / select(square > V(0_r), square, V(1_r))), V(-h1), h1);
  const V t = v + c * s;
  const V held = clamp(t, V(-h2), h2);
  return {select(t == held, s, clamp(V(u + c * held), V(-h1), h1)), held};
}

/// One end of the common part of two parallel segments.
///   side   -1: lower end, 1: upper end
template <class V>
SWEPT_FN SegmentPoints<V> common_end(real side, V u, V v, V c, V h1, V h2) {
  const V end1 = V(side) * h1;

  // the end of segment 2 that lies on this side along a1
  const V end2 = select(c < V(0_r), V(V(-side) * h2), V(V(side) * h2));
  const V reach2 = u + c * end2;

  // the bound is the inner one of the two ends
  const mask_t<V> first = V(side) * reach2 >= h1;
  return {select(first, end1, clamp(reach2, V(-h1), h1)),
          select(first, clamp(V(v + c * end1), V(-h2), h2), end2)};
}

/// Capsule and capsule: one contact, or two if they are parallel.
///   margin   [m] contacts are found up to this distance (margin + gap of the pair)
template <class V>
SWEPT_FN Hits<V, 2> capsule_capsule(const Capsule<V>& k1, const Capsule<V>& k2, V margin) {
  const Vec3<V> a1 = k1.axis, a2 = k2.axis;
  const V h1 = k1.half, h2 = k2.half;
  const Vec3<V> d = k2.pos - k1.pos;
  const Vec3<V> n = cross(a1, a2);
  const V u = dot(a1, d), v = -dot(a2, d), c = dot(a1, a2);
  const mask_t<V> parallel = dot(n, n) < V(parallel_sine * parallel_sine);

  const auto contact = [&](SegmentPoints<V> at) {
    return ball_ball(k1.pos + a1 * at.s, k1.radius, d + a2 * at.t - a1 * at.s, k2.radius, a1, a2,
                     margin);
  };
  SegmentPoints<V> points = crossing_points(d, a2, n, u, v, c, h1, h2);
  if (none_of(parallel)) {
    return {contact(points), {}};
  }
  const SegmentPoints<V> lower = common_end(-1_r, u, v, c, h1, h2);
  points = {select(parallel, lower.s, points.s), select(parallel, lower.t, points.t)};
  Hits<V, 2> hits = {contact(points), contact(common_end(1_r, u, v, c, h1, h2))};
  hits.at[1].hit = hits.at[1].hit && parallel;
  return hits;
}

}  // namespace swept::SWEPT_NS
