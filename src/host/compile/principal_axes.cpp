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

}  // namespace

PrincipalAxes principal_axes(const Mat3& tensor) {
  constexpr int max_sweeps = 500;
  constexpr double negligible = 2e-16;
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
    if (std::fabs(off) <= negligible * scale) {
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
    if (result.moments[j] + 1e-12 * scale < result.moments[j + 1]) {
      std::swap(result.moments[j], result.moments[j + 1]);
      result.quat = result.quat * turn((j + 2) % 3, 0.5 * 3.14159265358979323846);
    }
  }
  return result;
}

}  // namespace swept::compiler
