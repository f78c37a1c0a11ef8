// SPDX-License-Identifier: Apache-2.0
// What the rows of speculative contacts act on and ask for, in the mode `robust`: levers, times and
// speeds of the points, and references that take away what is wanted and never give energy.
#include <gtest/gtest.h>

#include "kernels/geometry/contact_shapes.h"
#include "kernels/geometry/exact.h"
#include "kernels/speculative/effective.h"
#include "kernels/speculative/impact.h"
#include "kernels/speculative/shots.h"

namespace swept::SWEPT_NS {
namespace {

constexpr double pi = 3.14159265358979323846;

Point cross_of(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Point plus(const Point& a, const Point& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

/// A body of diagonal inertia in the world, and how it moves in a step.
struct Rigid {
  double inverse_mass = 0, inverse_inertia = 0;
  Point v{}, w{};

  double energy() const {
    return inverse_mass > 0
               ? 0.5 * product(v, v) / inverse_mass + 0.5 * product(w, w) / inverse_inertia
               : 0;
  }
  Point at(const Point& arm) const { return plus(v, cross_of(w, arm)); }
  void push(const Point& impulse, const Point& arm) {
    v = plus(v, times(impulse, inverse_mass));
    w = plus(w, times(cross_of(arm, impulse), inverse_inertia));
  }
};

Rigid rigid(const StepMotion<real>& motion, double inverse_mass, double inverse_inertia) {
  return {motion.travel > 0_r ? inverse_mass : 0, motion.travel > 0_r ? inverse_inertia : 0,
          point_of(motion.dx), point_of(motion.domega)};
}

/// The hits of random shots: visit(shot, pair, settings, state, impact).
template <class Visit>
void visit_hits(unsigned seed, int count, double spin, const Visit& visit) {
  RandomShots random(seed);
  for (int i = 0; i < count; ++i) {
    Shot shot =
        random.shot(shot_types[random.integer(0, 6)], shot_types[random.integer(1, 6)], spin);
    shot.margin = i % 2 == 0 ? 0 : static_cast<real>(0.01);
    const OfficialShot official(shot);
    const SweptPair pair = official.pair();
    AdvanceSettings settings;
    settings.margin = static_cast<real>(shot.margin);
    const AdvanceState state = advance_to_end(pair, settings);
    if (is_hit(state.end)) {
      Impact impact;
      impact_of(pair, settings, state, ContactCount::several, &impact);
      visit(&random, pair, state, impact);
    }
  }
}

TEST(SpeculativeRows, SeeTheSpeedOfTheirOwnPointsAndNeverGiveEnergy) {
  int points = 0, dropped = 0, hits = 0;
  double most_energy = -1, worst_speed = 0;
  visit_hits(
      21, case_count(800, 20000), 1200,
      [&](RandomShots* random, const SweptPair& pair, const AdvanceState&, const Impact& impact) {
        ++hits;
        dropped += impact.count == 0 ? 1 : 0;
        for (int k = 0; k < impact.count; ++k) {
          const SpeculativePoint& p = impact.point[k];
          ++points;
          Rigid one = rigid(pair.motion1, random->uniform(0.01, 10), random->uniform(0.1, 1000)),
                two = rigid(pair.motion2, random->uniform(0.01, 10), random->uniform(0.1, 1000));
          const Point n = point_of(p.normal);
          const Point arm1 = minus(point_of(p.pos), point_of(pair.origin)),
                      arm2 = minus(minus(point_of(p.pos2), point_of(pair.origin)),
                                   point_of(pair.shape2.pos));
          const auto closing = [&]() { return product(n, minus(one.at(arm1), two.at(arm2))); };
          const double before = one.energy() + two.energy(), v = closing();
          worst_speed = std::max(worst_speed, std::abs(v - static_cast<double>(p.speed)));

          // the impulse that takes away what the row asks for
          const double arrest = static_cast<double>(wanted_arrest(p.t, p.speed));
          EXPECT_GT(p.speed, 0_r);
          EXPECT_GE(p.t, 0_r);
          EXPECT_LT(p.t, 1_r);
          EXPECT_LE(arrest, static_cast<double>(p.speed));
          one.push(times(n, -1), arm1);
          two.push(n, arm2);
          const double unit = v - closing();
          one.push(times(n, 1 - arrest / unit), arm1);
          two.push(times(n, arrest / unit - 1), arm2);
          EXPECT_NEAR(closing(), v - arrest, 1e-5 * (1 + v));
          most_energy = std::max(most_energy, (one.energy() + two.energy() - before) / before);
        }
      });
  std::printf(
      "%d hits, %d points, %d hits without a row; speeds off by %.1e, energy grows by %.1e "
      "at most\n",
      hits, points, dropped, worst_speed, most_energy);
  EXPECT_GT(points, hits / 2);
  // arms are differences of world coordinates of order 1, times turns of up to 2.4
  EXPECT_LE(worst_speed, single ? 3e-5 : 1e-13);
  EXPECT_LE(most_energy, 0);
  EXPECT_LE(dropped, hits / 50);
}

TEST(SpeculativeRows, OfLateTurnsTakeTheLeversOfTheImpact) {
  // a rod on a hinge at its middle, half a turn in a step, meets a post after 91.4 degrees
  const real half_turn = static_cast<real>(pi), bound = 1.00001_r;
  const double at = 91.4 * pi / 180;
  const StepMotion<real> turning = {zero3<real>(), {0_r, 0_r, half_turn}, half_turn * bound};
  const SweptPair pair = swept_pair(
      {geom_capsule, zero3<real>(), turn_about(1, 90), {1e-5_r, 1_r, 0_r}}, turning, bound,
      upright(geom_sphere,
              {static_cast<real>(0.8 * std::cos(at)), static_cast<real>(0.8 * std::sin(at)), 0_r},
              {0.05_r, 0_r, 0_r}),
      no_motion<real>(), 0.05_r, 1e-5_r);
  AdvanceSettings settings;
  const AdvanceState s = advance_to_end(pair, settings);
  ASSERT_TRUE(is_hit(s.end));
  const Placing placing = place_pair(pair, s.seen);
  const ImpactPoints points = {s.normal, s.distance, s.arm1, s.arm2};
  const real then = closing_rate(placing.rates, s.normal, s.arm1, s.arm2);
  const RowPoints now = points_now(pair, placing, points), row = row_points(pair, placing, points);
  // now the lever is nearly along the normal
  EXPECT_LT(now.speed, 0.1_r * then);
  EXPECT_TRUE(row.at_impact);
  EXPECT_EQ(row.speed, then);
  EXPECT_NEAR(static_cast<double>(then), 0.8 * pi, 0.01);
}

TEST(SpeculativeRows, OfRoundGeomsSpinNothingAboutTheirAxes) {
  int balls = 0, capsules = 0;
  double worst = 0;
  visit_hits(23, case_count(800, 20000), 1200,
             [&](RandomShots*, const SweptPair& pair, const AdvanceState& s, const Impact&) {
               const RowPoints row = row_points(pair, place_pair(pair, s.seen),
                                                {s.normal, s.distance, s.arm1, s.arm2});
               const auto look = [&](const Shape& shape, Vec3<real> arm) {
                 const Vec3<real> torque = cross(arm, s.normal);
                 if (shape.type == geom_sphere) {
                   ++balls;
                   worst = std::max(worst, static_cast<double>(norm(torque)));
                 } else if (shape.type == geom_capsule && !row.at_impact) {
                   ++capsules;
                   worst = std::max(
                       worst, std::abs(static_cast<double>(dot(column_z(shape.mat), torque))));
                 }
               };
               look(pair.shape1, row.arm1);
               look(pair.shape2, row.arm2);
             });
  std::printf("%d balls, %d capsules, levers of %.1e m at most\n", balls, capsules, worst);
  EXPECT_GT(balls, 50);
  EXPECT_GT(capsules, 50);
  // arms are differences of places of order 1
  EXPECT_LE(worst, single ? 2e-6 : 1e-14);
}

TEST(SpeculativeRows, OfPointsThatDoNotCloseAreLeftOut) {
  SweptPair pair = swept_pair(
      upright(geom_plane, {0_r, 0_r, 0_r}, {0_r, 0_r, 1_r}), no_motion<real>(), 0_r,
      upright(geom_sphere, {0_r, 0_r, 1_r}, {0.1_r, 0_r, 0_r}),
      step_motion<real>(geom_sphere, {0_r, 0_r, -2_r}, zero3<real>(), 0.1_r), 0.1_r, 0.1_r);
  AdvanceSettings settings;
  const AdvanceState s = advance_to_end(pair, settings);
  ASSERT_EQ(s.end, AdvanceEnd::hit);
  Impact impact;
  impact_of(pair, settings, s, ContactCount::several, &impact);
  EXPECT_EQ(impact.count, 1);
  EXPECT_EQ(impact.not_closing, 0);
  // the same impact, but the ball has been turned away
  pair.motion2.dx.z = 1_r;
  impact_of(pair, settings, s, ContactCount::several, &impact);
  EXPECT_EQ(impact.count, 0);
  EXPECT_GT(impact.not_closing, 0);
}

/// Points of a box that falls with the given tilt [degrees] about y.
Impact box_impact(double tilt, real fall) {
  const Vec3<real> half = {0.1_r, 0.1_r, 0.1_r};
  Shape box = upright(geom_box, {0_r, 0_r, 0.4_r}, half);
  box.mat = turn_about(1, tilt);
  const real bound = 0.17320508_r;
  const SweptPair pair = swept_pair(
      upright(geom_plane, {0_r, 0_r, 0_r}, {0_r, 0_r, 1_r}), no_motion<real>(), 0_r, box,
      step_motion<real>(geom_box, {0_r, 0_r, -fall}, zero3<real>(), bound), bound, 0.1_r);
  AdvanceSettings settings;
  const AdvanceState s = advance_to_end(pair, settings);
  EXPECT_EQ(s.end, AdvanceEnd::hit);
  Impact impact;
  impact_of(pair, settings, s, ContactCount::several, &impact);
  return impact;
}

TEST(SpeculativeRows, OfABoxHaveTheTimesOfItsCorners) {
  const Impact flat = box_impact(0, 0.6_r);
  ASSERT_EQ(flat.count, 4);
  for (const SpeculativePoint& p : flat.point) {
    EXPECT_NEAR(static_cast<double>(p.t), 0.5, 1e-6);
    EXPECT_NEAR(static_cast<double>(p.speed), 0.6, 1e-6);
    // body 1 feels it on the plane, the box at its corner
    EXPECT_NEAR(static_cast<double>(p.pos.z), 0, 1e-6);
    EXPECT_NEAR(static_cast<double>(p.pos2.z), 0.3, 1e-6);
  }
  const Impact tilted = box_impact(20, 0.6_r);
  ASSERT_EQ(tilted.count, 4);
  const double c = std::cos(20 * pi / 180), s = std::sin(20 * pi / 180);
  int low = 0, high = 0;
  for (const SpeculativePoint& p : tilted.point) {
    const double first = (0.4 - 0.1 * c - 0.1 * s) / 0.6, last = (0.4 - 0.1 * c + 0.1 * s) / 0.6;
    low += std::abs(static_cast<double>(p.t) - first) < 1e-5 ? 1 : 0;
    high += std::abs(static_cast<double>(p.t) - last) < 1e-5 ? 1 : 0;
  }
  EXPECT_EQ(low, 2);
  EXPECT_EQ(high, 2);
  // the far corners do not arrive
  EXPECT_EQ(box_impact(20, 0.3_r).count, 2);
}

/// A random contact's parameters.
struct Parameters {
  SolRef solref;
  SolImp imp;
};
Parameters draw(RandomShots* random) {
  const auto u = [&](double lo, double hi) { return static_cast<real>(random->uniform(lo, hi)); };
  Parameters p;
  p.solref = random->integer(0, 1) == 0 ? SolRef{u(0.001, 0.05), u(0.2, 2)}
                                        : SolRef{-u(100, 1e5), -u(1, 900)};
  p.imp = {u(0.1, 0.95), u(0.1, 0.9999), u(0, 0.3), u(0.1, 0.9), u(1, 4)};
  return p;
}

TEST(SpeculativeRows, TakeAwayWhatIsWantedByTheirReference) {
  RandomShots random(22);
  for (int i = 0; i < 2000; ++i) {
    const Parameters p = draw(&random);
    const real h = static_cast<real>(random.uniform(1e-4, 0.02)), margin = 0.01_r;
    const real t = static_cast<real>(random.uniform(0, 1)),
               v = static_cast<real>(random.uniform(0.01, 3));
    const StepSpring spring =
        step_spring(p.solref, h, true, SpeculativeUpdate::explicit_, p.imp.dw);
    const RowAim aim = robust_aim(spring, p.imp.dw, t, v, h, margin, p.imp.width);
    const double wanted = (1 - static_cast<double>(t)) * static_cast<double>(v);
    // a row of impedance I that nothing disturbs changes its speed by I h aref
    const double bar = (single ? 4e-6 : 1e-13);
    const double taken =
        static_cast<double>(aim.impedance * aim.aref) * std::pow(static_cast<double>(h), 2);
    EXPECT_NEAR(taken, wanted, bar * static_cast<double>(v));

    // the same reference by way of the distance that users see
    const SolRef checked = checked_solref(p.solref, {0.02_r, 1_r}, h, true);
    const double k = static_cast<double>(stiffness(checked, p.imp.dw)),
                 b = static_cast<double>(damping(checked, p.imp.dw));
    const double by_dist = b * static_cast<double>(v / h) +
                           k * static_cast<double>(aim.impedance * (margin - aim.dist));
    EXPECT_NEAR(
        by_dist, static_cast<double>(aim.aref),
        (single ? 3e-5 : 1e-12) * (b * static_cast<double>(v / h) + static_cast<double>(aim.aref)))
        << i;
  }
}

TEST(SpeculativeRows, ThatKeepTheirImpedanceTakeTheDeltaAtWhichItHolds) {
  RandomShots random(23);
  int within = 0;
  for (int i = 0; i < 4000; ++i) {
    const Parameters p = draw(&random);
    const real h = static_cast<real>(random.uniform(1e-4, 0.02));
    const real v = static_cast<real>(random.uniform(1e-4, 1));
    const StepSpring spring =
        step_spring(p.solref, h, true, SpeculativeUpdate::explicit_, p.imp.dw);
    const real arrest = static_cast<real>(random.uniform(0, 1)) * v;
    const real delta = delta_at_impedance(spring, p.imp, v, arrest);
    within += abs(delta) < p.imp.width ? 1 : 0;
    const double part = static_cast<double>(impedance(p.imp, delta) / p.imp.dw);
    const double size = static_cast<double>(spring.b0 * v + spring.k0 * abs(delta));
    EXPECT_NEAR(
        part * (static_cast<double>(spring.b0 * v) + part * static_cast<double>(spring.k0 * delta)),
        static_cast<double>(arrest), (single ? 1e-5 : 1e-11) * (size + static_cast<double>(v)))
        << i;
  }
  std::printf("%d within the width\n", within);
  EXPECT_GT(within, 400);
}

TEST(SpeculativeRows, WithoutStiffnessStillHaveAReference) {
  const StepSpring none =
      step_spring({0_r, -499_r}, 0.002_r, true, SpeculativeUpdate::explicit_, 0.95_r);
  const RowAim aim = robust_aim(none, 0.95_r, 0.25_r, 0.4_r, 0.002_r, 0_r, 0.001_r);
  EXPECT_NEAR(static_cast<double>(aim.arrest), 0.3, 1e-7);
  EXPECT_NEAR(static_cast<double>(aim.aref * 0.002_r * 0.002_r * speculative_impedance), 0.3, 1e-6);
  EXPECT_EQ(aim.dist, -0.001_r);
}

TEST(SpeculativeRows, OfSpeedsThatAreNoneAskForNothing) {
  EXPECT_EQ(wanted_arrest(0.5_r, -1_r), 0_r);
  EXPECT_EQ(wanted_arrest(1.5_r, 1_r), 0_r);
  EXPECT_EQ(wanted_arrest(-0.5_r, 1_r), 1_r);
}

}  // namespace
}  // namespace swept::SWEPT_NS
