// SPDX-License-Identifier: Apache-2.0
// The scenes of scenes/speculative, in many environments with perturbed starts: nothing goes through
// anything, what is held back goes on, energies do not grow, and the counters say what happened.
// Without the flag the same judges see things pass, so they can. SWEPT_LONG in the environment takes 64
// environments, as the READMEs' numbers do.
#include <gtest/gtest.h>

#include <map>

#include "physics/speculative_courses.h"

namespace swept::test {
namespace {

const int nenv = std::getenv("SWEPT_LONG") != nullptr ? 64 : 16;

/// A bound in double and in single precision: rounding makes another trajectory, and what is stiff
/// converges to fewer digits in it.
struct Bound {
  double f64, f32;
  double at(Precision precision) const { return precision == Precision::f64 ? f64 : f32; }
};

/// What a scene's README says of it.
struct Expected {
  int longest_held;   ///< steps in a row at most
  double held;        ///< part of the steps at most
  Bound most_solves;  ///< part of the steps with as many solves as there may be, at most
  Bound growth;       ///< [J] within a step at most; negative: something drives it
  double passed_off;  ///< part of the environments in which things pass without the flag, at least
};

const std::map<std::string, Expected> expectations = {
    // bodies that spin gain a little by the integrator alone
    {"bullet", {4, 0.02, {0.05, 0.05}, {0.1, 0.1}, 0.9}},
    // the swing itself, at 10 ms
    {"cradle", {2, 0.001, {0.02, 0.02}, {0.001, 0.001}, 0.9}},
    // links that swing about each other
    {"chain", {50, 0.005, {0.01, 0.01}, {0.4, 0.4}, 0.25}},
    {"flipper", {3, 0.005, {0.04, 0.04}, {-1, -1}, 0.9}},
    {"rods", {2, 0.001, {0.06, 0.06}, {1e-4, 1e-4}, 0.9}},
    // pebbles wedged between a blade and a wall: rows of many stiff contacts
    {"fan", {12, 0.03, {0.06, 0.08}, {-1, -1}, 0.9}},
    // wheels that roll at half a radian per step
    {"car", {4, 0.005, {0.02, 0.04}, {4, 25}, 0.9}},
};

class SpeculativeScenes : public testing::TestWithParam<Precision> {
 protected:
  Outcome watched(const Course& course, Kind kind, const Look& look = {}) const {
    const Outcome out = run(course, kind, GetParam(), nenv, look);
    out.print(course.name, kind_name(kind), GetParam() == Precision::f64 ? "f64" : "f32", nenv,
              course.steps);
    return out;
  }
};

TEST_P(SpeculativeScenes, NothingGoesThroughAnything) {
  for (const Course& course : speculative_courses()) {
    SCOPED_TRACE(course.name);
    const Expected& expected = expectations.at(course.name);
    const double steps = static_cast<double>(nenv) * course.steps;
    const Outcome out = watched(course, Kind::robust);
    EXPECT_EQ(out.crossed, 0) << "environment " << out.first_env << ", step " << out.first_step;
    EXPECT_EQ(out.bad, 0);
    // what was held back goes on
    EXPECT_EQ(out.held_at_end, 0);
    EXPECT_LE(out.longest_held, expected.longest_held);
    EXPECT_LE(static_cast<double>(out.held), expected.held * steps);
    EXPECT_LE(static_cast<double>(out.most_solves), expected.most_solves.at(GetParam()) * steps);
    if (expected.growth.f64 >= 0) {
      EXPECT_LE(out.energy_growth, expected.growth.at(GetParam()));
      EXPECT_LT(out.energy[1], out.energy[0]);
    }
    // hits are pairs that were advanced, and those were swept
    EXPECT_GT(out.counts[speculative_hits], nenv);
    EXPECT_LE(out.counts[speculative_hits], out.counts[speculative_advanced]);
    EXPECT_LE(out.counts[speculative_advanced], out.counts[speculative_swept]);
    EXPECT_EQ(out.counts[speculative_resolved], out.resolved);
    EXPECT_EQ(out.counts[speculative_held], out.held);
  }
}

TEST_P(SpeculativeScenes, WithoutTheFlagTheSameJudgesSeeThingsPass) {
  for (const Course& course : speculative_courses()) {
    SCOPED_TRACE(course.name);
    const Outcome out = watched(course, Kind::off);
    EXPECT_GE(out.crossed, expectations.at(course.name).passed_off * nenv);
    for (const std::int64_t count : out.counts) {
      EXPECT_EQ(count, 0);
    }
  }
}

TEST_P(SpeculativeScenes, BulletsStopAtTheWallAndGoOnAlongIt) {
  // of the round ones and of the box; of what they had
  double round = 0, box = 0, back = 0;
  std::vector<double> start;
  watched(bullet_course(), Kind::robust,
          [&](Batch* batch, int step, const std::vector<double>&, const std::vector<double>&) {
            const std::vector<double> qvel = batch->read("qvel");
            start = step == 0 ? qvel : start;
            for (int i = 0; i < 5 * nenv; ++i) {
              // the wall's normal is x, and nothing has friction
              const double change = std::max(std::abs(qvel[6 * i + 1] - start[6 * i + 1]),
                                             std::abs(qvel[6 * i + 2] - start[6 * i + 2]));
              (i % 5 == 4 ? box : round) = std::max(i % 5 == 4 ? box : round, change);
              back = step >= 20 ? std::max(back, std::abs(qvel[6 * i]) / 800) : back;
            }
          });
  std::printf(
      "velocity along the wall changes by %.1e m/s, the box's by %.1e; across it %.1e of "
      "800 m/s are left after 20 steps\n",
      round, box, back);
  // the cylinder's 1e-7 m/s in f64, the ellipsoid's 1e-4 in f32: normals that are found by iteration
  EXPECT_LE(round, GetParam() == Precision::f64 ? 1e-5 : 1e-3);
  // of an edge that is looked at while it overlaps the wall: 6e-4 of the speed
  EXPECT_LE(box, 1);
  // discrete contacts with a time constant of two steps give 2.4 % back
  EXPECT_LE(back, 0.03);
}

TEST_P(SpeculativeScenes, PlatesOfTheCradleShareTheirMomentum) {
  for (const int key : {0, 1}) {
    double worst = 0, most = 0;
    std::vector<double> last;
    // equal pendulums about parallel axes, whose forces on each other have the same lever: the sum of
    // their rates is changed by gravity alone
    const double inertia = 0.1 * (1 + (0.2 * 0.2 + 0.001 * 0.001) / 12), weight = 0.1 * 9.81;
    watched(cradle_course(key), Kind::robust,
            [&](Batch* batch, int, const std::vector<double>& before, const std::vector<double>&) {
              const std::vector<double> qvel = batch->read("qvel");
              for (int env = 0; env < nenv && !last.empty(); ++env) {
                double change = 0, size = 0;
                for (int i = 5 * env; i < 5 * env + 5; ++i) {
                  change += qvel[i] - last[i] + 0.01 * weight / inertia * std::sin(before[i]);
                  size += qvel[i];
                }
                worst = std::max(worst, std::abs(change));
                most = std::max(most, std::abs(size));
              }
              last = qvel;
            });
    std::printf("the sum of rates is off by %.1e of up to %.2f rad/s\n", worst, most);
    EXPECT_LE(worst, 0.01 * most);
  }
}

TEST_P(SpeculativeScenes, TheFlipperStrikesTheBall) {
  double fastest = 0;
  watched(flipper_course(), Kind::robust,
          [&](Batch* batch, int, const std::vector<double>&, const std::vector<double>&) {
            const std::vector<double> qvel = batch->read("qvel");
            for (int env = 0; env < nenv; ++env) {
              fastest = std::max(fastest, std::hypot(qvel[7 * env + 1], qvel[7 * env + 2]));
            }
          });
  std::printf("the ball is up to %.1f m/s fast\n", fastest);
  EXPECT_GT(fastest, 10);
}

TEST_P(SpeculativeScenes, TheCarGoesOnWithTheSheets) {
  std::vector<double> start, end;
  const Course course = car_course();
  watched(course, Kind::robust,
          [&](Batch* batch, int step, const std::vector<double>&, const std::vector<double>&) {
            if (step == 0) {
              start = batch->read("qvel");
            } else if (step == course.steps - 1) {
              end = batch->read("qvel");
            }
          });
  double mean = 0;
  for (int env = 0; env < nenv; ++env) {
    mean += end[64 * env] / start[64 * env] / nenv;
  }
  std::printf("the car keeps %.3f of its speed\n", mean);
  EXPECT_GT(mean, 0.5);
  EXPECT_LT(mean, 1);
}

INSTANTIATE_TEST_SUITE_P(Precisions, SpeculativeScenes,
                         testing::Values(Precision::f64, Precision::f32),
                         [](const auto& p) { return p.param == Precision::f32 ? "f32" : "f64"; });

}  // namespace
}  // namespace swept::test
