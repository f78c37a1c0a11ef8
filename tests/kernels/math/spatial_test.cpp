// SPDX-License-Identifier: Apache-2.0
// Laws of spatial vectors on random inputs: duality, momentum of a rigid body, additivity.
#include "kernels/math/spatial.h"

#include <gtest/gtest.h>

#include <random>

#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using swept::test::near;
using swept::test::Tolerance;

// sums of ten products of order one to ten
const Tolerance few{5e-14, 3e-5};
constexpr int cases = 5000;

class Random {
 public:
  real normal() { return static_cast<real>(std::normal_distribution<double>()(engine_)); }
  Vec3<real> vector() { return {normal(), normal(), normal()}; }
  Motion<real> motion() { return {vector(), vector()}; }
  Force<real> force() { return {vector(), vector()}; }
  Mat3<real> axes() {
    return matrix(normalize(Quat<real>{normal(), normal(), normal(), normal()}));
  }

 private:
  std::mt19937_64 engine_{2};
};

testing::AssertionResult same(Vec3<real> a, Vec3<real> b) {
  const Vec3<real> difference = a - b;
  return near(static_cast<double>(norm(difference) / (1 + norm(b))), 0, few);
}

TEST(Spatial, FusedProductsAreThePlainOnes) {
  Random random;
  for (int i = 0; i < cases; ++i) {
    const Vec3<real> a = random.vector(), b = random.vector(), c = random.vector();
    EXPECT_TRUE(near(static_cast<double>(fdot(a, b)), static_cast<double>(dot(a, b)), few));
    EXPECT_TRUE(same(fcross(a, b), cross(a, b)));
    EXPECT_TRUE(same(cross_add(a, b, c), c + cross(a, b)));
    EXPECT_TRUE(same(add_scaled(a, b, c.x), a + b * c.x));
  }
}

// (v x a) . f + a . (v x* f) = 0
TEST(Spatial, MotionAndForceTurnTogether) {
  Random random;
  const Force<real> zero = {zero3<real>(), zero3<real>()};
  for (int i = 0; i < cases; ++i) {
    const Motion<real> v = random.motion(), a = random.motion();
    const Force<real> f = random.force();
    EXPECT_TRUE(near(static_cast<double>(dot(cross(v, a), f)),
                     static_cast<double>(-dot(a, cross_add(v, f, zero))), few));
  }
}

TEST(Spatial, MomentumIsThatOfARigidBody) {
  Random random;
  for (int i = 0; i < cases; ++i) {
    const Mat3<real> axes = random.axes();
    const Vec3<real> moments = {1.5_r, 0.7_r, 1.1_r}, centre = random.vector();
    const real mass = 2.5_r;
    const Motion<real> v = random.motion();
    // velocity of the centre of mass, and momenta about it
    const Vec3<real> velocity = v.v + cross(v.w, centre), local = transpose_mul(axes, v.w);
    const Vec3<real> momentum = velocity * mass,
                     spin = axes * Vec3<real>{moments.x * local.x, moments.y * local.y,
                                              moments.z * local.z};
    const Force<real> got = body_inertia(axes, moments, mass, centre) * v;
    EXPECT_TRUE(same(got.f, momentum));
    EXPECT_TRUE(same(got.t, spin + cross(centre, momentum)));
  }
}

TEST(Spatial, InertiasAddUp) {
  Random random;
  for (int i = 0; i < cases; ++i) {
    const Inertia<real> a = body_inertia(random.axes(), {1, 2, 2.5_r}, 3_r, random.vector());
    const Inertia<real> b = body_inertia(random.axes(), {2, 1, 1.5_r}, 1_r, random.vector());
    const Motion<real> v = random.motion();
    const Force<real> sum = (a + b) * v, parts = a * v + b * v;
    EXPECT_TRUE(same(sum.f, parts.f));
    EXPECT_TRUE(same(sum.t, parts.t));
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS
