// SPDX-License-Identifier: Apache-2.0
// Laws of the colliders, on thousands of random pairs of every kind and on degenerate ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/collide/shapes_of.h"
#include "kernels/math/frame.h"
#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using test::Body;
using test::Couple;
using test::Draw;
using test::near;

constexpr int cases = 3200;  // whole packs of every width

// a few roundings of lengths of order 1
constexpr test::Tolerance length_bar = {1e-13, 1e-6};
// the same after a division by the distance of two centres, of which one in thousands is 1e-3
constexpr test::Tolerance direction_bar = {1e-11, 1e-3};

using Point = std::array<double, 3>;

Point operator+(Point a, Point b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Point operator-(Point a, Point b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Point operator*(double s, Point a) {
  return {s * a[0], s * a[1], s * a[2]};
}
double dot(Point a, Point b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
double length(Point a) {
  return std::sqrt(dot(a, a));
}
Point column(const Body& body, std::size_t k) {
  return {body.mat[k], body.mat[3 + k], body.mat[6 + k]};
}
Point point(Vec3<real> v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

/// Signed distance of a point from the surface of a geom; of an ellipsoid a number with the same
/// sign and zeros.
double signed_distance(const Body& body, Point p) {
  const Point d = p - body.pos;
  const double z = dot(d, column(body, 2));
  switch (body.type) {
    case geom_plane:
      return z;
    case geom_sphere:
      return length(d) - body.size[0];
    case geom_ellipsoid: {
      const double x = dot(d, column(body, 0)), y = dot(d, column(body, 1));
      return body.size[0] * (length({x / body.size[0], y / body.size[1], z / body.size[2]}) - 1);
    }
    case geom_cylinder: {
      const double radial = length(d - z * column(body, 2)) - body.size[0];
      const double along = std::abs(z) - body.size[1];
      return radial > 0 && along > 0 ? std::hypot(radial, along) : std::max(radial, along);
    }
    case geom_capsule:
      return length(d - std::clamp(z, -body.size[1], body.size[1]) * column(body, 2)) -
             body.size[0];
    default:
      break;
  }
  double outside = 0, inside = -1e30;
  for (std::size_t k = 0; k < 3; ++k) {
    const double q = std::abs(dot(d, column(body, k))) - body.size[k];
    outside += q > 0 ? q * q : 0;
    inside = std::max(inside, q);
  }
  return outside > 0 ? std::sqrt(outside) : inside;
}

/// Smallest signed distance between a geom and the ball of radius r around points of a segment: the
/// distance is convex along it.
double distance_along(const Body& body, Point center, Point axis, double half, double r) {
  double lo = -half, hi = half;
  for (int i = 0; i < 200; ++i) {
    const double a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
    if (signed_distance(body, center + a * axis) < signed_distance(body, center + b * axis)) {
      hi = b;
    } else {
      lo = a;
    }
  }
  return signed_distance(body, center + (0.5 * (lo + hi)) * axis) - r;
}

/// How far a geom reaches against a plane's normal.
double reach_down(const Body& body, Point n) {
  const Point along = {dot(n, column(body, 0)), dot(n, column(body, 1)), dot(n, column(body, 2))};
  if (body.type == geom_ellipsoid) {
    return length({along[0] * body.size[0], along[1] * body.size[1], along[2] * body.size[2]});
  }
  return body.size[0] * std::hypot(along[0], along[1]) + body.size[1] * std::abs(along[2]);
}

/// Smallest signed distance of a couple, not by the colliders' formulas. Shape 2 of a plane and a
/// box is its lowest corner.
double distance_of(const Couple& c) {
  const Body& b = c.b;
  if (c.a.type == geom_capsule && b.type == geom_box) {
    return distance_along(b, c.a.pos, column(c.a, 2), c.a.size[1], c.a.size[0]);
  }
  if (c.a.type == geom_plane && (b.type == geom_ellipsoid || b.type == geom_cylinder)) {
    return signed_distance(c.a, b.pos) - reach_down(b, column(c.a, 2));
  }
  switch (b.type) {
    case geom_sphere:
      return signed_distance(c.a, b.pos) - b.size[0];
    case geom_capsule:
      return distance_along(c.a, b.pos, column(b, 2), b.size[1], b.size[0]);
    default:
      break;
  }
  if (c.a.type == geom_sphere) {
    return signed_distance(b, c.a.pos) - c.a.size[0];
  }
  double lowest = 1e30;
  for (int i = 0; i < 8; ++i) {
    Point corner = b.pos;
    for (std::size_t k = 0; k < 3; ++k) {
      corner = corner + ((i >> k & 1) != 0 ? b.size[k] : -b.size[k]) * column(b, k);
    }
    lowest = std::min(lowest, signed_distance(c.a, corner));
  }
  return lowest;
}

/// Shape 2 of a contact: of a capsule on a plane the ball at the end that the contact belongs to.
Body touching(const Couple& c, int contact) {
  Body body = c.b;
  if (c.a.type == geom_plane && body.type == geom_capsule) {
    body.type = geom_sphere;
    body.pos = body.pos + (contact == 0 ? body.size[1] : -body.size[1]) * column(body, 2);
  }
  return body;
}

std::vector<Couple> draw(int kind, Draw how, unsigned seed) {
  test::RandomShapes<real> random(seed);
  std::vector<Couple> couples;
  for (int i = 0; i < cases; ++i) {
    couples.push_back(random.couple(kind, how));
  }
  return couples;
}

class Colliders : public testing::TestWithParam<int> {};

TEST_P(Colliders, LieMidwayBetweenTheSurfaces) {
  const std::vector<Couple> couples = draw(GetParam(), Draw::general, 1);
  int contacts = 0;
  for (int i = 0; i < cases; ++i) {
    const Couple& c = couples[static_cast<std::size_t>(i)];
    const Hits<real, 8> hits = collide_couples<real>(GetParam(), couples, i);
    for (int k = 0; k < 8; ++k) {
      const Hit<real>& hit = hits.at[k];
      if (hit.hit) {
        ++contacts;
        const Point half = (0.5 * static_cast<double>(hit.dist)) * point(hit.normal);
        // a ball within a capsule touches the box where the capsule reaches at least as far
        const double on_a = signed_distance(c.a, point(hit.pos) - half);
        EXPECT_TRUE(
            near(c.a.type == geom_capsule && c.b.type == geom_box ? std::max(on_a, 0.0) : on_a, 0,
                 direction_bar))
            << i;
        EXPECT_TRUE(near(signed_distance(touching(c, k), point(hit.pos) + half), 0, direction_bar))
            << i;
        EXPECT_TRUE(near(length(point(hit.normal)), 1, length_bar)) << i;
      }
    }
  }
  EXPECT_GT(contacts, cases / 10);
}

TEST_P(Colliders, FindTheSmallestDistanceAndOnlyWithinTheMargin) {
  const std::vector<Couple> couples = draw(GetParam(), Draw::general, 2);
  int found = 0;
  for (int i = 0; i < cases; ++i) {
    const Couple& c = couples[static_cast<std::size_t>(i)];
    const double want = distance_of(c), margin = c.margin + c.gap;
    const Hits<real, 8> hits = collide_couples<real>(GetParam(), couples, i);
    if (std::abs(want - margin) < 1e-5) {
      continue;  // a rounding decides
    }
    EXPECT_EQ(count(hits) > 0, want < margin) << i;
    double least = 1e30;
    for (const Hit<real>& hit : hits.at) {
      least = hit.hit ? std::min(least, static_cast<double>(hit.dist)) : least;
    }
    // the axis of a capsule that reaches into a box has many nearest points, none of them deepest
    const bool inside = GetParam() == collide_capsule_box && want < -c.a.size[0] + 1e-5;
    if (want < margin && !inside) {
      // ternary search along a capsule stops at the square root of the rounding of its distance,
      // where that is flat
      EXPECT_TRUE(near(least, want, {1e-12, 2e-6})) << i;
      ++found;
    }
  }
  EXPECT_GT(found, cases / 10);
}

TEST_P(Colliders, MoveWithTheShapes) {
  test::RandomShapes<double> random(3);
  const std::vector<Couple> couples = draw(GetParam(), Draw::general, 3);
  for (int i = 0; i < cases; ++i) {
    const std::array<double, 9> turn = random.rotation();
    const Point shift = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const auto turned = [&](Point p) -> Point {
      return {dot({turn[0], turn[1], turn[2]}, p), dot({turn[3], turn[4], turn[5]}, p),
              dot({turn[6], turn[7], turn[8]}, p)};
    };
    std::vector<Couple> moved = {couples[static_cast<std::size_t>(i)]};
    for (Body* body : {&moved[0].a, &moved[0].b}) {
      for (std::size_t k = 0; k < 3; ++k) {
        const Point axis = turned(column(*body, k));
        body->mat[k] = axis[0], body->mat[3 + k] = axis[1], body->mat[6 + k] = axis[2];
      }
      body->pos = turned(body->pos) + shift;
    }
    const Hits<real, 8> before = collide_couples<real>(GetParam(), couples, i),
                        after = collide_couples<real>(GetParam(), moved, 0);
    for (int k = 0; k < 8; ++k) {
      const Hit<real>&a = before.at[k], &b = after.at[k];
      if (a.hit != b.hit) {
        // a corner at the height of the box's centre, or a distance at the margin
        EXPECT_LT(std::abs(static_cast<double>(a.dist - b.dist)), 1e-5);
        continue;
      }
      if (a.hit) {
        EXPECT_TRUE(near(static_cast<double>(b.dist), static_cast<double>(a.dist), {1e-12, 5e-6}))
            << i;
        EXPECT_LT(length(point(b.normal) - turned(point(a.normal))),
                  direction_bar.bar(test::default_bar))
            << i;
        EXPECT_LT(length(point(b.pos) - turned(point(a.pos)) - shift),
                  direction_bar.bar(test::default_bar))
            << i;
      }
    }
  }
}

TEST_P(Colliders, GiveEqualBitsOnPacksAndOnSingleEnvironments) {
  for (const Draw how : {Draw::general, Draw::degenerate, Draw::near_parallel}) {
    const std::vector<Couple> couples = draw(GetParam(), how, 4);
    for (int first = 0; first < cases; first += lanes_of<pack>) {
      const Hits<pack, 8> packs = collide_couples<pack>(GetParam(), couples, first);
      for (int l = 0; l < lanes_of<pack>; ++l) {
        const Hits<real, 8> want = collide_couples<real>(GetParam(), couples, first + l);
        for (int k = 0; k < 8; ++k) {
          const Hit<pack>& p = packs.at[k];
          const Hit<real>& one = want.at[k];
          ASSERT_EQ(lane(p.hit, l), one.hit);
          if (!one.hit) {
            continue;
          }
          const Mat3<pack> frame = make_frame(p.normal, p.tangent);
          const Mat3<real> want_frame = make_frame(one.normal, one.tangent);
          const real got[] = {lane(p.dist, l),   lane(p.pos.x, l),  lane(p.pos.y, l),
                              lane(p.pos.z, l),  lane(frame.xx, l), lane(frame.xy, l),
                              lane(frame.xz, l), lane(frame.yx, l), lane(frame.yy, l),
                              lane(frame.yz, l), lane(frame.zx, l), lane(frame.zy, l),
                              lane(frame.zz, l)};
          const real numbers[] = {one.dist,      one.pos.x,     one.pos.y,     one.pos.z,
                                  want_frame.xx, want_frame.xy, want_frame.xz, want_frame.yx,
                                  want_frame.yy, want_frame.yz, want_frame.zx, want_frame.zy,
                                  want_frame.zz};
          ASSERT_EQ(std::memcmp(got, numbers, sizeof got), 0)
              << "case " << first + l << ", contact " << k;
        }
      }
    }
  }
}

std::string kind_name(const testing::TestParamInfo<int>& kind) {
  const char* const names[] = {"PlaneSphere",    "PlaneCapsule",   "PlaneBox",
                               "SphereSphere",   "SphereCapsule",  "SphereBox",
                               "CapsuleCapsule", "PlaneEllipsoid", "PlaneCylinder",
                               "SphereCylinder", "CapsuleBox"};
  return names[kind.param];
}

INSTANTIATE_TEST_SUITE_P(Kinds, Colliders, testing::Range(0, collide_capsule_box + 1), kind_name);

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
