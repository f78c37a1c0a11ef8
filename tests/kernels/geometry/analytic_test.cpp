// SPDX-License-Identifier: Apache-2.0
// Distances that are known in closed form, from far apart to deep inside.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/geometry/convex.h"
#include "kernels/geometry/exact.h"
#include "kernels/geometry/poses.h"
#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using test::near;

constexpr real far_away = 1e9_r;
// roundings of coordinates up to 3
constexpr test::Tolerance exact_bar = {4e-15, 2e-6};
// the gap at which the search on round shapes ends
constexpr test::Tolerance round_bar = {4e-9, 4e-6};

double distance(const Shape& a, const Shape& b) {
  Nearest n = {};
  return static_cast<double>(convex_distance(a, b, far_away, &n));
}

Shape make(int type, Vec3<real> pos, Vec3<real> size) {
  return {type, pos, {1_r, 0_r, 0_r, 0_r, 1_r, 0_r, 0_r, 0_r, 1_r}, size};
}

TEST(AnalyticDistance, OfTwoSpheresIsThatOfTheirCentres) {
  Poses poses(1);
  for (int i = 0; i < 2000; ++i) {
    Shape a, b;
    poses.couple(0, 0, Draw::general, &a, &b);
    const double want = static_cast<double>(norm(b.pos - a.pos) - a.size.x - b.size.x);
    ASSERT_TRUE(near(distance(a, b), want, exact_bar));
  }
}

// outside: to the point clamped to the box; inside: to the nearest face
TEST(AnalyticDistance, OfASphereAndABoxIsThatOfThePointAndTheBox) {
  Poses poses(2);
  for (int i = 0; i < 5000; ++i) {
    Shape ball, box;
    poses.couple(0, 4, i % 2 == 0 ? Draw::general : Draw::deep, &ball, &box);
    const Point p = into_frame(box, minus(point_of(ball.pos), point_of(box.pos)));
    const Point half = point_of(box.size);
    double out = 0, in = -1e9;
    for (std::size_t k = 0; k < 3; ++k) {
      const double over = std::abs(p[k]) - half[k];
      out += std::pow(std::max(over, 0.0), 2);
      in = std::max(in, over);
    }
    const double want = (in > 0 ? std::sqrt(out) : in) - static_cast<double>(ball.size.x);
    ASSERT_TRUE(near(distance(ball, box), want, exact_bar)) << i;
    ASSERT_TRUE(near(distance(box, ball), want, exact_bar)) << i;
  }
}

// a cylinder is a rectangle in the half plane of the axis and the point
TEST(AnalyticDistance, OfASphereAndACylinderIsThatOfThePointAndARectangle) {
  Poses poses(3);
  for (int i = 0; i < 5000; ++i) {
    Shape ball, cylinder;
    poses.couple(0, 3, i % 2 == 0 ? Draw::general : Draw::deep, &ball, &cylinder);
    const Point p = into_frame(cylinder, minus(point_of(ball.pos), point_of(cylinder.pos)));
    const double side = std::hypot(p[0], p[1]) - static_cast<double>(cylinder.size.x);
    const double cap = std::abs(p[2]) - static_cast<double>(cylinder.size.y);
    const double inside = std::max(side, cap);
    const double out = std::hypot(std::max(side, 0.0), std::max(cap, 0.0));
    const double want = (inside > 0 ? out : inside) - static_cast<double>(ball.size.x);
    ASSERT_TRUE(near(distance(ball, cylinder), want, round_bar)) << i;
  }
}

// With the longest axis through both centres the nearest points are the poles, as long as the shapes
// do not reach too deep into each other.
TEST(AnalyticDistance, OfAnEllipsoidAndASphereOnItsAxisIsThatOfThePole) {
  Poses poses(4);
  for (int i = 0; i < 2000; ++i) {
    const real longest = poses.size(), r = poses.size();
    const Shape ellipsoid = make(geom_ellipsoid, zero3<real>(), {longest, longest, longest});
    const real at = static_cast<real>(poses.uniform(0.01, 1));
    const Shape ball = make(geom_sphere, {at, 0_r, 0_r}, {r, 0_r, 0_r});
    const double want = static_cast<double>(at - longest - r);
    ASSERT_TRUE(near(distance(ellipsoid, ball), want, round_bar)) << i;

    // a flat pole: the point beyond it on a short axis
    const Shape flat = make(geom_ellipsoid, zero3<real>(), {longest, 2_r * longest, 3_r * longest});
    const Shape beyond = make(geom_sphere, {longest + at, 0_r, 0_r}, {r, 0_r, 0_r});
    ASSERT_TRUE(near(distance(flat, beyond), static_cast<double>(at - r), round_bar)) << i;
  }
}

TEST(AnalyticDistance, OfAlignedBoxesIsThatOfIntervals) {
  Poses poses(5);
  for (int i = 0; i < 5000; ++i) {
    Shape a, b;
    poses.couple(4, 4, Draw::aligned, &a, &b);
    const Point half1 = {std::abs(reach(a, {1, 0, 0}) - static_cast<double>(a.pos.x)),
                         std::abs(reach(a, {0, 1, 0}) - static_cast<double>(a.pos.y)),
                         std::abs(reach(a, {0, 0, 1}) - static_cast<double>(a.pos.z))};
    const Point half2 = {std::abs(reach(b, {1, 0, 0}) - static_cast<double>(b.pos.x)),
                         std::abs(reach(b, {0, 1, 0}) - static_cast<double>(b.pos.y)),
                         std::abs(reach(b, {0, 0, 1}) - static_cast<double>(b.pos.z))};
    const Point apart = minus(point_of(b.pos), point_of(a.pos));
    double out = 0, in = -1e9;
    for (std::size_t k = 0; k < 3; ++k) {
      const double over = std::abs(apart[k]) - half1[k] - half2[k];
      out += std::pow(std::max(over, 0.0), 2);
      in = std::max(in, over);
    }
    ASSERT_TRUE(near(distance(a, b), in > 0 ? std::sqrt(out) : in, exact_bar)) << i;
  }
}

TEST(AnalyticDistance, OfCoincidentShapesIsTheirLeastWidth) {
  const Vec3<real> at = {1_r, 2_r, 3_r}, size = {0.25_r, 0.5_r, 0.125_r};
  // a width is twice the support: sphere 2 r + 2 r over 2, and so on
  EXPECT_TRUE(
      near(distance(make(geom_sphere, at, size), make(geom_sphere, at, size)), -0.5, exact_bar));
  EXPECT_TRUE(
      near(distance(make(geom_capsule, at, size), make(geom_capsule, at, size)), -0.5, exact_bar));
  EXPECT_TRUE(near(distance(make(geom_ellipsoid, at, size), make(geom_ellipsoid, at, size)), -0.25,
                   round_bar));
  EXPECT_TRUE(near(distance(make(geom_cylinder, at, size), make(geom_cylinder, at, size)), -0.5,
                   round_bar));
  EXPECT_TRUE(near(distance(make(geom_box, at, size), make(geom_box, at, size)), -0.25, exact_bar));
}

TEST(AnalyticDistance, OfAPointAndATriangleIsFlat) {
  const real vert[9] = {0_r, 0_r, 0_r, 1_r, 0_r, 0_r, 0_r, 1_r, 0_r};
  Shape triangle = make(shape_points, zero3<real>(), zero3<real>());
  triangle.mesh.vert = vert;
  triangle.mesh.vertnum = 3;
  const real eighth = 0.125_r;
  // above the inside, an edge and a corner, and in the plane, where the normal is that of the plane
  EXPECT_TRUE(
      near(distance(make(geom_sphere, {0.25_r, 0.25_r, 0.5_r}, {eighth, 0_r, 0_r}), triangle),
           0.375, exact_bar));
  EXPECT_TRUE(near(distance(make(geom_sphere, {0.5_r, -1_r, 0_r}, {eighth, 0_r, 0_r}), triangle),
                   0.875, exact_bar));
  EXPECT_TRUE(near(distance(make(geom_sphere, {4_r, -4_r, 0_r}, {eighth, 0_r, 0_r}), triangle),
                   4.875, exact_bar));
  Nearest n = {};
  const real x = convex_distance(make(geom_sphere, {0.25_r, 0.25_r, 0_r}, {eighth, 0_r, 0_r}),
                                 triangle, far_away, &n);
  EXPECT_TRUE(near(static_cast<double>(x), -0.125, exact_bar));
  EXPECT_TRUE(near(std::abs(static_cast<double>(n.normal.z)), 1, exact_bar));
}

// MuJoCo's strictness: a contact counts below the margin, not at it
TEST(ConvexContacts, CountBelowTheMarginOnly) {
  const Shape a = make(geom_box, zero3<real>(), {0.5_r, 0.5_r, 0.5_r});
  const Shape b = make(geom_ellipsoid, {0_r, 0_r, 1.25_r}, {0.5_r, 0.5_r, 0.5_r});
  Witness out[max_convex_contacts];
  EXPECT_EQ(convex_contacts(a, b, 0.25_r + 1e-5_r, out), 1);
  EXPECT_TRUE(near(static_cast<double>(out[0].dist), 0.25, round_bar));
  EXPECT_TRUE(near(static_cast<double>(out[0].pos.z), 0.625, round_bar));
  EXPECT_TRUE(near(static_cast<double>(out[0].normal.z), 1, round_bar));
  EXPECT_EQ(convex_contacts(a, b, 0.25_r - 1e-5_r, out), 0);
}

}  // namespace
}  // namespace swept::SWEPT_NS
