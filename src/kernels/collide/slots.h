// SPDX-License-Identifier: Apache-2.0
// Writing the contacts of a pair into its slots, from where the narrow phase lists them.
#pragma once

#include "kernels/collide/bounds.h"
#include "kernels/collide/scalar_colliders.h"

namespace swept::SWEPT_NS {

/// Fill the slots of a pair of one environment.
SWEPT_FN void put_contacts(const HitsAt<real>& hits, int slot, const Witness* found, int n) {
  hits.at(slot, HitsView::count) = static_cast<real>(n);
  for (int i = 0; i < n; ++i) {
    const Witness& w = found[i];
    const real values[] = {w.dist, w.pos.x, w.pos.y, w.pos.z, w.normal.x, w.normal.y, w.normal.z};
    for (int k = 0; k < HitsView::nreal - HitsView::dist; ++k) {
      hits.at(slot + i, HitsView::dist + k) = values[k];
    }
  }
}

/// One environment, as the colliders that take one pair at a time see it.
struct OneEnv {
  ModelAt<real> m;
  DataAt<real> d;
  HitsAt<real> hits;

  SWEPT_FN OneEnv(const Tile& t, int block, int lane)
      : m(t.model_at<real>(block, lane)),
        d(t.data_at<real>(block, lane)),
        hits(hits_at<real>(t, block, lane)) {}
};

}  // namespace swept::SWEPT_NS
