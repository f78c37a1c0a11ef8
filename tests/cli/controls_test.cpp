// SPDX-License-Identifier: Apache-2.0
// Random controls: uniform, in range, and a function of (seed, environment, step) alone.
#include "bench/controls.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace swept::bench {
namespace {

// two actuators, the first limited to [-2, 3]
Model two_actuators() {
  Model model;
  model.nu = 2;
  model.actuator_ctrllimited = {1, 0};
  model.actuator_ctrlrange = {-2, 3, 0, 0};
  return model;
}

std::vector<double> filled(const Controls& controls, std::int64_t step, int nenv, int threads) {
  std::vector<double> ctrl(static_cast<std::size_t>(2 * nenv));
  controls.fill(step, nenv, ctrl.data(), 2, threads);
  return ctrl;
}

TEST(Controls, UniformNumbersHaveTheMomentsOfTheUniformDistribution) {
  const int n = 200000;
  double sum = 0, square = 0, product = 0, last = 0.5;
  for (int i = 0; i < n; ++i) {
    const double u =
        uniform(1, static_cast<std::uint64_t>(i / 1000), static_cast<std::uint64_t>(i % 1000 / 10),
                static_cast<std::uint64_t>(i % 10));
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    square += u * u;
    product += (u - 0.5) * (last - 0.5);
    last = u;
  }
  // five standard deviations of each mean
  EXPECT_NEAR(sum / n, 0.5, 5 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(square / n, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / n));
  EXPECT_NEAR(product / n, 0, 5 * 1.0 / 12 / std::sqrt(n));
}

TEST(Controls, EachCoordinateMatters) {
  const double u = uniform(1, 2, 3, 4);
  EXPECT_EQ(u, uniform(1, 2, 3, 4));
  EXPECT_NE(u, uniform(2, 2, 3, 4));
  EXPECT_NE(u, uniform(1, 3, 3, 4));
  EXPECT_NE(u, uniform(1, 2, 4, 4));
  EXPECT_NE(u, uniform(1, 2, 3, 5));
  EXPECT_NE(uniform(1, 2, 3, 4), uniform(1, 3, 2, 4));
}

TEST(Controls, RandomOnesStayInTheirRangesAndFillThem) {
  const auto controls = random_controls(two_actuators(), 5, 1);
  const std::vector<double> ctrl = filled(*controls, 0, 10000, 0);
  double low[2] = {9, 9}, high[2] = {-9, -9};
  for (std::size_t i = 0; i < ctrl.size(); ++i) {
    low[i % 2] = std::min(low[i % 2], ctrl[i]);
    high[i % 2] = std::max(high[i % 2], ctrl[i]);
  }
  // of 10000 numbers the extremes are within a thousandth of the range with probability 1 - 5e-5
  EXPECT_GE(low[0], -2);
  EXPECT_LT(low[0], -2 + 5e-3);
  EXPECT_LE(high[0], 3);
  EXPECT_GT(high[0], 3 - 5e-3);
  EXPECT_GE(low[1], -1);
  EXPECT_LT(low[1], -1 + 2e-3);
  EXPECT_LE(high[1], 1);
  EXPECT_GT(high[1], 1 - 2e-3);
}

TEST(Controls, DoNotDependOnThreadsOrOnTheNumberOfEnvironments) {
  const auto controls = random_controls(two_actuators(), 5, 3);
  const std::vector<double> one = filled(*controls, 12, 5000, 1);
  EXPECT_EQ(one, filled(*controls, 12, 5000, 4));
  const std::vector<double> few = filled(*controls, 12, 100, 1);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), one.begin()));
}

TEST(Controls, AreHeldForSomeSteps) {
  const auto controls = random_controls(two_actuators(), 5, 4);
  EXPECT_EQ(controls->unchanged_for(0), 4);
  EXPECT_EQ(controls->unchanged_for(3), 1);
  EXPECT_EQ(controls->unchanged_for(4), 4);
  EXPECT_EQ(filled(*controls, 4, 10, 1), filled(*controls, 7, 10, 1));
  EXPECT_NE(filled(*controls, 3, 10, 1), filled(*controls, 4, 10, 1));
}

TEST(Controls, BothPrecisionsGetTheSameNumbers) {
  const auto controls = random_controls(two_actuators(), 5, 1);
  const std::vector<double> wide = filled(*controls, 2, 300, 2);
  std::vector<float> narrow(600);
  controls->fill(2, 300, narrow.data(), 2, 2);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    ASSERT_EQ(narrow[i], static_cast<float>(wide[i]));
  }
}

TEST(Controls, StayWithinTheStride) {
  const auto controls = zero_controls(two_actuators());
  std::vector<double> rows(5 * 7, 9.0);
  controls->fill(0, 7, rows.data(), 5, 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i], i % 5 < 2 ? 0.0 : 9.0);
  }
  EXPECT_EQ(controls->unchanged_for(0), std::numeric_limits<std::int64_t>::max());
}

}  // namespace
}  // namespace swept::bench
