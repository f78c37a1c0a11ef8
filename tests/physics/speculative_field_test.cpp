// SPDX-License-Identifier: Apache-2.0
// Height fields with speculative contacts: what glides over them is not held up by the walls between
// their prisms, what falls on them lands, and large fields, many bodies and hinged ones are held too.
#include "physics/field_judge.h"
#include "physics/field_scene.h"

#include <swept/speculative.h>

#include <gtest/gtest.h>

#include <cstdio>

namespace swept::test {
namespace {

class SpeculativeField : public testing::TestWithParam<Precision> {
 protected:
  /// The tolerance of this precision.
  double tolerance(double f64, double f32) const {
    return GetParam() == Precision::f64 ? f64 : f32;
  }
};

// ---- gliding ----------------------------------------------------------------------------------------

/// What glides: a geom, how far its centre is over the ground when it touches, and which way is up.
struct Glider {
  const char* name;
  const char* geom;
  double height;
};
constexpr Glider gliders[] = {
    {"ball", "type='sphere' size='0.1'", 0.1},
    {"box", "type='box' size='0.15 0.12 0.1'", 0.1},
    {"capsule across", "type='capsule' size='0.1 0.2' euler='1.5707963 0 0'", 0.1},
    {"cylinder", "type='cylinder' size='0.12 0.1'", 0.1},
    {"ellipsoid", "type='ellipsoid' size='0.2 0.15 0.1'", 0.1},
};

/// Shoot gliders over ground that rises at a constant angle, from 16 places and gaps each; the part of
/// its speed along the ground that the slowest has after 50 steps of 0.2 m.
double least_speed(const Glider& glider, double rise, Precision precision) {
  constexpr int nenv = 16, rows = 9, columns = 121;
  constexpr double length = 6, speed = 100;
  const double top = 2 * length * std::tan(rise);
  const std::vector<double> size = {length, 0.9, top > 0 ? top : 1, 0.5};
  const std::string scene =
      speculative_scene({.geom = "condim='1'",
                         .custom = "",
                         .gravity = numbers({9.81 * std::sin(rise), 0, -9.81 * std::cos(rise)})},
                        "<geom type='hfield' hfield='f'/><body><freejoint/><geom " +
                            std::string(glider.geom) + "/></body>");
  const std::string asset = field_asset(rows, columns, size, [&](int, int c) {
    return top > 0 ? static_cast<double>(c) / (columns - 1) : 0;
  });
  std::string xml = scene;
  xml.insert(xml.find("<worldbody>"), asset);
  Batch batch = make_batch(xml, nenv, precision);
  const double up[3] = {-std::sin(rise), 0, std::cos(rise)},
               on[3] = {std::cos(rise), 0, std::sin(rise)};
  std::vector<double> qpos, qvel;
  for (int env = 0; env < nenv; ++env) {
    constexpr double gaps[] = {0, 1e-7, 1e-5, 1e-4, 1e-3, 1e-2, -1e-6, -1e-4};
    const double x = -length + 0.4 + 0.1 * noise(env, 0), y = 0.2 * noise(env, 1);
    const double ground = (x + length) * std::tan(rise), gap = glider.height + gaps[env % 8];
    const double down = env < 8 ? 0 : 1 + noise(env, 2);
    for (const double p : {x + gap * up[0], y, ground + gap * up[2], std::cos(rise / 2), 0.0,
                           -std::sin(rise / 2), 0.0}) {
      qpos.push_back(p);
    }
    for (int k = 0; k < 3; ++k) {
      qvel.push_back(speed * on[k] - down * up[k]);
    }
    qvel.insert(qvel.end(), 3, 0);
  }
  batch.write("qpos", qpos);
  batch.write("qvel", qvel);
  batch.step(50);
  const std::vector<double> end = batch.read("qvel");
  double least = 1;
  for (int env = 0; env < nenv; ++env) {
    const double* const v = end.data() + 6 * env;
    least = std::min(least, (v[0] * on[0] + v[2] * on[2]) / speed);
  }
  return least;
}

TEST_P(SpeculativeField, WhatGlidesOverEvenGroundKeepsItsSpeed) {
  for (const Glider& glider : gliders) {
    for (const double rise : {0.0, 0.2}) {
      const double least = least_speed(glider, rise, GetParam());
      std::printf("%-15s over a slope of %.1f rad: slowest %.6f\n", glider.name, rise, least);
      EXPECT_GT(least, 0.99) << glider.name;
    }
  }
}

/// The height [m] of ground that is even, then bends up along a circle, then goes on straight.
///   radius   [m] of the circle, which begins at x = 0; angle: where it ends
double bent_ground(double x, double radius, double angle) {
  const double end = radius * std::sin(angle);
  if (x <= 0) {
    return 0;
  }
  const double top = std::min(x, end);
  return radius - std::sqrt(radius * radius - top * top) + (x - top) * std::tan(angle);
}

TEST_P(SpeculativeField, WhatGlidesUpASmoothBendKeepsItsSpeed) {
  constexpr double length = 4, radius = 5, angle = 0.3, speed = 30;
  constexpr int columns = 321;
  const double top = bent_ground(length, radius, angle);
  const std::string asset = field_asset(9, columns, {length, 0.9, top, 0.5}, [&](int, int c) {
    return bent_ground(2 * length * c / (columns - 1) - length, radius, angle) / top;
  });
  for (const char* geom : {"type='sphere' size='0.1'", "type='box' size='0.15 0.12 0.1'",
                           "type='ellipsoid' size='0.2 0.15 0.1'"}) {
    std::string xml = speculative_scene(
        {.geom = "condim='1' solref='0.004 1'"},
        "<geom type='hfield' hfield='f'/>" + free_body({-length + 0.4, 0.02, 0.1}, geom));
    xml.insert(xml.find("<worldbody>"), asset);
    Batch batch = make_batch(xml, 1, GetParam());
    batch.write("qvel", std::vector<double>{speed, 0, 0, 0, 0, 0});
    batch.step(110);
    const std::vector<double> v = batch.read("qvel"), q = batch.read("qpos");
    const double kept = std::hypot(v[0], v[1], v[2]) / speed, up = std::atan2(v[2], v[0]);
    std::printf("%s: speed %.5f of what it was, direction %.3f rad, %.1e m beside\n", geom, kept,
                up, std::abs(q[1] - 0.02));
    EXPECT_GT(kept, 0.99) << geom;
    EXPECT_NEAR(up, angle, 0.03) << geom;
  }
}

// ---- landing ----------------------------------------------------------------------------------------

TEST_P(SpeculativeField, LandsOnTheGroundAtTheEndOfTheStep) {
  // over a slope along x that is 0.3 high at x = 0
  constexpr double slope = 0.3;
  const std::string asset = field_asset(7, 7, {1, 1, 0.6, 0.2}, [](int, int c) { return c / 6.0; });
  const double cosine = 1 / std::hypot(1.0, slope);
  for (const char* geom : {"type='sphere' size='0.05'", "type='box' size='0.05 0.05 0.05'"}) {
    for (const double gap : {0.05, 0.3, 0.7}) {
      const bool ball = std::string(geom).find("sphere") != std::string::npos;
      // the lowest point over its place on the slope: the ball's, or the box's lower corner
      const double under = ball ? 0.05 / cosine : 0.05 + 0.05 * slope;
      std::string xml =
          speculative_scene({.geom = "condim='1'"},
                            "<geom type='hfield' hfield='f'/>" +
                                free_body({0.02, 0.03, 0.3 + 0.02 * slope + under + gap}, geom));
      xml.insert(xml.find("<worldbody>"), asset);
      Batch batch = make_batch(xml, 1, GetParam());
      batch.write("qvel", std::vector<double>{0, 0, -500, 0, 0, 0});
      batch.step();
      const std::vector<double> q = batch.read("qpos"), v = batch.read("qvel");
      if (ball) {
        const double left = (q[2] - 0.3 - q[0] * slope - under) * cosine;
        EXPECT_GE(left, -tolerance(1e-9, 2e-6)) << geom << " " << gap;
        EXPECT_LE(left, 0.025 * gap + tolerance(1e-9, 2e-6)) << geom << " " << gap;
      }
      EXPECT_EQ(counted(&batch, speculative_held), 0) << geom << " " << gap;
      EXPECT_LE(v[0] * v[0] + v[1] * v[1] + v[2] * v[2], 500.0 * 500.0 * (1 + 1e-6)) << geom;
    }
  }
}

// ---- large ------------------------------------------------------------------------------------------

TEST_P(SpeculativeField, StopsWhatFliesOverAMillionCellsInOneStep) {
  constexpr int points = 1001;
  // hills of up to 1 m with a wall across the middle
  std::string xml = speculative_scene(
      {}, "<geom type='hfield' hfield='f'/>" + free_body({-49, -48.7, 1.5}, "size='0.05'"));
  xml.insert(xml.find("<worldbody>"), field_asset(points, points, {50, 50, 3, 1}, [](int r, int c) {
               return c == 700 ? 1.0 : (2 + std::sin(0.07 * r) + std::sin(0.05 * c)) / 12;
             }));
  Batch batch = make_batch(xml, 1, GetParam());
  // along the diagonal, 138 m in the step
  batch.write("qvel", std::vector<double>{49000, 48700, 0, 0, 0, 0});
  batch.step();
  const std::vector<double> q = batch.read("qpos");
  // before the foot of the wall, at most a radius and a little way up its slope
  EXPECT_GT(q[0], -50 + 100 * 699.0 / 1000 - 0.1);
  EXPECT_LT(q[0], -50 + 100 * 699.0 / 1000);
  EXPECT_EQ(counted(&batch, speculative_hits), 1);
}

TEST_P(SpeculativeField, HoldsUpManyBodiesInASceneThatIsSwept) {
  constexpr int count = 100;
  std::string bodies = "<geom type='hfield' hfield='f'/>";
  std::vector<double> qvel;
  for (int i = 0; i < count; ++i) {
    bodies += free_body({-4.5 + i % 10, -4.5 + i / 10, 1 + 0.01 * i}, "size='0.05'");
    qvel.insert(qvel.end(), {0, 0, -900.0 - i, 0, 0, 0});
  }
  std::string xml = speculative_scene({}, bodies);
  xml.insert(xml.find("<worldbody>"), field_asset(11, 11, {5, 5, 0.5, 0.1}, [](int r, int c) {
               return 0.5 + 0.5 * noise(r, c);
             }));
  Batch batch = make_batch(xml, 2, GetParam());
  ASSERT_GT(batch.model().nsweep, 0);
  std::vector<double> both = qvel;
  both.insert(both.end(), qvel.begin(), qvel.end());
  batch.write("qvel", both);
  const FieldSolid solid(batch.model(), 0);
  for (int step = 0; step < 5; ++step) {
    batch.step();
    const std::vector<double> q = batch.read("qpos");
    for (int i = 0; i < 2 * count; ++i) {
      const double* const at = q.data() + 7 * i;
      const bool over = std::abs(at[0]) < 5 && std::abs(at[1]) < 5;
      EXPECT_TRUE(!over || at[2] > solid.surface(at[0], at[1])) << step << " " << i;
    }
  }
  EXPECT_GE(counted(&batch, speculative_hits), count);
}

// ---- hinges -----------------------------------------------------------------------------------------

TEST_P(SpeculativeField, AFlailDoesNotSwingThroughARidge) {
  // an arm of 1 m with a ball at its end turns about y, by up to two radians a step, over a ridge
  std::string xml = speculative_scene(
      {.geom = "condim='1'"},
      "<geom type='hfield' hfield='f'/><body pos='0 0 1.3'><joint name='j' axis='0 1 0'/>"
      "<geom type='capsule' size='0.03' fromto='0 0 0 0 0 -1'/></body>");
  xml.insert(xml.find("<worldbody>"),
             field_asset(3, 41, {2, 1, 0.6, 0.1}, [](int, int c) { return c == 20 ? 1.0 : 0.0; }));
  constexpr int nenv = 64;
  Batch batch = make_batch(xml, nenv, GetParam());
  std::vector<double> qpos, qvel;
  for (int env = 0; env < nenv; ++env) {
    const double side = env % 2 == 0 ? 1 : -1;
    qpos.push_back(side * (0.3 + 0.5 * std::abs(noise(env, 0))));
    qvel.push_back(-side * (200 + 800 * std::abs(noise(env, 1))));
  }
  batch.write("qpos", qpos);
  batch.write("qvel", qvel);
  for (int step = 0; step < 4; ++step) {
    batch.step();
    const std::vector<double> q = batch.read("qpos");
    for (int env = 0; env < nenv; ++env) {
      const auto e = static_cast<std::size_t>(env);
      // the ridge is 0.6 high, the arm's end comes down to 0.3: it stays on its side. An arm that has
      // swung back may come round from the other side
      const double turned = std::abs(q[e] - qpos[e]);
      if (turned < 3) {
        EXPECT_GT(q[e] * qpos[e], 0) << step << " " << env;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, SpeculativeField,
                         testing::Values(Precision::f64, Precision::f32));

}  // namespace
}  // namespace swept::test
