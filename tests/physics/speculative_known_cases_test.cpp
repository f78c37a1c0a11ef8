// SPDX-License-Identifier: Apache-2.0
// Scenes of single steps in which speculative contacts are known to fail elsewhere: nothing may end on
// the other side of anything, or be deeper in it on its way than a part of its thickness.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "physics/speculative_scene.h"

namespace swept::test {
namespace {

constexpr double h = 0.002;
constexpr double pi = 3.14159265358979323846;

/// Parts of the thinner geom's half size that geoms may get into each other: what holds a step back
/// leaves a tenth of it.
constexpr double depth = 0.11;
/// The same of geoms that touch before the step: half of it, and that tenth.
constexpr double depth_in_touch = 0.61;

class SpeculativeCases : public testing::TestWithParam<Precision> {};

TEST_P(SpeculativeCases, AForceOfOneStepDoesNotCarryABallThroughAPlate) {
  // h^2 f / m = 1 m; the ball is at rest 0.2 above
  for (const bool pushed : {false, true}) {
    SpeculativeOptions o;
    o.gravity = pushed ? "0 0 0" : "0 0 -250000";
    const std::string xml =
        speculative_scene(o, "<geom type='box' size='1 1 .005'/>" +
                                 free_body({0, 0, 0.255}, "type='sphere' size='.05' mass='1'"));
    Batch batch = make_batch(xml, 1, GetParam());
    if (pushed) {
      fill(&batch, "xfrc_applied", [](int, int i) { return i == 8 ? -250000.0 : 0; });
    }
    batch.step();
    const double z = batch.read("qpos")[2];
    EXPECT_GT(z, 0.055 - 0.005 * depth);
    EXPECT_LT(z, 0.06);
  }
}

TEST_P(SpeculativeCases, AnAcceleratedPlateDoesNotPassABall) {
  // the other side is the one that is pushed
  SpeculativeOptions o;
  const std::string xml =
      speculative_scene(o, free_body({0, 0, 0}, "type='box' size='1 1 .005' mass='1'") +
                               free_body({0, 0, 0.255}, "type='sphere' size='.05' mass='1'"));
  Batch batch = make_batch(xml, 1, GetParam());
  fill(&batch, "xfrc_applied", [](int, int i) { return i == 8 ? 250000.0 : 0; });
  batch.step();
  const double left = gap(&batch, 0, 1);
  EXPECT_GT(left, -0.005 * depth);
}

TEST_P(SpeculativeCases, PlatesInARowDoNotPassEachOther) {
  // the first one at 2 per step; judged along the way of the first step, and where later ones end
  SpeculativeOptions o;
  o.geom = "condim='1'";
  for (const double space : {0.02, 0.2, 0.5}) {
    std::string bodies;
    for (int i = 0; i < 3; ++i) {
      bodies += free_body({i * (space + 0.01), 0, 0}, "type='box' size='.005 .1 .1' mass='1'");
    }
    std::vector<double> v(18, 0.0);
    v[0] = 2 / h;
    Shot shot = shoot(speculative_scene(o, bodies), GetParam(), v, {{0, 1}, {1, 2}, {0, 2}});
    for (const double least : shot.least) {
      EXPECT_GT(least, -0.005 * depth) << space;
    }
    for (int step = 1; step < 5; ++step) {
      shot.batch.step();
      for (const auto& [one, two] : {std::pair{0, 1}, {1, 2}, {0, 2}}) {
        EXPECT_GT(gap(&shot.batch, one, two), -0.005 * depth_in_touch) << space << " step " << step;
      }
    }
    // and they go on
    EXPECT_GT(shot.batch.read("qpos")[14], 2 * (space + 0.01) + 0.5);
  }
}

TEST_P(SpeculativeCases, BallsThatMeetOffCentreDoNotPassEachOther) {
  for (const double offset : {0.0, 0.05, 0.1, 0.15, 0.19}) {
    for (const double travel : {0.25, 0.5, 1.0, 2.0, 10.0}) {
      const double before = travel / 2 + 0.2;
      const std::string ball = "type='sphere' size='.1' condim='1'";
      const Shot shot = shoot(
          speculative_scene({}, free_body({0, offset, 0}, ball) + free_body({before, 0, 0}, ball)),
          GetParam(), {travel / h, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {{0, 1}});
      EXPECT_GT(shot.least[0], -0.1 * depth) << "offset " << offset << " travel " << travel;
      // frictionless: nothing turns
      for (const int i : {3, 4, 5, 9, 10, 11}) {
        EXPECT_LT(std::abs(shot.qvel[static_cast<std::size_t>(i)]), 1e-3 * travel / h);
      }
    }
  }
}

/// Capsules of half length 0.4 and radius 0.005, one thrown at the other so that they cross.
void throw_rods(Precision precision, double travel, double spin, bool fixed, int n) {
  std::mt19937 random(static_cast<unsigned>(1000 * travel + spin) + (fixed ? 1 : 0));
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(-1, 1);
  const std::string rod = "type='capsule' size='.005 .4'";
  const std::string first =
      fixed ? "<geom " + rod + "/>" : "<body><freejoint/><geom " + rod + "/></body>";
  const std::string xml = speculative_scene({}, first + free_body({0, 0, 1}, rod));
  int crossed = 0;
  for (int i = 0; i < n; ++i) {
    // they would cross at a random time in the middle of the step, and of their lengths
    const double way = travel * (0.3 + 0.4 * std::abs(uniform(random)));
    std::vector<double> q = {0.2 * uniform(random), 0.2 * uniform(random), way + 0.01};
    std::vector<double> v = {
        0, 0, -travel / h, spin * normal(random), spin * normal(random), spin * normal(random)};
    // lies across: turned about x by a right angle or so, then about z
    const double turn = pi * uniform(random);
    q.insert(q.end(), {std::cos(turn) * std::sqrt(0.5), std::cos(turn) * std::sqrt(0.5),
                       std::sin(turn) * std::sqrt(0.5), std::sin(turn) * std::sqrt(0.5)});
    // the other one lies too
    if (!fixed) {
      q.insert(q.begin(), {0, 0, 0, std::sqrt(0.5), 0, std::sqrt(0.5), 0});
      v.insert(v.begin(), {0, 0, 0, 0, 0, 0});
    }
    const std::string scene =
        fixed
            ? speculative_scene({}, "<geom " + rod + " zaxis='1 0 0'/>" + free_body({0, 0, 1}, rod))
            : xml;
    const Shot shot = shoot(scene, precision, v, {{0, 1}}, q);
    crossed += shot.least[0] < -0.005 * depth_in_touch ? 1 : 0;
  }
  EXPECT_EQ(crossed, 0) << "travel " << travel << " spin " << spin;
}

TEST_P(SpeculativeCases, ThinRodsDoNotCross) {
  for (const double travel : {1.0, 0.2, 0.05}) {
    throw_rods(GetParam(), travel, 0, false, 20);
    throw_rods(GetParam(), travel, 0, true, 20);
  }
}

TEST_P(SpeculativeCases, SpinningThinRodsDoNotCross) {
  for (const double spin : {100.0, 300.0, 1200.0}) {
    throw_rods(GetParam(), 0.2, spin, true, 20);
    throw_rods(GetParam(), 0.2, spin, false, 20);
  }
}

/// A rod on a hinge from 0 to (1, 0, 0), and a post of radius 0.05 at 0.8 and an angle.
std::string swing_scene(double post, bool centred) {
  const std::string rod = centred ? "fromto='-1 0 0 1 0 0'" : "fromto='0 0 0 1 0 0'";
  SpeculativeOptions o;
  o.geom = "condim='1'";
  return speculative_scene(
      o, "<geom type='cylinder' size='.05 .2' pos='" +
             numbers({0.8 * std::cos(post), 0.8 * std::sin(post), 0}) +
             "'/><body><joint type='hinge' axis='0 0 1'/><geom type='capsule' size='.001' " + rod +
             "/></body>");
}

TEST_P(SpeculativeCases, SwingingRodsStopAtAPost) {
  constexpr double degree = pi / 180;
  // step and post in degrees
  const double cases[][2] = {{40, 29.3}, {60, 44.3}, {90, 60},   {90, 88}, {120, 95},
                             {180, 120}, {270, 150}, {630, 200}, {90, 20}, {180, 95}};
  for (const auto& [step, post] : cases) {
    for (const bool centred : {false, true}) {
      if (centred && step > 180) {
        continue;
      }
      const Shot shot =
          shoot(swing_scene(post * degree, centred), GetParam(), {step * degree / h}, {{0, 1}});
      // where the rod touches; a centred one may meet it with its other half first
      const double touch = post - std::asin(0.051 / 0.8) / degree;
      const double angle = shot.qpos[0] / degree;
      // a tenth of the rod's radius is 0.007 degrees
      EXPECT_LT(angle, touch + 0.02);
      EXPECT_GT(shot.least[0], -0.001 * depth);
      // and gets there: nine tenths of the way at least
      EXPECT_GT(angle, 0.9 * touch);
    }
  }
}

TEST_P(SpeculativeCases, TheFreeEndOfARodThatTouchesDoesNotGoThrough) {
  // one end on the plate, the other one lifted by 30 degrees and swinging down
  for (const double turn : {30.0, 60.0, 90.0}) {
    const double a = pi / 6, w = turn * pi / 180 / h;
    const double x = 0.5 * std::cos(a), z = 0.02 + 0.5 * std::sin(a) + 0.005 - 1e-4;
    const std::string xml = speculative_scene(
        {}, "<geom type='box' size='2 2 .005'/>" +
                free_body({x, 0, z}, "type='capsule' size='.02 .5' zaxis='" +
                                         numbers({std::cos(a), 0, std::sin(a)}) + "'"));
    // about the end that touches: the centre moves too
    const Shot shot = shoot(xml, GetParam(),
                            {w * 0.5 * std::sin(a), 0, -w * 0.5 * std::cos(a), 0, w, 0}, {{0, 1}});
    EXPECT_GT(shot.least[0], -0.005 * depth_in_touch);
  }
}

TEST_P(SpeculativeCases, WhatTouchesExactlyIsStopped) {
  for (const double margin : {0.0, 0.01}) {
    for (const double away : {0.0, 1e-15, 1e-9, 1e-6}) {
      SpeculativeOptions o;
      o.geom = "margin='" + std::to_string(margin / 2) + "'";
      const Shot shot =
          shoot(speculative_scene(
                    o, "<geom type='box' size='1 1 .5' pos='0 0 -.5'/>" +
                           free_body({0, 0, 0.05 + margin + away}, "type='sphere' size='.05'")),
                GetParam(), {0, 0, -0.2 / h, 0, 0, 0});
      EXPECT_GT(shot.qpos[2] - 0.05 - margin, -0.05 * depth);
    }
  }
}

TEST_P(SpeculativeCases, ExactTouchOnAThinPlate) {
  const Shot shot =
      shoot(speculative_scene({}, "<geom type='box' size='1 1 .0005'/>" +
                                      free_body({0, 0, 0.0505}, "type='sphere' size='.05'")),
            GetParam(), {0, 0, -0.2 / h, 0, 0, 0}, {{0, 1}});
  EXPECT_GT(shot.least[0], -0.0005 * depth_in_touch);
}

TEST_P(SpeculativeCases, CornersThatClipAreNoDeeperThanIsPromised) {
  // cubes turned by 45 degrees whose tips overlap sideways, 0.099 per step: slower than is followed
  for (const double overlap : {0.02, 0.04}) {
    double deepest = 0;
    for (int phase = 0; phase < 12; ++phase) {
      const double tip = 0.1 * std::sqrt(2.0), x = -0.5 - 0.099 * phase / 12;
      const std::string cube = "type='box' size='.1 .1 .1' euler='0 0 " + numbers({pi / 4}) + "'";
      const std::string xml = speculative_scene(
          {}, "<geom " + cube + "/>" + free_body({x, 2 * tip - overlap, 0}, cube));
      Batch batch = make_batch(xml, 1, GetParam());
      fill(&batch, "qvel", [](int, int i) { return i == 0 ? 0.099 / h : 0.0; });
      for (int step = 0; step < 14; ++step) {
        batch.step();
        deepest = std::min(deepest, gap(&batch, 0, 1));
      }
    }
    EXPECT_GT(deepest, -0.1 * depth_in_touch);
  }
}

TEST_P(SpeculativeCases, AnOccluderThatMovesAwayLeavesTheFloorSolid) {
  const std::string xml =
      speculative_scene({}, "<geom type='plane' size='9 9 1'/>" +
                                free_body({0, 0, 0.5}, "type='box' size='.2 .2 .005'") +
                                free_body({0, 0, 1}, "type='sphere' size='.05'"));
  for (const double away : {500.0, 0.0, 100.0}) {
    const Shot shot = shoot(xml, GetParam(), {away, 0, 0, 0, 0, 0, 0, 0, -600, 0, 0, 0},
                            {{0, 1}, {0, 2}, {1, 2}});
    EXPECT_GT(shot.least[0], -0.005 * depth);
    EXPECT_GT(shot.least[1], -0.05 * depth);
    EXPECT_GT(shot.least[2], -0.005 * depth_in_touch);
  }
}

TEST_P(SpeculativeCases, WhatADeflectionMeetsIsSolid) {
  SpeculativeOptions o;
  o.geom = "condim='1'";
  const std::string xml =
      speculative_scene(o, "<geom type='box' size='1 1 .005' euler='0 " + numbers({-pi / 4}) +
                               "0' pos='0 0 0'/><geom type='box' size='2 2 .005' pos='0 0 .3'/>" +
                               free_body({-0.4, 0, 0}, "type='sphere' size='.02'"));
  const Shot shot = shoot(xml, GetParam(), {0.8 / h, 0, 0, 0, 0, 0}, {{0, 2}, {1, 2}});
  EXPECT_GT(shot.least[0], -0.005 * depth);
  EXPECT_GT(shot.least[1], -0.005 * depth);
}

TEST_P(SpeculativeCases, NothingSqueezesThroughASlit) {
  for (const double slit : {0.02, 0.06, 0.09, 0.099}) {
    for (const double aside : {0.0, 0.001, 0.01}) {
      const double y = 0.5 + slit / 2;
      const std::string xml = speculative_scene(
          {}, "<geom type='box' size='.005 .5 1' pos='0 " + numbers({y}) +
                  "0'/><geom type='box' size='.005 .5 1' pos='0 " + numbers({-y}) + "0'/>" +
                  free_body({-0.3, aside, 0}, "type='sphere' size='.05'"));
      const Shot shot = shoot(xml, GetParam(), {0.6 / h, 0, 0, 0, 0, 0}, {{0, 2}, {1, 2}});
      EXPECT_LT(shot.qpos[0], 0);
      EXPECT_GT(shot.least[0], -0.005 * depth_in_touch);
      EXPECT_GT(shot.least[1], -0.005 * depth_in_touch);
    }
  }
}

TEST_P(SpeculativeCases, TheDampedReferenceWithoutStiffnessStaysFinite) {
  // k = 0: the whole of the speed is turned round elsewhere
  SpeculativeOptions o;
  o.timestep = "0.004";
  o.geom = "solref='0 -499' solimp='.995 .995 .001'";
  const Shot shot =
      shoot(speculative_scene(o, "<geom type='box' size='1 1 .005'/>" +
                                     free_body({0, 0, 0.255}, "type='sphere' size='.05'")),
            GetParam(), {0, 0, -100, 0, 0, 0}, {{0, 1}});
  EXPECT_GT(shot.least[0], -0.005 * depth);
  EXPECT_LT(std::abs(shot.qvel[2]), 100);
}

INSTANTIATE_TEST_SUITE_P(Precisions, SpeculativeCases,
                         testing::Values(Precision::f64, Precision::f32), [](const auto& what) {
                           return what.param == Precision::f64 ? "f64" : "f32";
                         });

}  // namespace
}  // namespace swept::test
