// SPDX-License-Identifier: Apache-2.0
// Motions between poses, and the bound on the speed of points.
#include "ccd/shapes.h"

#include <swept/error.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace swept::test {
namespace {

using ccd::Motion;
using ccd::Pose;
using ccd::Vector;

template <int D>
Vector<D> apply(const Pose<D>& pose, const Vector<D>& x) {
  Vector<D> y = pose.position;
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j < D; ++j) {
      y[i] += pose.rotation[i][j] * x[j];
    }
  }
  return y;
}

template <int D>
double distance(const Vector<D>& a, const Vector<D>& b) {
  double square = 0;
  for (int i = 0; i < D; ++i) {
    square += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return std::sqrt(square);
}

template <int D>
Vector<D> random_vector(Random& random, double size) {
  Vector<D> v;
  for (double& x : v) {
    x = uniform(random, -size, size);
  }
  return v;
}

template <int D>
void goes_from_the_first_pose_to_the_last(std::uint64_t seed) {
  Random random(seed);
  for (int i = 0; i < 2000; ++i) {
    const auto start = random_pose(random, random_vector<D>(random, 2));
    const auto end = random_pose(random, random_vector<D>(random, 2));
    const auto motion = Motion<D>::between(start, end);
    const auto x = random_vector<D>(random, 3);
    // a few ulps of coordinates of about 5
    EXPECT_LT(distance<D>(apply<D>(motion.at(0), x), apply<D>(start, x)), 1e-14);
    EXPECT_LT(distance<D>(apply<D>(motion.at(1), x), apply<D>(end, x)), 1e-14);
    EXPECT_LE(std::abs(motion.angle()), std::numbers::pi);
    // the distance to the origin stays, and the origin goes straight
    const double s = uniform(random, 0, 1);
    const auto there = motion.at(s);
    EXPECT_NEAR(distance<D>(apply<D>(there, x), there.position), distance<D>(x, {}), 1e-14);
    for (int k = 0; k < D; ++k) {
      EXPECT_NEAR(there.position[k], start.position[k] + s * (end.position[k] - start.position[k]),
                  1e-15);
    }
  }
}

TEST(Motion, GoesFromTheFirstPoseToTheLast) {
  goes_from_the_first_pose_to_the_last<2>(1);
  goes_from_the_first_pose_to_the_last<3>(2);
}

// the bound: never passed between any two times, and reached by the farthest vertex
template <int D>
void no_vertex_is_faster_than_the_bound(std::uint64_t seed) {
  Random random(seed);
  for (int i = 0; i < 2000; ++i) {
    auto end = random_pose(random, random_vector<D>(random, 1));
    const auto start = random_pose(random, random_vector<D>(random, 1));
    const bool only_turns = i % 2 == 0;
    if (only_turns) {
      end.position = start.position;
    }
    const auto motion = Motion<D>::between(start, end);
    std::vector<double> vertices;
    for (int v = 0; v < 8 * D; ++v) {
      vertices.push_back(uniform(random, -1, 1));
    }
    const double mu = ccd::motion_bound<D>(vertices, motion);
    const double s = uniform(random, 0, 0.999), step = 1e-5;
    double fastest = 0;
    for (int v = 0; v < 8; ++v) {
      Vector<D> x;
      std::copy_n(vertices.begin() + v * D, D, x.begin());
      const auto here = apply<D>(motion.at(s), x);
      const double t = uniform(random, 0, 1);
      EXPECT_LE(distance<D>(here, apply<D>(motion.at(t), x)), mu * std::abs(t - s) + 1e-14);
      fastest = std::max(fastest, distance<D>(here, apply<D>(motion.at(s + step), x)) / step);
    }
    if (only_turns) {
      // the chord of a small turn: relative (angle step)^2 / 24, and rounding over the step
      EXPECT_NEAR(fastest, mu, 1e-9);
    }
  }
}

TEST(MotionBound, IsNeverPassedAndIsReached) {
  no_vertex_is_faster_than_the_bound<2>(3);
  no_vertex_is_faster_than_the_bound<3>(4);
}

TEST(MotionBound, OfABodyIsThatOfItsVertices) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Shape<3> shape = i % 2 ? noisy_sphere(200, 0.2, i) : soup(50, 2, 1, random);
    const auto motion = Motion<3>::between(random_pose(random, random_vector<3>(random, 1)),
                                           random_pose(random, random_vector<3>(random, 1)));
    EXPECT_EQ(ccd::motion_bound(shape.body(), motion),
              ccd::motion_bound<3>(shape.vertices, motion));
    const Shape<2> flat = segments(40, 2, 1, random);
    const auto plane = Motion<2>::between(random_pose(random, random_vector<2>(random, 1)),
                                          random_pose(random, random_vector<2>(random, 1)));
    EXPECT_EQ(ccd::motion_bound(flat.body(), plane), ccd::motion_bound<2>(flat.vertices, plane));
  }
}

TEST(Motion, HalfATurnHasTheAxisWhoseFirstComponentIsPositive) {
  const auto about = [](Vector<3> axis) {
    Pose<3> end;
    end.rotation = turned(axis, std::numbers::pi);
    return Motion<3>::between({}, end);
  };
  for (const Vector<3>& axis : {Vector<3>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, -2, 3}}) {
    const auto one = about(axis), other = about({-axis[0], -axis[1], -axis[2]});
    EXPECT_NEAR(one.angle(), std::numbers::pi, 1e-15);
    const double length = distance<3>(axis, {});
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(one.axis()[k], axis[k] / length, 1e-15);
      EXPECT_NEAR(other.axis()[k], axis[k] / length, 1e-15);
    }
  }
  Pose<2> half;
  half.rotation = {{{-1, 0}, {0, -1}}};
  EXPECT_EQ(Motion<2>::between({}, half).angle(), std::numbers::pi);
  EXPECT_EQ(Motion<2>::between(half, {}).angle(), std::numbers::pi);
}

TEST(Motion, WithAVelocityMayTurnAnyAngle) {
  const auto spin = Motion<3>::with_velocity({}, {1, 2, 3}, {0, 0, 100}, 0.5);
  EXPECT_EQ(spin.angle(), 50);
  EXPECT_EQ(spin.axis(), (Vector<3>{0, 0, 1}));
  EXPECT_EQ(spin.way(), (Vector<3>{0.5, 1, 1.5}));
  const auto pose = spin.at(0.1);
  EXPECT_NEAR(pose.rotation[0][0], std::cos(5.0), 1e-15);
  const auto flat = Motion<2>::with_velocity({}, {1, 2}, -100, 0.5);
  EXPECT_EQ(flat.angle(), -50);
  EXPECT_NEAR(flat.at(0.1).rotation[1][0], std::sin(-5.0), 1e-15);
}

TEST(Motion, WithoutATurnHasTheLengthOfItsWayAsBound) {
  const auto motion = Motion<3>::between(at(0, 0, 0), at(3, 4, 0));
  EXPECT_EQ(motion.angle(), 0);
  EXPECT_EQ(ccd::motion_bound(box(1, 1, 1).body(), motion), 5);
}

TEST(Motion, RefusesWhatIsNoRotationOrNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Pose<3> pose;
  pose.rotation[0][0] = 1.1;
  EXPECT_THROW(Motion<3>::resting(pose), Error);
  pose.rotation[0][0] = nan;
  EXPECT_THROW(Motion<3>::between({}, pose), Error);
  pose.rotation[0][0] = -1;  // a reflection
  EXPECT_THROW(Motion<3>::between({}, pose), Error);
  EXPECT_THROW(Motion<3>::resting(at(nan, 0, 0)), Error);
  EXPECT_THROW(Motion<3>::between(at(0, 0, 0), at(0, HUGE_VAL, 0)), Error);
  EXPECT_THROW(Motion<3>::with_velocity({}, {0, 0, 0}, {nan, 0, 0}, 1), Error);
  EXPECT_THROW(Motion<2>::with_velocity({}, {0, 0}, 1, nan), Error);
  EXPECT_THROW(ccd::rotation_of_quaternion({0, 0, 0, 0}), Error);
  EXPECT_THROW(ccd::rotation_of_angle(nan), Error);
  Pose<2> flat;
  flat.rotation = {{{0, 1}, {1, 0}}};
  EXPECT_THROW(Motion<2>::resting(flat), Error);
}

}  // namespace
}  // namespace swept::test
