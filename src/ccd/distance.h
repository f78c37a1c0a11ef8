// SPDX-License-Identifier: Apache-2.0
// The distance of two placed bodies, by a descent of both trees.
#pragma once

#include "ccd/placed.h"

#include <cstdint>

namespace swept::ccd::detail {

/// A distance from both sides, before the error of rounding is taken into account.
template <int D>
struct BodyDistance {
  double above = 0;  ///< distance of two points of the bodies
  double below = 0;  ///< the true distance is at least this less the pair's error
  int slot_a = 0, slot_b = 0;
  Vector<D> p{}, q{};  ///< the points, in b's frame
};

/// The distance of two bodies.
///   hint_a, hint_b   slots of facets that are likely to be near
///   pairs            counts the pairs of facets that were looked at
template <int D>
BodyDistance<D> body_distance(const MovingPair<D>& pair, const Placed<D>& placed, int hint_a,
                              int hint_b, std::int64_t* pairs);

}  // namespace swept::ccd::detail
