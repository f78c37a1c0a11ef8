// SPDX-License-Identifier: Apache-2.0
#include "host/load/pose.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

namespace swept::load_detail {
namespace {

constexpr double shortest_length = 1e-7;

Vec3 cross(Vec3 a, Vec3 b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(Vec3 a, Vec3 b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Quat normalized(Quat q) {
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (std::abs(length - 1.0) > 1e-14) {
    for (double& part : q) {
      part /= length;
    }
  }
  return q;
}

Quat rotation(Vec3 axis, double angle) {
  const double s = std::sin(angle / 2.0);
  return {std::cos(angle / 2.0), axis[0] * s, axis[1] * s, axis[2] * s};
}

/// The quaternion of the rotation with columns x, y, z, from its largest component.
Quat quat_from_axes(Vec3 x, Vec3 y, Vec3 z) {
  const double traces[4] = {x[0] + y[1] + z[2], x[0] - y[1] - z[2], -x[0] + y[1] - z[2],
                            -x[0] - y[1] + z[2]};
  const auto largest = std::max_element(traces, traces + 4) - traces;
  const double root = std::sqrt(1.0 + traces[largest]);
  const double half = 0.5 / root;
  Quat q{};
  switch (largest) {
    case 0:
      q = {0.5 * root, half * (y[2] - z[1]), half * (z[0] - x[2]), half * (x[1] - y[0])};
      break;
    case 1:
      q = {half * (y[2] - z[1]), 0.5 * root, half * (y[0] + x[1]), half * (z[0] + x[2])};
      break;
    case 2:
      q = {half * (z[0] - x[2]), half * (y[0] + x[1]), 0.5 * root, half * (z[1] + y[2])};
      break;
    default:
      q = {half * (x[1] - y[0]), half * (z[0] + x[2]), half * (z[1] + y[2]), 0.5 * root};
      break;
  }
  return normalized(q);
}

Quat from_euler(const std::array<double, 6>& numbers, const AngleRules& rules) {
  Quat q = identity_quat;
  for (std::size_t i = 0; i < 3; ++i) {
    const char letter = rules.eulerseq[i];
    const bool fixed = std::isupper(static_cast<unsigned char>(letter)) != 0;
    Vec3 axis{0.0, 0.0, 0.0};
    axis[static_cast<std::size_t>(std::tolower(static_cast<unsigned char>(letter)) - 'x')] = 1.0;
    const Quat turn = rotation(axis, rules.radians(numbers[i]));
    q = fixed ? multiply(turn, q) : multiply(q, turn);
  }
  return normalized(q);
}

Quat from_xyaxes(const std::array<double, 6>& numbers, std::string* wrong) {
  Vec3 x{numbers[0], numbers[1], numbers[2]};
  Vec3 y{numbers[3], numbers[4], numbers[5]};
  if (normalize(&x) < shortest_length) {
    *wrong = "the x axis of xyaxes is zero";
    return identity_quat;
  }
  const double along = dot(x, y);
  for (std::size_t i = 0; i < 3; ++i) {
    y[i] -= along * x[i];
  }
  if (normalize(&y) < shortest_length) {
    *wrong = "the y axis of xyaxes is zero or parallel to the x axis";
    return identity_quat;
  }
  return quat_from_axes(x, y, cross(x, y));
}

}  // namespace

double AngleRules::radians(double angle) const {
  return degree ? angle * std::numbers::pi / 180.0 : angle;
}

double normalize(Vec3* v) {
  const double length = std::sqrt(dot(*v, *v));
  if (length >= shortest_length && std::abs(length - 1.0) > 1e-14) {
    for (double& part : *v) {
      part /= length;
    }
  }
  return length;
}

Quat multiply(Quat a, Quat b) {
  return normalized({a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                     a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                     a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                     a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]});
}

Vec3 rotate(Quat q, Vec3 v) {
  // v + 2 u × (u × v + w v), u the vector part
  const Vec3 u{q[1], q[2], q[3]};
  Vec3 inner = cross(u, v);
  for (std::size_t i = 0; i < 3; ++i) {
    inner[i] += q[0] * v[i];
  }
  const Vec3 outer = cross(u, inner);
  return {v[0] + 2.0 * outer[0], v[1] + 2.0 * outer[1], v[2] + 2.0 * outer[2]};
}

Pose compose(const Pose& outer, const Pose& inner) {
  const Vec3 turned = rotate(outer.quat, inner.pos);
  return {{outer.pos[0] + turned[0], outer.pos[1] + turned[1], outer.pos[2] + turned[2]},
          multiply(outer.quat, inner.quat)};
}

Quat quat_from_z(Vec3 v) {
  normalize(&v);
  Vec3 axis = cross({0.0, 0.0, 1.0}, v);
  double s = std::sqrt(dot(axis, axis));
  if (s < shortest_length) {
    // parallel: no rotation, or half a turn about x
    axis = {1.0, 0.0, 0.0};
    s = 0.0;
  } else {
    normalize(&axis);
  }
  return normalized(rotation(axis, std::atan2(s, v[2])));
}

Quat resolve(const Orientation& orientation, const AngleRules& rules, std::string* wrong) {
  const std::array<double, 6>& n = orientation.numbers;
  Vec3 axis{n[0], n[1], n[2]};
  switch (orientation.kind) {
    case Orientation::quat:
      if (std::hypot(std::hypot(n[0], n[1]), std::hypot(n[2], n[3])) < 1e-14) {
        *wrong = "the quaternion is zero";
        return identity_quat;
      }
      return normalized({n[0], n[1], n[2], n[3]});
    case Orientation::axisangle:
      if (normalize(&axis) < shortest_length) {
        *wrong = "the axis of axisangle is zero";
        return identity_quat;
      }
      return normalized(rotation(axis, rules.radians(n[3])));
    case Orientation::euler:
      return from_euler(n, rules);
    case Orientation::xyaxes:
      return from_xyaxes(n, wrong);
    case Orientation::zaxis:
      if (normalize(&axis) < shortest_length) {
        *wrong = "zaxis is zero";
        return identity_quat;
      }
      return quat_from_z(axis);
  }
  return identity_quat;
}

}  // namespace swept::load_detail
