// SPDX-License-Identifier: Apache-2.0
// The first of all contacts among many bodies.
//
// Broad phase: a body stays in the box that holds its box at s = 0, the whole of its way and what
// its turn can add, which is no more than |angle| times the radius about the axis and no farther
// than the ring and the ball that it turns in. Two bodies whose boxes are farther apart than the
// tolerance (and the thickness) never touch. Any other pair has a bound from below on its time of
// impact (src/ccd/mover.h): along a fixed direction the gap of the two shrinks at a rate that their
// relative way and their turns bound. The gap that a pair must keep has 2 mu / max_iterations on
// top of the tolerance, so that a pair that is passed over would not have met the cap either.
//
// Pairs are advanced one step at a time, always the one that may touch earliest, in the order of
// (time, first, second), until the first in that order has touched: a tie goes to the pair that is
// smaller by (first, second). The result is that of trying all pairs, bit for bit, and pairs whose
// bound is later than the answer are never looked at.
//
// A pair that meets the cap bounds the result as a contact would: beyond its toi nothing is
// certified.
#pragma once

#include <swept/ccd/impact.h>

#include <cstdint>
#include <span>
#include <vector>

namespace swept::ccd {

/// A contact, or a pair that met the cap.
template <int D>
struct PairImpact {
  int first = -1;  ///< number of a body; the smaller of the two
  int second = -1;
  Impact<D> impact;
};

/// The earliest one. Without any, `first` is -1 and the impact says "separate" at 1.
template <int D>
struct FirstImpact {
  PairImpact<D> earliest;
  std::int64_t candidates = 0;  ///< pairs left by the boxes
  std::int64_t tested = 0;      ///< pairs that were advanced, to their end or some way
};

/// The earliest contact among bodies, with the pair's smaller number as the first body.
///   motions   one for each body
/// Throws Error if the numbers differ or an option is out of range.
template <int D>
FirstImpact<D> first_impact(std::span<const Body<D>> bodies, std::span<const Motion<D>> motions,
                            const Options& options = {});

/// All pairs whose time of impact is at most `until`, in the order of (toi, first, second):
/// contacts, initial contacts, and pairs that met the cap by then.
///   until   in [0, 1]
template <int D>
std::vector<PairImpact<D>> all_impacts(std::span<const Body<D>> bodies,
                                       std::span<const Motion<D>> motions, double until = 1,
                                       const Options& options = {});

/// The same for bodies in the plane.
inline FirstImpact<2> first_impact_2d(std::span<const Polyline> bodies,
                                      std::span<const Motion<2>> motions,
                                      const Options& options = {}) {
  return first_impact<2>(bodies, motions, options);
}

}  // namespace swept::ccd
