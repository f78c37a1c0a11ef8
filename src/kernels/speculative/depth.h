// SPDX-License-Identifier: Apache-2.0
// How deep the discrete contacts of an environment are, over the thickness of their pairs (sweep.h):
// soft contacts sink in step by step, however slow they are, and what is deep already is through in
// less than its thickness.
//
//   depth    of a pair, [thickness]; less than `deep` counts as none, so that contacts which rest on
//            what is not thin change nothing
//   slow     a pair that travels less than 1 - depth of its thickness in a step
//
// A slow pair is at most 1 + deep of its thickness deep after the step. All others are guarded
// (guard.h), and get no deeper than three quarters of it, or than they are.
#pragma once

#include "kernels/base/tile.h"
#include "kernels/speculative/sweep.h"

namespace swept::SWEPT_NS {

/// Part of the thickness from which on a contact is deep.
constexpr real deep = 0.25_r;

/// The part of its thickness that a pair of this depth may travel and be slow.
template <class V>
SWEPT_FN V slow_part(V depth) {
  return select(depth < V(deep), V(1_r), max(V(1_r) - depth, V(0_r)));
}

/// The depth [thickness] of the deepest contact of one environment, speculative ones left out.
///   least   [m] contacts that are less deep are not looked at
SWEPT_FN real deepest_contact(const ModelAt<real>& m, const ContactsAt& contacts, real least) {
  real depth = 0_r;
  for (int c = 0; c < *contacts.ncon; ++c) {
    const real dist = contacts.dist(c);
    if (dist < -least && contacts.speculative(c) == 0) {
      const real thickness = pair_thickness(m, contacts.geom1(c), contacts.geom2(c));
      depth = max(depth, -dist / thickness);
    }
  }
  return depth;
}

/// slow_part of the deepest contacts of the environments of one V.
///   thinnest   [m] least_thickness of the model
template <class V>
SWEPT_FN V slow_part_of_all(const Tile& t, int block, int lane0, V thinnest) {
  const V least = V(deep) * thinnest;
  // the few that are deep, side by side
  int most = 0;
  for (int l = 0; l < lanes_of<V>; ++l) {
    const int ncon = *t.contacts_at(block * W + lane0 + l).ncon;
    most = ncon > most ? ncon : most;
  }
  const real* const first = t.contacts_at(block * W + lane0).reals;
  unsigned found = 0;
  for (int c = 0; c < most; ++c) {
    const V dist = load<V>(&element(
        first + (static_cast<long long>(c) * ContactLayout::nreal + ContactLayout::dist) * W));
    found |= to_bits<V>(dist < -least);
  }
  alignas(64) real part[lanes_of<V>];
  for (int l = 0; l < lanes_of<V>; ++l) {
    const int env = block * W + lane0 + l;
    part[l] = (found >> l & 1u) == 0
                  ? 1_r
                  : slow_part(deepest_contact(t.model_at<real>(block, lane0 + l),
                                              t.contacts_at(env), lane(least, l)));
  }
  return load<V>(part);
}

}  // namespace swept::SWEPT_NS
