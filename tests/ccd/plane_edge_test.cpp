// SPDX-License-Identifier: Apache-2.0
// Polylines at the edge of sense: no motion, no length, coincident bodies, half turns, far and tiny
// and huge bodies; and input that is refused.
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
using ccd::Polyline;
using ccd::Status;
using ccd::Vector;

const auto rest = Motion<2>::resting({});

/// Both bounds on one query.
std::vector<Impact<2>> both(const Polyline& a, const Polyline& b, const Motion<2>& motion_a,
                            const Motion<2>& motion_b, double tolerance = 0) {
  std::vector<Impact<2>> impacts;
  for (const Bound bound : {Bound::plain, Bound::directional}) {
    impacts.push_back(ccd::time_of_impact(a, b, motion_a, motion_b,
                                          Options{.tolerance = tolerance, .bound = bound}));
  }
  return impacts;
}

TEST(PlaneEdge, BodiesWithoutMotionAreAsFarAsTheyAre) {
  const auto square = rectangle(0.5, 0.5).body();
  for (const auto& apart : both(square, square, Motion<2>::resting(at(2, 0)), rest)) {
    EXPECT_EQ(apart.status, Status::separate);
    EXPECT_EQ(apart.toi, 1);
    EXPECT_EQ(apart.lower_bound, 1);
    EXPECT_EQ(apart.iterations, 1);
    EXPECT_NEAR(apart.distance, 1, 1e-13);
  }
  for (const auto& crossed : both(square, square, Motion<2>::resting(at(0.9, 0.1)), rest)) {
    EXPECT_EQ(crossed.status, Status::initial_contact);
    EXPECT_EQ(crossed.toi, 0);
    EXPECT_EQ(crossed.lower_bound, 0);
  }
}

TEST(PlaneEdge, CoincidentAndTouchingBodiesTouchAtTheStart) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const Shape<2> shape = i % 2 ? noisy_polygon(9, 0.3, i) : segments(1, 0.5, 2, random);
    const auto pose = random_pose(random, Vector<2>{1, 2});
    const auto away = Motion<2>::between(pose, at(5, 5));
    for (const auto& impact : both(shape.body(), shape.body(), Motion<2>::resting(pose), away)) {
      EXPECT_EQ(impact.status, Status::initial_contact);
      EXPECT_LT(impact.distance, 1e-14);
    }
  }
  const auto square = rectangle(0.5, 0.5).body();
  for (const double to : {2.0, 1.0, 0.0}) {
    for (const auto& impact :
         both(square, square, Motion<2>::between(at(1, 0), at(to, 0.5)), rest)) {
      EXPECT_EQ(impact.status, Status::initial_contact);
      EXPECT_EQ(impact.toi, 0);
    }
  }
}

TEST(PlaneEdge, SegmentsWithoutLengthCollideAsPoints) {
  const Shape<2> point{{0, 0}, {0, 0}};
  const Shape<2> flat{{-1, 0, 1, 0}, {0, 1}};
  const Shape<2> upright{{0, 0, 0, 0.5}, {0, 1}};
  const auto fall = Motion<2>::between(at(0, 1), at(0, -1));
  for (const Shape<2>& a : {point, flat, upright}) {
    for (const Shape<2>& b : {point, flat}) {
      for (const auto& impact : both(a.body(), b.body(), fall, rest, 1e-6)) {
        EXPECT_EQ(impact.status, Status::contact);
        EXPECT_NEAR(impact.toi, 0.5, 1e-6);
        EXPECT_LE(impact.toi, 0.5);
      }
    }
  }
}

TEST(PlaneEdge, AHalfTurnAndSeveralTurnsAreFollowed) {
  // a rod from the origin, with a post at 120 degrees
  const Shape<2> rod{{0, 0, 1, 0}, {0, 1}};
  const double third = 2 * std::numbers::pi / 3;
  const Shape<2> post{{0.8 * std::cos(third), 0.8 * std::sin(third)}, {0, 0}};
  ccd::Pose<2> end;
  end.rotation = {{{-1, 0}, {0, -1}}};
  for (const auto& impact : both(rod.body(), post.body(), Motion<2>::between({}, end), rest)) {
    EXPECT_EQ(impact.status, Status::contact);
    EXPECT_NEAR(impact.toi, 2.0 / 3, 1e-6);
    EXPECT_LE(impact.toi, 2.0 / 3);
  }
  for (const double angle : {5.0, -20.0}) {
    // backwards it comes from 240 degrees
    const double way = angle > 0 ? third : 2 * third;
    const auto spin = Motion<2>::with_velocity({}, {0, 0}, angle, 1);
    for (const auto& impact : both(rod.body(), post.body(), spin, rest)) {
      EXPECT_EQ(impact.status, Status::contact);
      EXPECT_NEAR(impact.toi, way / std::abs(angle), 1e-6);
    }
  }
}

TEST(PlaneEdge, FarFromTheOriginBodiesKeepTheGuarantee) {
  const Shape<2> square = rectangle(0.5, 0.5);
  const auto far = square.placed({1e6, 1e6}).body();
  const auto motion = Motion<2>::between(at(-1e6 - 2, -1e6), at(-1e6 + 1, -1e6));
  for (const auto& impact : both(far, square.body(), motion, rest)) {
    EXPECT_EQ(impact.status, Status::contact);
    EXPECT_LE(impact.toi, 1.0 / 3);
    EXPECT_GE(impact.toi, 1.0 / 3 - impact.tolerance / 3);
    EXPECT_LT(impact.tolerance, 1e-4);
  }
  const auto shifted = Motion<2>::between(at(1e6 - 2, 1e6), at(1e6 + 1, 1e6));
  for (const auto& impact :
       both(square.body(), square.body(), shifted, Motion<2>::resting(at(1e6, 1e6)), 1e-9)) {
    EXPECT_EQ(impact.tolerance, 1e-9);
    EXPECT_NEAR(impact.toi, 1.0 / 3, 1e-9);
  }
}

TEST(PlaneEdge, TinyAndHugeBodiesGiveTheSameTimes) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Shape<2> a = noisy_polygon(8, 0.3, i), b = segments(4, 0.5, 1, random);
    const auto from = random_pose(random, Vector<2>{-3, 0.2}),
               to = random_pose(random, Vector<2>{1, 0});
    const auto want = both(a.body(), b.body(), Motion<2>::between(from, to), rest);
    for (const double scale : {0x1p-30, 0x1p30, 0x1p-100, 0x1p100}) {  // 1e-9, 1e9, 8e-31, 1e30
      auto start = from, end = to;
      for (int k = 0; k < 2; ++k) {
        start.position[k] *= scale;
        end.position[k] *= scale;
      }
      const auto got = both(a.placed({}, scale).body(), b.placed({}, scale).body(),
                            Motion<2>::between(start, end), rest);
      for (std::size_t k = 0; k < 2; ++k) {
        // powers of two change no bit of any product
        EXPECT_EQ(got[k].status, want[k].status);
        EXPECT_EQ(got[k].toi, want[k].toi);
        EXPECT_EQ(got[k].distance, scale * want[k].distance);
      }
    }
  }
}

TEST(PlaneEdge, ThicknessIsKept) {
  const Shape<2> point{{0, 0}, {0, 0}};
  const auto fall = Motion<2>::between(at(0.3, 1), at(0.3, -1));
  const Shape<2> flat{{-1, 0, 1, 0}, {0, 1}};
  for (const auto& impact : both(point.body(0.1), flat.body(0.05), fall, rest, 1e-6)) {
    EXPECT_EQ(impact.status, Status::contact);
    EXPECT_NEAR(impact.toi, 0.425, 1e-6);
    EXPECT_GT(impact.distance, 0.15);
  }
}

TEST(PlaneEdge, WhatMakesNoSenseIsRefused) {
  const Shape<2> square = rectangle(1, 1);
  EXPECT_THROW(Polyline({}, {}), Error);
  EXPECT_THROW(Polyline(square.vertices, {}), Error);
  Shape<2> bad = square;
  bad.vertices[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(bad.body(), Error);
  bad = square;
  bad.facets[1] = 4;
  EXPECT_THROW(bad.body(), Error);
  bad.facets.pop_back();
  EXPECT_THROW(bad.body(), Error);
  EXPECT_THROW(square.body(-1), Error);
  ccd::Pose<2> skew;
  skew.rotation[0][1] = 0.5;
  EXPECT_THROW(ccd::separation(square.body(), square.body(), skew, {}), Error);
  EXPECT_THROW(ccd::time_of_impact(square.body(), square.body(), rest, rest, {.max_iterations = 0}),
               Error);
}

}  // namespace
}  // namespace swept::test
