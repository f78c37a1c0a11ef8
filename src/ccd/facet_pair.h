// SPDX-License-Identifier: Apache-2.0
// Two facets (triangles in space, segments in the plane): their distance from both sides.
//
// From above: the distance of two points, one on each. Tried are all pairs of an edge and an edge,
// and of a corner and the inside of a triangle; if facets may intersect, also the points where
// edges pierce the other's plane. From below: the gap along a unit vector, which bounds the
// distance of convex pieces whatever the vector is. Tried are the direction between the two points
// and the normals of the features they are on; if none proves the distance, all normals of faces
// and pairs of edges.
//
// Why both: where facets are nearly parallel, or are needles, the points are good but the direction
// between them is not, or the other way round. Whatever goes wrong, a bound from below is never too
// large and a bound from above never too small, up to the rounding of a few sums (rounding.h).
#pragma once

#include "ccd/nearest.h"
#include "ccd/tree.h"
#include "ccd/vec.h"

#include <cmath>

namespace swept::ccd::detail {

template <int D>
struct FacetDistance {
  double above = 0;    ///< distance of p and q
  double gap = 0;      ///< along `normal`; a bound from below, negative if nothing is proved
  Vector<D> p{};       ///< on the first facet
  Vector<D> q{};       ///< on the second
  Vector<D> normal{};  ///< unit, from the first to the second
};

/// Whether a bound from below misses a distance by so little that nothing is gained by a better one.
/// False for a distance that is infinite.
inline bool is_as_good(double gap, double above, double slack) {
  return gap >= above - slack - 1e-9 * above;
}

/// Collects the best pair of points and the best separating direction.
template <int D>
class FacetPair {
 public:
  FacetPair(const Facet<D>& a, const Facet<D>& b) : a_(a), b_(b) {}

  /// The distance of the two facets. A gap that is below the distance by less than `slack` is as
  /// good as it.
  FacetDistance<D> distance(double slack) {
    find_points();
    best_.above = std::sqrt(square_);
    try_normal(best_.q - best_.p);
    // proves nearly all that the direction between the points does not: without it one pair in ten
    // would have to look at all normals, with it one in 250
    try_feature_normal();
    if (!is_as_good(best_.gap, best_.above, slack)) {
      find_piercing();
      best_.above = std::sqrt(square_);
      try_normal(best_.q - best_.p);
      // needles and pieces of very different size gain by it, by a share of up to 1e-4
      try_all_normals();
    }
    return best_;
  }

 private:
  void consider(const Witness<double, D>& w, const Vector<D>& feature_normal) {
    const double square = square_of<double, D>(w);
    if (!any_ || square < square_) {
      any_ = true;
      square_ = square;
      best_.p = w.p;
      best_.q = w.q;
      feature_ = feature_normal;
    }
  }

  // a direction of any length and either sign
  void try_normal(const Vector<D>& direction) {
    const double length = norm(direction);
    if (!(length > 1e-140)) {
      return;
    }
    Vector<D> n = (1 / length) * direction;
    if (dot(n, b_[0] - a_[0]) < 0) {
      n = -n;
    }
    const double gap = gap_along<double, D>(n, a_, b_);
    if (!has_normal_ || gap > best_.gap) {
      has_normal_ = true;
      best_.gap = gap;
      best_.normal = n;
    }
  }

  void try_feature_normal() { try_normal(scaled(feature_)); }

  // keeps lengths of cross products of tiny or huge edges in range
  static Vector<D> scaled(const Vector<D>& v) {
    const double size = largest(v);
    return size > 0 ? (1 / size) * v : v;
  }

  static Vector<2> perpendicular(const Vector<2>& v) { return {-v[1], v[0]}; }

  void find_points();
  void find_piercing();
  void try_all_normals();

  const Facet<D>& a_;
  const Facet<D>& b_;
  FacetDistance<D> best_;
  Vector<D> feature_{};  // normal of the features that the best points are on; may be zero
  double square_ = 0;
  bool any_ = false, has_normal_ = false;
};

template <>
inline void FacetPair<2>::find_points() {
  const Vector<2> na = perpendicular(a_[1] - a_[0]), nb = perpendicular(b_[1] - b_[0]);
  for (int i = 0; i < 2; ++i) {
    consider({a_[i], nearest_on_edge(a_[i], b_[0], b_[1])}, nb);
    consider({nearest_on_edge(b_[i], a_[0], a_[1]), b_[i]}, na);
  }
}

template <>
inline void FacetPair<2>::find_piercing() {
  // where the second segment crosses the first one's line
  const Vector<2> e = scaled(a_[1] - a_[0]);
  const double d0 = cross(e, b_[0] - a_[0]), d1 = cross(e, b_[1] - a_[0]);
  if ((d0 <= 0 && d1 >= 0) || (d0 >= 0 && d1 <= 0)) {
    const double t = d0 != d1 ? clamp01(d0 / (d0 - d1)) : 0;
    const Vector<2> q = b_[0] + t * (b_[1] - b_[0]);
    consider({nearest_on_edge(q, a_[0], a_[1]), q}, {});
  }
}

template <>
inline void FacetPair<2>::try_all_normals() {
  try_normal(scaled(perpendicular(a_[1] - a_[0])));
  try_normal(scaled(perpendicular(b_[1] - b_[0])));
}

template <>
inline void FacetPair<3>::find_points() {
  for (int i = 0; i < 3; ++i) {
    const Vector<3>&a0 = a_[i], &a1 = a_[(i + 1) % 3];
    const Vector<3> e = a1 - a0;
    for (int j = 0; j < 3; ++j) {
      const Vector<3>&b0 = b_[j], &b1 = b_[(j + 1) % 3];
      consider(nearest_of_edges<double, 3>(a0, a1, b0, b1), cross(e, b1 - b0));
    }
  }
  // corners over the inside of the other; what is over its edges has been tried
  const Vector<3> na = cross(a_[1] - a_[0], a_[2] - a_[0]);
  const Vector<3> nb = cross(b_[1] - b_[0], b_[2] - b_[0]);
  Vector<3> q;
  for (int i = 0; i < 3; ++i) {
    if (nearest_inside(a_[i], b_[0], b_[1], b_[2], nb, &q)) {
      consider({a_[i], q}, nb);
    }
    if (nearest_inside(b_[i], a_[0], a_[1], a_[2], na, &q)) {
      consider({q, b_[i]}, na);
    }
  }
}

template <>
inline void FacetPair<3>::find_piercing() {
  // each edge's point in the other's plane, and the point of the other that is nearest to it
  const auto pierce = [](const Vector<3>& from, const Vector<3>& to, const Facet<3>& t,
                         const Vector<3>& normal, Vector<3>* p) {
    const double d0 = dot(normal, from - t[0]), d1 = dot(normal, to - t[0]);
    if (!((d0 <= 0 && d1 >= 0) || (d0 >= 0 && d1 <= 0))) {
      return false;
    }
    *p = from + (d0 != d1 ? clamp01(d0 / (d0 - d1)) : 0) * (to - from);
    return true;
  };
  const Vector<3> na = scaled(cross(a_[1] - a_[0], a_[2] - a_[0]));
  const Vector<3> nb = scaled(cross(b_[1] - b_[0], b_[2] - b_[0]));
  Vector<3> p;
  for (int i = 0; i < 3; ++i) {
    if (pierce(a_[i], a_[(i + 1) % 3], b_, nb, &p)) {
      consider({p, nearest_on_triangle(p, b_[0], b_[1], b_[2])}, {});
    }
    if (pierce(b_[i], b_[(i + 1) % 3], a_, na, &p)) {
      consider({nearest_on_triangle(p, a_[0], a_[1], a_[2]), p}, {});
    }
  }
}

template <>
inline void FacetPair<3>::try_all_normals() {
  try_normal(scaled(cross(a_[1] - a_[0], a_[2] - a_[0])));
  try_normal(scaled(cross(b_[1] - b_[0], b_[2] - b_[0])));
  for (int i = 0; i < 3; ++i) {
    const Vector<3> e = a_[(i + 1) % 3] - a_[i];
    for (int j = 0; j < 3; ++j) {
      try_normal(scaled(cross(e, b_[(j + 1) % 3] - b_[j])));
    }
  }
}

}  // namespace swept::ccd::detail
