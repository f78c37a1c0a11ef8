// SPDX-License-Identifier: Apache-2.0
// Virtual masses of ellipsoids: closed forms, scaling and symmetry.
#include "host/compile/setconst/virtual_mass.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "support/near.h"

namespace swept::test {
namespace {

using compiler::virtual_mass;

const double pi = std::acos(-1.0);

// the quadrature's own error
const Tolerance quadrature{2e-6, 2e-6};

TEST(VirtualMass, ABallDragsHalfItsVolumeAndNothingWhereItTurns) {
  const std::array<double, 6> ball = virtual_mass({0.3, 0.3, 0.3});
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_TRUE(near(ball[k], 2.0 / 3 * pi * 0.027, quadrature));
    EXPECT_EQ(ball[3 + k], 0);
  }
}

// Lamb's closed form for a prolate spheroid that moves along its axis
TEST(VirtualMass, ASpheroidDragsWhatLambsFormulaSays) {
  for (const double ratio : {1.1, 1.5, 2.0, 5.0}) {
    const double e = std::sqrt(1 - 1 / (ratio * ratio));
    const double alpha = 2 * (1 - e * e) / (e * e * e) * (0.5 * std::log((1 + e) / (1 - e)) - e);
    const double volume = 4.0 / 3 * pi * ratio;
    EXPECT_TRUE(near(virtual_mass({1, 1, ratio})[2], volume * alpha / (2 - alpha), quadrature))
        << ratio;
  }
}

TEST(VirtualMass, TurnsWithTheAxesAndScalesWithVolume) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> size(0.02, 0.5);
  for (int i = 0; i < 1000; ++i) {
    const std::array<double, 3> s = {size(random), size(random), size(random)};
    const std::array<double, 6> here = virtual_mass(s), turned = virtual_mass({s[1], s[2], s[0]}),
                                twice = virtual_mass({2 * s[0], 2 * s[1], 2 * s[2]});
    for (std::size_t k = 0; k < 3; ++k) {
      // roundings of the sums
      EXPECT_TRUE(near(turned[k], here[(k + 1) % 3], {1e-12, 1e-12}));
      EXPECT_TRUE(near(twice[k], 8 * here[k], {1e-12, 1e-12}));
      EXPECT_TRUE(near(twice[3 + k], 32 * here[3 + k], {1e-12, 1e-12}));
      EXPECT_GT(here[k], 0);
      EXPECT_GE(here[3 + k], 0);
    }
  }
}

}  // namespace
}  // namespace swept::test
