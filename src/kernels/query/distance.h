// SPDX-License-Identifier: Apache-2.0
// The signed distance of two geoms, with the nearest points, as the official library's
// mj_geomDistance gives them.
//
//   plane and x     x's lowest point over the plane
//   field and x     the smallest over the prisms of the height field
//   x and y         convex shapes: GJK, and EPA where they overlap
//
// The geom of the smaller type (of equal types: of the smaller id) comes first in the arithmetic, so
// that a pair and its reverse give the same bits. Planes and height fields have no distance from
// each other or themselves.
#pragma once

#include "kernels/geometry/distance.h"
#include "kernels/query/hfield_distance.h"

namespace swept::SWEPT_NS {

/// How far two geoms are apart.
struct GeomDistance {
  real distance;      ///< [m] negative: depth of overlap; maxdist: none nearer
  Vec3<real> from;    ///< [m] on geom 1, world; 0 where none is nearer
  Vec3<real> to;      ///< [m] on geom 2
  Vec3<real> normal;  ///< unit vector from geom 1 to geom 2: to = from + distance normal
};

/// The signed distance [m] of a plane and a convex shape.
SWEPT_FN real plane_distance(const Shape& plane, const Shape& other, real cutoff,
                             Nearest* nearest) {
  const Vec3<real> n = column_z(plane.mat);
  const Vec3<real> down = -transpose_mul(other.mat, n);
  Core core = core_of(other);
  const Vec3<real> lowest = support(&core, down).point + core.radius * down;

  // from the plane's point to the shape's
  const Vec3<real> over = other.pos - plane.pos + other.mat * lowest;
  const real dist = dot(over, n);
  if (!(dist < cutoff)) {
    return nearest->dist = cutoff;
  }
  nearest->dist = dist;
  nearest->normal = n;
  nearest->point2 = plane.pos + over;
  nearest->point1 = nearest->point2 - n * dist;
  return dist;
}

/// Measure geoms g1 and g2, of which at least one is neither a plane nor a height field.
///   maxdist   [m] distances of at least this much count as none
SWEPT_FN GeomDistance geom_distance(const ModelAt<real>& m, const DataAt<real>& d, int g1, int g2,
                                    real maxdist) {
  const int type1 = m.geom_type(g1), type2 = m.geom_type(g2);
  const bool swapped = type1 != type2 ? type1 > type2 : g1 > g2;
  const Shape s1 = shape_of(m, d, swapped ? g2 : g1), s2 = shape_of(m, d, swapped ? g1 : g2);

  Nearest nearest;
  real dist = maxdist;
  if (s2.type == geom_plane || s2.type == geom_hfield) {
    return {maxdist, zero3<real>(), zero3<real>(), zero3<real>()};
  }
  if (s1.type == geom_plane) {
    dist = plane_distance(s1, s2, maxdist, &nearest);
  } else if (s1.type == geom_hfield) {
    dist = hfield_distance(s1, s2, m.geom_rbound(swapped ? g1 : g2), maxdist, &nearest);
  } else {
    dist = convex_distance(s1, s2, maxdist, &nearest);
  }
  if (!(dist < maxdist)) {
    return {maxdist, zero3<real>(), zero3<real>(), zero3<real>()};
  }
  if (swapped) {
    return {dist, nearest.point2, nearest.point1, -nearest.normal};
  }
  return {dist, nearest.point1, nearest.point2, nearest.normal};
}

}  // namespace swept::SWEPT_NS
