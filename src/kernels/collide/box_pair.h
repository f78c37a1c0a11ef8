// SPDX-License-Identifier: Apache-2.0
// Two boxes in the environments of one V: the axis of the contact for all of them at once, then the
// contacts of each on its own, for they are up to eight corners of a clipped polygon.
#pragma once

#include "kernels/collide/lanes.h"
#include "kernels/collide/slots.h"

namespace swept::SWEPT_NS {

/// A box, as the collider of boxes sees it.
SWEPT_FN Shape box_shape(const OneEnv& env, int geom) {
  return {
      geom_box,
      vec3(env.d.geom_xpos(3 * geom)),
      mat3(env.d.geom_xmat(9 * geom)),
      {env.m.geom_size(3 * geom), env.m.geom_size(3 * geom + 1), env.m.geom_size(3 * geom + 2)}};
}

/// Fill the slots of a pair of boxes in the lanes of `bits`.
template <class V>
SWEPT_FN void collide_box_pair(const Tile& t, int block, int lane0, const GeomPair& pair, int slot,
                               unsigned bits) {
  const ModelAt<V> m = t.model_at<V>(block, lane0);
  const DataAt<V> d = t.data_at<V>(block, lane0);
  const int g1 = pair.geom1, g2 = pair.geom2;
  const auto size = [&](int g) {
    return Vec3<V>{m.geom_size(3 * g), m.geom_size(3 * g + 1), m.geom_size(3 * g + 2)};
  };
  const BoxPair<V> both = box_pair(vec3(d.geom_xpos(3 * g1)), mat3(d.geom_xmat(9 * g1)), size(g1),
                                   vec3(d.geom_xpos(3 * g2)), mat3(d.geom_xmat(9 * g2)), size(g2));
  const BoxAxis<V> axis = box_axis(both, pair_reach(m, pair).detect);

  hits_at<V>(t, block, lane0).at(slot, HitsView::count) = V(0_r);
  const unsigned left = bits & ~to_bits<V>(axis.apart);
  alignas(64) real i[lanes_of<V>], j[lanes_of<V>];
  store(i, axis.i);
  store(j, axis.j);
  for (int l = 0; l < lanes_of<V>; ++l) {
    if ((left >> l & 1u) != 0) {
      const OneEnv env(t, block, lane0 + l);
      Witness found[8];
      const int n = box_contacts(box_shape(env, g1), box_shape(env, g2), static_cast<int>(i[l]),
                                 static_cast<int>(j[l]), pair_reach(env.m, pair).detect, found);
      put_contacts(env.hits, slot, found, n);
    }
  }
}

}  // namespace swept::SWEPT_NS
