// SPDX-License-Identifier: Apache-2.0
// Whether thin things go through each other between two states, from positions alone: thin axes that
// pass through each other, points that pass through plates. The motion in between is sampled along
// the shortest way, and is straight between two samples.
#pragma once

#include <Eigen/Dense>

#include <cmath>
#include <vector>

namespace swept::test {

using Vec = Eigen::Vector3d;
using Quat = Eigen::Quaterniond;

inline Vec vec_at(const double* x) {
  return {x[0], x[1], x[2]};
}
inline Quat quat_at(const double* q) {
  return {q[0], q[1], q[2], q[3]};
}

/// The part t of the way between two poses of a free body (position and quaternion).
inline Eigen::Isometry3d pose_between(const double* before, const double* after, double t) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() =
      quat_at(before + 3).normalized().slerp(t, quat_at(after + 3).normalized()).toRotationMatrix();
  pose.translation() = (1 - t) * vec_at(before) + t * vec_at(after);
  return pose;
}

struct Segment {
  Vec from, to;
};

/// Six times the volume between two segments: 0 where their lines meet.
inline double side_of(const Segment& a, const Segment& b) {
  return (a.to - a.from).cross(b.to - b.from).dot(b.from - a.from);
}

/// Whether two segments whose lines (nearly) meet do so inside both.
inline bool meet_inside(const Segment& a, const Segment& b) {
  const Vec u = a.to - a.from, v = b.to - b.from, r = b.from - a.from;
  const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), det = uu * vv - uv * uv;
  if (det < 1e-9 * uu * vv) {
    return false;
  }
  const double s = (r.dot(u) * vv - r.dot(v) * uv) / det;
  const double t = (r.dot(u) * uv - r.dot(v) * uu) / det;
  return s > 0 && s < 1 && t > 0 && t < 1;
}

/// Whether a segment goes through another one on the straight way from the first to the last pair.
inline bool segments_cross(const Segment& a0, const Segment& b0, const Segment& a1,
                           const Segment& b1) {
  const double from = side_of(a0, b0), to = side_of(a1, b1);
  if ((from > 0) == (to > 0)) {
    return false;
  }
  const double t = from / (from - to);
  const auto mean = [&](const Segment& x, const Segment& y) {
    return Segment{(1 - t) * x.from + t * y.from, (1 - t) * x.to + t * y.to};
  };
  return meet_inside(mean(a0, a1), mean(b0, b1));
}

/// Whether the point goes through the middle plane (normal x) of a plate of half sizes y and z, from
/// one place in the plate's frame to another.
inline bool goes_through_plate(const Vec& from, const Vec& to, double y, double z) {
  if ((from.x() > 0) == (to.x() > 0)) {
    return false;
  }
  const Vec at = from + from.x() / (from.x() - to.x()) * (to - from);
  return std::abs(at.y()) < y && std::abs(at.z()) < z;
}

}  // namespace swept::test
