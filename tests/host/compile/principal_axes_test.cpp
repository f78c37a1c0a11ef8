// SPDX-License-Identifier: Apache-2.0
#include "host/compile/principal_axes.h"

#include <gtest/gtest.h>

#include <random>

namespace swept::compiler {
namespace {

/// Round-off of a dozen 3x3 products.
constexpr double tolerance = 1e-13;

double largest_difference(const Mat3& a, const Mat3& b) {
  double worst = 0.0;
  for (std::size_t k = 0; k < 9; ++k) {
    worst = std::max(worst, std::fabs(a[k] - b[k]));
  }
  return worst;
}

TEST(PrincipalAxes, RebuildRandomTensors) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> scale(-6.0, 6.0);
  for (int trial = 0; trial < 20000; ++trial) {
    // moments of very different or equal size, along random axes
    const double s = std::pow(10.0, scale(random));
    Vec3 moments{std::fabs(normal(random)) * s, std::fabs(normal(random)) * s, 0.0};
    moments[2] = trial % 3 == 0 ? moments[0] : std::fabs(normal(random)) * s * 1e-5;
    const Quat axes = normalized({normal(random), normal(random), normal(random), normal(random)});
    const Mat3 tensor = inertia_about(axes, moments, 0.0, {});
    const PrincipalAxes found = principal_axes(tensor);
    const Mat3 rebuilt = inertia_about(found.quat, found.moments, 0.0, {});
    ASSERT_LE(largest_difference(tensor, rebuilt), tolerance * s * 5.0) << "trial " << trial;
    ASSERT_GE(found.moments[0], found.moments[1] - tolerance * s);
    ASSERT_GE(found.moments[1], found.moments[2] - tolerance * s);
  }
}

TEST(PrincipalAxes, KeepTheAxesOfADescendingDiagonal) {
  const PrincipalAxes found = principal_axes({3, 0, 0, 0, 2, 0, 0, 0, 1});
  EXPECT_EQ(found.quat, (Quat{1, 0, 0, 0}));
  EXPECT_EQ(found.moments, (Vec3{3, 2, 1}));
}

TEST(PrincipalAxes, LeaveEqualMomentsAlone) {
  const PrincipalAxes found = principal_axes({2, 0, 0, 0, 2, 0, 0, 0, 2});
  EXPECT_EQ(found.quat, (Quat{1, 0, 0, 0}));
}

TEST(PrincipalAxes, OfZeroAreTheIdentity) {
  EXPECT_EQ(principal_axes({}).quat, (Quat{1, 0, 0, 0}));
}

}  // namespace
}  // namespace swept::compiler
