// SPDX-License-Identifier: Apache-2.0
// The comparison that all other tests lean on, in both precisions.
#include "support/near.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace swept::test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Near, TakesTheBarOfTheConfiguration) {
  const Tolerance tolerance{1e-12, 1e-5};
  EXPECT_TRUE(near(1.0 + 1e-13, 1.0, tolerance));
  EXPECT_EQ(bool(near(1.0 + 1e-6, 1.0, tolerance)), sizeof(SWEPT_REAL) == 4);
  EXPECT_FALSE(near(1.0 + 1e-4, 1.0, tolerance));
  EXPECT_FALSE(near(1.0 + 1e-6, 1.0, tolerance, Bar::f64));
}

TEST(Near, IsRelativeForLargeNumbersAndAbsoluteForSmallOnes) {
  EXPECT_TRUE(near(1e6 + 1e-3, 1e6, {1e-8, 1e-8}));
  EXPECT_FALSE(near(1e-3, 1e-6, {1e-8, 1e-8}));
}

TEST(Near, AcceptsNoNumberForANaNAndNoNaNForANumber) {
  EXPECT_FALSE(near(nan, 1.0, {1e9, 1e9}));
  EXPECT_FALSE(near(1.0, nan, {1e9, 1e9}));
  EXPECT_FALSE(near(inf, 1.0, {1e9, 1e9}));
  EXPECT_FALSE(near(inf, -inf, {1e9, 1e9}));
  EXPECT_TRUE(near(inf, inf, {0, 0}));
  EXPECT_TRUE(near(nan, nan, {0, 0}));
}

TEST(NearAll, NamesTheWorstEntry) {
  const std::vector<double> want{1, 2, 3};
  const std::vector<double> got{1, 2.5, 3.1};
  EXPECT_TRUE(near_all(want, want, {0, 0}));
  const testing::AssertionResult result = near_all(got, want, {1e-3, 1e-3});
  ASSERT_FALSE(result);
  EXPECT_NE(std::string(result.message()).find("at entry 1 of 3"), std::string::npos);
  EXPECT_FALSE(near_all(std::vector<double>{1, 2}, want, {1e9, 1e9}));
}

}  // namespace
}  // namespace swept::test
