// SPDX-License-Identifier: Apache-2.0
// The plane: crossings, turns either way, and agreement with space, where polylines are walls.
#include "ccd/oracle.h"
#include "ccd/shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace swept::test {
namespace {

using ccd::Bound;
using ccd::Motion;
using ccd::Status;
using ccd::Vector;

constexpr double pi = std::numbers::pi;

TEST(Plane, CrossingSegmentsTouch) {
  const Shape<2> one{{-1, 0, 1, 0}, {0, 1}}, two{{0, -1, 0, 1}, {0, 1}};
  EXPECT_LT(ccd::separation(one.body(), two.body(), {}, {}).distance, 1e-15);
  const auto impact = ccd::time_of_impact(one.body(), two.body(), {}, {});
  EXPECT_EQ(impact.status, Status::initial_contact);
}

TEST(Plane, ARodTurnsOntoAPostEitherWay) {
  const Shape<2> rod{{0, 0, 1, 0}, {0, 1}};
  for (const double sign : {1.0, -1.0}) {
    const double angle = sign * pi / 3;
    const Shape<2> post{{0.8 * std::cos(angle), 0.8 * std::sin(angle)}, {0, 0}};
    ccd::Pose<2> end;
    end.rotation = ccd::rotation_of_angle(sign * pi / 2);
    const auto turn = Motion<2>::between({}, end);
    EXPECT_NEAR(turn.angle(), sign * pi / 2, 1e-15);
    for (const Bound bound : {Bound::plain, Bound::directional}) {
      const auto impact = ccd::time_of_impact(rod.body(), post.body(0.05), turn, {},
                                              {.tolerance = 1e-6, .bound = bound});
      EXPECT_EQ(impact.status, Status::contact);
      EXPECT_NEAR(impact.toi, (60 - std::asin(0.05 / 0.8) * 180 / pi) / 90, 1e-6);
    }
  }
}

/// A polyline as a wall along z.
Shape<3> wall(const Shape<2>& flat, double height) {
  Shape<3> made;
  for (std::size_t v = 0; v < flat.vertices.size(); v += 2) {
    for (const double z : {-height, height}) {
      made.vertices.insert(made.vertices.end(), {flat.vertices[v], flat.vertices[v + 1], z});
    }
  }
  for (std::size_t f = 0; f < flat.facets.size(); f += 2) {
    const int a = 2 * flat.facets[f], b = 2 * flat.facets[f + 1];
    made.facets.insert(made.facets.end(), {a, b, b + 1, a, b + 1, a + 1});
  }
  return made;
}

ccd::Pose<3> raised(const ccd::Pose<2>& flat) {
  ccd::Pose<3> pose;
  for (int i = 0; i < 2; ++i) {
    pose.position[i] = flat.position[i];
    for (int j = 0; j < 2; ++j) {
      pose.rotation[i][j] = flat.rotation[i][j];
    }
  }
  return pose;
}

TEST(Plane, AgreesWithWallsInSpace) {
  Random random(1);
  int contacts = 0;
  for (int i = 0; i < 500; ++i) {
    const Shape<2> a = i % 2 ? noisy_polygon(10, 0.3, i) : segments(4, 0.5, 1, random);
    const Shape<2> b = i % 3 ? rectangle(0.5, 0.3) : noisy_polygon(7, 0.2, i);
    const auto a0 = random_pose(random, Vector<2>{-3, 0}),
               a1 = random_pose(random, Vector<2>{uniform(random, -2, 2), uniform(random, -2, 2)}),
               b1 = random_pose(random, Vector<2>{0, 0.3});
    const ccd::Options options{.tolerance = 1e-6};
    const auto flat = ccd::time_of_impact(a.body(), b.body(), Motion<2>::between(a0, a1),
                                          Motion<2>::between({}, b1), options);
    const auto space = ccd::time_of_impact(wall(a, 1).body(), wall(b, 2).body(),
                                           Motion<3>::between(raised(a0), raised(a1)),
                                           Motion<3>::between({}, raised(b1)), options);
    // the same iterates but for rounding
    EXPECT_EQ(flat.status, space.status);
    EXPECT_NEAR(flat.toi, space.toi, 1e-9);
    EXPECT_NEAR(flat.distance, space.distance, 1e-9);
    EXPECT_EQ(flat.iterations, space.iterations);
    contacts += flat.status == Status::contact;
  }
  EXPECT_GT(contacts, 100);
}

}  // namespace
}  // namespace swept::test
