// SPDX-License-Identifier: Apache-2.0
// Orientations and poses at load time. The rules are MuJoCo's:
//   quat       normalized
//   axisangle  axis normalized, angle in the file's unit
//   euler      one rotation per letter of eulerseq; lower case turns about the axes that were
//              turned so far (q <- q r), upper case about the fixed axes (q <- r q)
//   xyaxes     x normalized, y made orthogonal to x and normalized, z = x × y
//   zaxis      the smallest rotation that takes (0, 0, 1) to the given direction
#pragma once

#include <swept/spec.h>

#include <array>
#include <string>

namespace swept::load_detail {

/// An orientation as it was written.
struct Orientation {
  enum Kind { quat, axisangle, euler, xyaxes, zaxis };
  Kind kind = quat;
  std::array<double, 6> numbers{1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
};

/// Units and sequence, from `compiler`.
struct AngleRules {
  bool degree = true;
  std::string eulerseq = "xyz";

  /// An angle of the file in radians.
  double radians(double angle) const;
};

struct Pose {
  Vec3 pos{0.0, 0.0, 0.0};
  Quat quat = identity_quat;
};

/// The unit quaternion of an orientation. If the numbers describe none, `wrong` says why and the
/// result is the identity.
Quat resolve(const Orientation& orientation, const AngleRules& rules, std::string* wrong);

/// The rotation that takes (0, 0, 1) to v; v is not zero.
Quat quat_from_z(Vec3 v);

Quat multiply(Quat a, Quat b);
Vec3 rotate(Quat q, Vec3 v);

/// outer ∘ inner
Pose compose(const Pose& outer, const Pose& inner);

/// Length of v; v becomes a unit vector unless it is shorter than 1e-7.
double normalize(Vec3* v);

}  // namespace swept::load_detail
