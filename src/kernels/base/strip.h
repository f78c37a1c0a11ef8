// SPDX-License-Identifier: Apache-2.0
// A strip: eight neighbouring elements of one vector, the unit in which the solver keeps rows of J.
//
// It has the same length whatever the precision and the instruction set, so that a row's products
// are summed in the same order everywhere: element by element into the eight lanes of a running
// strip, then the upper half of the lanes onto the lower one until one is left. Eight is what a free
// body's six dofs fit into; longer strips would be mostly zeros in a pile, and half as long ones no
// vector of 64-bit numbers.
//
// On CUDA a strip is walked element by element, and a running sum is one number.
#pragma once

#include <swept/types.h>

#include "kernels/base/sum.h"

namespace swept::SWEPT_NS {

#ifndef SWEPT_PACKS

using Strip = real;
constexpr int step_of_strip = 1;
constexpr int strip_parts = 1;

SWEPT_FN Strip load_strip(const real* p) {
  return element(p);
}
SWEPT_FN void store_strip(real* p, Strip x) {
  element(p) = x;
}
SWEPT_FN real fold_strip(Strip x) {
  return x;
}

#else

/// Elements that one Strip holds: all eight, where the instruction set has a vector of so many.
constexpr int step_of_strip = W < strip_size ? W : strip_size;
/// Strips that a running sum takes.
constexpr int strip_parts = strip_size / step_of_strip;

/// Neighbouring elements, aligned to their size.
using Strip = Lanes<step_of_strip>;

[[gnu::always_inline]] SWEPT_FN Strip load_strip(const real* p) {
  Strip x;
  __builtin_memcpy(&x, __builtin_assume_aligned(p, sizeof(Strip)), sizeof(Strip));
  return x;
}
[[gnu::always_inline]] SWEPT_FN void store_strip(real* p, Strip x) {
  __builtin_memcpy(__builtin_assume_aligned(p, sizeof(Strip)), &x, sizeof(Strip));
}
SWEPT_FN real fold_strip(Strip x) {
  return fold_lanes<step_of_strip>(x);
}

#endif

/// A running sum over strips.
struct StripSum {
  Strip part[strip_parts] = {};

  /// Add the elements from the p-th of a strip on.
  [[gnu::always_inline]] SWEPT_FN void add(int p, Strip x) {
    part[p / step_of_strip % strip_parts] += x;
  }
  SWEPT_FN real total() const {
    if constexpr (strip_parts == 1) {
      return fold_strip(part[0]);
    } else {
      return fold_strip(part[0] + part[strip_parts - 1]);
    }
  }
};

}  // namespace swept::SWEPT_NS
