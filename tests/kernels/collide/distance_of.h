// SPDX-License-Identifier: Apache-2.0
// Smallest signed distances of pairs of geoms, in double and not by the colliders' formulas: from
// the distance of a point to a surface, along a segment by search, and over corners.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/collide/shapes_of.h"

namespace swept::SWEPT_NS {

using test::Body;
using test::Couple;

using Point = std::array<double, 3>;

inline Point operator+(Point a, Point b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Point operator-(Point a, Point b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Point operator*(double s, Point a) {
  return {s * a[0], s * a[1], s * a[2]};
}
inline double dot(Point a, Point b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline double length(Point a) {
  return std::sqrt(dot(a, a));
}
inline Point column(const Body& body, std::size_t k) {
  return {body.mat[k], body.mat[3 + k], body.mat[6 + k]};
}
inline Point point(Vec3<real> v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

/// Signed distance of a point from the surface of a geom; of an ellipsoid a number with the same
/// sign and zeros.
inline double signed_distance(const Body& body, Point p) {
  const Point d = p - body.pos;
  const double z = dot(d, column(body, 2));
  switch (body.type) {
    case geom_plane:
      return z;
    case geom_sphere:
      return length(d) - body.size[0];
    case geom_ellipsoid: {
      const double x = dot(d, column(body, 0)), y = dot(d, column(body, 1));
      return body.size[0] * (length({x / body.size[0], y / body.size[1], z / body.size[2]}) - 1);
    }
    case geom_cylinder: {
      const double radial = length(d - z * column(body, 2)) - body.size[0];
      const double along = std::abs(z) - body.size[1];
      return radial > 0 && along > 0 ? std::hypot(radial, along) : std::max(radial, along);
    }
    case geom_capsule:
      return length(d - std::clamp(z, -body.size[1], body.size[1]) * column(body, 2)) -
             body.size[0];
    default:
      break;
  }
  double outside = 0, inside = -1e30;
  for (std::size_t k = 0; k < 3; ++k) {
    const double q = std::abs(dot(d, column(body, k))) - body.size[k];
    outside += q > 0 ? q * q : 0;
    inside = std::max(inside, q);
  }
  return outside > 0 ? std::sqrt(outside) : inside;
}

/// Smallest signed distance between a geom and the ball of radius r around points of a segment: the
/// distance is convex along it.
inline double distance_along(const Body& body, Point center, Point axis, double half, double r) {
  double lo = -half, hi = half;
  for (int i = 0; i < 200; ++i) {
    const double a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
    if (signed_distance(body, center + a * axis) < signed_distance(body, center + b * axis)) {
      hi = b;
    } else {
      lo = a;
    }
  }
  return signed_distance(body, center + (0.5 * (lo + hi)) * axis) - r;
}

/// How far a geom reaches against a plane's normal.
inline double reach_down(const Body& body, Point n) {
  const Point along = {dot(n, column(body, 0)), dot(n, column(body, 1)), dot(n, column(body, 2))};
  if (body.type == geom_ellipsoid) {
    return length({along[0] * body.size[0], along[1] * body.size[1], along[2] * body.size[2]});
  }
  return body.size[0] * std::hypot(along[0], along[1]) + body.size[1] * std::abs(along[2]);
}

/// Smallest signed distance of a couple, not by the colliders' formulas. Shape 2 of a plane and a
/// box is its lowest corner.
inline double distance_of(const Couple& c) {
  const Body& b = c.b;
  if (c.a.type == geom_capsule && b.type == geom_box) {
    return distance_along(b, c.a.pos, column(c.a, 2), c.a.size[1], c.a.size[0]);
  }
  if (c.a.type == geom_plane && (b.type == geom_ellipsoid || b.type == geom_cylinder)) {
    return signed_distance(c.a, b.pos) - reach_down(b, column(c.a, 2));
  }
  switch (b.type) {
    case geom_sphere:
      return signed_distance(c.a, b.pos) - b.size[0];
    case geom_capsule:
      return distance_along(c.a, b.pos, column(b, 2), b.size[1], b.size[0]);
    default:
      break;
  }
  if (c.a.type == geom_sphere) {
    return signed_distance(b, c.a.pos) - c.a.size[0];
  }
  double lowest = 1e30;
  for (int i = 0; i < 8; ++i) {
    Point corner = b.pos;
    for (std::size_t k = 0; k < 3; ++k) {
      corner = corner + ((i >> k & 1) != 0 ? b.size[k] : -b.size[k]) * column(b, k);
    }
    lowest = std::min(lowest, signed_distance(c.a, corner));
  }
  return lowest;
}

/// Shape 2 of a contact: of a capsule on a plane the ball at the end that the contact belongs to.
inline Body touching(const Couple& c, int contact) {
  Body body = c.b;
  if (c.a.type == geom_plane && body.type == geom_capsule) {
    body.type = geom_sphere;
    body.pos = body.pos + (contact == 0 ? body.size[1] : -body.size[1]) * column(body, 2);
  }
  return body;
}

}  // namespace swept::SWEPT_NS
