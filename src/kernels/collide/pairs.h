// SPDX-License-Identifier: Apache-2.0
// The list of candidate pairs whose bounds touch: one list for all lanes that a value V holds.
//
//   CPU    V = pack   list = block            mask: bit l is lane l
//   CUDA   V = real   list = block * W + lane  mask: 1
#pragma once

#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// One list. Entry i is candidate pair[i], touching in the lanes mask[i].
struct PairsAt {
  List<int> pair;
  List<unsigned> mask;
  List<int> count;
  int capacity;
};

/// The list of the environments of one value V.
template <class V>
SWEPT_FN PairsAt pairs_at(const Tile& t, int block, int lane) {
  const int list = block * (W / lanes_of<V>)+lane;
  const long long entry = static_cast<long long>(list) * t.pairs.capacity;
  return {t.pairs.pair + entry, t.pairs.mask + entry, t.pairs.count + list, t.pairs.capacity};
}

}  // namespace swept::SWEPT_NS
