// SPDX-License-Identifier: Apache-2.0
// The colliders in poses whose contacts are known by heart: flush, centred, parallel, crossing.
#include <gtest/gtest.h>

#include "kernels/collide/shapes_of.h"
#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using test::Couple;
using test::near;

// a few roundings of lengths of order 1
constexpr test::Tolerance length_bar = {1e-13, 1e-6};

TEST(PlaneSphere, HasTheContactOfABallSunkByAMillimetre) {
  Couple c;
  c.a.type = geom_plane;
  c.b.pos = {0, 0, 0.099};
  c.b.size = {0.1, 0, 0};
  const Hit<real> hit = collide_one(collide_plane_sphere, c).at[0];
  ASSERT_TRUE(hit.hit);
  EXPECT_TRUE(near(hit.dist, -0.001, length_bar));
  EXPECT_TRUE(near(hit.pos.z, -0.0005, length_bar));
  EXPECT_EQ(hit.normal.z, 1);
}

TEST(PlaneBox, ListsTheFourLowestCornersInOrder) {
  Couple c;
  c.a.type = geom_plane;
  c.b.type = geom_box;
  c.b.pos = {0, 0, 0.199};
  c.b.size = {0.1, 0.15, 0.2};
  const Hits<real, 8> hits = collide_one(collide_plane_box, c);
  EXPECT_EQ(count(hits), 4);
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(hits.at[i].hit);
    EXPECT_TRUE(near(hits.at[i].pos.x, (i & 1) != 0 ? 0.1 : -0.1, length_bar));
    EXPECT_TRUE(near(hits.at[i].pos.y, (i & 2) != 0 ? 0.15 : -0.15, length_bar));
    EXPECT_TRUE(near(hits.at[i].pos.z, -0.0005, length_bar));
  }
}

TEST(PlaneBox, StopsAtFourWhereMoreCornersLieDeep) {
  // a cube deep under the plane, standing on an edge: two corners below the centre, four at its
  // height
  Couple c;
  c.a.type = geom_plane;
  c.b.type = geom_box;
  c.b.pos = {0, 0, -4};
  c.b.size = {0.5, 0.5, 0.5};
  const double s = 0.5;  // columns (s, 0, s), (0, 1, 0), (-s, 0, s): orthogonal, and the heights of
                         // the middle corners cancel exactly
  c.b.mat = {s, 0, -s, 0, 1, 0, s, 0, s};
  const Hits<real, 8> hits = collide_one(collide_plane_box, c);
  EXPECT_EQ(count(hits), 4);
  EXPECT_TRUE(hits.at[0].hit && hits.at[1].hit && hits.at[2].hit && hits.at[3].hit);
}

TEST(SphereSphere, SeparatesCoincidentCentresAcrossTheirAxes) {
  Couple c;
  c.a.size = c.b.size = {0.25, 0, 0};
  Hit<real> hit = collide_one(collide_sphere_sphere, c).at[0];
  EXPECT_EQ(hit.normal.x, 1);  // parallel axes
  EXPECT_EQ(hit.dist, real(-0.5));
  c.b.mat = {0, 0, 1, 1, 0, 0, 0, 1, 0};  // its z axis is x
  hit = collide_one(collide_sphere_sphere, c).at[0];
  EXPECT_EQ(hit.normal.y, 1);  // z cross x
}

TEST(SphereBox, LeavesThroughTheNearestFaceAndTheFirstOfEqualOnes) {
  Couple c;
  c.a.size = {0.125, 0, 0};
  c.b.type = geom_box;
  c.b.size = {0.5, 0.5, 0.5};
  Hit<real> hit = collide_one(collide_sphere_box, c).at[0];
  EXPECT_EQ(hit.normal.x, 1);  // through -x
  EXPECT_EQ(hit.dist, real(-0.625));
  c.a.pos = {0.1, 0, -0.375};
  hit = collide_one(collide_sphere_box, c).at[0];
  EXPECT_EQ(hit.normal.z, 1);  // through -z
  EXPECT_EQ(hit.dist, real(-0.25));
  c.a.pos = {0.1, 0.4375, -0.375};
  hit = collide_one(collide_sphere_box, c).at[0];
  EXPECT_EQ(hit.normal.y, -1);  // through +y
}

TEST(CapsuleCapsule, TouchesAtBothEndsOfTheCommonPartWhenParallel) {
  Couple c;
  c.a.type = c.b.type = geom_capsule;
  c.a.size = {0.25, 1, 0};
  c.b.size = {0.25, 1, 0};
  c.b.pos = {0.5, 0, 0.5};
  for (const double sign : {1.0, -1.0}) {
    c.b.mat = {1, 0, 0, 0, sign, 0, 0, 0, sign};
    const Hits<real, 8> hits = collide_one(collide_capsule_capsule, c);
    EXPECT_EQ(count(hits), 2);
    EXPECT_EQ(hits.at[0].pos.z, real(-0.5));
    EXPECT_EQ(hits.at[1].pos.z, 1);
    EXPECT_EQ(hits.at[0].dist, 0);
    EXPECT_EQ(hits.at[0].normal.x, 1);
  }
}

TEST(CapsuleCapsule, TouchesOnceWhenCrossing) {
  Couple c;
  c.a.type = c.b.type = geom_capsule;
  c.a.size = c.b.size = {0.25, 1, 0};
  c.b.pos = {0.25, 0.5, 0.25};
  c.b.mat = {1, 0, 0, 0, 0, 1, 0, -1, 0};
  const Hits<real, 8> hits = collide_one(collide_capsule_capsule, c);
  EXPECT_EQ(count(hits), 1);
  EXPECT_EQ(hits.at[0].dist, real(-0.25));
  EXPECT_EQ(hits.at[0].pos.z, real(0.25));
  EXPECT_EQ(hits.at[0].pos.y, 0);
}

}  // namespace
}  // namespace swept::SWEPT_NS
