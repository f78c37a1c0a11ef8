// SPDX-License-Identifier: Apache-2.0
// Cholesky's factor of I + B on packs, B a lower triangle with row(i) its row i.
#pragma once

#include "kernels/solve/newton/slots.h"

namespace swept::SWEPT_NS {

/// Factor n rows in place, four at a time; the diagonal stands only as its inverse.
template <class V, class Row>
SWEPT_FN void factor_shifted(int n, const Row& row, Slice<V> inverse) {
  each_four<V>(n, row, [&](int a, int r, const Slice<V>(&rows)[4]) {
    for (int b = 0; b < a + r; ++b) {
      V sums[4];
      inner_products(r, rows, row(b), b, sums);
      if (b >= a) {
        const V pivot = V(1_r) + V(rows[b - a](b)) - sums[b - a];
        // at least 1 but for rounding
        inverse(b) = V(1_r) / sqrt(max(pivot, V(0.5_r)));
      }
      for (int k = b >= a ? b - a + 1 : 0; k < r; ++k) {
        rows[k](b) = (V(rows[k](b)) - sums[k]) * V(inverse(b));
      }
    }
  });
}

/// y = (I + B)^-1 y with the factor.
template <class V, class Row>
SWEPT_FN void solve_shifted(int n, const Row& row, Slice<V> inverse, Slice<V> y) {
  for (int a = 0; a < n; ++a) {
    const Slice<V> factor = row(a);
    V sum = y(a);
    for (int b = 0; b < a; ++b) {
      sum = fma(-V(factor(b)), V(y(b)), sum);
    }
    y(a) = sum * V(inverse(a));
  }
  for (int a = n - 1; a >= 0; --a) {
    const Slice<V> factor = row(a);
    const V x = V(y(a)) * V(inverse(a));
    y(a) = x;
    for (int b = 0; b < a; ++b) {
      y(b) = fma(-V(factor(b)), x, V(y(b)));
    }
  }
}

}  // namespace swept::SWEPT_NS
