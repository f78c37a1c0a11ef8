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

/// Numbers below these fractions of the largest element count as zero.
struct AxesAccuracy {
  double off_diagonal;  ///< Jacobi's method stops below it
  double apart;         ///< moments that differ by less are not exchanged
};

/// For bodies: as accurate as double precision allows.
inline constexpr AxesAccuracy accurate_axes{2e-16, 1e-12};

/// For meshes, whose vertices are single precision: a mesh that is aligned up to rounding stays as
/// it is.
inline constexpr AxesAccuracy mesh_axes{1e-7, 1e-7};

/// Decompose a symmetric matrix.
/// Jacobi's method: while an off-diagonal element of D = R^T A R is not negligible, turn about the
/// third axis by the smaller angle that zeroes the largest one. Rotations are kept as a quaternion,
/// so R is always proper. Then sort to descending moments; each exchange of two neighbours is a
/// quarter turn about the third axis.
///   tensor     symmetric, row-major [kg m^2]
///   accuracy   what counts as negligible, and as equal when moments are sorted
PrincipalAxes principal_axes(const Mat3& tensor, const AxesAccuracy& accuracy = accurate_axes);

}  // namespace swept::compiler
