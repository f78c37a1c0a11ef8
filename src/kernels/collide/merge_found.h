// SPDX-License-Identifier: Apache-2.0
// From the pairs that sweeps found in each environment to the list of a pack: every pair once, in
// the order of contacts, with the lanes that found it.
#pragma once

#include "kernels/collide/bounds.h"
#include "kernels/collide/lanes.h"
#include "kernels/collide/pair_list.h"
#include "kernels/collide/sweep.h"

namespace swept::SWEPT_NS {

/// Where a pair stands in the order of contacts: by bodies, then by the rest.
struct PairOrder {
  long long bodies, rest;

  SWEPT_FN bool before(const PairOrder& other) const {
    return bodies != other.bodies ? bodies < other.bodies : rest < other.rest;
  }
  SWEPT_FN bool same(const PairOrder& other) const {
    return bodies == other.bodies && rest == other.rest;
  }
};

/// The place of a record; after all others if there is none.
template <class V>
SWEPT_FN PairOrder order_of(const ModelAt<V>& m, const Record* r) {
  constexpr long long last = 0x7fffffffffffffffLL;
  if (r == nullptr) {
    return {last, last};
  }
  const long long body1 = m.geom_bodyid(r->a), body2 = m.geom_bodyid(high_geom(m, *r));
  // predefined pairs come first, in the order of their numbers
  return {body1 << 32 | body2, r->b < 0 ? -1LL - r->b : (r->a + 1LL) << 32 | r->b};
}

/// The lists of the environments of one V, each at its first pair that is not merged yet.
template <class V>
struct FoundLists {
  const Record* at[lanes_of<V>];
  int left[lanes_of<V>];
  PairOrder order[lanes_of<V>];

  SWEPT_FN void look(const ModelAt<V>& m, int l) {
    order[l] = order_of(m, left[l] > 0 ? at[l] : nullptr);
  }
  SWEPT_FN int first() const {
    int best = 0;
    for (int l = 1; l < lanes_of<V>; ++l) {
      best = order[l].before(order[best]) ? l : best;
    }
    return best;
  }
};

/// Which lanes of those that found a pair found it as one whose bounds touch, which as a fast one.
template <class V>
SWEPT_FN Meeting meeting_of(const ModelAt<V>& m, const DataAt<V>& d, const GeomPair& pair,
                            unsigned bits) {
  return {bits & to_bits<V>(bounds_touch(m, d, pair)), bits & to_bits<V>(may_meet(m, d, pair))};
}

/// List the pairs that were found in the environments of one V.
template <class V>
SWEPT_FN void merge_found(const Group auto g, const Tile& t, int block, int lane) {
  if (g.lane() != 0) {
    return;
  }
  const ModelAt<V> m = t.model_at<V>(block, lane);
  const DataAt<V> d = t.data_at<V>(block, lane);
  const PairsAt pairs = pairs_at<V>(t, block, lane);
  const bool sweeping = any_of(has_fast_geoms(m, d));
  FoundLists<V> lists;
  for (int l = 0; l < lanes_of<V>; ++l) {
    const int env = block * W + lane + l;
    lists.at[l] = found_at(t, env);
    lists.left[l] = env < t.nenv ? t.sweep.count[env] : 0;
    lists.look(m, l);
  }
  ListCount count;
  for (int l = lists.first(); lists.left[l] > 0; l = lists.first()) {
    const Record r = *lists.at[l];
    const PairOrder order = lists.order[l];
    unsigned bits = 0;
    for (int k = 0; k < lanes_of<V>; ++k) {
      if (lists.order[k].same(order)) {
        bits |= 1u << k;
        ++lists.at[k];
        --lists.left[k];
        lists.look(m, k);
      }
    }
    const GeomPair pair = ordered_pair(m, r.a, high_geom(m, r), r.b < 0 ? -1 - r.b : -1);
    const int slots = slots_of(m, pair);
    put_pair(pairs, count, pair, sweeping ? meeting_of(m, d, pair, bits) : Meeting{bits, 0}, slots);
    count = count.plus(ListCount::code(slots));
  }
  close_pairs(t, pairs, count);
}

}  // namespace swept::SWEPT_NS
