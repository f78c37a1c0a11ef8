// SPDX-License-Identifier: Apache-2.0
// Quaternions and rotation vectors: exponential, logarithm, difference and integration, with
// MuJoCo's treatment of the degenerate cases.
//
//   exp(axis, angle) = (cos angle/2, axis sin angle/2)
//   log(q)           = 2 atan2(|v|, w) v/|v|, of q = (w, v), brought into (-pi, pi]
#pragma once

#include "kernels/math/functions.h"
#include "kernels/math/vec.h"

namespace swept::SWEPT_NS {

/// Rotation by `angle` [rad] about a unit axis. Angle 0 gives the identity, since sin 0 = 0 and cos
/// 0 = 1.
template <class V>
SWEPT_FN Quat<V> axis_angle_to_quat(Vec3<V> axis, V angle) {
  V s, c;
  sincos(angle * V(0.5_r), &s, &c);
  return {c, axis.x * s, axis.y * s, axis.z * s};
}

/// Rotation by the vector u [rad]: about u/|u| by |u|.
template <class V>
SWEPT_FN Quat<V> rotvec_to_quat(Vec3<V> u) {
  return axis_angle_to_quat(normalize(u), norm(u));
}

/// Rotation vector [rad] of a unit quaternion, at most pi long; the zero vector of +-identity.
template <class V>
SWEPT_FN Vec3<V> quat_to_vel(Quat<V> q) {
  const Vec3<V> v = {q.x, q.y, q.z};
  const V angle = V(2_r) * atan2(norm(v), q.w);
  const V pi = V(3.14159265358979323846_r), turn = V(6.28318530717958647693_r);
  return normalize(v) * select(angle > pi, angle - turn, angle);
}

/// The rotation vector that takes b to a, in the frame of b: log(b^-1 a). Both are unit
/// quaternions.
template <class V>
SWEPT_FN Vec3<V> sub_quat(Quat<V> a, Quat<V> b) {
  return quat_to_vel(conjugate(b) * a);
}

/// q turned for the time h at the angular velocity w of its own frame: normalize(q) exp(h w). The
/// product is not normalised again.
template <class V>
SWEPT_FN Quat<V> quat_integrate(Quat<V> q, Vec3<V> w, V h) {
  return normalize(q) * axis_angle_to_quat(normalize(w), h * norm(w));
}

/// Velocity of the exponential coordinates u of a rotation whose angular velocity in its own frame
/// is w (the inverse of the right Jacobian of SO(3); Munthe-Kaas 1999): w + u x w / 2 + (1 - (t/2)
/// cot(t/2)) / t^2  u x (u x w),  t = |u|.
template <class V>
SWEPT_FN Vec3<V> rotvec_velocity(Vec3<V> u, Vec3<V> w) {
  const V t2 = dot(u, u);
  // the series of the factor up to t^6 is exact below t = 0.1; the formula divides zero by zero
  // there
  const mask_t<V> small = t2 < V(0.01_r);
  const V series =
      V(1_r / 12_r) + t2 * (V(1_r / 720_r) + t2 * (V(1_r / 30240_r) + t2 * V(1_r / 1209600_r)));
  const V safe2 = select(small, V(1_r), t2);
  const V half = V(0.5_r) * sqrt(safe2);
  V s, c;
  sincos(half, &s, &c);
  const V factor = select(small, series, (V(1_r) - half * c / s) / safe2);
  const Vec3<V> uw = cross(u, w);
  return w + uw * V(0.5_r) + cross(u, uw) * factor;
}

}  // namespace swept::SWEPT_NS
