// SPDX-License-Identifier: Apache-2.0
// Radii about the axis of a motion: of a point, and bounds of them over a box, in the body's frame.
//
// r(x) = |k x x| with the axis k in the body's frame, where it stands still; |x| in the plane.
#pragma once

#include "ccd/vec.h"

#include <swept/ccd/motion.h>

#include <cmath>

namespace swept::ccd::detail {

/// The radius of a point of the body. Without a turn, 0 in space.
template <int D>
double turn_radius(const Motion<D>& motion, const Vector<D>& x) {
  if constexpr (D == 2) {
    return norm(x);
  } else {
    return norm(cross(motion.body_axis(), x));
  }
}

/// At least the radius of every point of a box: component by component of k x x, each of which is
/// linear in x, with room for rounding.
template <int D>
double turn_radius_bound(const Motion<D>& motion, const Vector<D>& center, const Vector<D>& half) {
  constexpr double room = 1e-14;
  Vector<D> part{};
  if constexpr (D == 2) {
    part = {std::abs(center[0]) + half[0], std::abs(center[1]) + half[1]};
  } else {
    const Vector<3>& k = motion.body_axis();
    const Vector<3> middle = cross(k, center);
    const double kx = std::abs(k[0]), ky = std::abs(k[1]), kz = std::abs(k[2]);
    // the room is for the two products of which a component is the difference
    part = {std::abs(middle[0]) + ky * half[2] + kz * half[1] +
                room * (std::abs(center[1]) + std::abs(center[2])),
            std::abs(middle[1]) + kz * half[0] + kx * half[2] +
                room * (std::abs(center[2]) + std::abs(center[0])),
            std::abs(middle[2]) + kx * half[1] + ky * half[0] +
                room * (std::abs(center[0]) + std::abs(center[1]))};
  }
  return (1 + room) * norm(part);
}

/// The speed bound of a point or a body with a largest radius.
template <int D>
double speed_of(const Motion<D>& motion, double radius) {
  return norm(motion.way()) + std::abs(motion.angle()) * radius;
}

}  // namespace swept::ccd::detail
