// SPDX-License-Identifier: Apache-2.0
// Cylinders and an ellipsoid on a plane, a sphere in a cylinder, a capsule on a box: contacts that
// are known.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/collide/shapes_of.h"
#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using test::Couple;
using test::near;

// a few roundings of lengths of order 1
constexpr test::Tolerance length_bar = {1e-13, 1e-6};

TEST(PlaneCylinder, StandsUprightOnThreePointsOfItsRim) {
  Couple c;
  c.a.type = geom_plane;
  c.b.type = geom_cylinder;
  c.b.size = {0.25, 0.5, 0};
  c.b.pos = {0, 0, 0.5};
  const Hits<real, 8> hits = collide_one(collide_plane_cylinder, c);
  EXPECT_EQ(count(hits), 3);
  EXPECT_EQ(hits.at[0].pos.x, real(0.25));
  Vec3<real> sum = {0, 0, 0};
  for (const int i : {0, 2, 3}) {
    EXPECT_TRUE(hits.at[i].hit);
    EXPECT_EQ(hits.at[i].dist, 0);
    EXPECT_TRUE(near(norm(hits.at[i].pos), 0.25, length_bar));
    sum = sum + hits.at[i].pos;
  }
  EXPECT_TRUE(near(norm(sum), 0, length_bar));  // an equilateral triangle
}

TEST(PlaneCylinder, LiesOnTwoEnds) {
  Couple c;
  c.a.type = geom_plane;
  c.b.type = geom_cylinder;
  c.b.size = {0.25, 0.5, 0};
  c.b.pos = {0, 0, 0.25};
  c.b.mat = {0, 0, 1, 0, 1, 0, -1, 0, 0};  // its axis is x
  const Hits<real, 8> hits = collide_one(collide_plane_cylinder, c);
  EXPECT_EQ(count(hits), 2);
  EXPECT_TRUE(hits.at[0].hit && hits.at[1].hit);
  EXPECT_EQ(hits.at[0].pos.x + hits.at[1].pos.x, 0);
  EXPECT_EQ(abs(hits.at[0].pos.x), real(0.5));
}

TEST(PlaneEllipsoid, TouchesWithItsLowestPointAtAnyRatioOfAxes) {
  Couple c;
  c.a.type = geom_plane;
  c.b.type = geom_ellipsoid;
  c.b.size = {1, 0.01, 0.1};
  const double s = std::sqrt(0.5);
  c.b.mat = {s, 0, -s, 0, 1, 0, s, 0, s};
  const double height = std::sqrt(0.5 * (1 + 0.01));
  c.b.pos = {0, 0, height - 0.001};
  const Hit<real> hit = collide_one(collide_plane_ellipsoid, c).at[0];
  ASSERT_TRUE(hit.hit);
  EXPECT_TRUE(near(hit.dist, -0.001, length_bar));
  EXPECT_TRUE(near(hit.pos.x, -0.5 * (1 - 0.01) / height, length_bar));
}

TEST(SphereCylinder, LeavesThroughTheNearerOfEndAndWall) {
  Couple c;
  c.a.size = {0.125, 0, 0};
  c.b.type = geom_cylinder;
  c.b.size = {0.5, 1, 0};
  c.a.pos = {0.25, 0, 0.875};
  Hit<real> hit = collide_one(collide_sphere_cylinder, c).at[0];
  EXPECT_EQ(hit.normal.z, -1);  // out of the upper end
  EXPECT_EQ(hit.dist, real(-0.25));
  c.a.pos = {0.25, 0, 0.5};
  hit = collide_one(collide_sphere_cylinder, c).at[0];
  EXPECT_EQ(hit.normal.x, -1);  // out of the wall
  EXPECT_EQ(hit.dist, real(-0.375));
}

TEST(CapsuleBox, LiesOnAFaceWithTwoContacts) {
  Couple c;
  c.a.type = geom_capsule;
  c.a.size = {0.25, 0.5, 0};
  c.a.mat = {0, 0, 1, 0, 1, 0, -1, 0, 0};  // its axis is x
  c.b.type = geom_box;
  c.b.size = {2, 2, 1};
  c.a.pos = {0.5, 0, 1.25};
  Hits<real, 8> hits = collide_one(collide_capsule_box, c);
  EXPECT_EQ(count(hits), 2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(hits.at[i].dist, 0);
    EXPECT_EQ(hits.at[i].normal.z, -1);
    EXPECT_EQ(abs(hits.at[i].pos.x - real(0.5)), real(0.5));
  }

  // an end beyond the face's side: the second contact is at the side
  c.a.pos = {2, 0, 1.25};
  hits = collide_one(collide_capsule_box, c);
  EXPECT_EQ(count(hits), 2);
  EXPECT_EQ(hits.at[0].pos.x + hits.at[1].pos.x, real(3.5));
}

TEST(CapsuleBox, StandsOnAFaceWithOneContact) {
  Couple c;
  c.a.type = geom_capsule;
  c.a.size = {0.25, 0.5, 0};
  c.b.type = geom_box;
  c.b.size = {2, 2, 1};
  c.a.pos = {0.5, 0, 1.75};
  c.margin = 0.1;  // the other end is further away
  const Hits<real, 8> hits = collide_one(collide_capsule_box, c);
  EXPECT_EQ(count(hits), 1);
  EXPECT_EQ(hits.at[0].dist, 0);
}

}  // namespace
}  // namespace swept::SWEPT_NS
