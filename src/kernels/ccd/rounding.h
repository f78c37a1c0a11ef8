// SPDX-License-Identifier: Apache-2.0
// How far rounding can put what the device computes from the true motion of the true bodies.
//
// u is half a unit in the last place of a real. As in the host's library a query works in the frame
// of the second body, where a point x of the first is at M x + o, M = Rb' Ra, o = Rb' D, D = (ta0 -
// tb0) + s (da - db). r_a and r_b are the largest distances of corners from their body's origin,
//   size = r_a + r_b + |ta0 - tb0| + |da - db|,   turn = |a_a| + |a_b|,   mu = the closing speed.
// What enters: orientations, axes, angles, ta0 - tb0 and da - db come as Twofolds (in f64, as the
// doubles that they are; axes and orientations are then of length 1 to 3 u), corners rounded to u.
//
//   M        sine and cosine to 0.6 u, so either quaternion to 0.6 u + 3 u and the turn M to twice
//            their sum, 8 u at most in f64; each entry is rounded once: sqrt(3) u for the norm.
//            Together 10 u. The angle itself is off by u^2 turn, and what its low part adds to sine
//            and cosine by the square of it: (u turn)^2 / 4
//   o        Rb to 7 u, D to u, three products and sums 3 sqrt(3) u: 14 u |D|
//   M x + o  rounding of x: u r_a; M: 10 u r_a; products and sums 4 u (sqrt(3) r_a + |D|)
//            Corners of a are off by 18 u r_a + 18 u |D|, those of b by u r_b.
//   facets   A gap along a unit vector adds differences and products of 4 u per corner, 5 u of the
//            gap, and the length of the vector 4 u of the gap; the points between which a distance
//            is measured are on the facets to 15 u (r_a + r_b) + 2 u |D|, their distance to 4 u.
//            With the corners' own error both bounds hold to 40 u size.
//   boxes    A box holds the rounded corners. Middles and half sides of boxes are up to sqrt(3) r
//            long: M, |M|, M' and the sums over three axes come to 105 u r_a + 60 u r_b + 45 u |D|
//            in the worst of both ways to look. Taken off: 160 u size. This only makes more boxes
//            be opened; the tolerance does not depend on it.
//   rates    n (da - db) is off by 25 u |da - db|. The axis in a body's frame is off by 24 u (in
//            f64; it is the host's), M k_a by 17 u more, the normal by 4 u and a radius by 35 u r
//            where boxes' bounds are summed: 160 u turn (r_a + r_b). Added to every rate, and to
//            the closing speed of the plain bound.
//   step     A quotient is rounded and added to s <= 1, which is rounded: the distance may fall by
//            8 u mu more.
//
// So a certified distance is wrong by at most
//   e = u ((40 + u turn^2) size + 8 mu),
// and the target (thickness + tolerance / 2 + e, rounded up) and the limit (thickness + tolerance -
// e, rounded down) leave room to advance in if the tolerance is at least 10 e + 64 u thickness: a
// gap may miss the distance by e and a share of 16 u (gap_share) before it is refined, which leaves
// half of the tolerance less 3 e and less 24 u thickness.
//
// Lengths below shortest_length of the size are as good as zero: their fourth powers underflow.
#pragma once

#include "kernels/base/bits.h"

namespace swept::SWEPT_NS {

/// In units of u.
constexpr int facet_roundings = 40;
constexpr int step_roundings = 8;
constexpr int box_roundings = 160;
constexpr int way_roundings = 32;
constexpr int turn_roundings = 160;

/// The least tolerance, in units of e and of u thickness.
constexpr int least_errors = 10;
constexpr int thickness_roundings = 64;

/// Half a unit in the last place.
constexpr real half_ulp = std::numeric_limits<real>::epsilon() / 2;

/// As a share of the size. In f32 it is a hundredth of 2 u.
constexpr real shortest_length = is_f32 ? 1e-9_r : 1e-35_r;

}  // namespace swept::SWEPT_NS
