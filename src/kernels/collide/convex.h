// SPDX-License-Identifier: Apache-2.0
// The listed pairs whose colliders take as long as the pose asks for: boxes, meshes, height fields
// and curved shapes. Each lane of a group takes pairs of its own. Their contacts go to slots.
//
// Boxes and convex pairs are worked on in two parts, see box_pair.h and convex_pair.h: in packs as
// far as the steps are the same in all environments, then one environment after the other.
#pragma once

#include "kernels/base/group.h"
#include "kernels/collide/box_pair.h"
#include "kernels/collide/convex_pair.h"
#include "kernels/collide/surface_pair.h"

namespace swept::SWEPT_NS {

/// Lanes up to this number do the first part one by one: a pack takes as long for one as for all.
/// Both ways give the same bits.
constexpr int few_lanes = lanes_of<pack> / 4;

SWEPT_FN int number_of(unsigned bits) {
  int n = 0;
  for (; bits != 0; bits &= bits - 1) {
    ++n;
  }
  return n;
}

/// Fill the slots of one pair in the lanes of `bits`.
///   fast   lanes in which the pair is followed on its way as well
template <class V>
SWEPT_FN void collide_pair(const Tile& t, int block, int lane0, const GeomPair& pair, int slot,
                           unsigned bits, unsigned fast = 0) {
  if (pair.kind == collide_box_box) {
    return collide_box_pair<V>(t, block, lane0, pair, slot, bits);
  }
  if (is_searched_in_packs(t.model_at<V>(block, lane0), pair)) {
    return collide_convex_pair<V>(t, block, lane0, pair, slot, bits);
  }
  for (int l = 0; l < lanes_of<V>; ++l) {
    if ((bits >> l & 1u) != 0) {
      const OneEnv env(t, block, lane0 + l);
      Witness found[most_witnesses];
      const Shape one = shape_of(env.m, env.d, pair.geom1),
                  two = shape_of(env.m, env.d, pair.geom2);
      const real detect = pair_reach(env.m, pair).detect;
      const ContactCount wanted = wanted_contacts(env.m);
      int n = 0;
      if (pair.kind == collide_surface) {
        n = surface_contacts(env.m, env.d, pair, detect, wanted, found);
      } else if (pair.kind == collide_hfield && (fast >> l & 1u) != 0) {
        n = hfield_fast_convex(one, two, detect, found);
      } else {
        n = collide_shapes(pair.kind, one, two, detect, found, wanted);
      }
      put_contacts(env.hits, slot, found, n);
    }
  }
}

/// Fill the slots of all pairs of the environments of one V. The list of pairs must be visible to
/// all lanes; the slots are not, before the kernel ends.
template <class V>
SWEPT_FN void convex(const Group auto g, const Tile& t, int block, int lane0) {
  const PairsAt pairs = pairs_at<V>(t, block, lane0);
  for (int k = g.lane(); k < *pairs.singles; k += g.size()) {
    const int i = pairs.single[k], slot = pairs.slot(i);
    const GeomPair pair = pairs.at(i);
    const unsigned bits = pairs.mask[i], fast = pairs.fast(i);
    if constexpr (lanes_of < V >> 1) {
      if (number_of(bits) <= few_lanes) {
        for (int l = 0; l < lanes_of<V>; ++l) {
          if ((bits >> l & 1u) != 0) {
            collide_pair<real>(t, block, lane0 + l, pair, slot, 1u, fast >> l & 1u);
          }
        }
        continue;
      }
    }
    collide_pair<V>(t, block, lane0, pair, slot, bits, fast);
  }
}

}  // namespace swept::SWEPT_NS
