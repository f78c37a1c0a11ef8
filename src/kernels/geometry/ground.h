// SPDX-License-Identifier: Apache-2.0
// The surface of a height field as a whole, which prisms do not know of: the triangle under a place, and
// whether a normal points out of the ground.
//
// The nearest points of a geom and one prism may lie on an edge of its top that the ground goes on
// behind, or on a wall between two prisms. Their normal then points into the ground beside the point,
// and a contact along it would stop what only slides on.
#pragma once

#include "kernels/geometry/prisms.h"

namespace swept::SWEPT_NS {

/// The top of a prism, in the frame of the field.
struct PrismTop {
  Vec3<real> middle;  ///< [m]
  Vec3<real> normal;  ///< unit, upwards

  /// The height of a place over its plane [m].
  SWEPT_FN real under(Vec3<real> place) const { return dot(normal, place - middle); }
};
SWEPT_FN PrismTop top_of(const Prism& prism) {
  const Vec3<real>&a = prism.at[3], &b = prism.at[4], &c = prism.at[5];
  const Vec3<real> across = unit(cross(b - a, c - a));
  return {(a + b + c) * (1_r / 3_r), across.z < 0_r ? -across : across};
}

/// The number of the prism under a place [m] in the frame of the field; -1: beside the field.
SWEPT_FN int prism_under(const HfieldShape& f, Vec3<real> place) {
  if (!(abs(place.x) <= f.size[0] && abs(place.y) <= f.size[1])) {
    return -1;
  }
  const auto cell = [](real x, int points) {
    const int i = static_cast<int>(x);
    return i < points - 2 ? i : points - 2;
  };
  const real x = (place.x + f.size[0]) * (static_cast<real>(f.ncol - 1) / (2_r * f.size[0]));
  const real y = (place.y + f.size[1]) * (static_cast<real>(f.nrow - 1) / (2_r * f.size[1]));
  const int column = cell(x, f.ncol), row = cell(y, f.nrow);
  const bool upper = y - static_cast<real>(row) > x - static_cast<real>(column);
  return 2 * (row * (f.ncol - 1) + column) + (upper ? 0 : 1);
}

/// Two directions are the same up to this angle [rad].
constexpr real same_direction = 1e-3_r;

SWEPT_FN bool is_same_direction(Vec3<real> a, Vec3<real> b) {
  return dot(a, b) > 1_r - 0.5_r * same_direction * same_direction;
}

/// Whether the ground lies behind the plane across n through a point of it, all round the point: up to
/// 1/32 of a cell away.
///   point, n   [m] and unit, in the frame of the field
SWEPT_FN bool is_clear_of_ground(const HfieldShape& f, Vec3<real> point, Vec3<real> n) {
  const real dx = f.size[0] / (16_r * static_cast<real>(f.ncol - 1)),
             dy = f.size[1] / (16_r * static_cast<real>(f.nrow - 1));
  bool clear = true;
  for (int i = 0; i < 9; ++i) {
    const Vec3<real> place = point + Vec3<real>{dx * static_cast<real>(i % 3 - 1),
                                                dy * static_cast<real>(i / 3 - 1), 0_r};
    const int number = prism_under(f, place);
    if (number < 0) {
      continue;
    }
    // the column of ground there reaches from the base up to the surface
    const PrismTop top = top_of(prism_of(f, number));
    const real rise = n.z > 0_r ? -top.under(place) / top.normal.z : -f.size[3] - place.z;
    const Vec3<real> way = place - point + Vec3<real>{0_r, 0_r, rise};
    clear = clear && dot(n, way) <= same_direction * max(norm(way), min(dx, dy));
  }
  return clear;
}

/// Whether a normal at a point of a prism is one of the field's: that of the prism's top, or one that
/// has no ground before it.
SWEPT_FN bool points_out(const HfieldShape& f, const PrismTop& top, Vec3<real> point,
                         Vec3<real> n) {
  return is_same_direction(n, top.normal) || is_clear_of_ground(f, point, n);
}

}  // namespace swept::SWEPT_NS
