// SPDX-License-Identifier: Apache-2.0
// Products that enter a sum are rounded first: the compiler makes no fma of its own, so a pack of
// environments has the bits of its environments one at a time. Compiled with -O2, where a compiler
// that may contract does.
#include <gtest/gtest.h>

#include "kernels/base/lanes_alike.h"

namespace swept::SWEPT_NS::test {
namespace {

TEST(Contraction, PacksHaveTheBitsOfTheirLanes) {
  expect_lanes_alike("a b - c d", [](auto a, auto b, auto c, auto d) { return a * b - c * d; });
  expect_lanes_alike("a b + c", [](auto a, auto b, auto c, auto) { return a * b + c; });
  expect_lanes_alike("cross product", [](auto a, auto b, auto c, auto d) {
    return (a * b - c * d) * a + (b * c - a * d) * d;
  });
  expect_lanes_alike("polynomial",
                     [](auto a, auto b, auto c, auto d) { return ((a * b + c) * b + d) * b - a; });
}

TEST(Contraction, AProductThatIsSubtractedFromItselfLeavesNothing) {
  // a b - b a is zero with two roundings, and the rounding error of the product with one
  Arguments arguments(2);
  int errors = 0;
  for (int round = 0; round < rounds; ++round) {
    volatile real a = arguments.between(-10, 10);
    volatile real b = arguments.between(-10, 10);
    // read twice, or the compiler takes both products for one
    const real x = a, y = b, u = b, v = a;
    ASSERT_EQ(x * y - u * v, 0);
    ASSERT_TRUE(all_of(pack(x) * pack(y) - pack(u) * pack(v) == pack(0)));
    errors += fma(x, y, -(x * y)) != 0;
  }
  // the test would see a contraction: products do have errors
  EXPECT_GT(errors, rounds / 2);
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
