// SPDX-License-Identifier: Apache-2.0
// What is known of convex shapes without any algorithm, in double precision: how far they reach in a
// direction, and how far a point is from their surface.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/geometry/shape.h"

namespace swept::SWEPT_NS {

using Point = std::array<double, 3>;

inline Point point_of(Vec3<real> v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}
inline double product(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Point minus(const Point& a, const Point& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Point times(const Point& a, double s) {
  return {a[0] * s, a[1] * s, a[2] * s};
}
inline double length(const Point& a) {
  return std::sqrt(product(a, a));
}

/// Turn a direction into the frame of a shape.
inline Point into_frame(const Shape& s, const Point& d) {
  return {product(point_of(column_x(s.mat)), d), product(point_of(column_y(s.mat)), d),
          product(point_of(column_z(s.mat)), d)};
}

/// max of x . dir over the shape.
inline double reach(const Shape& s, const Point& dir) {
  const Point n = into_frame(s, dir);
  const Point size = point_of(s.size);
  const double at = product(point_of(s.pos), dir);
  switch (s.type) {
    case geom_sphere:
      return at + size[0] * length(dir);
    case geom_capsule:
      return at + size[0] * length(dir) + size[1] * std::abs(n[2]);
    case geom_ellipsoid:
      return at + std::sqrt(std::pow(size[0] * n[0], 2) + std::pow(size[1] * n[1], 2) +
                            std::pow(size[2] * n[2], 2));
    case geom_cylinder:
      return at + size[0] * std::hypot(n[0], n[1]) + size[1] * std::abs(n[2]);
    case geom_box:
      return at + size[0] * std::abs(n[0]) + size[1] * std::abs(n[1]) + size[2] * std::abs(n[2]);
    default: {
      double most = -1e300;
      for (int i = 0; i < s.mesh.vertnum; ++i) {
        most = std::max(most, product(point_of(s.mesh.vertex(i)), n));
      }
      return at + most;
    }
  }
}

/// How far two shapes reach into each other along dir (unit): the depth is its minimum over all
/// directions, the distance the negative of it.
inline double overlap(const Shape& a, const Shape& b, const Point& dir) {
  return reach(a, dir) + reach(b, times(dir, -1));
}

/// A number [m] that vanishes on the surface of a shape, is negative inside, and is never larger than
/// the distance from the surface.
inline double off_surface(const Shape& s, Vec3<real> point) {
  const Point p = into_frame(s, minus(point_of(point), point_of(s.pos)));
  const Point size = point_of(s.size);
  switch (s.type) {
    case geom_sphere:
      return length(p) - size[0];
    case geom_capsule:
      return std::hypot(p[0], p[1], p[2] - std::clamp(p[2], -size[1], size[1])) - size[0];
    case geom_ellipsoid: {
      // f = |p / size| is 1 on the surface; (f - 1) f / |p / size^2| is the distance to first order
      const Point q = {p[0] / size[0], p[1] / size[1], p[2] / size[2]};
      const double f = length(q);
      const double gradient = length({q[0] / size[0], q[1] / size[1], q[2] / size[2]});
      return gradient > 0 ? (f - 1) * f / gradient : -*std::min_element(size.begin(), size.end());
    }
    case geom_cylinder:
      return std::max(std::hypot(p[0], p[1]) - size[0], std::abs(p[2]) - size[1]);
    case geom_box:
      return std::max(
          {std::abs(p[0]) - size[0], std::abs(p[1]) - size[1], std::abs(p[2]) - size[2]});
    default: {
      // the planes of the hull's triangles
      const int numvert = s.mesh.graph[0], numface = s.mesh.graph[1];
      const int* const face = s.mesh.graph + 2 + 2 * numvert + numvert + 3 * numface;
      double most = -1e300;
      for (int f = 0; f < numface; ++f) {
        const Point a = point_of(s.mesh.vertex(face[3 * f]));
        const Point e = minus(point_of(s.mesh.vertex(face[3 * f + 1])), a);
        const Point g = minus(point_of(s.mesh.vertex(face[3 * f + 2])), a);
        const Point n = {e[1] * g[2] - e[2] * g[1], e[2] * g[0] - e[0] * g[2],
                         e[0] * g[1] - e[1] * g[0]};
        if (length(n) > 1e-12) {
          most = std::max(most, product(n, minus(p, a)) / length(n));
        }
      }
      return most;
    }
  }
}

/// The least overlap found by looking in `count` directions all over the sphere and then around the
/// best one in ever smaller circles.
inline double sampled_depth(const Shape& a, const Shape& b, int count) {
  Point best = {1, 0, 0};
  double least = 1e300;
  const auto look = [&](const Point& dir) {
    const double x = overlap(a, b, dir);
    if (x < least) {
      least = x;
      best = dir;
    }
  };
  for (int i = 0; i < count; ++i) {
    // a spiral of equal areas
    const double z = 1 - (2 * i + 1.0) / count, turn = i * 2.399963229728653;
    const double r = std::sqrt(1 - z * z);
    look({r * std::cos(turn), r * std::sin(turn), z});
  }
  for (double step = 2 / std::sqrt(count); step > 1e-9; step *= 0.7) {
    const Point at = best;
    const Point other = std::abs(at[0]) < 0.6 ? Point{1, 0, 0} : Point{0, 1, 0};
    Point t = minus(other, times(at, product(other, at)));
    t = times(t, 1 / length(t));
    const Point s = {at[1] * t[2] - at[2] * t[1], at[2] * t[0] - at[0] * t[2],
                     at[0] * t[1] - at[1] * t[0]};
    for (int i = 0; i < 8; ++i) {
      const double c = step * std::cos(i * 0.7853981633974483),
                   d = step * std::sin(i * 0.7853981633974483);
      const Point dir = {at[0] + c * t[0] + d * s[0], at[1] + c * t[1] + d * s[1],
                         at[2] + c * t[2] + d * s[2]};
      look(times(dir, 1 / length(dir)));
    }
  }
  return least;
}

}  // namespace swept::SWEPT_NS
