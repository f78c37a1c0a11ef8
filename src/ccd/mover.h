// SPDX-License-Identifier: Apache-2.0
// What is known of a moving body without its facets, and the time before which two of them cannot
// touch.
//
// Along a fixed unit vector n, measured from the body's origin, the body reaches at time s no
// farther than each of
//   h(s)   the box at s = 0 along n, plus s times what the turn can add, |a| |n x k| r
//   h      the whole turn: the ring about the axis in which the body stays, max(n k x) + |n x k| r,
//          and the ball about its origin
// with the turn's angle a and axis k, and r the largest distance of a corner from the axis. The way
// of the origins is exact. The gap of two bodies along n is therefore at least
//   n (D + s W) - min(h_a(s), h_a) - min(h_b(s), h_b),   D, W the origins' distance and way,
// the largest of four linear functions of s; each one that is above the room that is wanted keeps
// the bodies apart until it has fallen to it. The bound is the largest over these functions and
// over a few directions: any direction is valid, and good ones are the world's axes, the one between
// the boxes at s = 0 and the one between the balls when they come nearest.
//
// Rounding. All terms are sums of at most a dozen products of lengths below the pair's `size`
// (rounding.h), of reaches that are wrong by 28 u of a radius (the rotation's entries and one sum),
// and of unit vectors whose length is wrong by 4 u: together below 112 u size. A rate is a sum of
// as many speeds, below 8 u of the speed. Both are in the pair's error, which the room has twice.
#pragma once

#include "ccd/rounding.h"
#include "ccd/speed.h"
#include "ccd/tree.h"
#include "ccd/vec.h"

#include <swept/ccd/body.h>
#include <swept/ccd/motion.h>

#include <algorithm>
#include <cmath>

namespace swept::ccd::detail {

/// No contact in the whole step.
inline constexpr double never = 2;

/// How far a body reaches from its origin.
template <int D>
class Mover {
 public:
  Mover(const Body<D>& body, const Motion<D>& motion)
      : start_(motion.start()),
        way_(motion.way()),
        axis_(motion.axis()),
        angle_(std::abs(motion.angle())),
        ball_(body.radius()) {
    const Pose<D> pose = motion.at(0);
    for (int i = 0; i < D; ++i) {
      low_[i] = -farthest(body, -pose.rotation[i]);
      high_[i] = farthest(body, pose.rotation[i]);
    }
    speed_ = motion_bound(body, motion);
    if (angle_ > 0) {
      turn_ = speed_ - norm(way_) + 4 * unit_roundoff * speed_;
      ring_ = D == 2 ? ball_ : turn_ / angle_;
      if constexpr (D == 3) {
        axial_low_ = -farthest(body, -motion.body_axis());
        axial_high_ = farthest(body, motion.body_axis());
      }
    }
  }

  const Vector<D>& start() const { return start_; }
  const Vector<D>& way() const { return way_; }
  double speed() const { return speed_; }  ///< mu

  /// The box at s = 0, from the origin.
  const Vector<D>& low() const { return low_; }
  const Vector<D>& high() const { return high_; }

  double ball() const { return ball_; }  ///< radius of the ball about the origin

  /// How far the body reaches along a unit vector at s = 0.
  double at_start(const Vector<D>& n) const {
    double sum = 0;
    for (int i = 0; i < D; ++i) {
      sum += n[i] > 0 ? n[i] * high_[i] : n[i] * low_[i];
    }
    return sum;
  }

  /// How fast the turn can make that longer.
  double turning(const Vector<D>& n) const { return angle_ > 0 ? across(n) * turn_ : 0; }

  /// How far the body reaches along a unit vector at any time.
  double always(const Vector<D>& n) const {
    if (!(angle_ > 0)) {
      return at_start(n);
    }
    const double c = dot(n, axis_);
    const double ring = std::max(c * axial_low_, c * axial_high_) + across(n) * ring_;
    return std::min({ball_, ring, at_start(n) + turning(n)});
  }

 private:
  // the largest value of a linear function over the body
  static double farthest(const Body<D>& body, const Vector<D>& n) {
    return largest_over<D>(
        body.tree(), [&](const Vector<D>& x) { return dot(n, x); },
        [&](const Vector<D>& center, const Vector<D>& half) {
          double sum = dot(n, center);
          for (int k = 0; k < D; ++k) {
            sum += std::abs(n[k]) * half[k];
          }
          return sum + 1e-14 * body.radius();
        });
  }

  // the length of n x k: in the plane, k is perpendicular to every n
  double across(const Vector<D>& n) const {
    if constexpr (D == 2) {
      return 1;
    } else {
      return norm(cross(n, axis_));
    }
  }

  Vector<D> start_, way_, axis_;
  Vector<D> low_{}, high_{};
  double angle_, ball_;
  double speed_ = 0;
  double turn_ = 0;  // |a| r
  double ring_ = 0;  // r
  double axial_low_ = 0, axial_high_ = 0;
};

/// When the gap of two bodies along a unit vector from the first to the second may first be as
/// small as `room`; `never` if that is not in the step.
template <int D>
double first_within(const Mover<D>& a, const Mover<D>& b, const Vector<D>& n, double room) {
  const double gap = dot(n, b.start() - a.start()) - room;
  const double rate = dot(n, a.way() - b.way());
  const std::array<double, 2> reach_a = {a.at_start(n), a.always(n)},
                              reach_b = {b.at_start(-n), b.always(-n)};
  const std::array<double, 2> turn_a = {a.turning(n), 0}, turn_b = {b.turning(-n), 0};
  double time = 0;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const double left = gap - reach_a[i] - reach_b[j];
      const double closing = rate + turn_a[i] + turn_b[j];
      if (left > 0) {
        time = std::max(time, closing > 0 ? left / rounded_up(closing) : never);
      }
    }
  }
  return time > 1 ? never : time;
}

/// A direction between the balls about the origins when they come nearest to touching.
template <int D>
Vector<D> direction_of_balls(const Mover<D>& a, const Mover<D>& b, double room) {
  const Vector<D> from = b.start() - a.start(), way = b.way() - a.way();
  const double reach = a.ball() + b.ball() + room;
  const double ww = dot(way, way), wf = dot(way, from), rest = dot(from, from) - reach * reach;
  double time = 0;
  if (wf < 0) {
    const double square = wf * wf - ww * rest;
    time = square > 0 ? rest / (-wf + std::sqrt(square)) : -wf / ww;
  }
  return unit(from + std::clamp(time, 0.0, 1.0) * way);
}

/// A time before which the distance of two bodies stays above `room`; `never` if it does so in the
/// whole step.
///   error   the pair's (rounding.h)
template <int D>
double apart_until(const Mover<D>& a, const Mover<D>& b, double room, double error) {
  const double wanted = room + 2 * error;
  double time = 0;
  const auto try_direction = [&](const Vector<D>& n) {
    if (time < never) {
      time = std::max(time, first_within<D>(a, b, n, wanted));
    }
  };
  // along the world's axes, and from box to box
  Vector<D> between{};
  for (int i = 0; i < D; ++i) {
    Vector<D> n{};
    n[i] = b.start()[i] > a.start()[i] ? 1 : -1;
    try_direction(n);
    const double from = b.start()[i] - a.start()[i];
    between[i] = std::max(0.0, from + b.low()[i] - a.high()[i]) -
                 std::max(0.0, -from + a.low()[i] - b.high()[i]);
  }
  try_direction(unit(between));
  try_direction(direction_of_balls<D>(a, b, wanted));
  return time;
}

}  // namespace swept::ccd::detail
