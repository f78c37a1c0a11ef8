// SPDX-License-Identifier: Apache-2.0
// How far rounding can put a computed distance, or a step, from the true one.
//
// u is half a unit in the last place. A query of two bodies works in the frame of the second. The
// true place of a point x of the first there is Rb' (Ra x + D), D = (ta0 - tb0) + s (da - db),
// with the exact rotations of the stored motions at s. Computed are:
//   Ra, Rb   an entry of a rotation at s: the half angle s a / 2 has a relative error of 2 u, so
//            the angle has an error of 2 u |a|; sine and cosine, the quaternion's product (4
//            terms), its normalization and the matrix (3 products of 2 entries) add at most 24 u
//   Rb' Ra   both errors, and 3 products and sums: 6 u
//   D        4 u (|ta0 - tb0| + |da - db|); each is rounded once before that
//   place    products and sums: 4 u (|x| + |D|), a sum over three axes: sqrt(3) for the norm
// With r_a the largest |x| of the first body, r_b of the second, and
//   size = r_a + r_b + |ta0 - tb0| + |da - db|,   turn = |a_a| + |a_b|
// the places of both bodies' points relative to each other are therefore wrong by at most
//   (4 turn + 70) u size.
// Distances between boxes, gaps of facets and of nodes along a unit vector are sums of at most nine
// products of such numbers: 12 u size. The unit vector's length is wrong by 4 u: 4 u size. The axis
// in the body's frame is wrong by 24 u, so radii about it by 24 u |x| and, over a step, ways by
// 24 u turn size. A step is a quotient of a distance and a speed, rounded three times, and is added
// to s <= 1, rounded again: the distance may fall by 8 u mu more than wanted. pair_error() is the
// sum of all of it, rounded up.
//
// Below 1e-70, fourth powers of lengths underflow; the last term covers what that can hide.
#pragma once

#include <cmath>
#include <limits>

namespace swept::ccd::detail {

/// Half a unit in the last place, relative.
template <class T>
inline constexpr T half_ulp = std::numeric_limits<T>::epsilon() / 2;

inline constexpr double unit_roundoff = half_ulp<double>;

/// Lengths below this are as good as zero.
inline constexpr double underflow_length = 1e-70;

/// A distance that is computed is at most this far from the true one.
///   size    r_a + r_b + |ta0 - tb0| + |da - db|
///   turn    |a_a| + |a_b| [rad]
///   speed   mu_a + mu_b
inline double pair_error(double size, double turn, double speed) {
  return unit_roundoff * ((112 + 32 * turn) * size + 8 * speed) + underflow_length;
}

/// The smallest tolerance for a given error: the band between the target (half of it) and the
/// tolerance is then several errors wide, so that advancing ends.
inline constexpr double least_tolerance(double error) {
  return 16 * error;
}

/// A bit more than a positive number: rounds the sum of a few roundings up.
inline constexpr double rounded_up(double x) {
  return x * (1 + 16 * unit_roundoff);
}

}  // namespace swept::ccd::detail
