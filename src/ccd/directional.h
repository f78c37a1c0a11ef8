// SPDX-License-Identifier: Apache-2.0
// The directional step of conservative advancement (C2A), by a descent of both trees.
#pragma once

#include "ccd/placed.h"

#include <cstdint>

namespace swept::ccd::detail {

/// How far s may go from here with all facets at least `target` apart: at least `floor` (what the
/// plain bound allows), at most `ceiling`.
///   target   distance to keep, with the pair's error added to it
///   hint_a, hint_b   slots of the nearest facets
///   pairs    counts the pairs of facets that were looked at
template <int D>
double directional_step(const MovingPair<D>& pair, const Placed<D>& placed, double target,
                        double floor, double ceiling, int hint_a, int hint_b, std::int64_t* pairs);

}  // namespace swept::ccd::detail
