// SPDX-License-Identifier: Apache-2.0
// Laws of rotation vectors and quaternions on random inputs, and the degenerate ones.
#include "kernels/math/quaternion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using swept::test::near;
using swept::test::Tolerance;

// a few roundings of numbers up to pi
const Tolerance few{4e-15, 2e-6};
constexpr int cases = 5000;

class Random {
 public:
  real uniform(double lower, double upper) {
    return static_cast<real>(std::uniform_real_distribution<double>(lower, upper)(engine_));
  }
  real normal() { return static_cast<real>(std::normal_distribution<double>()(engine_)); }
  Vec3<real> vector() { return {normal(), normal(), normal()}; }
  Quat<real> rotation() { return normalize(Quat<real>{normal(), normal(), normal(), normal()}); }

 private:
  std::mt19937_64 engine_{1};
};

testing::AssertionResult same(Vec3<real> a, Vec3<real> b, Tolerance tolerance) {
  for (const auto& [x, y] : {std::pair{a.x, b.x}, std::pair{a.y, b.y}, std::pair{a.z, b.z}}) {
    if (const auto result = near(static_cast<double>(x), static_cast<double>(y), tolerance);
        !result) {
      return result;
    }
  }
  return testing::AssertionSuccess();
}

// equal as rotations: a quaternion and its negative are one
testing::AssertionResult same_rotation(Quat<real> a, Quat<real> b, Tolerance tolerance) {
  const real inner = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
  return near(static_cast<double>(abs(inner)), 1, tolerance);
}

TEST(Quaternion, LogarithmInvertsTheExponential) {
  Random random;
  for (int i = 0; i < cases; ++i) {
    const Vec3<real> u = normalize(random.vector()) * random.uniform(0, 3.14);
    EXPECT_TRUE(same(quat_to_vel(rotvec_to_quat(u)), u, few));
  }
}

TEST(Quaternion, LogarithmTakesTheShortWay) {
  Random random;
  for (int i = 0; i < cases; ++i) {
    const Quat<real> q = random.rotation();
    const Vec3<real> u = quat_to_vel(q);
    EXPECT_LE(norm(u), 3.1415930_r);
    EXPECT_TRUE(same_rotation(rotvec_to_quat(u), q, few));
  }
}

TEST(Quaternion, ZeroAngleIsTheIdentity) {
  const Quat<real> q = axis_angle_to_quat(Vec3<real>{0, 0, 1}, 0_r);
  EXPECT_EQ(q.w, 1);
  EXPECT_EQ(q.x, 0);
  EXPECT_EQ(q.y, 0);
  EXPECT_EQ(q.z, 0);
  const Quat<real> none = rotvec_to_quat(Vec3<real>{0, 0, 0});
  EXPECT_EQ(none.w, 1);
  for (const real sign : {1_r, -1_r}) {
    EXPECT_EQ(norm(quat_to_vel(Quat<real>{sign, 0, 0, 0})), 0) << sign;
  }
}

TEST(Quaternion, DifferenceIsInTheFrameOfTheSecond) {
  Random random;
  for (int i = 0; i < cases; ++i) {
    const Quat<real> b = random.rotation();
    const Vec3<real> u = normalize(random.vector()) * random.uniform(0, 3.1);
    EXPECT_TRUE(same(sub_quat(b * rotvec_to_quat(u), b), u, few));
  }
}

TEST(Quaternion, IntegrationTurnsInTheLocalFrame) {
  Random random;
  for (int i = 0; i < cases; ++i) {
    const Quat<real> q = random.rotation();
    const Vec3<real> w = random.vector();
    const real h = random.uniform(0, 0.5), size = random.uniform(0.5, 2);
    const Quat<real> longer = {q.w * size, q.x * size, q.y * size, q.z * size};
    EXPECT_TRUE(same(sub_quat(quat_integrate(longer, w, h), q), w * h, few));
  }
  const Quat<real> still =
      quat_integrate(Quat<real>{0.6_r, 0.8_r, 0, 0}, Vec3<real>{0, 0, 0}, 0.1_r);
  EXPECT_TRUE(same_rotation(still, Quat<real>{0.6_r, 0.8_r, 0, 0}, few));
}

// exp(u + e u') = exp(u) exp(e w): the rate of u by central differences
TEST(Quaternion, RateOfTheRotationVectorBelongsToTheAngularVelocity) {
  Random random;
  for (int i = 0; i < cases; ++i) {
    const Vec3<real> u = normalize(random.vector()) * random.uniform(0, i % 2 == 0 ? 0.3 : 3),
                     w = random.vector();
    const Vec3<real> rate = rotvec_velocity(u, w);
    const real e = sizeof(real) == 4 ? 1e-2_r : 1e-4_r;
    const Vec3<real> difference =
        sub_quat(rotvec_to_quat(u + rate * e), rotvec_to_quat(u - rate * e)) * (0.5_r / e);
    const Quat<real> back = rotvec_to_quat(u);
    // the difference is in the frame at u - e u', which is w's but for terms of e
    const Vec3<real> turned = rotate(rotvec_to_quat(w * -e), difference);
    EXPECT_TRUE(same(turned, w, {1e-6, 1e-2})) << norm(u) << " " << back.w;
  }
  // the series and the formula meet
  const Vec3<real> below = {0.0999_r, 0, 0}, above = {0.1001_r, 0, 0}, w = {0, 1, 0};
  EXPECT_TRUE(same(rotvec_velocity(below, w), rotvec_velocity(above, w), {2e-4, 2e-4}));
  EXPECT_TRUE(same(rotvec_velocity(Vec3<real>{0, 0, 0}, w), w, {0, 0}));
}

TEST(Quaternion, GivesTheBitsOfPacks) {
  Random random;
  for (int i = 0; i < 300; ++i) {
    Vec3<pack> u, w;
    for (std::size_t l = 0; l < static_cast<std::size_t>(W); ++l) {
      const Vec3<real> a = random.vector() * random.uniform(0, 2), b = random.vector();
      u.x[l] = a.x, u.y[l] = a.y, u.z[l] = a.z;
      w.x[l] = b.x, w.y[l] = b.y, w.z[l] = b.z;
    }
    const Vec3<pack> rate = rotvec_velocity(u, w), back = quat_to_vel(rotvec_to_quat(u));
    for (int l = 0; l < W; ++l) {
      const Vec3<real> a = {lane(u.x, l), lane(u.y, l), lane(u.z, l)},
                       b = {lane(w.x, l), lane(w.y, l), lane(w.z, l)};
      const Vec3<real> one = rotvec_velocity(a, b), other = quat_to_vel(rotvec_to_quat(a));
      EXPECT_EQ(lane(rate.x, l), one.x);
      EXPECT_EQ(lane(rate.y, l), one.y);
      EXPECT_EQ(lane(back.z, l), other.z);
    }
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS
