// SPDX-License-Identifier: Apache-2.0
// Poses, and the motion of a rigid body between two of them, in three dimensions and in the plane.
//
// During a step, s goes from 0 to 1. A point x of the body's frame is at
//   x(s) = Q(s) R0 x + t0 + s d,
// where (R0, t0) is the pose at s = 0, Q(s) turns by the angle s a about a fixed unit axis k of the
// world, and d is the way of the body's origin. The axis goes through that origin, which moves on a
// straight line: the motion is not a screw about an axis that stands still. In the plane, Q(s) is
// the turn by s a.
//
// Speed. dx/ds = a k x (Q(s) R0 x) + d. Q(s) turns about k, so the length of the first term is
// |a| r(x) for every s, where r(x) is the distance of R0 x from the line through the origin along k
// (in the plane: |x|). r is convex in x, so over a body it is largest at a vertex, and
//   mu = |d| + |a| max r(vertex)
// bounds the speed of every point: none goes farther than mu |s2 - s1| between s1 and s2. The
// bound on the turning part is attained at the farthest vertex. (Conservative advancement: Mirtich
// 1996; Tang, Kim and Manocha 2009.)
#pragma once

#include <array>
#include <span>
#include <type_traits>

namespace swept::ccd {

/// A point or a vector in D = 2 or 3 dimensions. Lengths are in any one unit.
template <int D>
using Vector = std::array<double, D>;

/// A matrix of D rows.
template <int D>
using Matrix = std::array<Vector<D>, D>;

/// An angular velocity or a turn: a vector along its axis in space, a number in the plane.
template <int D>
using Turn = std::conditional_t<D == 2, double, Vector<3>>;

/// Where a body is: a point x of its frame is at rotation x + position.
template <int D>
struct Pose {
  Matrix<D> rotation = [] {
    Matrix<D> one{};
    for (int i = 0; i < D; ++i) {
      one[i][i] = 1;
    }
    return one;
  }();
  Vector<D> position{};
};

/// The rotation of a quaternion (w, x, y, z), which need not have unit length. Throws Error if it
/// is zero or not finite.
Matrix<3> rotation_of_quaternion(const std::array<double, 4>& quaternion);

/// The rotation by an angle [rad] in the plane. Throws Error if it is not finite.
Matrix<2> rotation_of_angle(double angle);

/// How a body moves while s goes from 0 to 1. What is stored (start, axis, angle, way) is the
/// motion that every guarantee speaks of.
template <int D>
class Motion {
 public:
  /// A body that stands at the identity pose.
  Motion() : Motion(resting(Pose<D>{})) {}

  /// The motion from one pose to another, by the shorter turn, at most pi. A half turn is
  /// ambiguous: its axis is the one whose first component that is not zero is positive (in the
  /// plane, the turn is by +pi). Throws Error if a matrix is no rotation (within 1e-6), or a number
  /// is not finite or above 1e50.
  static Motion between(const Pose<D>& start, const Pose<D>& end);

  /// The motion of constant velocity and angular velocity [rad per unit of time, world frame] over
  /// a duration. It may turn by any angle. Throws Error as between() does.
  static Motion with_velocity(const Pose<D>& start, const Vector<D>& velocity,
                              const Turn<D>& angular_velocity, double duration);

  /// A body that stays where it is.
  static Motion resting(const Pose<D>& pose);

  /// The pose at a time; 0 is the start.
  Pose<D> at(double s) const;

  /// The angle of the turn [rad]: at least 0 in space, signed in the plane.
  double angle() const { return angle_; }

  /// The unit axis of the turn, world frame; in the plane and for no turn, zero.
  const Vector<D>& axis() const { return axis_; }

  /// The same axis in the body's frame, in which it stands still, too.
  const Vector<D>& body_axis() const { return body_axis_; }

  /// The way of the body's origin.
  const Vector<D>& way() const { return way_; }

  /// The rotation at s = 0: a unit quaternion (w, x, y, z) in space, and (cosine, sine, 0, 0) in the
  /// plane.
  const std::array<double, 4>& orientation() const { return orientation_; }

  /// The body's origin at s = 0.
  const Vector<D>& start() const { return position_; }

 private:
  struct Unset {};
  explicit Motion(Unset) {}

  std::array<double, 4> orientation_{1, 0, 0, 0};  // 3-D: unit quaternion; 2-D: cosine, sine
  Vector<D> position_{};
  Vector<D> axis_{};
  Vector<D> body_axis_{};
  Vector<D> way_{};
  double angle_ = 0;
};

/// The bound mu on the speed of a set of points that move with a body, in lengths per step.
///   vertices   [n, D] in the body's frame; none: the bound is that of the origin
template <int D>
double motion_bound(std::span<const double> vertices, const Motion<D>& motion);

}  // namespace swept::ccd
