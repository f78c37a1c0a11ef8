// SPDX-License-Identifier: Apache-2.0
// How many contacts shapes have that rest on each other, and where: boxes, meshes on planes, faces
// and edges on faces, height fields with borders, spikes and holes.
#include <gtest/gtest.h>

#include "kernels/geometry/box_box.h"
#include "kernels/geometry/contact_shapes.h"
#include "kernels/geometry/convex.h"
#include "kernels/geometry/hfield.h"
#include "kernels/geometry/plane_mesh.h"
#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using test::near;

constexpr int cases = 3000;
constexpr real degree = 0.01745329251994329577_r;
const Mat3<real> identity = turn_about(2, 0);

// a few roundings of lengths of order 1
constexpr test::Tolerance length_bar = {1e-13, 2e-6};
// edges that cross at 1e-3 in f32 have their nearest points at 1e-4
constexpr test::Tolerance surface_bar = {1e-9, 1e-3};

// ---- two boxes ----------------------------------------------------------------------------------

TEST(BoxBox, RestsOnTheFourCornersOfTheFace) {
  Witness w[8];
  const Shape floor = upright(geom_box, {0_r, 0_r, 0_r}, {1_r, 1_r, 0.5_r});
  const Shape box = upright(geom_box, {0.25_r, 0_r, 0.6875_r}, {0.25_r, 0.25_r, 0.25_r});
  ASSERT_EQ(box_box(floor, box, 0_r, w), 4);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(w[i].dist, -0.0625_r);
    EXPECT_EQ(w[i].normal.z, 1_r);
    EXPECT_EQ(w[i].pos.z, 0.46875_r);
    EXPECT_EQ(abs(w[i].pos.x - 0.25_r), 0.25_r);
    EXPECT_EQ(abs(w[i].pos.y), 0.25_r);
  }
}

TEST(BoxBox, HasEightContactsWhereSquaresCrossAt45Degrees) {
  Witness w[8];
  const Shape floor = upright(geom_box, {0_r, 0_r, 0_r}, {0.25_r, 0.25_r, 0.5_r});
  Shape box = upright(geom_box, {0_r, 0_r, 0.6875_r}, {0.25_r, 0.25_r, 0.25_r});
  box.mat = turn_about(2, 45);
  EXPECT_EQ(box_box(floor, box, 0_r, w), 8);
}

TEST(BoxBox, TouchesOnceWhereEdgesCross) {
  Witness w[8];
  Shape low = upright(geom_box, {0_r, 0_r, 0_r}, {1_r, 0.1_r, 0.1_r});
  low.mat = turn_about(0, 45);  // an edge along x on top
  Shape high = upright(geom_box, {0_r, 0_r, 0.25_r}, {0.1_r, 1_r, 0.1_r});
  high.mat = turn_about(1, 45);  // an edge along y below
  ASSERT_EQ(box_box(low, high, 0_r, w), 1);
  EXPECT_TRUE(near(w[0].dist, 0.25 - 0.2 * std::sqrt(2.0), length_bar));
  EXPECT_TRUE(near(w[0].normal.z, 1, length_bar));
  EXPECT_TRUE(near(w[0].pos.z, 0.125, length_bar));
}

TEST(BoxBox, HasNoContactBeyondTheMarginAndFourWithin) {
  Witness w[8];
  const Shape floor = upright(geom_box, {0_r, 0_r, 0_r}, {1_r, 1_r, 0.5_r});
  const Shape box = upright(geom_box, {0_r, 0_r, 1_r}, {0.25_r, 0.25_r, 0.25_r});
  EXPECT_EQ(box_box(floor, box, 0.24_r, w), 0);
  ASSERT_EQ(box_box(floor, box, 0.25_r, w), 4);
  EXPECT_EQ(w[0].dist, 0.25_r);
}

TEST(BoxBox, LiesOnBothSurfacesAndKeepsWithinTheMargin) {
  test::RandomShapes<real> random(1);
  int contacts = 0;
  for (int i = 0; i < cases; ++i) {
    const test::Couple c = random.couple(
        collide_box_box, i % 2 == 0 ? test::Draw::general : test::Draw::near_parallel);
    const Shape a = to_shape(c.a), b = to_shape(c.b);
    const real detect = static_cast<real>(c.margin + c.gap);
    Witness w[8];
    const int n = box_box(a, b, detect, w);
    ASSERT_LE(n, 8);
    for (int k = 0; k < n; ++k) {
      EXPECT_TRUE(near(norm(w[k].normal), 1, length_bar)) << i;
      EXPECT_LE(w[k].dist, detect + 1e-5_r) << i;
      if (n == 1 && w[k].dist > 0_r) {
        continue;  // nearest points at ends of edges: not one above the other along the normal
      }
      const Vec3<real> half = w[k].normal * (0.5_r * w[k].dist);
      EXPECT_TRUE(near(off_box(a, w[k].pos - half), 0, surface_bar)) << i;
      EXPECT_TRUE(near(off_box(b, w[k].pos + half), 0, surface_bar)) << i;
    }
    contacts += n;
  }
  EXPECT_GT(contacts, cases / 2);
}

TEST(BoxBox, IsTheSameFromBothSides) {
  test::RandomShapes<real> random(2);
  for (int i = 0; i < cases; ++i) {
    const test::Couple c = random.couple(collide_box_box, test::Draw::general);
    const Shape a = to_shape(c.a), b = to_shape(c.b);
    Witness w[8], other[8];
    const int n = box_box(a, b, 0.05_r, w), m = box_box(b, a, 0.05_r, other);
    // the lowest contact; which of nearly equal axes wins is decided by a rounding
    ASSERT_EQ(n > 0, m > 0) << i;
    if (n > 0 && dot(w[0].normal, other[0].normal) < -0.999999_r) {
      EXPECT_EQ(n, m) << i;
      EXPECT_TRUE(near(least_dist(w, n), least_dist(other, m), {1e-12, 1e-5})) << i;
    }
  }
}

// ---- plane and mesh -----------------------------------------------------------------------------

TEST(PlaneMesh, StandsOnTheFourCornersOfItsFace) {
  const BoxMesh box({0.2_r, 0.3_r, 0.4_r});
  const Shape plane = upright(geom_plane, {0_r, 0_r, 0_r}, {1_r, 1_r, 1_r});
  Witness w[4];
  ASSERT_EQ(plane_mesh(plane, box.at({0_r, 0_r, 0.375_r}, identity), 0_r, w), 4);
  for (const Witness& contact : w) {
    EXPECT_TRUE(near(contact.dist, -0.025, length_bar));
    EXPECT_TRUE(near(contact.pos.z, -0.0125, length_bar));
    EXPECT_EQ(contact.normal.z, 1_r);
    EXPECT_EQ(abs(contact.pos.x), 0.2_r);
    EXPECT_EQ(abs(contact.pos.y), 0.3_r);
  }
  // sunk up to its centre and beyond, the corners above the centre do not count
  EXPECT_EQ(plane_mesh(plane, box.at({0_r, 0_r, -5_r}, identity), 0_r, w), 4);
}

TEST(PlaneMesh, TouchesWithACornerFirstAndWithAnEdgeAsTwo) {
  const BoxMesh box({0.2_r, 0.2_r, 0.2_r});
  const Shape plane = upright(geom_plane, {0_r, 0_r, 0_r}, {1_r, 1_r, 1_r});
  Witness w[4];
  const real height = 0.2_r * sqrt(2_r);
  EXPECT_EQ(plane_mesh(plane, box.at({0_r, 0_r, height}, turn_about(0, 45)), 0.001_r, w), 2);
  const Mat3<real> x = turn_about(0, 40), y = turn_about(1, 30);
  const Mat3<real> tilt = {
      dot({x.xx, x.xy, x.xz}, column_x(y)), dot({x.xx, x.xy, x.xz}, column_y(y)),
      dot({x.xx, x.xy, x.xz}, column_z(y)), dot({x.yx, x.yy, x.yz}, column_x(y)),
      dot({x.yx, x.yy, x.yz}, column_y(y)), dot({x.yx, x.yy, x.yz}, column_z(y)),
      dot({x.zx, x.zy, x.zz}, column_x(y)), dot({x.zx, x.zy, x.zz}, column_y(y)),
      dot({x.zx, x.zy, x.zz}, column_z(y))};
  const real low = 0.2_r * (abs(tilt.zx) + abs(tilt.zy) + abs(tilt.zz));
  ASSERT_EQ(plane_mesh(plane, box.at({0_r, 0_r, low - 0.001_r}, tilt), 0_r, w), 1);
  EXPECT_TRUE(near(w[0].dist, -0.001, length_bar));
  EXPECT_EQ(plane_mesh(plane, box.at({0_r, 0_r, low + 0.001_r}, tilt), 0_r, w), 0);
}

// ---- faces and lines ----------------------------------------------------------------------------

TEST(MultiContact, HasFourContactsOfAMeshOnAFaceAtAnyYaw) {
  const BoxMesh mesh({0.2_r, 0.3_r, 0.1_r});
  const Shape floor = upright(geom_box, {0_r, 0_r, -0.5_r}, {1_r, 1_r, 0.5_r});
  for (const double yaw : {0.0, 10.0, 45.0, 89.0}) {
    Witness w[4];
    ASSERT_EQ(convex_contacts(floor, mesh.at({0_r, 0_r, 0.09_r}, turn_about(2, yaw)), 0_r, w), 4);
    for (const Witness& contact : w) {
      EXPECT_TRUE(near(contact.dist, -0.01, length_bar));
      EXPECT_TRUE(near(contact.normal.z, 1, length_bar));
      const double out = static_cast<double>(norm(Vec3<real>{contact.pos.x, contact.pos.y, 0_r}));
      EXPECT_TRUE(near(out, std::hypot(0.2, 0.3), length_bar));
    }
  }
}

TEST(MultiContact, GivesEachCornerOfATiltedFaceItsOwnDistance) {
  const BoxMesh mesh({0.2_r, 0.2_r, 0.1_r});
  const Shape floor = upright(geom_box, {0_r, 0_r, -0.5_r}, {1_r, 1_r, 0.5_r});
  Witness w[4];
  ASSERT_EQ(convex_contacts(floor, mesh.at({0_r, 0_r, 0.1_r}, turn_about(0, 3)), 0.05_r, w), 4);
  double low = 0, high = 0;
  for (const Witness& contact : w) {
    low = std::min(low, static_cast<double>(contact.dist));
    high = std::max(high, static_cast<double>(contact.dist));
  }
  EXPECT_LT(low, -0.009);
  EXPECT_GT(high, 0.009);
  // without a margin the two corners that have left the floor are no contacts
  EXPECT_EQ(convex_contacts(floor, mesh.at({0_r, 0_r, 0.1_r}, turn_about(0, 3)), 0_r, w), 2);
}

TEST(MultiContact, HasTwoContactsOfAnEdgeAndOneOfACorner) {
  const BoxMesh mesh({0.1_r, 0.1_r, 0.1_r});
  const Shape floor = upright(geom_box, {0_r, 0_r, -0.5_r}, {1_r, 1_r, 0.5_r});
  const real height = 0.1_r * sqrt(2_r);
  Witness w[4];
  ASSERT_EQ(convex_contacts(floor, mesh.at({0_r, 0_r, height - 0.01_r}, turn_about(0, 45)), 0_r, w),
            2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(near(w[i].dist, -0.01, length_bar));
    EXPECT_TRUE(near(abs(w[i].pos.x), 0.1, length_bar));
  }
  Mat3<real> corner = {};  // a diagonal points down
  const real a = 1_r / sqrt(3_r), b = 1_r / sqrt(2_r), c = 1_r / sqrt(6_r);
  corner = {b, -b, 0_r, c, c, -2_r * c, a, a, a};
  EXPECT_EQ(convex_contacts(floor, mesh.at({0_r, 0_r, 0.16_r}, corner), 0_r, w), 1);
}

TEST(MultiContact, ClipsAnEdgeAtTheSideOfTheFace) {
  const BoxMesh mesh({0.4_r, 0.1_r, 0.1_r});
  const Shape floor = upright(geom_box, {0_r, 0_r, -0.5_r}, {0.25_r, 1_r, 0.5_r});
  const real height = 0.1_r * sqrt(2_r);
  Witness w[4];
  ASSERT_EQ(convex_contacts(floor, mesh.at({0_r, 0_r, height - 0.01_r}, turn_about(0, 45)), 0_r, w),
            2);
  EXPECT_TRUE(near(abs(w[0].pos.x), 0.25, length_bar));
  EXPECT_TRUE(near(w[0].pos.x + w[1].pos.x, 0, length_bar));
}

TEST(MultiContact, HasTheContactsOfCapsulesAndCylindersThatStandOrLie) {
  const BoxMesh floor_mesh({1_r, 1_r, 0.5_r});
  const Shape floor = floor_mesh.at({0_r, 0_r, -0.5_r}, identity);
  const Mat3<real> lying = turn_about(1, 90);
  Witness w[4];

  Shape capsule = upright(geom_capsule, {0_r, 0_r, 0.09_r}, {0.1_r, 0.3_r, 0_r});
  capsule.mat = lying;
  ASSERT_EQ(convex_contacts(capsule, floor, 0_r, w), 2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(near(w[i].dist, -0.01, length_bar));
    EXPECT_TRUE(near(w[i].normal.z, -1, length_bar));
    EXPECT_TRUE(near(abs(w[i].pos.x), 0.3, length_bar));
  }
  capsule.mat = identity;
  capsule.pos.z = 0.39_r;
  EXPECT_EQ(convex_contacts(capsule, floor, 0_r, w), 1);

  // the end of a tilted capsule is as deep as it is alone
  capsule.mat = turn_about(1, 87);
  capsule.pos.z = 0.1_r;
  ASSERT_EQ(convex_contacts(capsule, floor, 0.1_r, w), 2);
  EXPECT_TRUE(near(least_dist(w, 2), -0.3 * std::sin(3 * static_cast<double>(degree)), length_bar));

  Shape cylinder = upright(geom_cylinder, {0_r, 0_r, 0.29_r}, {0.2_r, 0.3_r, 0_r});
  ASSERT_EQ(convex_contacts(cylinder, floor, 0_r, w), 4);
  for (const Witness& contact : w) {
    EXPECT_TRUE(near(contact.dist, -0.01, length_bar));
    const double out = static_cast<double>(norm(Vec3<real>{contact.pos.x, contact.pos.y, 0_r}));
    EXPECT_TRUE(near(out, 0.2, length_bar));
  }
  cylinder.mat = lying;
  cylinder.pos.z = 0.19_r;
  ASSERT_EQ(convex_contacts(cylinder, floor, 0_r, w), 2);
  EXPECT_TRUE(near(abs(w[0].pos.x), 0.3, length_bar));
  EXPECT_TRUE(near(w[0].dist, -0.01, {1e-8, 1e-5}));  // where the search on a round shape ends
}

TEST(MultiContact, RestsACylindersFlatEndOnTheEdgeOfABox) {
  // the axis beyond the box's side: what of the disk lies on the box holds it
  const Shape box = upright(geom_box, {0_r, 0_r, -0.5_r}, {0.5_r, 1_r, 0.5_r});
  const Shape cylinder = upright(geom_cylinder, {0.55_r, 0_r, 0.29_r}, {0.2_r, 0.3_r, 0_r});
  Witness w[4];
  ASSERT_EQ(convex_contacts(cylinder, box, 0_r, w), 4);
  for (const Witness& contact : w) {
    EXPECT_TRUE(near(contact.dist, -0.01, length_bar));
    EXPECT_LE(contact.pos.x, 0.5_r + 1e-6_r);
    EXPECT_GE(contact.pos.x, 0.35_r - 1e-6_r);
  }
}

TEST(MultiContact, HasAQuadrilateralOfPolygonsWithManyCorners) {
  // needle and plate: 200 x 0.002 on a plate of 1e-3
  const BoxMesh needle({2_r, 0.01_r, 0.01_r}), plate({3_r, 3_r, 5e-4_r});
  Witness w[4];
  ASSERT_EQ(convex_contacts(plate.at({0_r, 0_r, 0_r}, identity),
                            needle.at({0_r, 0_r, 0.0103_r}, turn_about(2, 30)), 0_r, w),
            4);
  EXPECT_TRUE(near(w[0].dist, -0.0002, {1e-13, 1e-6}));
}

// ---- height fields ------------------------------------------------------------------------------

/// A field of 9 x 9 points, 0.25 apart, all at `level` of 1 m.
Field flat_field(real level) {
  return {9, 9, std::vector<real>(81, level), {1_r, 1_r, 1_r}};
}

TEST(HeightField, HoldsASphereAsAFloorDoes) {
  const Field field = flat_field(0.5_r);
  // over the middle of a triangle
  const Shape ball = upright(geom_sphere, {0.05_r, 0.05_r, 0.59_r}, {0.1_r, 0_r, 0_r});
  Witness w[max_hfield_contacts];
  const int n = hfield_convex(field.at({0_r, 0_r, 0_r}, identity), ball, 0_r, w);
  ASSERT_GE(n, 1);
  real deepest = 0_r;
  for (int i = 0; i < n; ++i) {
    deepest = min(deepest, w[i].dist);
  }
  EXPECT_TRUE(near(deepest, -0.01, length_bar));
}

TEST(HeightField, EndsAtItsBorders) {
  const Field field = flat_field(0.5_r);
  const Shape ground = field.at({0_r, 0_r, 0_r}, identity);
  Witness w[max_hfield_contacts];
  // beside the wall: the normal is horizontal
  Shape ball = upright(geom_sphere, {1.09_r, 0.1_r, 0.2_r}, {0.1_r, 0_r, 0_r});
  ASSERT_GE(hfield_convex(ground, ball, 0_r, w), 1);
  EXPECT_TRUE(near(w[0].normal.x, 1, length_bar));
  EXPECT_TRUE(near(w[0].dist, -0.01, length_bar));
  ball.pos.x = 1.11_r;
  EXPECT_EQ(hfield_convex(ground, ball, 0_r, w), 0);
  EXPECT_GE(hfield_convex(ground, ball, 0.02_r, w), 1);
  // below the base
  ball.pos = {0.1_r, 0.1_r, -0.29_r};
  ASSERT_GE(hfield_convex(ground, ball, 0_r, w), 1);
  EXPECT_TRUE(near(w[0].normal.z, -1, length_bar));
  // beyond a corner, and far away
  ball.pos = {1.08_r, 1.08_r, 0.2_r};
  EXPECT_EQ(hfield_convex(ground, ball, 0_r, w), 0);
  ball.pos = {1e6_r, -1e6_r, 0_r};
  EXPECT_EQ(hfield_convex(ground, ball, 0_r, w), 0);
}

TEST(HeightField, HasSteepCellsAndHoles) {
  Field field = flat_field(0.5_r);
  field.data[4 * 9 + 4] = 1_r;  // a spike at the origin
  field.data[4 * 9 + 6] = 0_r;  // a hole at x = 0.5
  const Shape ground = field.at({0_r, 0_r, 0_r}, identity);
  Witness w[max_hfield_contacts];
  // on the tip
  Shape ball = upright(geom_sphere, {0_r, 0_r, 1.09_r}, {0.1_r, 0_r, 0_r});
  int n = hfield_convex(ground, ball, 0_r, w);
  EXPECT_EQ(n, 6);  // the triangles around a point
  EXPECT_TRUE(near(least_dist(w, n), -0.01, length_bar));
  // in the hole, below the level around it: the slopes hold the ball, nothing is below
  ball.pos = {0.5_r, 0_r, 0.3_r};
  ball.size.x = 0.05_r;
  EXPECT_EQ(hfield_convex(ground, ball, 0_r, w), 0);
  ball.size.x = 0.25_r;
  n = hfield_convex(ground, ball, 0_r, w);
  EXPECT_GE(n, 4);
  // touching the bottom of the hole
  ball.pos.z = 0.02_r;
  ball.size.x = 0.03_r;
  EXPECT_GE(hfield_convex(ground, ball, 0_r, w), 1);
}

TEST(HeightField, FindsWhatATryOfAllPrismsFinds) {
  test::RandomShapes<double> random(7);
  Field field = {9, 12, {}, {1.2_r, 0.9_r, 0.3_r}};
  for (int i = 0; i < 9 * 12; ++i) {
    field.data.push_back(static_cast<real>(i % 7 == 3 ? 0 : random.uniform(0, 1)));
  }
  const int types[] = {geom_sphere, geom_capsule, geom_ellipsoid, geom_cylinder, geom_box};
  int contacts = 0;
  for (int i = 0; i < 150; ++i) {
    test::Body body;
    body.type = types[i % 5];
    body.mat = random.rotation();
    body.pos = {random.uniform(-1.4, 1.4), random.uniform(-1.1, 1.1), random.uniform(-0.3, 0.6)};
    body.size = {random.uniform(0.03, 0.2), random.uniform(0.03, 0.2), random.uniform(0.03, 0.2)};
    const Shape b = to_shape(body), a = field.at({0_r, 0_r, 0_r}, identity);
    const real detect = 0.02_r * static_cast<real>(i % 3);
    Witness found[max_hfield_contacts];
    const int n = hfield_convex(a, b, detect, found);

    // all prisms, in order
    int all = 0;
    Prism prism = {};
    for (int row = 0; row < 8; ++row) {
      for (int k = 0; k < 24; ++k) {
        const int r = row + 1 - k % 2, c = k / 2;
        prism.add({2.4_r / 11_r * static_cast<real>(c) - 1.2_r,
                   1.8_r / 8_r * static_cast<real>(r) - 0.9_r, a.hfield.height(r, c)},
                  -0.2_r);
        Nearest nearest;
        if (k >= 2 && convex_distance(prism.shape(a), b, detect, &nearest) < detect &&
            all < max_hfield_contacts) {
          ASSERT_LT(all, n) << i;
          EXPECT_TRUE(near(found[all].dist, nearest.dist, {1e-12, 1e-5})) << i;
          ++all;
        }
      }
    }
    EXPECT_EQ(all, n) << i;
    contacts += n;
  }
  EXPECT_GT(contacts, 300);
}

TEST(HeightField, ListsNoMoreThanFiftyContacts) {
  Field field = {41, 41, std::vector<real>(41 * 41, 0.5_r), {1_r, 1_r, 1_r}};
  const Shape box = upright(geom_box, {0_r, 0_r, 0.9_r}, {0.6_r, 0.6_r, 0.41_r});
  Witness w[max_hfield_contacts];
  EXPECT_EQ(hfield_convex(field.at({0_r, 0_r, 0_r}, identity), box, 0_r, w), 50);
}

}  // namespace
}  // namespace swept::SWEPT_NS
