// SPDX-License-Identifier: Apache-2.0
// The time before which two moving bodies cannot touch, from their boxes, rings and balls alone:
// never later than the truth, and the truth itself where it can be.
#include "ccd/mover.h"
#include "ccd/oracle.h"
#include "ccd/placed.h"
#include "ccd/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace swept::test {
namespace {

using ccd::Body;
using ccd::Motion;
using ccd::Pose;
using ccd::Vector;
using ccd::detail::apart_until;
using ccd::detail::Mover;
using ccd::detail::never;

template <int D>
double bound_of(const Body<D>& a, const Body<D>& b, const Motion<D>& motion_a,
                const Motion<D>& motion_b, double room) {
  const Mover<D> one(a, motion_a), two(b, motion_b);
  const ccd::detail::MovingPair<D> pair(a, b, motion_a, motion_b, one.speed() + two.speed());
  return apart_until<D>(one, two, room, pair.error);
}

Shape<3> any_shape(Random& random, Shape<3>*) {
  return random_shape(random, 16, static_cast<int>(random() % 6));
}

Shape<2> any_shape(Random& random, Shape<2>*) {
  return random() % 2 ? rectangle(uniform(random, 0.1, 1), uniform(random, 0.001, 1))
                      : noisy_polygon(9, 0.4, random());
}

/// A motion of up to several turns, or none; roughly by `way`.
template <int D>
Motion<D> any_motion(Random& random, const Vector<D>& from, const Vector<D>& way) {
  Vector<D> velocity = way;
  for (double& v : velocity) {
    v += uniform(random, -1, 1);
  }
  const double spin = random() % 3 == 0 ? 0 : std::pow(10, uniform(random, -2, 1));
  ccd::Turn<D> turn;
  if constexpr (D == 2) {
    turn = random() % 2 ? spin : -spin;
  } else {
    turn = random_direction<3>(random);
    for (double& t : turn) {
      t *= spin;
    }
  }
  return Motion<D>::with_velocity(random_pose(random, from), velocity, turn, 1);
}

template <int D>
void bodies_stay_apart_until_then(std::uint64_t seed) {
  Random random(seed);
  int late = 0, all_the_way = 0;
  for (int i = 0; i < 4000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "pair " << i);
    const Shape<D> a = any_shape(random, static_cast<Shape<D>*>(nullptr)),
                   b = any_shape(random, static_cast<Shape<D>*>(nullptr));
    // far from the world's origin, about 2 to 5 from each other
    Vector<D> here, there, way;
    for (int k = 0; k < D; ++k) {
      here[k] = uniform(random, -100, 100);
      there[k] = here[k] + uniform(random, -4, 4);
      way[k] = there[k] - here[k];
    }
    const Motion<D> motion_a = any_motion<D>(random, here, way),
                    motion_b = any_motion<D>(random, there, {});
    const double room = random() % 2 ? 0.001 : uniform(random, 0, 0.5);
    const double time = bound_of<D>(a.body(), b.body(), motion_a, motion_b, room);
    EXPECT_GE(time, 0);
    late += time > 0.1;
    all_the_way += time == never;
    // half of the samples close to the end, and the end itself unless it is the start
    for (int k = 0; k < 40 && time > 0; ++k) {
      const double share = k % 2 ? k / 39.0 : 1 - std::pow(0.5, k);
      const double s = std::min(time, 1.0) * share;
      EXPECT_TRUE(oracle_apart<D>(a, b, motion_a, motion_b, s, room))
          << "at " << s << " of " << time;
    }
  }
  std::printf("%dD: %d of 4000 apart until 0.1, %d all the way\n", D, late, all_the_way);
  EXPECT_GT(late - all_the_way, 1000);
  EXPECT_GT(all_the_way, 50);
}

TEST(Mover, BodiesStayApartUntilThen) {
  bodies_stay_apart_until_then<3>(1);
  bodies_stay_apart_until_then<2>(2);
}

TEST(Mover, BoxesThatOnlyMoveTouchThen) {
  // faces 1 apart, closing at 4; sideways at 3, which does not matter
  const auto cube = box(0.5, 0.5, 0.5).body();
  const auto rest = Motion<3>::resting(at(2, 0.2, 0));
  const auto fast = Motion<3>::between(at(0, 0, 0), at(4, 0.3, 0));
  EXPECT_NEAR(bound_of<3>(cube, cube, fast, rest, 0), 0.25, 1e-12);
  EXPECT_NEAR(bound_of<3>(cube, cube, rest, fast, 0), 0.25, 1e-12);
  // a thin plate on its way past a wall, close to it
  const auto past = Motion<3>::between(at(0.99, -3, 0), at(0.99, 3, 0));
  EXPECT_EQ(bound_of<3>(cube, cube, past, rest, 0.001), never);
  EXPECT_EQ(bound_of<3>(cube, cube, rest, past, 0.001), never);
  // with more room to keep, when the edges come that near: (3.2 - 1) / 6, a bit before
  EXPECT_NEAR(bound_of<3>(cube, cube, past, rest, 0.011), 2.2 / 6, 0.002);
}

TEST(Mover, ATurnAboutTheLineBetweenTheBoxesBringsNothingNearer) {
  // upright rods, edge to edge, one higher than the other; only along (1, 1, 0) can that be seen
  const auto rod = box(0.1, 0.1, 2).body();
  const auto spin = Motion<3>::with_velocity(at(0, 0, 0), {0, 0, 0}, {1, 1, 0}, 1);
  const auto other = Motion<3>::resting(at(1.2, 1.2, 3));
  EXPECT_EQ(bound_of<3>(rod, rod, spin, other, 0.1), never);
  EXPECT_EQ(bound_of<3>(rod, rod, other, spin, 0.1), never);
}

TEST(Mover, BallsTouchThenHoweverTheyTurn) {
  Random random(3);
  const auto ball = noisy_sphere(2000, 0, 1).body();
  int touched = 0;
  for (int i = 0; i < 500; ++i) {
    const Vector<3> from = random_direction<3>(random), way = random_direction<3>(random);
    Pose<3> far = random_pose(random, {3 * from[0], 3 * from[1], 3 * from[2]});
    const auto fast =
        Motion<3>::with_velocity(far, {4 * way[0], 4 * way[1], 4 * way[2]}, {50, 20, 0}, 1);
    const auto spin = Motion<3>::with_velocity(Pose<3>{}, {0, 0, 0}, {0, -9, 30}, 1);
    // |3 from + 4 s way| = 2.1
    const double c = from[0] * way[0] + from[1] * way[1] + from[2] * way[2];
    const double square = 9 * c * c - 9 + 2.1 * 2.1;
    const double exact = c < 0 && square > 0 ? (-3 * c - std::sqrt(square)) / 4 : never;
    const double time = bound_of<3>(ball, ball, fast, spin, 0.1);
    if (exact > 1) {
      EXPECT_EQ(time, never);
    } else if (square > 1e-6) {
      ++touched;
      EXPECT_NEAR(time, exact, 1e-9);
    }
  }
  EXPECT_GT(touched, 50);
}

TEST(Mover, ARodStaysInItsRing) {
  // a rod along z turns about it: to the side it never reaches farther than its half width
  const auto rod = box(0.1, 0.1, 2).body();
  const auto spin = Motion<3>::with_velocity(at(0, 0, 0), {0, 0, 0}, {0, 0, 20}, 1);
  const auto beside = Motion<3>::resting(at(0, 0.4, 0));
  const double ring = 0.1 * std::sqrt(2.0);
  EXPECT_EQ(bound_of<3>(rod, rod, spin, beside, 0.3 - ring - 1e-9), never);
  EXPECT_LT(bound_of<3>(rod, rod, spin, beside, 0.3 - ring + 1e-9), 1);
  // about x it sweeps a disc, but takes a while to get down to what lies there
  const auto swing = Motion<3>::with_velocity(at(0, 0, 0), {0, 0, 0}, {1, 0, 0}, 1);
  const auto below = Motion<3>::resting(at(0, 1.5, 0));
  const double time = bound_of<3>(rod, rod, swing, below, 0.01);
  EXPECT_GT(time, 0.6);
  EXPECT_LT(time, 1);
}

}  // namespace
}  // namespace swept::test
