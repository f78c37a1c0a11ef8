// SPDX-License-Identifier: Apache-2.0
// Broad phase: of all pairs that may collide, in their order, those whose bounds touch in at least
// one lane, and room for the contacts of those that are worked on one at a time.
//
// All pairs: the lanes of the group test neighbouring candidates of the compiled list; each counts
// what it has found before writing, so the list is in ascending order for any group. Scenes that
// are swept (see sweep.h) have found the pairs of each environment already; their lists are merged.
#pragma once

#include "kernels/base/group.h"
#include "kernels/collide/bounds.h"
#include "kernels/collide/lanes.h"
#include "kernels/collide/merge_found.h"
#include "kernels/collide/swept_bounds.h"

namespace swept::SWEPT_NS {

/// List the touching candidates of the environments of one V. Frozen and inert ones have none. A
/// list that does not fit holds its first entries, and the tile halts.
template <class V>
SWEPT_FN void test_all_pairs(const Group auto g, const Tile& t, int block, int lane) {
  const ModelAt<V> m = t.model_at<V>(block, lane);
  const DataAt<V> d = t.data_at<V>(block, lane);
  const PairsAt pairs = pairs_at<V>(t, block, lane);
  const mask_t<V> live = live_lanes<V>(t, block, lane);
  const bool contacts_off = (m->opt.disableflags & (disable_constraint | disable_contact)) != 0;
  const int n = contacts_off ? 0 : m->ncandidate;
  const bool sweeping = any_of(has_fast_geoms(m, d));

  ListCount count;
  for (int first = 0; first < n; first += g.size()) {
    const int candidate = first + g.lane();
    GeomPair pair{};
    Meeting lanes;
    if (candidate < n) {
      pair = candidate_pair(m, candidate);
      const mask_t<V> touching = live && bounds_touch(m, d, pair);
      if (any_of(touching)) {
        lanes.touching = to_bits<V>(touching);
      }
      if (sweeping) {
        lanes.fast = to_bits<V>(live && may_meet(m, d, pair));
      }
    }
    const int slots = lanes.any() ? slots_of(m, pair) : 0;
    const int code = lanes.any() ? ListCount::code(slots) : 0;
    const int before = g.exclusive_scan(code);
    if (lanes.any()) {
      put_pair(pairs, count.plus(before), pair, lanes, slots);
    }
    count = count.plus(g.sum(code));
  }
  if (g.lane() == 0) {
    close_pairs(t, pairs, count);
  }
}

/// List the touching pairs of the environments of one V.
template <class V>
SWEPT_FN void broadphase(const Group auto g, const Tile& t, int block, int lane) {
  if (t.model.nsweep > 0) {
    merge_found<V>(g, t, block, lane);
  } else {
    test_all_pairs<V>(g, t, block, lane);
  }
}

}  // namespace swept::SWEPT_NS
