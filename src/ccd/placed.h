// SPDX-License-Identifier: Apache-2.0
// Two moving bodies, and where they are relative to each other at one time.
#pragma once

#include "ccd/rounding.h"
#include "ccd/speed.h"
#include "ccd/tree.h"
#include "ccd/vec.h"

#include <swept/ccd/body.h>
#include <swept/ccd/motion.h>

#include <cmath>

namespace swept::ccd::detail {

/// A pair of moving bodies with what stays the same during a query.
template <int D>
struct MovingPair {
  const Body<D>& a;
  const Body<D>& b;
  const Motion<D>& motion_a;
  const Motion<D>& motion_b;
  Vector<D> start;   ///< origin of a less that of b, at s = 0
  Vector<D> way;     ///< way of a's origin less that of b's
  double speed = 0;  ///< bound on how fast the distance can fall, not rounded up
  double error = 0;  ///< distances may be wrong by this (rounding.h)

  MovingPair(const Body<D>& body_a, const Body<D>& body_b, const Motion<D>& moves_a,
             const Motion<D>& moves_b, double speed_bound)
      : a(body_a),
        b(body_b),
        motion_a(moves_a),
        motion_b(moves_b),
        start(moves_a.start() - moves_b.start()),
        way(moves_a.way() - moves_b.way()),
        speed(speed_bound) {
    const double size = a.radius() + b.radius() + norm(start) + norm(way);
    error = pair_error(size, std::abs(motion_a.angle()) + std::abs(motion_b.angle()), speed);
  }
};

/// Both bodies at a time: the first in the frame of the second.
template <int D>
struct Placed {
  Pose<D> pose_a, pose_b;  ///< world
  Matrix<D> rotation;      ///< from a's frame to b's
  Matrix<D> size;          ///< its absolute values
  Vector<D> offset;        ///< a's origin in b's frame

  Placed(const MovingPair<D>& pair, double s)
      : pose_a(pair.motion_a.at(s)), pose_b(pair.motion_b.at(s)) {
    // rotation = Rb' Ra
    rotation = transposed_times(pose_b.rotation, pose_a.rotation);
    offset = transposed_times(pose_b.rotation, pair.start + s * pair.way);
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) {
        size[i][j] = std::abs(rotation[i][j]);
      }
    }
  }

  /// A point of the first body in the frame of the second.
  Vector<D> operator()(const Vector<D>& x) const { return rotation * x + offset; }

  Facet<D> operator()(const Facet<D>& facet) const {
    Facet<D> there;
    for (int i = 0; i < D; ++i) {
      there[i] = (*this)(facet[i]);
    }
    return there;
  }

  /// A point in the second body's frame, in the world.
  Vector<D> world(const Vector<D>& x) const { return pose_b.rotation * x + pose_b.position; }
};

/// The gaps of two boxes along the axes of both bodies: negative where they overlap.
template <int D>
struct BoxGaps {
  Vector<D> along_b;   ///< along b's axes
  Vector<D> along_a;   ///< along a's
  Vector<D> offset_b;  ///< middle of a's box less that of b's, in b's frame
  Vector<D> offset_a;  ///< the same in a's frame

  BoxGaps(const Placed<D>& placed, const Node<D>& a, const Node<D>& b) {
    offset_b = placed(a.center) - b.center;
    offset_a = transposed_times(placed.rotation, offset_b);
    for (int i = 0; i < D; ++i) {
      double of_a = 0, of_b = 0;
      for (int j = 0; j < D; ++j) {
        of_a += placed.size[i][j] * a.half[j];
        of_b += placed.size[j][i] * b.half[j];
      }
      along_b[i] = std::abs(offset_b[i]) - b.half[i] - of_a;
      along_a[i] = std::abs(offset_a[i]) - a.half[i] - of_b;
    }
  }

  /// A bound from below on the distance of what is in the boxes: each box is inside the box along
  /// the other's axes that is used, whose distance is the length of the positive gaps.
  double distance() const {
    double square_a = 0, square_b = 0;
    for (int i = 0; i < D; ++i) {
      square_b += along_b[i] > 0 ? along_b[i] * along_b[i] : 0;
      square_a += along_a[i] > 0 ? along_a[i] * along_a[i] : 0;
    }
    return std::sqrt(std::max(square_a, square_b));
  }
};

/// A unit vector from the first body to the second, in the frames of both; or zero.
template <int D>
struct Direction {
  Vector<D> in_b{};
  Vector<D> in_a{};

  Direction() = default;
  Direction(const Placed<D>& placed, const Vector<D>& n)
      : in_b(n), in_a(transposed_times(placed.rotation, n)) {}

  /// The gap of two nodes along it.
  double gap(const BoxGaps<D>& gaps, const Node<D>& a, const Node<D>& b) const {
    return -dot(in_b, gaps.offset_b) - a.reach(in_a) - b.reach(-in_b);
  }
};

/// Tries directions along which the facets of two nodes may have a gap until one will do: the line
/// through both middles and, where it says little because the nodes are as near as they are large,
/// their normals if they are flat.
///   will_do   asked with a Direction; true: try no more
template <int D, class WillDo>
void try_directions(const Placed<D>& placed, const BoxGaps<D>& gaps, const Node<D>& a,
                    const Node<D>& b, const WillDo& will_do) {
  const double apart = norm(gaps.offset_b);
  if (will_do(Direction<D>(placed, -unit(gaps.offset_b))) || apart > a.radius + b.radius) {
    return;
  }
  const auto try_normal = [&](const Vector<D>& n) {
    return will_do(Direction<D>(placed, dot(n, gaps.offset_b) > 0 ? -n : n));
  };
  // thicker ones are no narrower along their normal than along any other direction
  constexpr double flat = 0.1;
  if (b.thickness < flat * b.radius && try_normal(b.normal)) {
    return;
  }
  if (a.thickness < flat * a.radius) {
    try_normal(placed.rotation * a.normal);
  }
}

}  // namespace swept::ccd::detail
