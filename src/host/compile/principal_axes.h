// SPDX-License-Identifier: Apache-2.0
// Principal axes of an inertia tensor, with the axis order and signs that MuJoCo's compiler gives.
#pragma once

#include "host/compile/frames.h"

namespace swept::compiler {

/// tensor = R(quat) diag(moments) R(quat)^T.
struct PrincipalAxes {
  Quat quat{1.0, 0.0, 0.0, 0.0};
  Vec3 moments{};  ///< descending
};

/// Decompose a symmetric matrix.
/// Jacobi's method: while an off-diagonal element of D = R^T A R is not negligible, turn about the
/// third axis by the smaller angle that zeroes the largest one. Rotations are kept as a quaternion,
/// so R is always proper. Then sort to descending moments; each exchange of two neighbours is a
/// quarter turn about the third axis.
///   tensor   symmetric, row-major [kg m^2]
PrincipalAxes principal_axes(const Mat3& tensor);

}  // namespace swept::compiler
