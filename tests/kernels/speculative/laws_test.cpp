// SPDX-License-Identifier: Apache-2.0
// Laws of the advancement of one pair: exact answers, swapped geoms, touching geoms, resumption, and
// what is done with numbers that are none.
#include <gtest/gtest.h>

#include <limits>

#include "kernels/geometry/contact_shapes.h"
#include "kernels/geometry/exact.h"
#include "kernels/speculative/advance.h"
#include "kernels/speculative/shots.h"

namespace swept::SWEPT_NS {
namespace {

constexpr double pi = 3.14159265358979323846;

/// Times are sums of a few quotients of lengths of order 1.
constexpr double time_bar = single ? 4e-6 : 1e-14;

AdvanceSettings robust(real margin = 0_r) {
  AdvanceSettings settings;
  settings.margin = margin;
  return settings;
}
StepMotion<real> moving(real x, real y, real z) {
  const Vec3<real> dx = {x, y, z};
  return {dx, zero3<real>(), norm(dx)};
}
StepMotion<real> spinning(real z, real bound) {
  return {zero3<real>(), {0_r, 0_r, z}, abs(z) * bound};
}
double time_of(const AdvanceState& s) {
  return static_cast<double>(s.t);
}

SweptPair cubes(Vec3<real> apart, const StepMotion<real>& motion) {
  const Vec3<real> half = {0.5_r, 0.5_r, 0.5_r};
  return swept_pair(upright(geom_box, {0_r, 0_r, 0_r}, half), no_motion<real>(), 0.8660255_r,
                    upright(geom_box, apart, half), motion, 0.8660255_r, 0.5_r);
}

TEST(RobustAdvancement, OfATranslationOntoAPlaneIsExact) {
  RandomShots random(4);
  for (int i = 0; i < 2000; ++i) {
    Shape shapes[] = {upright(geom_sphere, {0_r, 0_r, 1_r}, {0.1_r, 0_r, 0_r}),
                      upright(geom_capsule, {0_r, 0_r, 1_r}, {0.05_r, 0.2_r, 0_r}),
                      upright(geom_ellipsoid, {0_r, 0_r, 1_r}, {0.1_r, 0.2_r, 0.3_r}),
                      upright(geom_cylinder, {0_r, 0_r, 1_r}, {0.1_r, 0.2_r, 0_r}),
                      upright(geom_box, {0_r, 0_r, 1_r}, {0.1_r, 0.2_r, 0.3_r})};
    Shape& s = shapes[i % 5];
    const std::array<double, 4> q = random.rotation();
    s.mat = matrix(normalize(Quat<real>{static_cast<real>(q[0]), static_cast<real>(q[1]),
                                        static_cast<real>(q[2]), static_cast<real>(q[3])}));
    s.pos.x = static_cast<real>(random.uniform(-1, 1));
    const real margin = i % 2 == 0 ? 0_r : 0.01_r;
    const real v = static_cast<real>(random.uniform(0.3, 5));
    const SweptPair pair =
        swept_pair(upright(geom_plane, {0_r, 0_r, 0_r}, {0_r, 0_r, 1_r}), no_motion<real>(), 0_r, s,
                   moving(0.7_r, 0_r, -v), 0.5_r, 0.05_r);
    const AdvanceState state = advance_to_end(pair, robust(margin));
    // how far the shape reaches down, without an algorithm
    const double gap = -reach(s, {0, 0, -1}) - static_cast<double>(margin);
    const double want = gap / static_cast<double>(v);
    if (want < 1) {
      ASSERT_EQ(state.end, AdvanceEnd::hit) << i;
      EXPECT_NEAR(time_of(state), want, 4 * time_bar) << i;
      EXPECT_LE(state.rounds, 1);
    } else {
      EXPECT_EQ(state.end, AdvanceEnd::none) << i;
    }
  }
}

TEST(Look, GivesAClearanceThatItsNormalProves) {
  RandomShots random(8);
  double worst = -1e30, widest = 0;
  for (int i = 0; i < 1500; ++i) {
    const Shot shot =
        random.shot(shot_types[random.integer(0, 6)], shot_types[random.integer(1, 6)], 600);
    const OfficialShot official(shot);
    const SweptPair pair = official.pair();
    Looker view(pair);
    WarmCorners warm;
    for (const double t : {0.0, 0.1, 0.15, 0.6}) {
      view.move_to(pair, static_cast<real>(t));
      const Separation seen = look(&view, {1_r, 0_r, 0_r}, &warm);
      if (seen.overlap || pair.shape1.type == geom_plane) {
        continue;
      }
      Shape a = pair.shape1, b = pair.shape2;
      a.mat = view.at.mat1;
      b.mat = view.at.mat2;
      b.pos = view.at.pos2;
      const double proven = -overlap(a, b, point_of(seen.normal));
      worst = std::max(worst, static_cast<double>(seen.clearance) - proven);
      widest = std::max(widest, static_cast<double>(seen.distance - seen.clearance));
    }
  }
  std::printf("more than proven by %.1e, bounds apart by %.1e at most\n", worst, widest);
  // sums of products of up to 5; searches on round shapes end at a gap of 1e-12
  EXPECT_LE(worst, single ? 2e-6 : 2e-14);
  EXPECT_LE(widest, single ? 2e-5 : 1e-10);
}

TEST(RobustAdvancement, OfSwappedGeomsIsTheSame) {
  RandomShots random(5);
  int hits = 0;
  double worst = 0;
  for (int i = 0; i < 400; ++i) {
    const Shot shot =
        random.shot(shot_types[random.integer(1, 6)], shot_types[random.integer(1, 6)], 600);
    const OfficialShot official(shot);
    const SweptPair pair = official.pair();
    const SweptPair other =
        swept_pair(official.shape(1), official.motion(1), official.bound(1), official.shape(0),
                   official.motion(0), official.bound(0), pair.thickness);
    const AdvanceState a = advance_to_end(pair, robust()), b = advance_to_end(other, robust());
    ASSERT_EQ(a.end, b.end) << i;
    if (a.end == AdvanceEnd::hit) {
      ++hits;
      worst = std::max(worst, std::abs(time_of(a) - time_of(b)));
    }
  }
  std::printf("%d hits, times differ by at most %.1e\n", hits, worst);
  EXPECT_GT(hits, 100);
  // the searches end at gaps of 1e-12 (1e-7) and their normals are good to the root of that
  EXPECT_LE(worst, single ? 2e-3 : 1e-6);
}

TEST(RobustAdvancement, InPartsIsTheSameBitForBit) {
  RandomShots random(6);
  for (int i = 0; i < 400; ++i) {
    const Shot shot =
        random.shot(shot_types[random.integer(0, 6)], shot_types[random.integer(1, 6)], 900);
    const OfficialShot official(shot);
    const SweptPair pair = official.pair();
    for (const SpeculativeMode mode : {SpeculativeMode::robust, SpeculativeMode::parity}) {
      AdvanceSettings settings = robust();
      settings.mode = mode;
      const AdvanceState whole = advance_to_end(pair, settings);
      AdvanceState parts;
      for (int k = 0; k < 200; ++k) {
        advance_pair(pair, settings, 1, &parts);
      }
      EXPECT_EQ(whole.end, parts.end);
      EXPECT_EQ(whole.t, parts.t);
      EXPECT_EQ(whole.rounds, parts.rounds);
      EXPECT_EQ(whole.arm1.x, parts.arm1.x);
    }
  }
}

TEST(RobustAdvancement, AtALowCapKeepsAnEarlierTimeAndNeverDropsAHit) {
  RandomShots random(7);
  int capped = 0;
  for (int i = 0; i < 600; ++i) {
    const Shot shot =
        random.shot(shot_types[random.integer(0, 6)], shot_types[random.integer(1, 6)], 900);
    const OfficialShot official(shot);
    const SweptPair pair = official.pair();
    AdvanceSettings settings = robust();
    const AdvanceState full = advance_to_end(pair, settings);
    for (const int cap : {0, 1, 3}) {
      settings.cap = cap;
      const AdvanceState s = advance_to_end(pair, settings);
      if (is_hit(full.end)) {
        EXPECT_TRUE(is_hit(s.end)) << i;
        EXPECT_LE(s.t, full.t) << i;
      }
      capped += s.end == AdvanceEnd::capped ? 1 : 0;

      // whoever goes on from there with a higher cap ends where the others do
      AdvanceState more = s;
      more.end = more.end == AdvanceEnd::capped ? AdvanceEnd::active : more.end;
      settings.cap = 64;
      while (more.end == AdvanceEnd::active) {
        advance_pair(pair, settings, 8, &more);
      }
      EXPECT_EQ(more.end, full.end) << i;
      // corners to start from decide about the last digits of a normal
      EXPECT_NEAR(time_of(more), time_of(full), single ? 2e-3 : 1e-6) << i;
    }
  }
  EXPECT_GT(capped, 100);
}

TEST(RobustAdvancement, OfTouchingCubesDependsOnWhetherTheyClose) {
  const Vec3<real> side = {1_r, 0_r, 0_r};
  EXPECT_EQ(advance_to_end(cubes(side, moving(1_r, 0_r, 0_r)), robust()).end, AdvanceEnd::none);
  const AdvanceState together = advance_to_end(cubes(side, moving(-1_r, 0_r, 0_r)), robust());
  EXPECT_EQ(together.end, AdvanceEnd::hit);
  EXPECT_NEAR(time_of(together), 0, time_bar);
  EXPECT_NEAR(static_cast<double>(together.normal.x), 1, 1e-6);
  EXPECT_EQ(advance_to_end(cubes(side, moving(0_r, 0.7_r, 0_r)), robust()).end, AdvanceEnd::none);
  // with a margin they touch at that distance
  const AdvanceState apart =
      advance_to_end(cubes({1.125_r, 0_r, 0_r}, moving(-1_r, 0_r, 0_r)), robust(0.125_r));
  EXPECT_EQ(apart.end, AdvanceEnd::hit);
  EXPECT_NEAR(time_of(apart), 0, time_bar);
}

TEST(RobustAdvancement, OfABallThatTouchesAPlaneStopsItAtOnce) {
  const auto end = [](real v) {
    return advance_to_end(
        swept_pair(upright(geom_plane, {0_r, 0_r, 0_r}, {0_r, 0_r, 1_r}), no_motion<real>(), 0_r,
                   upright(geom_sphere, {0_r, 0_r, 0.125_r}, {0.125_r, 0_r, 0_r}),
                   moving(0.3_r, 0_r, v), 0.125_r, 0.125_r),
        robust());
  };
  EXPECT_EQ(end(-0.2_r).end, AdvanceEnd::hit);
  EXPECT_EQ(end(-0.2_r).t, 0_r);
  EXPECT_EQ(end(0.2_r).end, AdvanceEnd::none);
  EXPECT_EQ(end(0_r).end, AdvanceEnd::none);
}

// its lower end touches and rises, while the other end swings down and meets the ground after 60 of
// 90 degrees
TEST(RobustAdvancement, OfARodThatTouchesWithOneEndFindsTheOther) {
  const auto rod = [](real over, real rise) {
    const real z = 0.25_r + 0.02_r + over;
    Shape s = {geom_capsule, {0_r, 0_r, z}, turn_about(1, 60), {0.02_r, 0.5_r, 0_r}};
    StepMotion<real> motion = {{0_r, 0_r, rise},
                               {0_r, static_cast<real>(pi / 2), 0_r},
                               static_cast<real>(pi / 2) * 0.52_r + abs(rise)};
    return swept_pair(upright(geom_plane, {0_r, 0_r, 0_r}, {0_r, 0_r, 1_r}), no_motion<real>(), 0_r,
                      s, motion, 0.52_r, 0.02_r);
  };
  for (const real over : {0_r, 1e-6_r, 1e-4_r}) {
    const AdvanceState s = advance_to_end(rod(over, 0_r), robust());
    ASSERT_TRUE(is_hit(s.end)) << static_cast<int>(s.end);
    // deeper by no more than the band of 1e-4 of the thickness, and no earlier than 0.5 % of 2 cm
    EXPECT_NEAR(time_of(s), 60.0 / 90, 2e-3) << over;
    EXPECT_GT(static_cast<double>(s.arm2.x) * (s.arm2.z < 0_r ? 1 : -1), 0) << over;
  }
  // it rises enough
  EXPECT_EQ(advance_to_end(rod(0_r, 0.5_r), robust()).end, AdvanceEnd::none);
}

// the same with a shape that has no corners: it has to slip past the touch
TEST(RobustAdvancement, OfANeedleThatTouchesWithOneEndFindsTheOther) {
  const double up = 0.5 * std::sin(pi / 6), flat = 0.02 * std::cos(pi / 6);
  for (const real over : {0_r, 1e-6_r}) {
    const real z = static_cast<real>(std::hypot(up, flat)) + over;
    const real turn = static_cast<real>(pi / 2);
    const SweptPair pair =
        swept_pair(upright(geom_plane, {0_r, 0_r, 0_r}, {0_r, 0_r, 1_r}), no_motion<real>(), 0_r,
                   {geom_ellipsoid, {0_r, 0_r, z}, turn_about(1, 60), {0.02_r, 0.02_r, 0.5_r}},
                   {zero3<real>(), {0_r, turn, 0_r}, turn * 0.5_r}, 0.5_r, 0.02_r);
    const AdvanceState s = advance_to_end(pair, robust());
    ASSERT_EQ(s.end, AdvanceEnd::hit) << over;
    EXPECT_GT(s.slips, 0) << over;
    EXPECT_NEAR(time_of(s), 60.0 / 90, 2e-3) << over;
  }
}

TEST(RobustAdvancement, OfOverlappingGeomsIsAMatterOfDiscreteContacts) {
  EXPECT_EQ(advance_to_end(cubes({0.5_r, 0_r, 0_r}, moving(1_r, 0_r, 0_r)), robust()).end,
            AdvanceEnd::overlap);
  EXPECT_EQ(advance_to_end(cubes({1.05_r, 0_r, 0_r}, moving(-1_r, 0_r, 0_r)), robust(0.1_r)).end,
            AdvanceEnd::overlap);
}

TEST(RobustAdvancement, SeesTheRelativeMotionAlone) {
  const Vec3<real> size = {0.1_r, 0_r, 0_r};
  const auto pair = [&](real closing) {
    return swept_pair(upright(geom_sphere, {0_r, 0_r, 0_r}, size), moving(1000_r, 0_r, 0_r), 0.1_r,
                      upright(geom_sphere, {0_r, 0_r, 0.3_r}, size), moving(1000_r, 0_r, -closing),
                      0.1_r, 0.1_r);
  };
  const AdvanceState beside = advance_to_end(pair(0_r), robust());
  EXPECT_EQ(beside.end, AdvanceEnd::none);
  EXPECT_EQ(beside.rounds, 0);
  EXPECT_NEAR(time_of(advance_to_end(pair(0.2_r), robust())), 0.5, 100 * time_bar);
}

TEST(RobustAdvancement, OfABulletAndAThinPlate) {
  const SweptPair pair = swept_pair(
      upright(geom_sphere, {-1_r, 0_r, 0_r}, {0.05_r, 0_r, 0_r}), moving(2_r, 0_r, 0_r), 0.05_r,
      upright(geom_box, {0_r, 0_r, 0_r}, {5e-4_r, 1_r, 1_r}), no_motion<real>(), 1.4143_r, 5e-4_r);
  const AdvanceState s = advance_to_end(pair, robust());
  ASSERT_EQ(s.end, AdvanceEnd::hit);
  EXPECT_NEAR(time_of(s), 0.47475, 4 * time_bar);
}

TEST(RobustAdvancement, OfGrazingSpheres) {
  const auto end = [](double b) {
    const Vec3<real> size = {0.1_r, 0_r, 0_r};
    return advance_to_end(
        swept_pair(upright(geom_sphere, {-1_r, static_cast<real>(b), 0_r}, size),
                   moving(2_r, 0_r, 0_r), 0.1_r, upright(geom_sphere, {0_r, 0_r, 0_r}, size),
                   no_motion<real>(), 0.1_r, 0.1_r),
        robust());
  };
  // early by no more than the band of 4 mm (0.5 % of the gap) along the way
  const auto expect_time = [&](double b, double truth) {
    const AdvanceState s = end(b);
    ASSERT_EQ(s.end, AdvanceEnd::hit) << b;
    EXPECT_LE(time_of(s), truth + time_bar) << b;
    const double touching = 0.2 + 0.0041;
    EXPECT_GE(time_of(s), (1 - std::sqrt(touching * touching - b * b)) / 2) << b;
  };
  expect_time(0, 0.4);
  expect_time(0.19, 0.468775);
  expect_time(0.2 - 1e-6, 0.4996838);
  expect_time(0.2, 0.5);
  EXPECT_EQ(end(0.2 + 0.005).end, AdvanceEnd::none);
}

// a thin rod that turns about its centre onto a post
TEST(RobustAdvancement, OfARodThatTurnsOntoAPost) {
  const struct {
    double turn, post, want;
  } cases[] = {{90, 60, 0.626852}, {180, 120, 0.646759}, {630, 200, -1}};
  for (const auto& c : cases) {
    const real angle = static_cast<real>(c.turn * pi / 180);
    const double at = c.post * pi / 180;
    const SweptPair pair = swept_pair(
        {geom_capsule, zero3<real>(), turn_about(1, 90), {1e-5_r, 1_r, 0_r}}, spinning(angle, 1_r),
        1.00001_r,
        upright(geom_sphere,
                {static_cast<real>(0.8 * std::cos(at)), static_cast<real>(0.8 * std::sin(at)), 0_r},
                {0.05_r, 0_r, 0_r}),
        no_motion<real>(), 0.05_r, 1e-5_r);
    const AdvanceState s = advance_to_end(pair, robust());
    ASSERT_EQ(s.end, AdvanceEnd::hit);
    // either end may be first: the post is met half a turn before it as well
    const double first = c.want > 0 ? c.want : (20 - std::asin(0.05 / 0.8) * 180 / pi) / 630;
    EXPECT_LE(time_of(s), first + 1e-5) << c.turn;
    EXPECT_GE(time_of(s), first * 0.99 - 1e-3) << c.turn;
  }
}

TEST(RobustAdvancement, OfASpinAlongTheNormalCostsNothing) {
  // a disk that spins fast beside a wall
  StepMotion<real> motion = spinning(300_r, 0.5_r);
  motion.dx = {0_r, 0_r, -0.5_r};
  const SweptPair pair = swept_pair(
      upright(geom_plane, {0_r, 0_r, 0_r}, {0_r, 0_r, 1_r}), no_motion<real>(), 0_r,
      upright(geom_cylinder, {0_r, 0_r, 0.3_r}, {0.4_r, 0.1_r, 0_r}), motion, 0.42_r, 0.1_r);
  const AdvanceState s = advance_to_end(pair, robust());
  EXPECT_EQ(s.end, AdvanceEnd::hit);
  EXPECT_LE(s.rounds, 1);
  EXPECT_NEAR(time_of(s), 0.4, 10 * time_bar);
}

TEST(RobustAdvancement, FarFromTheOriginIsTheSame) {
  const SweptPair here = cubes({1.5_r, 0.2_r, 0_r}, moving(-1_r, 0_r, 0.1_r));
  SweptPair there = here;
  there.origin = {4096_r, 8192_r, -4096_r};
  EXPECT_EQ(advance_to_end(here, robust()).t, advance_to_end(there, robust()).t);
}

TEST(RobustAdvancement, OfNumbersThatAreNoneIsInvalid) {
  constexpr real bad[] = {std::numeric_limits<real>::quiet_NaN(),
                          std::numeric_limits<real>::infinity()};
  for (const real x : bad) {
    for (int field = 0; field < 8; ++field) {
      SweptPair pair = cubes({1.5_r, 0_r, 0_r}, moving(-1_r, 0_r, 0_r));
      real* const fields[] = {&pair.shape2.pos.y,     &pair.motion2.dx.z, &pair.motion1.domega.x,
                              &pair.motion1.travel,   &pair.bound1,       &pair.shape1.mat.xy,
                              &pair.motion2.domega.y, &pair.origin.x};
      *fields[field] = x;
      for (const SpeculativeMode mode : {SpeculativeMode::robust, SpeculativeMode::parity}) {
        AdvanceSettings settings = robust();
        settings.mode = mode;
        EXPECT_EQ(advance_to_end(pair, settings).end, AdvanceEnd::invalid) << field;
      }
      EXPECT_TRUE(bounds_may_meet(pair, 0_r, SpeculativeMode::robust) || field > 1) << field;
    }
  }
  // a speed whose square is too large for a float
  const SweptPair fast = cubes({1.5_r, 0_r, 0_r}, moving(-1e20_r, 0_r, 0_r));
  EXPECT_TRUE(bounds_may_meet(fast, 0_r, SpeculativeMode::robust));
}

}  // namespace
}  // namespace swept::SWEPT_NS
