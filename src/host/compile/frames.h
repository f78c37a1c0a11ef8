// SPDX-License-Identifier: Apache-2.0
// Vectors, unit quaternions (w x y z) and poses for the scene compiler: small, plain, double.
#pragma once

#include <swept/spec_types.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace swept::compiler {

using Mat3 = std::array<double, 9>;  ///< row-major

/// A frame in its parent: v_parent = pos + R(quat) v.
struct Pose {
  Vec3 pos{0.0, 0.0, 0.0};
  Quat quat{1.0, 0.0, 0.0, 0.0};
};

inline Vec3 operator+(Vec3 a, Vec3 b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vec3 operator-(Vec3 a, Vec3 b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Vec3 operator-(Vec3 a) {
  return {-a[0], -a[1], -a[2]};
}
inline Vec3 operator*(Vec3 a, double s) {
  return {a[0] * s, a[1] * s, a[2] * s};
}
inline double dot(Vec3 a, Vec3 b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline double norm(Vec3 a) {
  return std::sqrt(dot(a, a));
}

/// The cross product a x b.
inline Vec3 cross(Vec3 a, Vec3 b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// A quaternion of unit length; the identity if q is (nearly) zero.
inline Quat normalized(Quat q) {
  const double n = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (n < 1e-15) {
    return {1.0, 0.0, 0.0, 0.0};
  }
  if (std::fabs(n - 1.0) <= 1e-15) {
    return q;
  }
  return {q[0] / n, q[1] / n, q[2] / n, q[3] / n};
}

/// The product a b: first b, then a. Normalized.
inline Quat operator*(const Quat& a, const Quat& b) {
  return normalized({a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                     a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                     a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                     a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]});
}

/// The inverse rotation.
inline Quat conjugate(const Quat& q) {
  return {q[0], -q[1], -q[2], -q[3]};
}

/// The rotation matrix of a unit quaternion.
inline Mat3 matrix(const Quat& q) {
  const double w = q[0];
  const double x = q[1];
  const double y = q[2];
  const double z = q[3];
  return {
      w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z),         2.0 * (x * z + w * y),
      2.0 * (x * y + w * z),         w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x),
      2.0 * (x * z - w * y),         2.0 * (y * z + w * x),         w * w - x * x - y * y + z * z};
}

/// The rotation by `angle` [rad] about the unit vector `axis`.
inline Quat rotation(Vec3 axis, double angle) {
  const double s = std::sin(0.5 * angle);
  return {std::cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]};
}

/// m v.
inline Vec3 operator*(const Mat3& m, Vec3 v) {
  return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
          m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
}

/// a b.
inline Mat3 operator*(const Mat3& a, const Mat3& b) {
  Mat3 c{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    }
  }
  return c;
}

/// The transpose of m.
inline Mat3 transposed(const Mat3& m) {
  return {m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]};
}

/// R(q) v.
inline Vec3 rotate(const Quat& q, Vec3 v) {
  return matrix(q) * v;
}

/// The pose of a frame `child`, given in the frame `parent`, where `parent` is given in.
inline Pose compose(const Pose& parent, const Pose& child) {
  return {parent.pos + rotate(parent.quat, child.pos), parent.quat * child.quat};
}

/// The pose that undoes p.
inline Pose inverse(const Pose& p) {
  const Quat q = conjugate(p.quat);
  return {-rotate(q, p.pos), q};
}

/// R diag(moments) R^T + mass (|d|^2 1 - d d^T): the inertia of a body with principal moments
/// `moments` [kg m^2] along the axes of `quat`, about a point at -d from its centre of mass.
inline Mat3 inertia_about(const Quat& quat, Vec3 moments, double mass, Vec3 d) {
  const Mat3 r = matrix(quat);
  const double d2 = dot(d, d);
  Mat3 tensor{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = mass * ((i == j ? d2 : 0.0) - d[i] * d[j]);
      for (std::size_t k = 0; k < 3; ++k) {
        sum += r[3 * i + k] * moments[k] * r[3 * j + k];
      }
      tensor[3 * i + j] = sum;
    }
  }
  return tensor;
}

/// Element-wise: is v zero to `eps`?
inline bool is_zero(Vec3 v, double eps) {
  return std::fabs(v[0]) < eps && std::fabs(v[1]) < eps && std::fabs(v[2]) < eps;
}

/// Element-wise: do a and b give the same rotation, to `eps`?
inline bool same_rotation(const Quat& a, const Quat& b, double eps) {
  double minus = 0.0;
  double plus = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    minus = std::max(minus, std::fabs(a[i] - b[i]));
    plus = std::max(plus, std::fabs(a[i] + b[i]));
  }
  return minus < eps || plus < eps;
}

}  // namespace swept::compiler
