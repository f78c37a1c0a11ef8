// SPDX-License-Identifier: Apache-2.0
// Two triangles: their distance from both sides, as the host's library finds it.
//
// From above: the distance of two points, one on each. From below: the gap along a unit vector.
// Tried are the direction between the two points and the normal of the features they are on; if
// neither proves the distance, the points where edges pierce the other's plane, and all normals of
// faces and pairs of edges. A bound from below is never too large and one from above never too
// small, up to the rounding of a few sums (rounding.h), however ill-shaped the facets are.
#pragma once

#include "kernels/ccd/nearest.h"

namespace swept::SWEPT_NS {

/// A gap that misses the distance by this share of it is as good as it.
constexpr real gap_share = is_f32 ? 1e-6_r : 1e-9_r;

/// Whether a bound from below misses a distance by so little that nothing is gained by a better one.
/// False for a distance that is infinite.
SWEPT_FN bool is_as_good(real gap, real above, real error) {
  return gap >= above - error - gap_share * above;
}

/// Directions below it have no digits: the square of it is close to underflow.
constexpr real shortest_direction = is_f32 ? 1e-17_r : 1e-36_r;

SWEPT_FN int next_corner(int i) {
  return i == 2 ? 0 : i + 1;
}

/// Collects the best pair of points and the best separating direction.
struct FacetPair {
  const Facet3& a;
  const Facet3& b;
  Vec3<real> p, q;  ///< the points, and their squared distance
  real square;
  Vec3<real> feature;  ///< normal of the features that the points are on; may be zero
  real gap;            ///< the best one, along `normal`; negative if nothing is proved
  Vec3<real> normal;   ///< unit, from a to b

  SWEPT_FN FacetPair(const Facet3& one, const Facet3& two) : a(one), b(two) {
    square = infinity;
    gap = -infinity;
    p = q = feature = normal = zero3<real>();
  }

  SWEPT_FN void consider(const WitnessPoints& w, Vec3<real> feature_normal) {
    const real d = square_of(w);
    if (d < square) {
      square = d;
      p = w.p;
      q = w.q;
      feature = feature_normal;
    }
  }

  /// Keeps lengths of cross products of tiny edges in range; zero where there are no digits.
  SWEPT_FN static Vec3<real> scaled(Vec3<real> v) {
    const real size = largest(v);
    return size > 4_r * smallest_normal ? (1_r / size) * v : zero3<real>();
  }

  /// A direction of any length and either sign.
  SWEPT_FN void try_normal(Vec3<real> direction) {
    const real length = norm(direction);
    if (!(length > shortest_direction)) {
      return;
    }
    Vec3<real> n = (1_r / length) * direction;
    if (dot(n, b.v[0] - a.v[0]) < 0) {
      n = -n;
    }
    const real found = gap_along(n, a, b);
    if (found > gap) {
      gap = found;
      normal = n;
    }
  }

  SWEPT_FN static Vec3<real> face_normal(const Facet3& f) {
    return cross(f.v[1] - f.v[0], f.v[2] - f.v[0]);
  }

  SWEPT_FN void find_points() {
    for (int i = 0; i < 3; ++i) {
      const Vec3<real> a0 = a.v[i], a1 = a.v[next_corner(i)];
      for (int j = 0; j < 3; ++j) {
        const Vec3<real> b0 = b.v[j], b1 = b.v[next_corner(j)];
        consider(nearest_of_edges(a0, a1, b0, b1), cross(a1 - a0, b1 - b0));
      }
    }
    // corners over the inside of the other; what is over its edges has been tried
    const Vec3<real> na = face_normal(a), nb = face_normal(b);
    Vec3<real> point;
    for (int i = 0; i < 3; ++i) {
      if (nearest_inside(a.v[i], b, nb, &point)) {
        consider({a.v[i], point}, nb);
      }
      if (nearest_inside(b.v[i], a, na, &point)) {
        consider({point, b.v[i]}, na);
      }
    }
  }

  /// The point of an edge in the plane of a triangle, if it has one.
  SWEPT_FN static bool pierce(Vec3<real> from, Vec3<real> to, const Facet3& t, Vec3<real> n,
                              Vec3<real>* point) {
    const real d0 = dot(n, from - t.v[0]), d1 = dot(n, to - t.v[0]);
    if (!((d0 <= 0 && d1 >= 0) || (d0 >= 0 && d1 <= 0))) {
      return false;
    }
    *point = from + (d0 != d1 ? clamp01(d0 / (d0 - d1)) : 0_r) * (to - from);
    return true;
  }

  SWEPT_FN void find_piercing() {
    const Vec3<real> na = scaled(face_normal(a)), nb = scaled(face_normal(b));
    Vec3<real> point;
    for (int i = 0; i < 3; ++i) {
      if (pierce(a.v[i], a.v[next_corner(i)], b, nb, &point)) {
        consider({point, nearest_on_triangle(point, b)}, zero3<real>());
      }
      if (pierce(b.v[i], b.v[next_corner(i)], a, na, &point)) {
        consider({nearest_on_triangle(point, a), point}, zero3<real>());
      }
    }
  }

  SWEPT_FN void try_all_normals() {
    try_normal(scaled(face_normal(a)));
    try_normal(scaled(face_normal(b)));
    for (int i = 0; i < 3; ++i) {
      const Vec3<real> e = a.v[next_corner(i)] - a.v[i];
      for (int j = 0; j < 3; ++j) {
        try_normal(scaled(cross(e, b.v[next_corner(j)] - b.v[j])));
      }
    }
  }
};

/// A distance of two facets from both sides.
struct FacetBounds {
  real above;         ///< distance of p and q
  real gap;           ///< along `normal`; a bound from below, negative if nothing is proved
  Vec3<real> p, q;    ///< on the first facet and on the second
  Vec3<real> normal;  ///< unit, from the first to the second
};

/// Both bounds. A gap that misses the distance by less than `error` is as good as it. One copy of
/// this serves all that call it: inlined, it needs more registers than there are.
[[gnu::noinline]] SWEPT_FN FacetBounds measure(const Facet3& a, const Facet3& b, real error) {
  FacetPair pair(a, b);
  pair.find_points();
  real above = sqrt(pair.square);
  pair.try_normal(pair.q - pair.p);
  pair.try_normal(FacetPair::scaled(pair.feature));
  if (!is_as_good(pair.gap, above, error)) {
    pair.find_piercing();
    above = sqrt(pair.square);
    pair.try_normal(pair.q - pair.p);
    pair.try_all_normals();
  }
  return {above, pair.gap, pair.p, pair.q, pair.normal};
}

}  // namespace swept::SWEPT_NS
