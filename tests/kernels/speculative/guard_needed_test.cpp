// SPDX-License-Identifier: Apache-2.0
// Which pairs the guard has to look at: how near ways come, boxes and ways that stay apart, what is slow
// or far.
#include <gtest/gtest.h>

#include "kernels/speculative/guard_worlds.h"

namespace swept::SWEPT_NS {
namespace {

TEST(Guard, KnowsHowNearWaysCome) {
  // against many pairs of places; parallel ones, short ones and those that stand among them
  RandomChains random(21);
  const auto vector = [&](double length) {
    const std::array<double, 3> v = random.direction(length);
    return Vec3<real>{static_cast<real>(v[0]), static_cast<real>(v[1]), static_cast<real>(v[2])};
  };
  for (int i = 0; i < 2000; ++i) {
    const Vec3<real> apart = vector(random.uniform(0, 2)), one = vector(random.uniform(0, 2));
    const real tilt = static_cast<real>(std::pow(10, random.uniform(-6, 0)));
    Vec3<real> two = vector(random.uniform(0, 2));
    if (i % 2 == 0) {
      two = one * static_cast<real>(random.uniform(-1, 1)) + two * tilt;
    }
    if (i % 10 == 0) {
      two = zero3<real>();
    }
    const double found = static_cast<double>(ways_apart(apart, one, two));
    double least = 1e9;
    constexpr int n = 60;
    for (int p = 0; p <= n; ++p) {
      for (int q = 0; q <= n; ++q) {
        const Vec3<real> at =
            apart + two * (static_cast<real>(q) / n) - one * (static_cast<real>(p) / n);
        least = std::min(least, static_cast<double>(norm(at)));
      }
    }
    // never above; below by the sine, and by what lies between two samples
    EXPECT_LE(found, least + (single ? 1e-6 : 1e-12));
    EXPECT_GE(found, least - 2e-3 * 2 - 4.0 / n);
  }
}

TEST(Guard, IsNotNeededWhereWaysDoNotCross) {
  // both fly far, and pass each other at a distance
  const auto cross = [](double z) {
    return world_of("<body><freejoint/><geom type='box' size='.1 .1 .1'/></body><body pos='1 0 " +
                        std::to_string(z) +
                        "'><freejoint/><geom type='box' size='.1 .1 .1'/></body>",
                    {2, 0, 0, 3, 2, 1, 0, 1, 0, 1, 2, 3});
  };
  const double radii = 0.2 * std::sqrt(3.0);
  EXPECT_TRUE(guard_needed(cross(radii - 0.01).arcs(), 0, 1, 0_r));
  EXPECT_FALSE(guard_needed(cross(radii + 0.01).arcs(), 0, 1, 0_r));
  EXPECT_TRUE(guard_needed(cross(radii + 0.01).arcs(), 0, 1, 0.02_r));
}

TEST(Guard, IsNotNeededWhereBoxesStayApart) {
  // along a large wall; the balls around them overlap
  const auto flight = [](double height, const std::string& geom, double down, double turn) {
    return world_of("<geom type='box' size='1 1 .001'/><body pos='-1 0 " + std::to_string(height) +
                        "'><freejoint/>" + geom + "</body>",
                    {2, 0.3, -down, 0, turn, 0});
  };
  const auto needed = [](const ArcWorld& world) { return guard_needed(world.arcs(), 0, 1, 0_r); };
  const std::string ball = "<geom size='.1'/>", box = "<geom type='box' size='.3 .1 .1'/>",
                    beside = "<geom type='box' size='.3 .1 .1' pos='0 0 .05'/>";
  EXPECT_FALSE(needed(flight(0.15, ball, 0.04, 3)));
  EXPECT_TRUE(needed(flight(0.15, ball, 0.06, 3)));
  EXPECT_FALSE(needed(flight(0.15, box, 0.04, 0)));
  EXPECT_TRUE(needed(flight(0.15, box, 0.06, 0)));
  // it turns: a corner may come down by the turn times the radius
  EXPECT_TRUE(needed(flight(0.15, box, 0, 0.3)));
  EXPECT_FALSE(needed(flight(0.5, box, 0.1, 3)));
  // a centre that swings round
  EXPECT_FALSE(needed(flight(0.15, beside, 0.08, 0)));
  EXPECT_TRUE(needed(flight(0.5, beside, 0.2, 3)));
}

TEST(Guard, IsNotNeededBySlowOrFarGeomsOrByThoseThatGoTogether) {
  const auto needed = [](const ArcWorld& world, int geom1, int geom2) {
    return guard_needed(world.arcs(), geom1, geom2, 0_r);
  };
  EXPECT_FALSE(needed(cube(0.05, -0.099), 0, 1));
  EXPECT_TRUE(needed(cube(0.05, -0.101), 0, 1));
  // both are slow, but not together
  const auto two = [](double way) {
    return world_of(
        "<body><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
        "<body pos='0 0 .21'><freejoint/><geom type='box' size='.1 .1 .1'/></body>",
        {0, 0, 0.06, 0, 0, 0, 0, 0, way, 0, 0, 0});
  };
  EXPECT_TRUE(needed(two(-0.05), 0, 1));
  EXPECT_FALSE(needed(two(-0.03), 0, 1));
  const auto ball = [](double height, double way) {
    return world_of(ground + "<body " + at_height(height) +
                        "><freejoint/><geom type='sphere' size='.1'/></body>",
                    {0, 0, way, 0, 0, 0});
  };
  EXPECT_TRUE(needed(ball(1.1, -1.001), 0, 1));
  EXPECT_FALSE(needed(ball(1.1, -0.999), 0, 1));
  // two links of something that flies and tumbles; the elbow stands still
  const auto robot = [](double forearm, double elbow) {
    return world_of("<body><freejoint/><geom type='box' size='.1 .1 .1'/><body pos='" +
                        std::to_string(forearm) +
                        " 0 0'><joint type='hinge' axis='0 1 0'/>"
                        "<geom type='box' size='.1 .1 .1'/></body></body>",
                    {3, 2, 1, 0.3, 1, 2, elbow});
  };
  // its corners go round at 0.173
  EXPECT_FALSE(needed(robot(0.26, 0), 0, 1));
  EXPECT_TRUE(needed(robot(0.26, 1.5), 0, 1));
  EXPECT_FALSE(needed(robot(0.3, 1.5), 0, 1));
  EXPECT_EQ(guard_to_end(robot(0.26, 0).pair(0, 1), {}).rounds, 0);
}

}  // namespace
}  // namespace swept::SWEPT_NS
