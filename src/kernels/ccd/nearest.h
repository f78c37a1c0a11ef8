// SPDX-License-Identifier: Apache-2.0
// Nearest points of vertices, edges and triangles, as the host's library finds them.
//
// Every pair of points that comes out lies on the two pieces, up to rounding, also for pieces
// without length or area: its distance is never below the true one by more than rounding. That it
// is not far above is proved by a separating direction (facet_pair.h).
#pragma once

#include "kernels/ccd/pair.h"

namespace swept::SWEPT_NS {

/// A number in [0, 1]; 0 for NaN.
SWEPT_FN real clamp01(real x) {
  return x > 0 ? (x < 1 ? x : 1_r) : 0_r;
}

/// Two points, one on each piece.
struct WitnessPoints {
  Vec3<real> p, q;
};

SWEPT_FN real square_of(const WitnessPoints& w) {
  const Vec3<real> r = w.q - w.p;
  return dot(r, r);
}

/// The point of the edge [a, b] that is nearest to p.
SWEPT_FN Vec3<real> nearest_on_edge(Vec3<real> p, Vec3<real> a, Vec3<real> b) {
  const Vec3<real> e = b - a;
  const real length = dot(e, e);
  const real t = length > 0 ? dot(p - a, e) / length : 0_r;
  // from the nearer end, so that an end is met exactly
  return t <= 0.5_r ? a + clamp01(t) * e : b - clamp01(1_r - t) * e;
}

/// Nearest points of the edges [a, b] and [c, d]: where the lines are nearest if that is inside of
/// both, else the point of one edge that is nearest to an end of the other.
SWEPT_FN WitnessPoints nearest_of_edges(Vec3<real> a, Vec3<real> b, Vec3<real> c, Vec3<real> d) {
  const Vec3<real> e = b - a, f = d - c, r = a - c;
  const real ee = dot(e, e), ff = dot(f, f), ef = dot(e, f), er = dot(e, r), fr = dot(f, r);
  const real determinant = ee * ff - ef * ef;
  // s along the first, where the lines are nearest (anywhere if they are parallel)
  real s = determinant > 0 ? clamp01((ef * fr - er * ff) / determinant) : 0_r;
  // then t along the second, and s again if t had to be clamped
  const real t_numerator = ef * s + fr;
  real t = 0;
  if (t_numerator <= 0) {
    s = ee > 0 ? clamp01(-er / ee) : 0_r;
  } else if (t_numerator >= ff) {
    t = 1;
    s = ee > 0 ? clamp01((ef - er) / ee) : 0_r;
  } else {
    t = t_numerator / ff;
  }
  return {a + s * e, c + t * f};
}

/// If p is over the inside of a triangle, finds the point below it: a mean of the corners with
/// weights that are not negative. False for a triangle whose normal rounds to zero.
///   normal   (v1 - v0) x (v2 - v0)
SWEPT_FN bool nearest_inside(Vec3<real> p, const Facet3& t, Vec3<real> normal, Vec3<real>* q) {
  const Vec3<real> a = t.v[0], b = t.v[1], c = t.v[2];
  const real wc = dot(normal, cross(b - a, p - a));
  if (!(wc >= 0)) {
    return false;
  }
  const real wa = dot(normal, cross(c - b, p - b));
  if (!(wa >= 0)) {
    return false;
  }
  const real wb = dot(normal, cross(a - c, p - c));
  const real sum = wa + wb + wc;
  // below it, quotients of weights have no digits left
  if (!(wb >= 0) || !(sum > 4_r * smallest_normal)) {
    return false;
  }
  *q = a + (wb / sum) * (b - a) + (wc / sum) * (c - a);
  return true;
}

/// The point of a triangle that is nearest to p.
SWEPT_FN Vec3<real> nearest_on_triangle(Vec3<real> p, const Facet3& t) {
  const Vec3<real> e = t.v[1] - t.v[0], f = t.v[2] - t.v[0], normal = cross(e, f);
  Vec3<real> best = t.v[0];
  const bool inside = nearest_inside(p, t, normal, &best);
  // a needle's normal (an angle of less than 1e-2) may call inside what is outside
  if (inside && dot(normal, normal) > 1e-4_r * dot(e, e) * dot(f, f)) {
    return best;
  }
  for (int i = 0; i < 3; ++i) {
    const Vec3<real> other = nearest_on_edge(p, t.v[i], t.v[i == 2 ? 0 : i + 1]);
    if ((!inside && i == 0) || square_of({p, other}) < square_of({p, best})) {
      best = other;
    }
  }
  return best;
}

/// The smallest gap along n between the corners of two facets, from the first to the second:
/// negative where they overlap along n. With a unit n it is a bound from below on their distance.
SWEPT_FN real gap_along(Vec3<real> n, const Facet3& a, const Facet3& b) {
  // from a common corner, so that the place of both does not cost digits
  const Vec3<real> origin = a.v[0];
  const real high = max(0_r, max(dot(n, a.v[1] - origin), dot(n, a.v[2] - origin)));
  const real low =
      min(dot(n, b.v[0] - origin), min(dot(n, b.v[1] - origin), dot(n, b.v[2] - origin)));
  return low - high;
}

}  // namespace swept::SWEPT_NS
