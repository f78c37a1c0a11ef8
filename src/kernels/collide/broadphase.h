// SPDX-License-Identifier: Apache-2.0
// Broad phase: of all candidate pairs, in their order, those whose bounds touch in at least one
// lane.
//
// The lanes of the group test neighbouring candidates; each counts what it has found before
// writing, so the list is in ascending order for any group.
#pragma once

#include "kernels/base/group.h"
#include "kernels/collide/bounds.h"
#include "kernels/collide/capacity.h"
#include "kernels/collide/lanes.h"
#include "kernels/collide/pairs.h"

namespace swept::SWEPT_NS {

/// List the touching candidates of the environments of one V. Frozen and inert ones have none. A
/// list that does not fit holds its first entries, and the tile halts.
template <class V>
SWEPT_FN void broadphase(const Group auto g, const Tile& t, int block, int lane) {
  const ModelAt<V> m = t.model_at<V>(block, lane);
  const DataAt<V> d = t.data_at<V>(block, lane);
  const PairsAt pairs = pairs_at<V>(t, block, lane);
  const mask_t<V> live = live_lanes<V>(t, block, lane);
  const bool contacts_off = (m->opt.disableflags & (disable_constraint | disable_contact)) != 0;
  const int n = contacts_off ? 0 : m->ncandidate;

  int count = 0;
  for (int first = 0; first < n; first += g.size()) {
    const int candidate = first + g.lane();
    unsigned bits = 0;
    if (candidate < n) {
      const mask_t<V> touch = live && bounds_touch(m, d, candidate);
      if (any_of(touch)) {
        bits = to_bits<V>(touch);
      }
    }
    const int found = bits != 0 ? 1 : 0;
    const int place = count + g.exclusive_scan(found);
    if (found != 0 && place < pairs.capacity) {
      pairs.pair[place] = candidate;
      pairs.mask[place] = bits;
    }
    count += g.sum(found);
  }
  if (g.lane() == 0) {
    *pairs.count = count < pairs.capacity ? count : pairs.capacity;
    report_need(t, &t.control->need.pairs, count, pairs.capacity, halt_pairs);
  }
}

}  // namespace swept::SWEPT_NS
