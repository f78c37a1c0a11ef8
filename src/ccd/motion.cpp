// SPDX-License-Identifier: Apache-2.0
// Motions between poses: validation, axis and angle, and the pose at a time.
#include <swept/ccd/motion.h>
#include <swept/error.h>

#include "ccd/vec.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace swept::ccd {

using namespace detail;

namespace {

using Quaternion = std::array<double, 4>;

constexpr double most = 1e50;            // above it, products of coordinates could overflow
constexpr double rotation_error = 1e-6;  // how far R'R may be from one

Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Quaternion conjugate(const Quaternion& a) {
  return {a[0], -a[1], -a[2], -a[3]};
}

Matrix<3> matrix_of(const Quaternion& q) {
  const auto [w, x, y, z] = q;
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

// from the largest of the four squares, so that nothing is divided by a small number
Quaternion quaternion_of(const Matrix<3>& r) {
  const double trace = r[0][0] + r[1][1] + r[2][2];
  const std::array<double, 4> square = {trace, r[0][0], r[1][1], r[2][2]};
  const auto largest_one = std::max_element(square.begin(), square.end()) - square.begin();
  Quaternion q{};
  if (largest_one == 0) {
    q = {1 + trace, r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]};
  } else {
    const int i = static_cast<int>(largest_one) - 1, j = (i + 1) % 3, k = (j + 1) % 3;
    q[0] = r[k][j] - r[j][k];
    q[1 + i] = 1 + r[i][i] - r[j][j] - r[k][k];
    q[1 + j] = r[i][j] + r[j][i];
    q[1 + k] = r[i][k] + r[k][i];
  }
  return unit(q);
}

template <int D>
void check_vector(const Vector<D>& x, const char* what) {
  if (!is_finite(x) || largest(x) > most) {
    throw Error(std::string("the ") + what + " of a motion is not finite or above 1e50",
                "give finite numbers");
  }
}

template <int D>
void check_pose(const Pose<D>& pose) {
  check_vector<D>(pose.position, "position");
  double determinant = 0;
  if constexpr (D == 2) {
    determinant = cross(pose.rotation[0], pose.rotation[1]);
  } else {
    determinant = dot(pose.rotation[0], cross(pose.rotation[1], pose.rotation[2]));
  }
  const Matrix<D> square = transposed_times(pose.rotation, pose.rotation);
  bool good = determinant > 0;
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j < D; ++j) {
      good = good && std::abs(square[i][j] - (i == j ? 1 : 0)) <= rotation_error;
    }
  }
  if (!good) {
    throw Error(
        "the matrix of a pose is not a rotation",
        "its columns must be of unit length, at right angles and right-handed, within 1e-6");
  }
}

// a rotation in the form that a motion stores
std::array<double, 4> orientation_of(const Matrix<3>& r) {
  return quaternion_of(r);
}

std::array<double, 4> orientation_of(const Matrix<2>& r) {
  const Vector<2> column = unit(Vector<2>{r[0][0] + r[1][1], r[1][0] - r[0][1]});
  return {column[0], column[1], 0, 0};
}

}  // namespace

Matrix<3> rotation_of_quaternion(const std::array<double, 4>& quaternion) {
  if (!is_finite(quaternion) || !(norm(quaternion) > 0)) {
    throw Error("a quaternion is zero or not finite", "give (w, x, y, z) of unit length");
  }
  // the first scaling keeps squares of tiny or huge components in range
  return matrix_of(unit((1 / largest(quaternion)) * quaternion));
}

Matrix<2> rotation_of_angle(double angle) {
  if (!std::isfinite(angle)) {
    throw Error("an angle is not finite", "give it in radians");
  }
  const double c = std::cos(angle), s = std::sin(angle);
  return {{{c, -s}, {s, c}}};
}

template <int D>
Motion<D> Motion<D>::resting(const Pose<D>& pose) {
  check_pose(pose);
  Motion made(Unset{});
  made.orientation_ = orientation_of(pose.rotation);
  made.position_ = pose.position;
  return made;
}

template <int D>
Motion<D> Motion<D>::between(const Pose<D>& start, const Pose<D>& end) {
  check_pose(end);
  Motion made = resting(start);
  made.way_ = end.position - start.position;
  const std::array<double, 4> last = orientation_of(end.rotation);
  if constexpr (D == 2) {
    const Vector<2> from = {made.orientation_[0], made.orientation_[1]}, to = {last[0], last[1]};
    made.angle_ = std::atan2(cross(from, to), dot(from, to));
    if (made.angle_ <= -std::numbers::pi) {
      made.angle_ = std::numbers::pi;
    }
  } else {
    Quaternion turn = product(last, conjugate(made.orientation_));
    // the shorter way round; for half a turn, the axis whose first component is positive
    constexpr double tiny = 1e-15;
    double sign = turn[0];
    for (int i = 1; std::abs(sign) < tiny && i < 4; ++i) {
      sign = turn[i];
    }
    if (sign < 0) {
      turn = -turn;
    }
    const Vector<3> part = {turn[1], turn[2], turn[3]};
    made.angle_ = 2 * std::atan2(norm(part), turn[0]);
    made.axis_ = unit(part);
    made.body_axis_ = transposed_times(matrix_of(made.orientation_), made.axis_);
  }
  return made;
}

template <int D>
Motion<D> Motion<D>::with_velocity(const Pose<D>& start, const Vector<D>& velocity,
                                   const Turn<D>& angular_velocity, double duration) {
  Motion made = resting(start);
  if (!std::isfinite(duration)) {
    throw Error("the duration of a motion is not finite", "give a finite number");
  }
  made.way_ = duration * velocity;
  check_vector<D>(made.way_, "velocity");
  if constexpr (D == 2) {
    made.angle_ = duration * angular_velocity;
  } else {
    const Vector<3> turn = duration * angular_velocity;
    check_vector<3>(turn, "angular velocity");
    made.angle_ = norm(turn);
    made.axis_ = unit(turn);
    made.body_axis_ = transposed_times(matrix_of(made.orientation_), made.axis_);
  }
  if (!std::isfinite(made.angle_) || std::abs(made.angle_) > 1e9) {
    throw Error("the angle of a motion is not finite or above 1e9 rad", "take a shorter step");
  }
  return made;
}

template <int D>
Pose<D> Motion<D>::at(double s) const {
  Pose<D> pose;
  pose.position = position_ + s * way_;
  if constexpr (D == 2) {
    const double c = std::cos(s * angle_), t = std::sin(s * angle_);
    const Vector<2> turned = {c * orientation_[0] - t * orientation_[1],
                              t * orientation_[0] + c * orientation_[1]};
    pose.rotation = {{{turned[0], -turned[1]}, {turned[1], turned[0]}}};
  } else {
    const double half = 0.5 * s * angle_;
    const double c = std::cos(half), t = std::sin(half);
    const Quaternion turn = {c, t * axis_[0], t * axis_[1], t * axis_[2]};
    pose.rotation = matrix_of(unit(product(turn, orientation_)));
  }
  return pose;
}

template class Motion<2>;
template class Motion<3>;

}  // namespace swept::ccd
