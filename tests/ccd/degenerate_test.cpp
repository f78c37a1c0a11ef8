// SPDX-License-Identifier: Apache-2.0
// Input at the edge of sense: no motion, no area, coincident bodies, half turns, far and tiny and
// huge bodies; and input beyond it, which is refused.
#include "ccd/oracle.h"
#include "ccd/shapes.h"

#include <swept/error.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace swept::test {
namespace {

using ccd::Bound;
using ccd::Impact;
using ccd::Motion;
using ccd::Options;
using ccd::Status;
using ccd::Vector;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Bound bounds[] = {Bound::plain, Bound::directional};
const auto rest = Motion<3>::resting({});

Motion<3> along_x(double from, double to) {
  return Motion<3>::between(at(from, 0, 0), at(to, 0, 0));
}

TEST(Degenerate, BodiesWithoutMotionAreAsFarAsTheyAre) {
  const auto cube = box(0.5, 0.5, 0.5).body();
  for (const Bound bound : bounds) {
    const Options options{.bound = bound};
    const auto apart =
        ccd::time_of_impact(cube, cube, Motion<3>::resting(at(2, 0, 0)), rest, options);
    EXPECT_EQ(apart.status, Status::separate);
    EXPECT_EQ(apart.toi, 1);
    EXPECT_EQ(apart.lower_bound, 1);
    EXPECT_EQ(apart.iterations, 1);
    EXPECT_NEAR(apart.distance, 1, 1e-13);
    const auto inside =
        ccd::time_of_impact(cube, cube, Motion<3>::resting(at(0.9, 0.1, 0)), rest, options);
    EXPECT_EQ(inside.status, Status::initial_contact);
    EXPECT_EQ(inside.toi, 0);
    EXPECT_EQ(inside.lower_bound, 0);
  }
}

TEST(Degenerate, CoincidentBodiesTouchAtTheStart) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const Shape<3> shape = i % 2 ? noisy_sphere(60, 0.2, i) : soup(1, 0, 2, random);
    const auto pose = random_pose(random, Vector<3>{1, 2, 3});
    const auto away = Motion<3>::between(pose, at(5, 5, 5));
    const auto impact =
        ccd::time_of_impact(shape.body(), shape.body(), Motion<3>::resting(pose), away);
    EXPECT_EQ(impact.status, Status::initial_contact);
    EXPECT_EQ(impact.toi, 0);
    EXPECT_LT(impact.distance, 1e-14);
  }
}

TEST(Degenerate, TouchingAtTheStartIsAnInitialContactWhateverTheMotion) {
  const auto cube = box(0.5, 0.5, 0.5).body();
  for (const double to : {2.0, 1.0, 0.0}) {
    for (const double aside : {0.0, 1.0}) {
      const auto motion = Motion<3>::between(at(1, 0, 0), at(to, aside, 0));
      EXPECT_EQ(ccd::time_of_impact(cube, cube, motion, rest).status, Status::initial_contact);
    }
  }
}

TEST(Degenerate, WithinTheToleranceAtTheStartNothingIsCertified) {
  const auto cube = box(0.5, 0.5, 0.5).body();
  // apart by three quarters of the tolerance, and moving apart
  const auto impact =
      ccd::time_of_impact(cube, cube, along_x(1 + 0.75e-3, 3), rest, {.tolerance = 1e-3});
  EXPECT_EQ(impact.status, Status::initial_contact);
  EXPECT_EQ(impact.toi, 0);
  EXPECT_EQ(impact.lower_bound, 0);
  EXPECT_NEAR(impact.distance, 0.75e-3, 1e-12);
}

// a triangle with no area is a segment, or a point: 1 above the other body, way of 2 towards it
TEST(Degenerate, TrianglesWithoutAreaCollideAsSegmentsAndPoints) {
  const Shape<3> point{{0, 0, 0}, {0, 0, 0}};
  const Shape<3> segment{{-1, 0, 0, 1, 0, 0, 0.3, 0, 0}, {0, 1, 2}};
  const Shape<3> crossed{{0, -1, 0, 0, 1, 0}, {0, 1, 1}};
  const Shape<3> triangle{{-1, -1, 0, 1, -1, 0, 0, 1, 0}, {0, 1, 2}};
  const Shape<3> all[] = {point, segment, crossed, triangle};
  const auto fall = Motion<3>::between(at(0, 0, 1), at(0, 0, -1));
  for (const Shape<3>& a : all) {
    for (const Shape<3>& b : all) {
      for (const Bound bound : bounds) {
        const auto impact = ccd::time_of_impact(a.body(), b.body(), fall, rest,
                                                {.tolerance = 1e-6, .bound = bound});
        EXPECT_EQ(impact.status, Status::contact);
        EXPECT_NEAR(impact.toi, 0.5, 1e-6);
        EXPECT_LE(impact.toi, 0.5);
      }
    }
  }
}

TEST(Degenerate, ParallelAndCollinearEdgesDoNotJump) {
  const auto edge = [](Vector<3> a, Vector<3> b) {
    return Shape<3>{{a[0], a[1], a[2], b[0], b[1], b[2]}, {0, 1, 1}}.body();
  };
  for (const double tilt : {0.0, 1e-8, -1e-8}) {
    const auto below = edge({-1, 0, 0}, {1, 0, 0}), above = edge({-0.5, tilt, 1}, {1.5, -tilt, 1});
    const auto impact =
        ccd::time_of_impact(above, below, Motion<3>::between({}, at(0, 0, -2)), rest);
    EXPECT_NEAR(impact.toi, 0.5, 2e-6);
    EXPECT_NEAR(ccd::separation(above, below, {}, {}).distance, 1, 2e-8);
  }
  const auto one = edge({0, 0, 0}, {1, 0, 0}), two = edge({2, 0, 0}, {3, 0, 0});
  EXPECT_EQ(ccd::separation(one, two, {}, {}).distance, 1);
  EXPECT_NEAR(ccd::time_of_impact(two, one, Motion<3>::between({}, at(-2, 0, 0)), rest).toi, 0.5,
              2e-6);
}

TEST(Degenerate, AHalfTurnIsFollowed) {
  // a rod from the origin turns by pi about +z, with a post at 120 degrees
  const Shape<3> rod{{0, 0, -0.1, 1, 0, -0.1, 1, 0, 0.1, 0, 0, 0.1}, {0, 1, 2, 0, 2, 3}};
  const double angle = 2 * std::numbers::pi / 3;
  const double x = 0.8 * std::cos(angle), y = 0.8 * std::sin(angle);
  const Shape<3> post{{x, y, -1, x, y, 1}, {0, 1, 1}};
  ccd::Pose<3> end;
  end.rotation = {{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}};
  const auto impact =
      ccd::time_of_impact(rod.body(), post.body(), Motion<3>::between({}, end), rest);
  EXPECT_EQ(impact.status, Status::contact);
  EXPECT_NEAR(impact.toi, 2.0 / 3, 1e-6);
}

TEST(Degenerate, FarFromTheirOriginBodiesKeepTheGuarantee) {
  // a million from the body's own origin, put back by the pose: the tolerance is raised to what the
  // coordinates' rounding allows
  const Shape<3> cube = box(0.5, 0.5, 0.5);
  const Shape<3> far = cube.placed({1e6, 1e6, 1e6});
  const auto motion = Motion<3>::between(at(-1e6 - 2, -1e6, -1e6), at(-1e6 + 1, -1e6, -1e6));
  for (const Bound bound : bounds) {
    const auto impact =
        ccd::time_of_impact(far.body(), cube.body(), motion, rest, {.bound = bound});
    EXPECT_EQ(impact.status, Status::contact);
    EXPECT_LE(impact.toi, 1.0 / 3);
    EXPECT_GE(impact.toi, 1.0 / 3 - impact.tolerance / 3);
    EXPECT_LT(impact.tolerance, 1e-4);
  }
  // both a million from the world's origin: differences of places keep their digits
  const auto shifted = Motion<3>::between(at(1e6 - 2, 1e6, 1e6), at(1e6 + 1, 1e6, 1e6));
  const auto still = Motion<3>::resting(at(1e6, 1e6, 1e6));
  const auto impact =
      ccd::time_of_impact(cube.body(), cube.body(), shifted, still, {.tolerance = 1e-9});
  EXPECT_EQ(impact.tolerance, 1e-9);
  EXPECT_NEAR(impact.toi, 1.0 / 3, 1e-9);
}

TEST(Degenerate, TinyAndHugeBodiesGiveTheSameTimes) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Shape<3> a = noisy_sphere(20, 0.3, i), b = soup(8, 0.5, 1, random);
    auto from = random_pose(random, Vector<3>{-3, 0.2, 0.1}),
         to = random_pose(random, Vector<3>{1, 0, 0});
    const auto want = ccd::time_of_impact(a.body(), b.body(), Motion<3>::between(from, to), rest);
    for (const double scale : {0x1p-30, 0x1p30, 0x1p-100, 0x1p100}) {  // 1e-9, 1e9, 8e-31, 1e30
      auto start = from, end = to;
      for (int k = 0; k < 3; ++k) {
        start.position[k] *= scale;
        end.position[k] *= scale;
      }
      const auto got = ccd::time_of_impact(a.placed({}, scale).body(), b.placed({}, scale).body(),
                                           Motion<3>::between(start, end), rest);
      // powers of two change no bit of any product
      EXPECT_EQ(got.status, want.status);
      EXPECT_EQ(got.toi, want.toi);
      EXPECT_EQ(got.distance, scale * want.distance);
      EXPECT_EQ(got.iterations, want.iterations);
    }
  }
}

TEST(Degenerate, ATinyBodyMeetsAHugeOne) {
  const auto tiny = box(1e-9, 1e-9, 1e-9).body(), huge = box(1e9, 1e9, 1).body();
  for (const Bound bound : bounds) {
    const auto impact =
        ccd::time_of_impact(tiny, huge, Motion<3>::between(at(3, 2, 5), at(3, 2, -5)), rest,
                            {.tolerance = 1e-6, .bound = bound});
    EXPECT_EQ(impact.status, Status::contact);
    EXPECT_LE(impact.toi, 0.4);
    EXPECT_GE(impact.toi, 0.4 - impact.tolerance / 10 - 1e-9);
    EXPECT_LT(impact.tolerance, 1e-3);  // 1e9 has an ulp of 1e-7
  }
}

TEST(Degenerate, TheRestOfTheWorldDoesNotCount) {
  // vertices of no facet are no part of the body
  Shape<3> cube = box(0.5, 0.5, 0.5);
  const double diagonal = cube.body().diagonal();
  cube.vertices.insert(cube.vertices.end(), {100, 100, 100});
  EXPECT_EQ(cube.body().diagonal(), diagonal);
  EXPECT_NEAR(diagonal, std::sqrt(3), 1e-15);
}

TEST(Degenerate, WhatMakesNoSenseIsRefused) {
  const Shape<3> cube = box(0.5, 0.5, 0.5);
  using Mesh = ccd::Mesh;
  EXPECT_THROW(Mesh({}, {}), Error);
  EXPECT_THROW(Mesh(cube.vertices, {}), Error);
  Shape<3> bad = cube;
  bad.vertices[4] = nan;
  EXPECT_THROW(bad.body(), Error);
  bad.vertices[4] = HUGE_VAL;
  EXPECT_THROW(bad.body(), Error);
  bad = cube;
  bad.facets[5] = 8;
  EXPECT_THROW(bad.body(), Error);
  bad.facets[5] = -1;
  EXPECT_THROW(bad.body(), Error);
  bad.facets.pop_back();
  EXPECT_THROW(bad.body(), Error);
  bad = cube;
  bad.vertices.pop_back();
  EXPECT_THROW(bad.body(), Error);
  EXPECT_THROW(cube.body(-1), Error);
  EXPECT_THROW(cube.body(nan), Error);
  const auto body = cube.body();
  EXPECT_THROW(ccd::time_of_impact(body, body, rest, rest, {.tolerance = -1}), Error);
  EXPECT_THROW(ccd::time_of_impact(body, body, rest, rest, {.tolerance = nan}), Error);
  EXPECT_THROW(ccd::time_of_impact(body, body, rest, rest, {.max_iterations = 0}), Error);
  ccd::Pose<3> skew;
  skew.rotation[0][1] = 0.5;
  EXPECT_THROW(ccd::separation(body, body, skew, {}), Error);
}

TEST(Degenerate, WithoutAToleranceItIsAShareOfTheLargerBody) {
  const auto small = box(0.1, 0.1, 0.1).body(), large = box(3, 4, 12).body();
  for (const bool swap : {false, true}) {
    const auto impact =
        ccd::time_of_impact(swap ? large : small, swap ? small : large, along_x(-9, 9), rest);
    EXPECT_NEAR(impact.tolerance, 26e-6, 1e-18);
  }
}

TEST(Degenerate, AToleranceBelowRoundingIsRaised) {
  const auto cube = box(0.5, 0.5, 0.5).body();
  const auto impact = ccd::time_of_impact(cube, cube, along_x(-2, 1), rest, {.tolerance = 1e-30});
  EXPECT_GT(impact.tolerance, 1e-14);
  EXPECT_LT(impact.tolerance, 2e-12);
  EXPECT_EQ(impact.status, Status::contact);
  EXPECT_NEAR(impact.toi, 1.0 / 3, 1e-12);
  EXPECT_LE(impact.toi, 1.0 / 3);
}

}  // namespace
}  // namespace swept::test
