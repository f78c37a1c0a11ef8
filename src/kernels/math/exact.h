// SPDX-License-Identifier: Apache-2.0
// Numbers of twice the precision: a Twofold is the unevaluated sum hi + lo of two reals with |lo|
// at most half a unit in the last place of hi. The sums are Dekker's and Knuth's, the product takes
// its error from fma(); all are exact unless something over- or underflows.
#pragma once

#include "kernels/base/bits.h"

namespace swept::SWEPT_NS {

template <class V>
struct Twofold {
  V hi, lo;
};

/// a + b, exactly; |a| >= |b| or a = 0.
template <class V>
SWEPT_FN Twofold<V> fast_two_sum(V a, V b) {
  const V sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b, exactly.
template <class V>
SWEPT_FN Twofold<V> two_sum(V a, V b) {
  const V sum = a + b;
  const V b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

/// a b, exactly.
template <class V>
SWEPT_FN Twofold<V> two_product(V a, V b) {
  const V product = a * b;
  return {product, fma(a, b, -product)};
}

/// c0 + c1 x + c2 x^2 + ..., by Horner's rule.
template <class V>
SWEPT_FN V polynomial(V, real c) {
  return V(c);
}
template <class V, class... Rest>
SWEPT_FN V polynomial(V x, real c, Rest... rest) {
  return fma(polynomial(x, rest...), x, V(c));
}

}  // namespace swept::SWEPT_NS
