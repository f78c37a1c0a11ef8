// SPDX-License-Identifier: Apache-2.0
// One pair in the mode `parity` against numbers that the official library's version 4.0.0 gave: times
// of impact, speeds and effective distances of a ball, a box and spheres.
#include <gtest/gtest.h>

#include "kernels/geometry/contact_shapes.h"
#include "kernels/speculative/effective.h"
#include "kernels/speculative/impact.h"

namespace swept::SWEPT_NS {
namespace {

constexpr real h = 0.002_r;
constexpr real dw = 0.95_r, width = 0.001_r;  // of the default solimp
constexpr SolRef usual = {0.02_r, 1_r};
constexpr auto euler = SpeculativeUpdate::explicit_, discrete = SpeculativeUpdate::discrete;

/// Numbers in the tables have five to eight digits, float has seven.
double bar(double want) {
  return std::max(std::abs(want), 0.1) * (sizeof(real) == 4 ? 1e-5 : 1e-6);
}

Shape ground() {
  return upright(geom_plane, {0_r, 0_r, 0_r}, {0_r, 0_r, 1_r});
}
StepMotion<real> falling(int type, real v, real bound) {
  return step_motion<real>(type, {0_r, 0_r, v * h}, zero3<real>(), bound);
}

/// A ball of radius 5 cm at a height over the ground.
SweptPair ball_over_ground(real z, real v) {
  const real r = 0.05_r;
  return swept_pair(ground(), no_motion<real>(), 0_r,
                    upright(geom_sphere, {0_r, 0_r, z}, {r, 0_r, 0_r}), falling(geom_sphere, v, r),
                    r, r);
}
AdvanceState advanced(const SweptPair& pair, real margin) {
  AdvanceSettings settings;
  settings.mode = SpeculativeMode::parity;
  settings.margin = margin;
  return advance_to_end(pair, settings);
}
/// The effective distance.
double dist_of(const AdvanceState& s, SolRef solref, SpeculativeUpdate update, real margin,
               bool safe = true) {
  const StepSpring spring = step_spring(solref, h, safe, update, dw);
  return static_cast<double>(margin - parity_delta(spring, update, s.t, s.speed, width));
}
void expect_dist(const AdvanceState& s, SolRef solref, SpeculativeUpdate update, double want,
                 bool safe = true) {
  EXPECT_NEAR(dist_of(s, solref, update, 0_r, safe), want, bar(want)) << want;
}

TEST(SpeculativeGolden, OfABallOverAPlane) {
  const AdvanceState s = advanced(ball_over_ground(0.25_r, -200_r), 0_r);
  ASSERT_EQ(s.end, AdvanceEnd::hit);
  EXPECT_NEAR(static_cast<double>(s.t), 0.49, 1e-6);
  EXPECT_NEAR(static_cast<double>(s.speed), 0.4, 1e-6);
  expect_dist(s, usual, euler, -12.4);
  expect_dist(s, usual, discrete, -16.284);
  expect_dist(s, {0.05_r, 1_r}, euler, -107.5);
  expect_dist(s, {0.05_r, 1_r}, discrete, -117.504);
  expect_dist(s, {0.004_r, 1_r}, euler, 0.784);
  expect_dist(s, {0.004_r, 1_r}, discrete, 0.164);
  expect_dist(s, {0.002_r, 1_r}, euler, 0.784);
  expect_dist(s, {0.002_r, 1_r}, discrete, 0.3834467);
  expect_dist(s, {-10000_r, -100_r}, euler, -3.1);
  expect_dist(s, {-10000_r, -100_r}, discrete, -3.924);
  expect_dist(s, {0.001_r, 1_r}, euler, 0.349, false);
  expect_dist(s, {0.001_r, 1_r}, discrete, 0.341, false);
}

TEST(SpeculativeGolden, OfAContactWithoutStiffnessIsItsWidth) {
  const AdvanceState s = advanced(ball_over_ground(0.25_r, -200_r), 0_r);
  expect_dist(s, {0_r, -499_r}, euler, -0.001);
  const StepSpring none = step_spring({0_r, -499_r}, h, true, euler, dw);
  EXPECT_EQ(parity_delta(none, euler, s.t, s.speed, 0_r), 1e-4_r);
}

TEST(SpeculativeGolden, OfABallWithAMargin) {
  const AdvanceState s = advanced(ball_over_ground(0.25_r, -200_r), 0.01_r);
  EXPECT_NEAR(static_cast<double>(s.t), 0.4655, 1e-6);
  EXPECT_NEAR(dist_of(s, usual, euler, 0.01_r), -13.37, bar(13.37));
  EXPECT_NEAR(dist_of(s, {0.05_r, 1_r}, euler, 0.01_r), -113.615, bar(113.615));
}

TEST(SpeculativeGolden, OfABoxThatFallsFlat) {
  const Vec3<real> half = {0.1_r, 0.1_r, 0.1_r};
  const real bound = 0.17320508_r;
  const SweptPair pair =
      swept_pair(ground(), no_motion<real>(), 0_r, upright(geom_box, {0_r, 0_r, 0.4_r}, half),
                 falling(geom_box, -300_r, bound), bound, 0.1_r);
  AdvanceSettings settings;
  settings.mode = SpeculativeMode::parity;
  const AdvanceState s = advance_to_end(pair, settings);
  EXPECT_NEAR(static_cast<double>(s.t), 0.49, 1e-6);
  EXPECT_NEAR(static_cast<double>(s.speed), 0.6, 1e-6);
  expect_dist(s, usual, euler, -18.6);
  Impact impact;
  impact_of(pair, settings, s, ContactCount::several, &impact);
  ASSERT_EQ(impact.count, 4);
  for (const SpeculativePoint& p : impact.point) {
    // the plane does not move: the points stand at the box's corners
    EXPECT_NEAR(static_cast<double>(p.pos.z), 0.3, 1e-6);
    EXPECT_NEAR(static_cast<double>(abs(p.pos.x)), 0.1, 1e-6);
  }
}

TEST(SpeculativeGolden, OfABallOverATable) {
  const Vec3<real> half = {1_r, 1_r, 0.005_r};
  const SweptPair pair =
      swept_pair(upright(geom_sphere, {0_r, 0_r, 1_r}, {0.05_r, 0_r, 0_r}),
                 falling(geom_sphere, -600_r, 0.05_r), 0.05_r,
                 upright(geom_box, {0_r, 0_r, 0.5_r}, half), no_motion<real>(), 1.5_r, 0.005_r);
  expect_dist(advanced(pair, 0_r), usual, euler, -52.39);
}

TEST(SpeculativeGolden, OfTwoSpheresBesideEachOther) {
  const struct {
    double b, t, speed;
  } rows[] = {{0, 0.392, 2},
              {0.1, 0.404156, 1.951680},
              {0.15, 0.421254, 1.884121},
              {0.19, 0.442583, 1.798270},
              {0.2, 0.449289, 1.770703}};
  for (const auto& row : rows) {
    const Vec3<real> size = {0.1_r, 0_r, 0_r};
    const SweptPair pair =
        swept_pair(upright(geom_sphere, {-1_r, static_cast<real>(row.b), 0_r}, size),
                   step_motion<real>(geom_sphere, {2_r, 0_r, 0_r}, zero3<real>(), 0.1_r), 0.1_r,
                   upright(geom_sphere, {0_r, 0_r, 0_r}, size), no_motion<real>(), 0.1_r, 0.1_r);
    const AdvanceState s = advanced(pair, 0_r);
    ASSERT_EQ(s.end, AdvanceEnd::hit) << row.b;
    EXPECT_NEAR(static_cast<double>(s.t), row.t, 2e-6) << row.b;
    EXPECT_NEAR(static_cast<double>(s.speed), row.speed, 2e-6) << row.b;
  }
}

// gaps of the advancement that the mode keeps on purpose
TEST(SpeculativeGolden, DropsAnExactTouchAndCatchesAHairsBreadth) {
  EXPECT_EQ(advanced(ball_over_ground(0.05_r, -100_r), 0_r).end, AdvanceEnd::none);
  const AdvanceState s = advanced(ball_over_ground(0.05_r + 1e-7_r, -100_r), 0_r);
  EXPECT_EQ(s.end, AdvanceEnd::hit);
  EXPECT_EQ(s.t, 0_r);
}

}  // namespace
}  // namespace swept::SWEPT_NS
