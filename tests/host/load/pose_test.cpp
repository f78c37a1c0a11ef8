// SPDX-License-Identifier: Apache-2.0
// Orientations and poses obey the laws of rotations, on thousands of random ones.
#include "host/load/pose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace swept::load_detail {
namespace {

// a handful of double operations on numbers of order one
constexpr double tolerance = 1e-13;

class PoseLaw : public testing::Test {
 protected:
  double number() { return uniform_(random_); }
  Vec3 vector() { return {number(), number(), number()}; }

  Quat quat() {
    std::string wrong;
    return resolve({Orientation::quat, {number(), number(), number(), number()}}, {}, &wrong);
  }

  static void expect_near(Vec3 a, Vec3 b) {
    for (std::size_t i = 0; i < 3; ++i) {
      ASSERT_NEAR(a[i], b[i], tolerance);
    }
  }

  std::mt19937_64 random_{11};
  std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
};

TEST_F(PoseLaw, RotationKeepsLengthsAndProductsActInTurn) {
  for (int i = 0; i < 2000; ++i) {
    const Quat a = quat();
    const Quat b = quat();
    const Vec3 v = vector();
    const Vec3 turned = rotate(a, v);
    ASSERT_NEAR(std::hypot(turned[0], turned[1], turned[2]), std::hypot(v[0], v[1], v[2]),
                tolerance);
    expect_near(rotate(multiply(a, b), v), rotate(a, rotate(b, v)));
  }
}

TEST_F(PoseLaw, ComposedPosesActInTurn) {
  for (int i = 0; i < 2000; ++i) {
    const Pose outer{vector(), quat()};
    const Pose inner{vector(), quat()};
    const Vec3 point = vector();
    const Pose both = compose(outer, inner);
    const Vec3 at_once = compose(both, {point, identity_quat}).pos;
    const Vec3 in_turn = compose(outer, {compose(inner, {point, identity_quat}).pos, {}}).pos;
    expect_near(at_once, in_turn);
  }
}

TEST_F(PoseLaw, ZaxisPointsWhereItSays) {
  for (int i = 0; i < 2000; ++i) {
    Vec3 axis = vector();
    std::string wrong;
    const Quat q = resolve({Orientation::zaxis, {axis[0], axis[1], axis[2]}}, {}, &wrong);
    normalize(&axis);
    expect_near(rotate(q, {0.0, 0.0, 1.0}), axis);
    // the smallest rotation turns about an axis in the xy plane
    ASSERT_NEAR(q[3], 0.0, tolerance);
  }
  std::string wrong;
  const Quat down = resolve({Orientation::zaxis, {0.0, 0.0, -2.0}}, {}, &wrong);
  expect_near(rotate(down, {0.0, 0.0, 1.0}), {0.0, 0.0, -1.0});
}

TEST_F(PoseLaw, XyaxesKeepXAndTheSideOfY) {
  for (int i = 0; i < 2000; ++i) {
    Vec3 x = vector();
    const Vec3 y = vector();
    std::string wrong;
    const Quat q = resolve({Orientation::xyaxes, {x[0], x[1], x[2], y[0], y[1], y[2]}}, {}, &wrong);
    normalize(&x);
    expect_near(rotate(q, {1.0, 0.0, 0.0}), x);
    const Vec3 turned = rotate(q, {0.0, 1.0, 0.0});
    ASSERT_GT(turned[0] * y[0] + turned[1] * y[1] + turned[2] * y[2], 0.0);
  }
}

TEST_F(PoseLaw, FixedAxesInOrderAreMovingAxesInReverse) {
  for (int i = 0; i < 2000; ++i) {
    const Vec3 angle = vector();
    std::string wrong;
    const Quat fixed =
        resolve({Orientation::euler, {angle[0], angle[1], angle[2]}}, {false, "XYZ"}, &wrong);
    const Quat moving =
        resolve({Orientation::euler, {angle[2], angle[1], angle[0]}}, {false, "zyx"}, &wrong);
    const Vec3 v = vector();
    expect_near(rotate(fixed, v), rotate(moving, v));
  }
}

TEST_F(PoseLaw, LowerCaseTurnsAboutMovingAxesAndUpperCaseAboutFixedOnes) {
  const Orientation quarter_turns{Orientation::euler, {90.0, 90.0, 0.0}};
  std::string wrong;
  const Vec3 z{0.0, 0.0, 1.0};
  expect_near(rotate(resolve(quarter_turns, {true, "xyz"}, &wrong), z), {1.0, 0.0, 0.0});
  expect_near(rotate(resolve(quarter_turns, {true, "XYZ"}, &wrong), z), {0.0, -1.0, 0.0});
}

TEST_F(PoseLaw, DegreesAndRadiansAgree) {
  for (int i = 0; i < 2000; ++i) {
    const Vec3 axis = vector();
    const double angle = 3.0 * number();
    std::string wrong;
    const Quat radians = resolve({Orientation::axisangle, {axis[0], axis[1], axis[2], angle}},
                                 {false, "xyz"}, &wrong);
    const Quat degrees = resolve(
        {Orientation::axisangle, {axis[0], axis[1], axis[2], angle * 180.0 / std::numbers::pi}},
        {true, "xyz"}, &wrong);
    for (std::size_t k = 0; k < 4; ++k) {
      ASSERT_NEAR(radians[k], degrees[k], tolerance);
    }
  }
}

TEST_F(PoseLaw, WhatHasNoDirectionIsReported) {
  const Orientation without[] = {
      {Orientation::quat, {}},
      {Orientation::axisangle, {0.0, 0.0, 0.0, 1.0}},
      {Orientation::zaxis, {}},
      {Orientation::xyaxes, {0.0, 0.0, 0.0, 1.0, 0.0, 0.0}},
      {Orientation::xyaxes, {1.0, 0.0, 0.0, 2.0, 0.0, 0.0}},
  };
  for (const Orientation& orientation : without) {
    std::string wrong;
    resolve(orientation, {}, &wrong);
    EXPECT_NE(wrong, "");
  }
}

}  // namespace
}  // namespace swept::load_detail
