// SPDX-License-Identifier: Apache-2.0
// Laws of the guard: geoms that touch, slide, roll or overlap, its floors, resumption, numbers that are
// none, and the rows that are made from where it ends.
#include <gtest/gtest.h>

#include <limits>

#include "kernels/speculative/guard_worlds.h"
#include "kernels/speculative/impact.h"

namespace swept::SWEPT_NS {
namespace {

// ---- sliding and rolling ----------------------------------------------------------------------------

TEST(Guard, OfWhatSlidesOrRollsIsSafeAtOnce) {
  const struct {
    const char* name;
    std::string geom;  // of a free body, one metre up less the height
    double height;
    std::vector<double> per_step;
  } movers[] = {
      {"ball that rolls", "<geom type='sphere' size='.1'/>", 0.1, {0.5, 0, 0, 0, 5, 0}},
      {"ball that slips", "<geom type='sphere' size='.1'/>", 0.1, {0.5, 0, 0, 300, 7, 50}},
      {"long box", "<geom type='box' size='1 .1 .1'/>", 0.1, {1, 0.2, 0, 0, 0, 0}},
      {"long box that turns", "<geom type='box' size='1 .1 .1'/>", 0.1, {1, 0.2, 0, 0, 0, 1.5}},
      {"disk that spins", "<geom type='cylinder' size='.3 .05'/>", 0.05, {0.3, 0, 0, 0, 0, 40}},
      {"rod along itself",
       "<geom type='capsule' size='.03 .5' euler='0 90 0'/>",
       0.03,
       {0.5, 0, 0, 0, 0, 0}},
      {"rod that rolls",
       "<geom type='capsule' size='.03 .5' euler='0 90 0'/>",
       0.03,
       {0, -0.5, 0, 16, 0, 0}},
      {"geom beside the body",
       "<geom type='box' size='.3 .1 .1' pos='.4 .3 0'/>",
       0.1,
       {1, 0, 0, 0, 0, 1.2}},
  };
  for (const std::string& floor : {ground, table}) {
    for (const auto& m : movers) {
      for (const double depth : {0.0, 1e-5, 2e-3}) {
        const ArcWorld world = world_of(
            floor + "<body " + at_height(m.height - depth) + free_body + m.geom + "</body>",
            m.per_step);
        const GuardState s = guard(world);
        EXPECT_EQ(s.end, AdvanceEnd::none) << m.name << " " << depth;
        EXPECT_EQ(s.rounds, 0) << m.name << " " << depth;
        EXPECT_TRUE(guard_needed(world.arcs(), 0, 1, 0_r)) << m.name;
      }
    }
  }
}

TEST(Guard, OfADoorOverTheFloorIsSafeAtOnce) {
  const ArcWorld world = world_of(table +
                                      "<body pos='0 0 .4995'><joint type='hinge' axis='0 0 1'/>"
                                      "<geom type='box' size='.5 .02 .5' pos='.5 0 0'/></body>",
                                  {1.5});
  const GuardState s = guard(world);
  EXPECT_EQ(s.end, AdvanceEnd::none);
  EXPECT_EQ(s.rounds, 0);
}

TEST(Guard, OfAWheelThatRollsIsSafeInAFewRounds) {
  for (const double turn : {1.0, 5.0}) {
    const ArcWorld world =
        world_of(table + "<body " + at_height(0.3 - 1e-4) + free_body +
                     "<geom type='cylinder' size='.3 .1' euler='90 0 0'/></body>",
                 {0.3 * turn, 0, 0, 0, turn, 0});
    const GuardState s = guard(world);
    EXPECT_EQ(s.end, AdvanceEnd::none);
    std::printf("a wheel that turns by %g: %d rounds\n", turn, s.rounds);
    // each lasts until the rim, taken as points that turn, has used up half the thickness
    EXPECT_LE(s.rounds, 1 + static_cast<int>(turn * 0.3 / 0.05));
  }
}

// ---- floors -----------------------------------------------------------------------------------------

TEST(Guard, StopsGeomsThatAreApartAtTheMargin) {
  for (const double margin : {0.0, 0.02}) {
    GuardSettings settings;
    settings.margin = static_cast<real>(margin);
    const GuardState s = guard(cube(0.3, -0.9), settings);
    ASSERT_EQ(s.end, AdvanceEnd::hit);
    EXPECT_NEAR(time_of(s), (0.3 - margin) / 0.9, time_bar);
    EXPECT_EQ(s.floor, settings.margin);
    EXPECT_EQ(guard(cube(0.3, -(0.3 - margin) + 1e-4), settings).end, AdvanceEnd::none);
  }
}

TEST(Guard, LetsGeomsThatTouchSinkByHalfTheThickness) {
  for (const double dist : {0.01, 0.0, -0.02, -0.049}) {
    GuardSettings settings;
    settings.margin = 0.015_r;
    const GuardState s = guard(cube(dist, -0.4, 0.3), settings);
    ASSERT_EQ(s.end, AdvanceEnd::hit) << dist;
    EXPECT_NEAR(time_of(s), (dist + 0.05) / 0.4, time_bar) << dist;
    EXPECT_NEAR(static_cast<double>(s.normal.z), 1, 1e-6);
    EXPECT_EQ(guard(cube(dist, -(dist + 0.0499)), settings).end, AdvanceEnd::none);
  }
}

TEST(Guard, LetsDeeperGeomsNotGetDeeper) {
  for (const double dist : {-0.055, -0.07, -0.08, -0.12}) {
    const GuardState s = guard(cube(dist, -0.3));
    ASSERT_EQ(s.end, AdvanceEnd::hit) << dist;
    EXPECT_NEAR(time_of(s), 0, single ? 1e-5 : 1e-12);
    EXPECT_EQ(guard(cube(dist, 0.3)).end, AdvanceEnd::none);
    EXPECT_EQ(guard(cube(dist, 0, 0.5)).end, AdvanceEnd::none);
  }
}

TEST(Guard, LeavesPairsAloneThatAreSlowForWhereTheyAre) {
  // thickness 0.1: what may be travelled at this depth
  const struct {
    double dist, slow;
  } cases[] = {{0.01, 0.1}, {-0.02, 0.1}, {-0.03, 0.07}, {-0.08, 0.02}, {-0.11, 0}};
  for (const auto& c : cases) {
    for (const double travel : {0.001, 0.015, 0.025, 0.065, 0.075, 0.099, 0.101}) {
      GuardSettings settings;
      settings.travel = static_cast<real>(travel);
      // as fast as is said: deeper than a floor or not
      const GuardState s = guard(cube(c.dist, -10 * travel), settings);
      if (travel < c.slow) {
        EXPECT_EQ(s.end, AdvanceEnd::none) << c.dist << " " << travel;
      } else if (c.dist < -0.05) {
        EXPECT_EQ(s.end, AdvanceEnd::hit) << c.dist << " " << travel;
      }
    }
  }
}

TEST(Guard, LowersFloorsByAPartOfTheThickness) {
  GuardSettings settings;
  settings.ease = 0.25_r;
  EXPECT_NEAR(time_of(guard(cube(0.3, -0.9), settings)), 0.325 / 0.9, time_bar);
  EXPECT_NEAR(time_of(guard(cube(-0.01, -0.9), settings)), 0.065 / 0.9, time_bar);
  // who is as deep as that gets no deeper
  EXPECT_NEAR(time_of(guard(cube(-0.075, -0.9), settings)), 0, single ? 1e-5 : 1e-12);
}

TEST(Guard, LowersFloorsLessAndLessWhereStepsEndAtThem) {
  const real thickness = 0.01_r;
  for (const real ease : {0.02_r, 0.1_r, 0.25_r}) {
    // touching, and then always as deep as the last step allowed
    real clearance = 0_r;
    for (int step = 0; step < 1000; ++step) {
      const real floor = guard_floor({0_r, ease, 64}, thickness, clearance, 0_r);
      EXPECT_LE(floor, clearance);
      clearance = floor;
    }
    EXPECT_LT(clearance, -(guard_depth + 0.5_r * ease) * thickness);
    // rounding
    EXPECT_GE(clearance, -(max(guard_lowest, real(guard_depth + ease)) + 1e-6_r) * thickness);
  }
}

TEST(Guard, TakesWhatSlidesJustOverTheMarginToTouch) {
  // within 1e-4 of the thickness
  EXPECT_EQ(guard(cube(5e-6, -1e-3, 0.3)).end, AdvanceEnd::none);
  EXPECT_EQ(guard(cube(5e-5, -1e-3, 0.3)).end, AdvanceEnd::hit);
}

// its lower end is in the ground and rises, the other one swings down
TEST(Guard, OfARodInTheGroundFindsItsOtherEnd) {
  const double up = 0.5 * std::sin(mjPI / 6);
  for (const double depth : {0.005, 0.012}) {
    const double height = up + 0.02 - depth;
    const ArcWorld world = world_of(ground + "<body " + at_height(height) +
                                        " euler='0 60 0'><freejoint/>"
                                        "<geom type='capsule' size='.02 .5'/></body>",
                                    {0, 0, 0, 0, mjPI / 2, 0});
    const GuardState s = guard(world);
    ASSERT_EQ(s.end, AdvanceEnd::hit);
    // half of the radius deep, or as deep as the first one was
    const double lowest = height - (0.02 - std::max(depth, 0.01));
    const double turn = mjPI / 6 + std::asin(lowest / 0.5);
    EXPECT_LE(time_of(s), turn / (mjPI / 2) + time_bar);
    EXPECT_GE(time_of(s), 0.99 * turn / (mjPI / 2));
  }
}

// ---- parts, caps, bad numbers -----------------------------------------------------------------------

TEST(Guard, InPartsIsTheSameBitForBitAndAtACapIsEarlier) {
  RandomChains random(21);
  int hits = 0, capped = 0;
  for (int i = 0; i < 250; ++i) {
    ArcWorld world(random.scene(1));
    random.state(&world, 1.5);
    const int last = static_cast<int>(world.scene.model->ngeom) - 1;
    const int* const type = world.scene.model->geom_type;
    const ArcPair<GivenVelocity> pair =
        type[0] <= type[last] ? world.pair(0, last) : world.pair(last, 0);
    GuardSettings settings;
    const GuardState whole = guard_to_end(pair, settings);
    GuardState parts;
    for (int k = 0; k < 200; ++k) {
      guard_pair(pair, settings, 1, &parts);
    }
    EXPECT_EQ(whole.end, parts.end);
    EXPECT_EQ(whole.t, parts.t);
    EXPECT_EQ(whole.rounds, parts.rounds);
    EXPECT_EQ(whole.arm2.x, parts.arm2.x);
    hits += is_hit(whole.end) ? 1 : 0;
    for (const int cap : {0, 1, 2}) {
      settings.cap = cap;
      const GuardState s = guard_to_end(pair, settings);
      EXPECT_LE(s.rounds, cap);
      if (s.end == AdvanceEnd::capped) {
        ++capped;
        EXPECT_LE(s.t, whole.end == AdvanceEnd::none ? 1_r : whole.t);
      } else {
        EXPECT_EQ(s.end, whole.end);
      }
    }
  }
  std::printf("%d hits, %d at a low cap\n", hits, capped);
  EXPECT_GT(hits, 3);
  EXPECT_GT(capped, 10);
}

TEST(Guard, OfNumbersThatAreNoneIsInvalid) {
  for (const double x :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e300}) {
    for (std::size_t dof = 0; dof < 6; ++dof) {
      std::vector<double> v(6, 0.1);
      v[dof] = x;
      const ArcWorld world = world_of(
          table + "<body pos='0 0 .5'><freejoint/><geom type='box' size='.1 .1 .1'/></body>", v);
      if (std::isfinite(static_cast<real>(x / timestep)) && x < 1e200) {
        continue;
      }
      EXPECT_EQ(guard(world).end, AdvanceEnd::invalid) << x << " " << dof;
      EXPECT_TRUE(guard_needed(world.arcs(), 0, 1, 0_r)) << x << " " << dof;
    }
  }
}

TEST(Guard, EndsBeforePlacesThatNumbersDoNotTell) {
  // a spin at which places are known to no more than the thickness of a plate, or less
  for (const double spin : {1e3, 1e5, 1e7, 1e15}) {
    for (const double dist : {0.05, 1e-3, 0.0, -1e-4}) {
      const ArcWorld world =
          world_of("<geom type='box' size='1 1 .0005' pos='0 0 -.0005'/><body pos='0 0 " +
                       std::to_string(0.01 + dist) +
                       "'><freejoint/><geom type='box' size='.2 .2 .01'/></body>",
                   {0, 0, -0.2, 0, 0, spin});
      const GuardState s = guard(world);
      ASSERT_TRUE(is_hit(s.end)) << spin << " " << dist;
      // down to the floor and the widest band, spinning in its plane; f32: at the least spin, what
      // places are known to
      const double clearance = dist - 0.2 * time_of(s);
      const double lowest = std::min(dist > 1e-5 ? 0 : -0.00025, dist);
      EXPECT_GE(clearance, lowest - 0.0005 / 8 - (single ? 1.5e-4 : 0)) << spin << " " << dist;
    }
  }
}

// ---- rows -------------------------------------------------------------------------------------------

/// Closing speed [m per step] of a row of the library's Jacobians at two points.
double row_speed(const ArcWorld& world, int geom1, int geom2, const SpeculativePoint& p) {
  const mjModel* const m = world.scene.model;
  const mjData* const d = world.scene.data;
  const std::size_t nv = static_cast<std::size_t>(m->nv);
  double speed = 0;
  const Point n = point_of(p.normal);
  for (int k = 0; k < 2; ++k) {
    std::vector<mjtNum> jac(3 * nv);
    const Point at = point_of(k == 0 ? p.pos : p.pos2);
    mj_jac(m, d, jac.data(), nullptr, at.data(), m->geom_bodyid[k == 0 ? geom1 : geom2]);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t dof = 0; dof < nv; ++dof) {
        speed += (k == 0 ? 1 : -1) * n[i] * jac[nv * i + dof] * d->qvel[dof] * timestep;
      }
    }
  }
  return speed;
}

TEST(GuardRows, SeeTheSpeedOfTheirPointsAndComeFromWhereTheyMeet) {
  RandomChains random(22);
  int hits = 0, points = 0;
  double worst_speed = 0, worst_way = 0;
  for (int i = 0; i < 1500; ++i) {
    ArcWorld world(random.scene(1));
    random.state(&world, 1.0);
    const mjModel* const m = world.scene.model;
    const int last = static_cast<int>(m->ngeom) - 1;
    const bool swap = m->geom_type[0] > m->geom_type[last];
    const int g1 = swap ? last : 0, g2 = swap ? 0 : last;
    const ArcPair<GivenVelocity> pair = world.pair(g1, g2);
    const GuardState s = guard_to_end(pair, {});
    if (s.end != AdvanceEnd::hit || pair.chain1.stop >= 0) {
      continue;
    }
    ++hits;
    Impact impact;
    robust_impact(pair, 0_r, s, ContactCount::several, &impact);
    points += impact.count;
    world.go_to(0);
    mj_comPos(m, world.scene.data);
    for (int k = 0; k < impact.count; ++k) {
      const SpeculativePoint& p = impact.point[k];
      EXPECT_GT(p.speed, 0_r);
      EXPECT_GE(p.t, s.t);
      worst_speed = std::max(worst_speed,
                             std::abs(row_speed(world, g1, g2, p) - static_cast<double>(p.speed)));
    }
    // the body's points where they meet, by the library
    for (const bool first : {true, false}) {
      const int geom = first ? g1 : g2;
      if (m->geom_type[geom] == mjGEOM_SPHERE) {
        // its turning is left out
        continue;
      }
      const mjtNum *const x = world.scene.data->geom_xpos + 3 * geom,
                          *const r = world.scene.data->geom_xmat + 9 * geom;
      std::vector<Point> local;
      for (int k = 0; k < impact.count; ++k) {
        const SpeculativePoint& p = impact.point[k];
        const Point from = point_of(first ? p.way1.from : p.way2.from);
        const mjtNum arm[3] = {from[0] - x[0], from[1] - x[1], from[2] - x[2]};
        Point in;
        mju_mulMatTVec3(in.data(), r, arm);
        local.push_back(in);
      }
      world.go_to(static_cast<double>(s.seen));
      for (int k = 0; k < impact.count; ++k) {
        const SpeculativePoint& p = impact.point[k];
        Point then;
        mju_mulMatVec3(then.data(), r, local[static_cast<std::size_t>(k)].data());
        mju_addTo3(then.data(), x);
        const Point to = point_of(first ? p.way1.to : p.way2.to);
        worst_way = std::max(worst_way, length(minus(then, to)));
      }
      world.go_to(0);
    }
  }
  std::printf("%d hits, %d points; speeds off by %.1e, ways by %.1e\n", hits, points, worst_speed,
              worst_way);
  EXPECT_GT(hits, 50);
  EXPECT_GE(points, hits - hits / 10);
  // sums of products of up to 3
  EXPECT_LT(worst_speed, single ? 1e-5 : 1e-12);
  EXPECT_LT(worst_way, single ? 1e-5 : 1e-12);
}

TEST(GuardRows, OfARodThatTurnsFarTakeTheLeversOfTheImpact) {
  for (const double post : {100.0, 150.0, 250.0}) {
    // the rod is geom 2 to a ball, and geom 1 to a cylinder
    for (const bool ball : {true, false}) {
      const double a = post * mjPI / 180, step = (post + 20) * mjPI / 180;
      const ArcWorld world =
          world_of(std::string("<geom ") +
                       (ball ? "type='sphere' size='.05'" : "type='cylinder' size='.05 .2'") +
                       " pos='" + text({0.8 * std::cos(a), 0.8 * std::sin(a), 0}) +
                       "'/><body><joint type='hinge' axis='0 0 1'/><geom type='capsule' "
                       "fromto='0 0 0 1 0 0' size='.01'/></body>",
                   {step});
      const ArcPair<GivenVelocity> pair = ball ? world.pair(0, 1) : world.pair(1, 0);
      const GuardState s = guard_to_end(pair, {});
      ASSERT_EQ(s.end, AdvanceEnd::hit);
      Impact impact;
      robust_impact(pair, 0_r, s, ContactCount::one, &impact);
      ASSERT_EQ(impact.count, 1);
      // the rod meets the post at a right angle: at 0.8 m less what the radii take off
      EXPECT_NEAR(static_cast<double>(impact.point[0].speed), step * std::sqrt(0.64 - 0.0036),
                  2e-3);
    }
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS
