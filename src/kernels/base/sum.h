// SPDX-License-Identifier: Apache-2.0
// Sums over the elements of a vector, in an order that does not depend on the width of a pack, so
// that all CPU instruction sets give the same bits.
//
// On the CPU the order is that of a pack of 64 bytes, L lanes: element i is added to lane i mod L,
// in the order of i, and then the upper half of the lanes is added to the lower half until one is
// left. Packs of half that size keep two running packs, for even and for odd strips of W elements;
// adding them is the first fold. A strip of zeros may be left out: a running sum begins with +0 and
// never becomes -0, so zeros of either sign change nothing.
//
// On CUDA a pack is one element and a lane adds its own elements in order.
#pragma once

#include <utility>

#include "kernels/base/group.h"
#include "kernels/base/pack.h"

namespace swept::SWEPT_NS {

/// Elements that a pack holds when it takes neighbours of one vector.
constexpr int step_of_pack = lanes_of<pack>;

#ifndef SWEPT_PACKS

constexpr int sum_parts = 1;

SWEPT_FN real fold(real x) {
  return x;
}

#else

/// Running packs of a sum.
constexpr int sum_parts = 64 / static_cast<int>(sizeof(pack));

template <int N>
using Lanes [[gnu::vector_size(N * sizeof(real))]] = real;

/// Sum of the lanes, the upper half added to the lower half until one is left.
template <int N>
SWEPT_FN real fold_lanes(Lanes<N> x) {
  if constexpr (N == 2) {
    return x[0] + x[1];
  } else {
    const auto half = [&]<int... k>(std::integer_sequence<int, k...>) {
      return fold_lanes<N / 2>(__builtin_shufflevector(x, x, k...) +
                               __builtin_shufflevector(x, x, (k + N / 2)...));
    };
    return half(std::make_integer_sequence<int, N / 2>());
  }
}
SWEPT_FN real fold(pack x) {
  return fold_lanes<W>(static_cast<Lanes<W>>(x));
}

#endif

/// A running sum over a lane's strips of a vector, which go to its parts in turn.
struct Sum {
  pack part[sum_parts];

  SWEPT_FN Sum() {
    for (pack& p : part) {
      p = pack(0);
    }
  }
  template <int PART>
  SWEPT_FN void add(pack x) {
    part[PART] += x;
  }
  SWEPT_FN real total() const {
    if constexpr (sum_parts == 1) {
      return fold(part[0]);
    } else {
      return fold(part[0] + part[sum_parts - 1]);
    }
  }
};

/// Call f.template operator()<PART>(i) for this lane's strips of a vector of n elements, n padded
/// to whole packs; i is the first element of the strip. The strips are those of the usual loop,
/// every size()-th from lane() on. Cooperative without a sync.
template <class F>
SWEPT_FN void for_strips(const Group auto g, int n, const F& f) {
  const int next = step_of_pack * g.size();
  for (int i = step_of_pack * g.lane(); i < n; i += sum_parts * next) {
    f.template operator()<0>(i);
    if constexpr (sum_parts == 2) {
      if (i + next < n) {
        f.template operator()<1>(i + next);
      }
    }
  }
}

}  // namespace swept::SWEPT_NS
