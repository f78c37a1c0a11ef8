// SPDX-License-Identifier: Apache-2.0
// Times of impact that have a closed form, in the mode robust; and, in the mode parity, the numbers of
// the official library 4.0.0 with its flag on.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "physics/speculative_scene.h"

namespace swept::test {
namespace {

constexpr double h = 0.002;

class SpeculativeTimes : public testing::TestWithParam<Precision> {
 protected:
  /// Of a time in parts of the step: rounding of places near 1 over gaps of a tenth.
  double bar() const { return GetParam() == Precision::f64 ? 1e-9 : 1e-5; }

  /// The one contact's time; 2: none.
  static double time_of(const Shot& shot) {
    double t = 2;
    for (const Contact& c : shot.contacts) {
      t = std::min(t, c.toi);
    }
    return t;
  }

  /// A geom thrown at another one that is fixed, along x.
  double thrown(const std::string& fixed, double x, double y, const std::string& geom,
                double travel, const std::string& timestep = "0.002") const {
    SpeculativeOptions o;
    o.timestep = timestep;
    return time_of(shoot(speculative_scene(o, "<geom " + fixed + "/>" + free_body({x, y, 0}, geom)),
                         GetParam(), {travel / std::stod(timestep), 0, 0, 0, 0, 0}));
  }
};

TEST_P(SpeculativeTimes, OfBallsHeadOn) {
  const std::string ball = "type='sphere' size='.1'";
  EXPECT_NEAR(thrown(ball, -1, 0, ball, 4), 0.2, bar());
  EXPECT_EQ(thrown(ball, -1, 0, ball, 0.7), 2);
  EXPECT_EQ(thrown(ball, -0.15, 0, ball, 4), 0);
}

TEST_P(SpeculativeTimes, OfBallsThatGraze) {
  const std::string ball = "type='sphere' size='.1'";
  // not before the band is left: within 0.5 % of the thickness
  EXPECT_NEAR(thrown(ball, -1, 0.19, ball, 2), 0.468775, 5e-4);
  EXPECT_LE(thrown(ball, -1, 0.19, ball, 2), 0.4687751);
  EXPECT_LE(thrown(ball, -1, 0.2 - 1e-4, ball, 2), 0.4968);
  EXPECT_EQ(thrown(ball, -1, 0.201, ball, 2), 2);
}

TEST_P(SpeculativeTimes, OfABulletAndAWall) {
  // 4.45 ms at 100 m/s
  EXPECT_NEAR(thrown("type='box' size='.005 1 1' pos='.5 0 0'", 0, 0, "type='sphere' size='.05'", 1,
                     "0.01"),
              0.445, bar());
  // a plate of 1 mm: 0.47475
  EXPECT_NEAR(thrown("type='box' size='.0005 1 1'", -1, 0, "type='sphere' size='.05'", 2), 0.47475,
              bar());
}

TEST_P(SpeculativeTimes, OfEdgesThatAreParallel) {
  // capsules of radius 0.05 along y, 1 apart, at 2 per step; and the same in one line
  const std::string capsule = "type='capsule' size='.05 .5' zaxis='0 1 0'";
  EXPECT_NEAR(thrown(capsule, -1.1, 0.3, capsule, 2), 0.5, bar());
  const std::string along = "type='capsule' size='.05 .5' zaxis='1 0 0'";
  EXPECT_NEAR(thrown(along, -2.1, 0, along, 2), 0.5, bar());
}

TEST_P(SpeculativeTimes, OfWhatMovesTogether) {
  const std::string ball = "type='sphere' size='.1'";
  const std::string xml =
      speculative_scene({}, free_body({0, 0, 0}, ball) + free_body({0, 0, 0.3}, ball));
  for (const double closing : {0.0, 0.2}) {
    const Shot shot =
        shoot(xml, GetParam(), {2 / h, 0, 0, 0, 0, 0, 2 / h, 0, -closing / h, 0, 0, 0});
    EXPECT_NEAR(time_of(shot), closing > 0 ? 0.5 : 2, bar());
  }
}

TEST_P(SpeculativeTimes, OfAPaddleThatTurnsOntoABall) {
  // half length 0.5, half thickness 0.02, about its middle; a ball of 0.05 at (0, 0.5)
  const double angle = std::acos(-1) / 2 - std::asin(0.14);
  for (const double turn : {1.5, 2.0, 3.0}) {
    const std::string xml = speculative_scene({},
                                              "<geom type='sphere' size='.05' pos='0 .5 "
                                              "0'/><body><joint type='hinge' axis='0 0 1'/><geom "
                                              "type='box' size='.55 .02 .1'/></body>");
    const double t = time_of(shoot(xml, GetParam(), {turn / h}));
    EXPECT_LE(t * turn, angle + 1e-6);
    EXPECT_GT(t * turn, 0.995 * angle);
  }
}

TEST_P(SpeculativeTimes, OfTinyThings) {
  // a micrometre over a plate, at ten per step
  SpeculativeOptions o;
  const std::string xml = speculative_scene(
      o,
      "<geom type='box' size='1e-4 1e-4 1e-6' pos='0 0 -1e-6'/><body pos='0 0 2e-6'><joint "
      "type='free'/><inertial "
      "pos='0 0 0' mass='1' diaginertia='1 1 1'/><geom type='sphere' size='1e-6'/></body>");
  const Shot shot = shoot(xml, GetParam(), {0, 0, -1e-5 / h, 0, 0, 0}, {{0, 1}});
  EXPECT_NEAR(time_of(shot), 0.1, 1e-3);
  EXPECT_GT(shot.least[0], -1e-7);
}

TEST_P(SpeculativeTimes, FarFromTheOriginAreTheSame) {
  if (GetParam() == Precision::f32) {
    GTEST_SKIP() << "places there are 6 cm apart in single precision";
  }
  const std::string ball = "type='sphere' size='.1' ";
  const std::string xml = speculative_scene(
      {}, "<geom " + ball + "pos='1e6 1e6 1e6'/>" + free_body({1e6 - 1, 1e6, 1e6}, ball));
  EXPECT_NEAR(time_of(shoot(xml, GetParam(), {4 / h, 0, 0, 0, 0, 0})), 0.2, 1e-9);
}

TEST_P(SpeculativeTimes, OfCubesThatSlideAreNone) {
  // face to face, at a distance of 1 % of their gap, by a length a step
  const std::string cube = "type='box' size='.5 .5 .5'";
  const std::string xml =
      speculative_scene({}, "<geom " + cube + "/>" + free_body({-0.2, 0, 1 + 2e-6}, cube));
  const Shot shot = shoot(xml, GetParam(), {1 / h, 0, 0, 0, 0, 0});
  EXPECT_EQ(shot.qvel[0], static_cast<double>(1 / h));
  EXPECT_TRUE(shot.contacts.empty() || shot.contacts[0].force[0] == 0);
}

TEST_P(SpeculativeTimes, OnlyTheTableIsMetOverAFloor) {
  for (const char* const mode : {"robust", "parity"}) {
    SpeculativeOptions o;
    o.mode = mode;
    const Shot shot = shoot(
        speculative_scene(
            o, "<geom type='plane' size='9 9 1'/><geom type='box' size='1 1 .005' pos='0 0 .5'/>" +
                   free_body({0, 0, 1}, "type='box' size='.05 .05 .05'")),
        GetParam(), {0, 0, -600, 0, 0, 0});
    ASSERT_FALSE(shot.contacts.empty());
    for (const Contact& c : shot.contacts) {
      EXPECT_EQ(c.geom1, 1);
    }
    if (o.mode == "robust") {
      EXPECT_NEAR(time_of(shot), 0.370833, 2e-6);
    }
  }
}

/// A row of the table: a ball of radius 0.05 at 0.25 over a plane, falling by 0.4 a step.
struct Golden {
  const char* geom;
  const char* flags;
  double t, dist, z;
};

TEST_P(SpeculativeTimes, AndDistancesOfTheOfficialLibraryAreReproduced) {
  const Golden rows[] = {
      {"", "", 0.49, -12.4, 0.054},
      {"solref='.05 1'", "", 0.49, -107.5, 0.054},
      {"solref='.004 1'", "", 0.49, 0.784, 0.054},
      {"solref='.002 1'", "", 0.49, 0.784, 0.054},
      {"solref='-10000 -100'", "", 0.49, -3.1, 0.054},
      {"solref='.001 1'", "refsafe='disable'", 0.49, 0.349, 0.054},
  };
  // digits of the table; f32: 1 / h^2 times the rounding of the time
  const double relative = GetParam() == Precision::f64 ? 1e-3 : 5e-3;
  for (const Golden& row : rows) {
    SpeculativeOptions o;
    o.mode = "parity";
    o.geom = row.geom;
    o.flags = row.flags;
    const Shot shot =
        shoot(speculative_scene(o, "<geom type='plane' size='9 9 1'/>" +
                                       free_body({0, 0, 0.25}, "type='sphere' size='.05'")),
              GetParam(), {0, 0, -200, 0, 0, 0});
    ASSERT_EQ(shot.contacts.size(), 1u) << row.geom;
    EXPECT_NEAR(shot.contacts[0].toi, row.t, 1e-6) << row.geom;
    EXPECT_NEAR(shot.contacts[0].dist, row.dist, relative * std::abs(row.dist)) << row.geom;
    EXPECT_NEAR(shot.qpos[2], row.z, 2e-5) << row.geom;
  }
  // a box: four contacts
  SpeculativeOptions o;
  o.mode = "parity";
  const Shot box =
      shoot(speculative_scene(o, "<geom type='plane' size='9 9 1'/>" +
                                     free_body({0, 0, 0.4}, "type='box' size='.1 .1 .1'")),
            GetParam(), {0, 0, -300, 0, 0, 0});
  ASSERT_EQ(box.contacts.size(), 4u);
  EXPECT_NEAR(box.contacts[0].dist, -18.6, relative * 18.6);
  // off centre
  const double offsets[][2] = {
      {0, .392}, {.1, .404156}, {.15, .421254}, {.19, .442583}, {.2, .449289}};
  for (const auto& [offset, t] : offsets) {
    const std::string ball = "type='sphere' size='.1'";
    const Shot shot =
        shoot(speculative_scene(o, free_body({-1, offset, 0}, ball) + free_body({0, 0, 0}, ball)),
              GetParam(), {1000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    EXPECT_NEAR(time_of(shot), t, 2e-5) << offset;
  }
  // a table over the floor
  const Shot table = shoot(
      speculative_scene(
          o, "<geom type='plane' size='9 9 1'/><geom type='box' size='1 1 .005' pos='0 0 .5'/>" +
                 free_body({0, 0, 1}, "type='sphere' size='.05'")),
      GetParam(), {0, 0, -600, 0, 0, 0});
  ASSERT_EQ(table.contacts.size(), 1u);
  EXPECT_NEAR(table.contacts[0].dist, -52.39, 0.03 + relative);
}

INSTANTIATE_TEST_SUITE_P(Precisions, SpeculativeTimes,
                         testing::Values(Precision::f64, Precision::f32), [](const auto& what) {
                           return what.param == Precision::f64 ? "f64" : "f32";
                         });

}  // namespace
}  // namespace swept::test
