// SPDX-License-Identifier: Apache-2.0
// Lane masks as bits, and which lanes of a block are simulated.
#pragma once

#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// Bit l is lane l of the mask.
template <class V>
SWEPT_FN unsigned to_bits(mask_t<V> m) {
  unsigned bits = 0;
  for (int l = 0; l < lanes_of<V>; ++l) {
    bits |= static_cast<unsigned>(lane(m, l)) << l;
  }
  return bits;
}

/// The mask whose lane l is bit l.
template <class V>
SWEPT_FN mask_t<V> from_bits(unsigned bits) {
  alignas(64) real set[lanes_of<V>];
  for (int l = 0; l < lanes_of<V>; ++l) {
    set[l] = static_cast<real>(static_cast<int>((bits >> l) & 1u));
  }
  return load<V>(set) > V(0_r);
}

/// Lanes that hold an environment which is not frozen.
template <class V>
SWEPT_FN mask_t<V> live_lanes(const Tile& t, int block, int lane) {
  unsigned bits = 0;
  for (int l = 0; l < lanes_of<V>; ++l) {
    const int env = block * W + lane + l;
    const bool live = env < t.nenv && t.frozen[env] == status_ok;
    bits |= static_cast<unsigned>(live) << l;
  }
  return from_bits<V>(bits);
}

}  // namespace swept::SWEPT_NS
