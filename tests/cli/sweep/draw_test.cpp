// SPDX-License-Identifier: Apache-2.0
// Random numbers, the Sobol sequence and quantiles: the laws that they are made for.
#include "tools/swept/sweep/draw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

namespace swept::cli {
namespace {

// the part of [0, 1) in which a number is, of so many
int part_of(double number, int parts) {
  return static_cast<int>(number * parts);
}

TEST(Sobol, HasOneSampleInEveryPartOfEveryAxis) {
  for (const std::uint64_t seed : {0u, 1u, 77u}) {
    for (int dimension = 0; dimension < sobol_dimensions; ++dimension) {
      for (const int count : {2, 64, 1024}) {
        for (const int block : {0, 1, 5}) {  // from any multiple of the count on
          std::set<int> parts;
          for (int i = 0; i < count; ++i) {
            const auto sample = static_cast<std::uint64_t>(block * count + i);
            const double number = sobol_number(seed, sample, dimension);
            ASSERT_GT(number, 0);
            ASSERT_LT(number, 1);
            parts.insert(part_of(number, count));
          }
          ASSERT_EQ(parts.size(), static_cast<std::size_t>(count))
              << "dimension " << dimension << ", seed " << seed;
        }
      }
    }
  }
}

TEST(Sobol, HasOneSampleInEveryBoxOfTheFirstTwoDimensions) {
  constexpr int power = 8, count = 1 << power;
  for (int wide = 0; wide <= power; ++wide) {
    const int columns = 1 << wide, rows = count / columns;
    std::set<int> boxes;
    for (int i = 0; i < count; ++i) {
      const auto sample = static_cast<std::uint64_t>(i);
      boxes.insert(part_of(sobol_number(3, sample, 0), columns) * rows +
                   part_of(sobol_number(3, sample, 1), rows));
    }
    EXPECT_EQ(boxes.size(), static_cast<std::size_t>(count)) << columns << " columns";
  }
}

TEST(Sobol, NoTwoDimensionsGoTogether) {
  // the mean of a product of centred numbers is 0 with an error of about 1 / count; a dimension
  // with itself gives 1/12
  constexpr int count = 4096;
  for (int a = 0; a < sobol_dimensions; ++a) {
    for (int b = 0; b < a; ++b) {
      double sum = 0;
      for (int i = 0; i < count; ++i) {
        const auto sample = static_cast<std::uint64_t>(i);
        sum += (sobol_number(1, sample, a) - 0.5) * (sobol_number(1, sample, b) - 0.5);
      }
      EXPECT_LT(std::abs(sum / count), 0.003) << a << ", " << b;
    }
  }
}

TEST(Sobol, IntegratesMuchBetterThanRandomNumbers) {
  // integral of the product of (pi/2) sin(pi x) over six dimensions is 1
  constexpr int count = 4096, dimensions = 6;
  double sobol = 0, random = 0;
  for (int i = 0; i < count; ++i) {
    const auto sample = static_cast<std::uint64_t>(i);
    double a = 1, b = 1;
    for (int d = 0; d < dimensions; ++d) {
      a *= std::numbers::pi / 2 * std::sin(std::numbers::pi * sobol_number(5, sample, d));
      b *= std::numbers::pi / 2 *
           std::sin(std::numbers::pi * random_number(5, sample, static_cast<std::uint64_t>(d)));
    }
    sobol += a / count;
    random += b / count;
  }
  EXPECT_NEAR(random, 1, 0.1);   // the deviation is 0.02
  EXPECT_NEAR(sobol, 1, 0.004);  // 0.001 seen
}

TEST(Sobol, SeedsGiveOtherNumbers) {
  EXPECT_NE(sobol_number(1, 0, 0), sobol_number(2, 0, 0));
  EXPECT_NE(random_number(1, 0, 0), random_number(2, 0, 0));
  EXPECT_EQ(sobol_number(1, 9, 3), sobol_number(1, 9, 3));
}

TEST(Random, IsUniformAndInside) {
  constexpr int count = 100000;
  double sum = 0, squares = 0;
  for (int i = 0; i < count; ++i) {
    const double number = random_number(4, static_cast<std::uint64_t>(i), 2);
    ASSERT_GT(number, 0);
    ASSERT_LT(number, 1);
    sum += number;
    squares += number * number;
  }
  // deviations of the means: 0.0009 and 0.0009
  EXPECT_NEAR(sum / count, 0.5, 0.005);
  EXPECT_NEAR(squares / count, 1.0 / 3, 0.005);
}

TEST(Normal, TheQuantileIsTheInverseOfTheDistribution) {
  for (double x = -8; x <= 6; x += 0.037) {
    const double p = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    // above 0 the rounding of p, 1e-16, is divided by the density
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    const double rounding = x > 0 ? 1e-15 / density : 0;
    EXPECT_NEAR(normal_quantile(p), x, 1e-13 * (1 + std::abs(x)) + rounding) << x;
  }
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_EQ(normal_quantile(0.25), -normal_quantile(0.75));
  EXPECT_LT(normal_quantile(1e-300), -37);
}

}  // namespace
}  // namespace swept::cli
