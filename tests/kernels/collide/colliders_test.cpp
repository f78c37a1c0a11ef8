// SPDX-License-Identifier: Apache-2.0
// Laws of the colliders, on thousands of random pairs of every kind and on degenerate ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/collide/distance_of.h"
#include "kernels/math/frame.h"
#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using test::Draw;
using test::near;

constexpr int cases = 3200;  // whole packs of every width

// a few roundings of lengths of order 1
constexpr test::Tolerance length_bar = {1e-13, 1e-6};
// the same after a division by the distance of two centres, of which one in thousands is 1e-3
constexpr test::Tolerance direction_bar = {1e-11, 1e-3};

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

}  // namespace
}  // namespace swept::SWEPT_NS
