// SPDX-License-Identifier: Apache-2.0
// Writing the lists of pairs: their lengths, room for contacts, and what happens when they do not
// fit.
#pragma once

#include "kernels/collide/capacity.h"
#include "kernels/collide/pairs.h"

namespace swept::SWEPT_NS {

/// Lengths of the lists while they grow: pairs, those worked on alone, slots for their contacts.
/// One integer for a few pairs, so that a group adds them all at once.
struct ListCount {
  int pairs = 0, singles = 0, slots = 0;

  static constexpr int single_bit = 8, slot_bit = 16;

  /// What one pair adds, as one integer. Sums of up to 255 pairs of up to 50 slots fit.
  SWEPT_FN static int code(int slots) {
    return 1 | (slots > 0 ? 1 << single_bit : 0) | slots << slot_bit;
  }
  SWEPT_FN ListCount plus(int sum) const {
    return {pairs + (sum & 255), singles + (sum >> single_bit & 255), slots + (sum >> slot_bit)};
  }
};

/// Write a pair at the end of lists of these lengths, if it fits.
SWEPT_FN void put_pair(const PairsAt& pairs, ListCount at, const GeomPair& pair, Meeting lanes,
                       int slots) {
  if (at.pairs < pairs.capacity) {
    pairs.put(at.pairs, pair, lanes, at.slots);
    if (slots > 0) {
      pairs.single[at.singles] = at.pairs;
    }
  }
}

/// The lengths of the finished lists. What does not fit halts the tile.
SWEPT_FN void close_pairs(const Tile& t, const PairsAt& pairs, ListCount count) {
  const bool fits = count.pairs <= pairs.capacity;
  *pairs.count = fits ? count.pairs : pairs.capacity;
  *pairs.singles = fits ? count.singles : 0;
  report_need(t, &t.control->need.pairs, count.pairs, pairs.capacity, halt_pairs);
  report_need(t, &t.control->need.slots, count.slots, t.hits.capacity, halt_slots);
}

}  // namespace swept::SWEPT_NS
