// SPDX-License-Identifier: Apache-2.0
// Laws of contact frames.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernels/math/frame.h"
#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using test::near;

// the frame comes from one normalization and two products
constexpr test::Tolerance bar = {4e-15, 1e-6};
// what is left of a tangent almost parallel to the normal is mostly rounding before it is made
// orthogonal once more
constexpr test::Tolerance parallel_bar = {1e-14, 2e-6};

void expect_right_handed(const Mat3<real>& f, test::Tolerance within) {
  const Vec3<real> x = {f.xx, f.xy, f.xz}, y = {f.yx, f.yy, f.yz}, z = {f.zx, f.zy, f.zz};
  for (const Vec3<real>& axis : {x, y, z}) {
    EXPECT_TRUE(near(norm(axis), 1, within));
  }
  EXPECT_TRUE(near(dot(x, y), 0, within));
  EXPECT_TRUE(near(dot(y, z), 0, within));
  EXPECT_TRUE(near(dot(z, x), 0, within));
  EXPECT_TRUE(near(dot(cross(x, y), z), 1, within));
}

class Frames : public testing::Test {
 protected:
  Vec3<real> direction() {
    std::normal_distribution<double> normal;
    const Vec3<real> v = {static_cast<real>(normal(random_)), static_cast<real>(normal(random_)),
                          static_cast<real>(normal(random_))};
    return normalize(v);
  }
  double logarithmic(double lo, double hi) {
    return std::pow(10.0, std::uniform_real_distribution<double>(lo, hi)(random_));
  }

  std::mt19937_64 random_{5};
};

TEST_F(Frames, AreOrthonormalAndRightHanded) {
  for (int i = 0; i < 10000; ++i) {
    const Vec3<real> n = direction();
    expect_right_handed(make_frame(n, zero3<real>()), bar);
    expect_right_handed(make_frame(n, direction()), bar);
  }
}

TEST_F(Frames, StayOrthonormalForTangentsCloseToTheNormal) {
  for (int i = 0; i < 10000; ++i) {
    const Vec3<real> n = direction();
    const Vec3<real> tangent = normalize(n + direction() * static_cast<real>(logarithmic(-9, 0)));
    expect_right_handed(make_frame(n, tangent), parallel_bar);
    expect_right_handed(make_frame(n, n), parallel_bar);
    expect_right_handed(make_frame(n, -n), parallel_bar);
  }
}

TEST_F(Frames, KeepTheNormalAndLeanTheTangentTowardsTheHint) {
  for (int i = 0; i < 1000; ++i) {
    const Vec3<real> n = direction(), tangent = direction();
    const Mat3<real> f = make_frame(n, tangent);
    EXPECT_EQ(f.xx, n.x);
    EXPECT_EQ(f.xy, n.y);
    EXPECT_EQ(f.xz, n.z);
    EXPECT_GE(dot(Vec3<real>{f.yx, f.yy, f.yz}, tangent), 0);
    EXPECT_TRUE(near(dot(Vec3<real>{f.zx, f.zy, f.zz}, tangent), 0, {1e-14, 1e-5}));
  }
}

TEST_F(Frames, ChooseTheAxisByTheNormal) {
  const Vec3<real> none = zero3<real>();
  const Mat3<real> up = make_frame(Vec3<real>{0, 0, 1}, none);
  EXPECT_EQ(up.yy, 1);
  EXPECT_EQ(up.zx, -1);
  const Mat3<real> side = make_frame(Vec3<real>{0, 1, 0}, none);
  EXPECT_EQ(side.yz, 1);
  EXPECT_EQ(side.zx, 1);
  // an upright capsule on the floor
  const Mat3<real> upright = make_frame(Vec3<real>{0, 0, 1}, Vec3<real>{0, 0, 1});
  EXPECT_EQ(upright.yx, 1);
  EXPECT_EQ(upright.zy, 1);
}

}  // namespace
}  // namespace swept::SWEPT_NS
