// SPDX-License-Identifier: Apache-2.0
// The signed distance of a capsule and a box in closed form, in double precision.
//
// A capsule is its axis, a segment, made fat by its radius, so the distance is that of the axis less
// the radius. The square of the distance from c + t u (in the box's frame) to the box is a convex
// function of t, quadratic between the values of t at which a coordinate passes a face: its least
// value is at one of these or where the derivative of a piece vanishes. If the axis meets the box,
// the depth of the two is the least overlap along the normals of their Minkowski difference, a
// polytope whose edges are parallel to the box's edges and to the axis: the three normals of the box
// and the three cross products of its edges with the axis.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/geometry/exact.h"

namespace swept::SWEPT_NS {

struct CapsuleBox {
  double dist;
  bool axis_meets_box;
  double end_dist;  ///< of the capsule's end that is farther from the box
};

/// Distance of the segment c + t u, |t| <= half, to a box of half sizes s at the origin.
inline double axis_distance(const Point& c, const Point& u, double half, const Point& s) {
  std::vector<double> breaks = {-half, half};
  for (std::size_t k = 0; k < 3; ++k) {
    for (const double face : {-s[k], s[k]}) {
      const double t = (face - c[k]) / u[k];
      if (std::abs(t) < half) {
        breaks.push_back(t);
      }
    }
  }
  std::sort(breaks.begin(), breaks.end());
  const auto squared = [&](double t) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double off = std::max(std::abs(c[k] + t * u[k]) - s[k], 0.0);
      sum += off * off;
    }
    return sum;
  };
  double least = squared(breaks[0]);
  for (std::size_t b = 1; b < breaks.size(); ++b) {
    least = std::min(least, squared(breaks[b]));
    // the derivative on the piece in between is 2 (a t + slope)
    const double middle = (breaks[b - 1] + breaks[b]) / 2;
    double a = 0, slope = 0;
    bool inside = true;
    for (std::size_t k = 0; k < 3; ++k) {
      const double x = c[k] + middle * u[k];
      if (std::abs(x) > s[k]) {
        inside = false;
        a += u[k] * u[k];
        slope += u[k] * (c[k] - std::copysign(s[k], x));
      }
    }
    if (inside) {
      return 0;
    }
    if (a > 0) {
      least = std::min(least, squared(std::clamp(-slope / a, breaks[b - 1], breaks[b])));
    }
  }
  return std::sqrt(least);
}

/// Depth of the same segment in the box that it meets.
inline double axis_depth(const Point& c, const Point& u, double half, const Point& s) {
  double least = 1e300;
  const auto look = [&](const Point& n) {
    const double size = length(n);
    if (size > 1e-9) {
      const double reach = s[0] * std::abs(n[0]) + s[1] * std::abs(n[1]) + s[2] * std::abs(n[2]) +
                           half * std::abs(product(n, u));
      least = std::min(least, (reach - std::abs(product(n, c))) / size);
    }
  };
  for (const Point& e : {Point{1, 0, 0}, Point{0, 1, 0}, Point{0, 0, 1}}) {
    look(e);
    look({e[1] * u[2] - e[2] * u[1], e[2] * u[0] - e[0] * u[2], e[0] * u[1] - e[1] * u[0]});
  }
  return least;
}

/// The signed distance of a capsule and a box.
inline CapsuleBox capsule_box_distance(const Shape& capsule, const Shape& box) {
  const Point c = into_frame(box, minus(point_of(capsule.pos), point_of(box.pos)));
  const Point u = into_frame(box, point_of(column_z(capsule.mat)));
  const Point s = point_of(box.size);
  const double radius = static_cast<double>(capsule.size.x);
  const double half = static_cast<double>(capsule.size.y);
  const double apart = axis_distance(c, u, half, s);
  const bool meets = apart == 0;
  double farther = 0;
  for (const double t : {-half, half}) {
    const Point end = {c[0] + t * u[0], c[1] + t * u[1], c[2] + t * u[2]};
    farther = std::max(farther, axis_distance(end, u, 0, s));
  }
  return {(meets ? -axis_depth(c, u, half, s) : apart) - radius, meets, farther - radius};
}

}  // namespace swept::SWEPT_NS
