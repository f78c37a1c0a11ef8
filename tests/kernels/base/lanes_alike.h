// SPDX-License-Identifier: Apache-2.0
// Compares an expression on packs with the same expression lane by lane, bit for bit.
#pragma once

#include <gtest/gtest.h>

#include "kernels/math/ulp.h"

namespace swept::SWEPT_NS::test {

/// Packs of random arguments per expression.
constexpr int rounds = 20'000;

/// W numbers of any kind: ordinary ones, all exponents, infinities, NaN, signed zeros.
struct Lanes {
  alignas(64) real x[W];

  explicit Lanes(Arguments* arguments) {
    for (int l = 0; l < W; ++l) {
      const int kind = static_cast<int>(std::abs(arguments->between(0, 8)));
      x[l] = kind == 0   ? arguments->any()
             : kind == 1 ? real(arguments->between(-1, 1) < 0 ? -0.0 : 0.0)
             : kind == 2 ? real(arguments->between(-1, 1) < 0 ? -infinity : quiet_nan)
                         : arguments->between(-10, 10);
    }
  }
  pack all() const { return load<pack>(x); }
};

/// Check f on W lanes at once against f lane by lane, over random arguments.
template <class F>
void expect_lanes_alike(const char* name, const F& f) {
  Arguments arguments(1);
  for (int round = 0; round < rounds; ++round) {
    const Lanes a(&arguments), b(&arguments), c(&arguments), d(&arguments);
    const pack together = f(a.all(), b.all(), c.all(), d.all());
    for (int l = 0; l < W; ++l) {
      const real alone = f(a.x[l], b.x[l], c.x[l], d.x[l]);
      ASSERT_TRUE(same(lane(together, l), alone))
          << name << " of " << a.x[l] << ", " << b.x[l] << ", " << c.x[l] << ", " << d.x[l] << ": "
          << lane(together, l) << " in a pack, " << alone << " alone";
    }
  }
}

}  // namespace swept::SWEPT_NS::test
