// SPDX-License-Identifier: Apache-2.0
// Jacobi's method for symmetric 3x3 matrices on a quaternion; see the header.
#include "host/compile/principal_axes.h"

namespace swept::compiler {
namespace {

/// The plane (p, q) of a Jacobi rotation and the axis k that it turns about.
struct Plane {
  std::size_t p;
  std::size_t q;
  std::size_t k;
  double sign;  ///< +1 if p -> q -> k is right-handed
};

Plane largest_off_diagonal(const Mat3& d) {
  const double xy = std::fabs(d[1]);
  const double xz = std::fabs(d[2]);
  const double yz = std::fabs(d[5]);
  if (xy > xz && xy > yz) {
    return {0, 1, 2, 1.0};
  }
  if (xz > yz) {
    return {0, 2, 1, -1.0};
  }
  return {1, 2, 0, 1.0};
}

Quat turn(std::size_t axis, double angle) {
  Vec3 unit{};
  unit[axis] = 1.0;
  return rotation(unit, angle);
}

/// q followed by a quarter turn about an axis. Sine and cosine have the 15 digits that they have in
/// the official compiler, and the product keeps its length of 1 + 1e-15: vertices of meshes that
/// stand exactly between two numbers in single precision are rounded alike.
Quat quarter_turned(const Quat& q, std::size_t axis) {
  constexpr double half = 0.707106781186548;
  const std::size_t x = 1 + axis;
  const std::size_t y = 1 + (axis + 1) % 3;
  const std::size_t z = 1 + (axis + 2) % 3;
  Quat result{};
  result[0] = q[0] * half - q[x] * half;
  result[x] = q[0] * half + q[x] * half;
  result[y] = q[y] * half + q[z] * half;
  result[z] = q[z] * half - q[y] * half;
  return result;
}

}  // namespace

PrincipalAxes principal_axes(const Mat3& tensor, const AxesAccuracy& accuracy) {
  constexpr int max_sweeps = 500;
  PrincipalAxes result;

  double scale = 0.0;
  for (const double x : tensor) {
    scale = std::max(scale, std::fabs(x));
  }

  // rotate away the largest off-diagonal element until none is left
  Mat3 d{};
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    const Mat3 r = matrix(result.quat);
    d = transposed(r) * tensor * r;
    const Plane plane = largest_off_diagonal(d);
    const double off = d[3 * plane.p + plane.q];
    if (std::fabs(off) <= accuracy.off_diagonal * scale) {
      break;
    }
    const double tau = (d[4 * plane.q] - d[4 * plane.p]) / (2.0 * off);
    const double root = std::sqrt(1.0 + tau * tau);
    const double tangent = tau >= 0.0 ? -1.0 / (tau + root) : 1.0 / (root - tau);
    if (std::fabs(tangent) < 1e-15) {
      break;
    }
    result.quat = result.quat * turn(plane.k, plane.sign * std::atan(tangent));
  }
  result.moments = {d[0], d[4], d[8]};

  // sort by exchanging neighbours: first two, last two, first two
  for (const std::size_t j : {std::size_t{0}, std::size_t{1}, std::size_t{0}}) {
    if (result.moments[j] + accuracy.apart * scale < result.moments[j + 1]) {
      std::swap(result.moments[j], result.moments[j + 1]);
      result.quat = quarter_turned(result.quat, (j + 2) % 3);
    }
  }
  return result;
}

}  // namespace swept::compiler
