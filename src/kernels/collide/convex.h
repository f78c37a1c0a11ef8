// SPDX-License-Identifier: Apache-2.0
// The listed pairs of an environment that are worked on one at a time: boxes, meshes, height fields
// and curved shapes, whose colliders take as long as the pose asks for. Each lane of a group takes
// pairs of its own; contacts go to the pair's slots, from where the narrow phase lists them.
#pragma once

#include "kernels/base/group.h"
#include "kernels/collide/bounds.h"
#include "kernels/collide/scalar_colliders.h"

namespace swept::SWEPT_NS {

/// Fill the slots of one pair of an environment.
SWEPT_FN void collide_single(const ModelAt<real>& m, const DataAt<real>& d,
                             const HitsAt<real>& hits, const GeomPair& pair, int slot) {
  const ContactCount wanted =
      (m->opt.disableflags & disable_multiccd) != 0 ? ContactCount::one : ContactCount::several;
  Witness found[most_witnesses];
  const int n = collide_shapes(pair.kind, shape_of(m, d, pair.geom1), shape_of(m, d, pair.geom2),
                               pair_reach(m, pair).detect, wanted, found);
  hits.at(slot, HitsView::count) = static_cast<real>(n);
  for (int i = 0; i < n; ++i) {
    const Witness& w = found[i];
    const real values[] = {w.dist, w.pos.x, w.pos.y, w.pos.z, w.normal.x, w.normal.y, w.normal.z};
    for (int k = 0; k < HitsView::nreal - HitsView::dist; ++k) {
      hits.at(slot + i, HitsView::dist + k) = values[k];
    }
  }
}

/// Fill the slots of all pairs of an environment that are worked on one at a time. The list of
/// pairs must be visible to all lanes; the slots are not, before the kernel ends.
SWEPT_FN void convex(const Group auto g, const Tile& t, int env) {
  const EnvPairs list = pairs_of_env(t, env);
  const ModelAt<real> m = t.model_at<real>(env / W, env % W);
  const DataAt<real> d = t.data_at<real>(env / W, env % W);
  const HitsAt<real> hits = hits_at<real>(t, env / W, env % W);
  for (int k = g.lane(); k < *list.pairs.singles; k += g.size()) {
    const int i = list.pairs.single[k];
    if ((list.pairs.mask[i] >> list.bit & 1u) != 0) {
      collide_single(m, d, hits, list.pairs.at(i), list.pairs.slot(i));
    }
  }
}

}  // namespace swept::SWEPT_NS
