// SPDX-License-Identifier: Apache-2.0
// The list of queries that are still active, in order, for the next round.
#pragma once

#include "kernels/base/group.h"
#include "kernels/ccd/advance.h"

namespace swept::SWEPT_NS {

/// Copy the numbers of active queries, order kept.
///   from    [n] numbers
///   to      [n] receives them; may not be `from`
///   count   receives how many there are
/// Cooperative; `to` and `count` are visible to all lanes on return.
SWEPT_FN void compact(const Group auto g, const Track* tracks, const int* from, int n, int* to,
                      int* count) {
  int kept = 0;
  for (int first = 0; first < n; first += g.size()) {
    const int i = first + g.lane();
    const bool active = i < n && tracks[from[i]].state == TrackState::active;
    const int before = g.exclusive_scan(active ? 1 : 0);
    if (active) {
      to[kept + before] = from[i];
    }
    kept += g.sum(active ? 1 : 0);
  }
  if (g.lane() == 0) {
    *count = kept;
  }
  g.sync();
}

}  // namespace swept::SWEPT_NS
