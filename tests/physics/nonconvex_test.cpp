// SPDX-License-Identifier: Apache-2.0
// Meshes that collide as they are (tuple nonconvex): what lies in them, hangs on them or is caught in
// them stays where it belongs, also at 100 m/s, and a hull that is taken as a surface behaves as the
// hull.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <swept/error.h>

#include "physics/nonconvex_scene.h"
#include "support/near.h"

namespace swept::test {
namespace {

class Nonconvex : public testing::TestWithParam<Precision> {};

const std::string speculative =
    "<option timestep='0.01' gravity='0 0 0'>"
    "<flag speculative='enable'/></option>";

TEST_P(Nonconvex, ABallRestsOnTheFloorOfACupAndNotOnItsHull) {
  // the cup stands on a plane: its floor is 2 cm thick, its rim 12 cm high
  for (const bool as_it_is : {false, true}) {
    Batch batch = make_batch(cup_scene(as_it_is), 1, GetParam());
    batch.step(2000);
    const double z = batch.read("qpos")[9];
    std::printf("%s: the ball's centre rests at %.4f m\n", as_it_is ? "surface" : "hull", z);
    // the spring of a contact that carries a weight gives way by less than a millimetre
    EXPECT_NEAR(z, as_it_is ? 0.02 + 0.04 : 0.12 + 0.04, 1e-3);
    EXPECT_LT(std::abs(batch.read("qvel")[8]), 1e-4);
  }
}

const std::string discrete = "<option timestep='0.01' gravity='0 0 0'/>";

/// Shots into a room; with SWEPT_LONG in the environment many more.
const int shots = std::getenv("SWEPT_LONG") != nullptr ? 2000 : 24;

/// Bodies in a room with walls of 1 mm, shot at 100 m/s in all directions, in steps of 10 ms: how many
/// have left it after some steps.
int count_escapes(const std::string& geom, bool free_room, bool spins, Precision precision,
                  const std::string& option = speculative) {
  constexpr int steps = 6;
  const std::array<double, 3> half = {0.1, 0.15, 0.2};
  const std::string of_room = "<geom name='room' type='mesh' mesh='room' density='3000'/>";
  const std::string bodies = (free_room ? "<body><freejoint/>" + of_room + "</body>" : of_room) +
                             "<body><freejoint/><geom " + geom + "/></body>";
  Batch batch = make_batch(surface_scene(room(half, 0.001).element("room"), "room", bodies, option),
                           shots, precision);
  const auto v0 = static_cast<std::size_t>(free_room ? 6 : 0);
  const auto q0 = static_cast<std::size_t>(free_room ? 7 : 0);
  fill(&batch, "qvel", [&](int env, int i) {
    const int k = i - static_cast<int>(v0);
    if (k < 0) {
      return 0.0;
    }
    double n[3] = {noise(env, 0), noise(env, 1), noise(env, 2)};
    const double length = std::hypot(n[0], n[1], n[2]);
    return k < 3 ? 100 * n[k] / length : (spins ? 300 * noise(env, k) : 0.0);
  });
  int escapes = 0;
  const auto nq = static_cast<std::size_t>(batch.model().nq);
  for (int step = 0; step < steps; ++step) {
    batch.step();
  }
  const std::vector<double> qpos = batch.read("qpos");
  for (std::size_t env = 0; env < static_cast<std::size_t>(shots); ++env) {
    const double* const q = &qpos[env * nq];
    double at[3] = {q[q0], q[q0 + 1], q[q0 + 2]};
    if (free_room) {
      // into the frame of the room
      const double w = q[3], x = -q[4], y = -q[5], z = -q[6];
      const double p[3] = {at[0] - q[0], at[1] - q[1], at[2] - q[2]};
      const double t[3] = {2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]),
                           2 * (x * p[1] - y * p[0])};
      at[0] = p[0] + w * t[0] + (y * t[2] - z * t[1]);
      at[1] = p[1] + w * t[1] + (z * t[0] - x * t[2]);
      at[2] = p[2] + w * t[2] + (x * t[1] - y * t[0]);
    }
    bool out = false;
    for (std::size_t k = 0; k < 3; ++k) {
      out = out || !(std::abs(at[k]) < half[k]);
    }
    escapes += out ? 1 : 0;
  }
  return escapes;
}

TEST_P(Nonconvex, NothingLeavesARoomThroughAWallOfAMillimetre) {
  const std::pair<const char*, const char*> geoms[] = {
      {"sphere", "type='sphere' size='.01'"},
      {"capsule", "type='capsule' size='.006 .02'"},
      {"ellipsoid", "type='ellipsoid' size='.01 .02 .015'"},
      {"cylinder", "type='cylinder' size='.01 .015'"},
      {"box", "type='box' size='.01 .02 .015'"}};
  for (const auto& [name, geom] : geoms) {
    for (const bool free_room : {false, true}) {
      const int straight = count_escapes(geom, free_room, false, GetParam());
      const int spinning = count_escapes(geom, free_room, true, GetParam());
      std::printf("%-10s %s room: %d and, spinning, %d of %d left it\n", name,
                  free_room ? "free " : "fixed", straight, spinning, shots);
      EXPECT_EQ(straight, 0) << name;
      EXPECT_EQ(spinning, 0) << name;
    }
  }
  // what would leave without the flag
  const int without = count_escapes(geoms[0].second, false, false, GetParam(), discrete);
  std::printf("sphere     fixed room, flag off: %d of %d left it\n", without, shots);
  EXPECT_GT(without, shots / 2);
}

TEST_P(Nonconvex, WhatIsCaughtInARoomComesToRest) {
  // the same shots with gravity: what was held back for a part of a step has gone on
  const std::string option = "<option timestep='0.01'><flag speculative='enable'/></option>";
  Batch batch = make_batch(surface_scene(room({0.1, 0.15, 0.2}, 0.001).element("room"), "room",
                                         "<geom name='room' type='mesh' mesh='room'/>"
                                         "<body><freejoint/><geom size='.01' condim='6'/></body>",
                                         option),
                           shots, GetParam());
  fill(&batch, "qvel", [&](int env, int i) {
    const double n[3] = {noise(env, 0), noise(env, 1), noise(env, 2)};
    return i < 3 ? 100 * n[i] / std::hypot(n[0], n[1], n[2]) : 0.0;
  });
  batch.step(300);
  const std::vector<double> q = batch.read("qpos");
  double lowest = 1, highest = -1;
  for (std::size_t env = 0; env < static_cast<std::size_t>(shots); ++env) {
    lowest = std::min(lowest, q[7 * env + 2]);
    highest = std::max(highest, q[7 * env + 2]);
  }
  std::printf("balls of 1 cm over a floor at -0.2 m: their centres at %.4f to %.4f m\n", lowest,
              highest);
  // soft contacts in steps of 10 ms give way by some tenths of a millimetre
  EXPECT_GT(lowest, -0.191);
  EXPECT_LT(highest, -0.189);
}

TEST_P(Nonconvex, ANutStaysOnItsRod) {
  // a rod of 1 cm through a nut with a hole of 1.2 cm, which is pulled down and aside
  const std::string bodies =
      "<geom type='plane' size='1 1 .1'/><geom type='cylinder' size='.01 .1' pos='0 0 .1'/>"
      "<body pos='0 0 .1'><freejoint/><geom name='nut' type='mesh' mesh='nut'/></body>";
  for (const bool as_it_is : {false, true}) {
    Batch batch =
        make_batch(surface_scene(ring(6, 0.014, 0.03, 0.008).element("nut"), as_it_is ? "nut" : "",
                                 bodies, "<option gravity='3 1 -9.81'/>"),
                   1, GetParam());
    batch.step(1500);
    const std::vector<double> q = batch.read("qpos");
    const double off = std::hypot(q[0], q[1]);
    std::printf("%s: nut %.4f m beside the rod's axis, %.4f m high\n",
                as_it_is ? "surface" : "hull", off, q[2]);
    if (as_it_is) {
      // the hole's inner circle has a radius of 1.2 cm, its corners one of 1.4 cm
      EXPECT_LT(off, 0.0045);
      EXPECT_NEAR(q[2], 0.008, 1e-3);
    } else {
      EXPECT_GT(off, 0.0045);
    }
  }
}

TEST_P(Nonconvex, ARingStaysOnItsHook) {
  // a hook open to the top, in the plane x z, of a square rod, and a ring that hangs in it
  std::vector<Corner2> in, out;
  for (int i = 0; i <= 8; ++i) {
    const double angle = 3.14159265358979323846 * (1 + i / 8.0);
    in.push_back({0.02 * std::cos(angle), 0.02 * std::sin(angle)});
    out.push_back({0.03 * std::cos(angle), 0.03 * std::sin(angle)});
  }
  const std::string meshes = strip(in, out, false, -0.005, 0.005).element("hook") +
                             ring(12, 0.03, 0.04, 0.004).element("ring");
  const std::string bodies =
      // the plane of the strip stands upright
      "<geom name='hook' type='mesh' mesh='hook' euler='1.5707963 0 0'/>"
      // the ring stands across, around the hook's lowest part
      "<body pos='0 0 -.0495' euler='0 1.5707963 0'><freejoint/>"
      "<geom name='ring' type='mesh' mesh='ring'/></body>";
  for (const bool as_it_is : {false, true}) {
    Batch batch =
        make_batch(surface_scene(meshes, as_it_is ? "hook ring" : "", bodies), 1, GetParam());
    batch.step(1500);
    const std::vector<double> q = batch.read("qpos");
    std::printf("%s: ring at %.4f %.4f %.4f\n", as_it_is ? "surface" : "hull", q[0], q[1], q[2]);
    if (as_it_is) {
      EXPECT_GT(q[2], -0.06);
      EXPECT_LT(std::hypot(q[0], q[1]), 0.02);
    } else {
      EXPECT_TRUE(q[2] < -0.06 || q[2] > 0 || std::hypot(q[0], q[1]) > 0.02);
    }
  }
}

TEST_P(Nonconvex, AKeyStaysInItsSlot) {
  // a slot of 2.2 cm in a block, a key of 2 cm in it that is pulled sideways ten times as hard as down
  const std::vector<Corner2> outer = {{-0.05, 0.03}, {-0.05, -0.03}, {0.05, -0.03}, {0.05, 0.03}},
                             inner = {{-0.011, 0.03}, {-0.011, 0}, {0.011, 0}, {0.011, 0.03}};
  const std::string bodies =
      "<geom name='slot' type='mesh' mesh='slot' euler='1.5707963 0 0'/>"
      "<body pos='0 0 .02'><freejoint/><geom type='box' size='.01 .03 .01'/></body>";
  for (const bool as_it_is : {false, true}) {
    Batch batch =
        make_batch(surface_scene(strip(inner, outer, false, -0.05, 0.05).element("slot"),
                                 as_it_is ? "slot" : "", bodies, "<option gravity='10 0 -3'/>"),
                   1, GetParam());
    batch.step(1500);
    const std::vector<double> q = batch.read("qpos");
    std::printf("%s: key at %.4f %.4f %.4f\n", as_it_is ? "surface" : "hull", q[0], q[1], q[2]);
    if (as_it_is) {
      // against the wall, on the floor or held above it by the wall's friction
      EXPECT_NEAR(q[0], 0.001, 5e-4);
      EXPECT_GT(q[2], 0.01 - 5e-4);
      EXPECT_LT(q[2], 0.02 + 5e-4);
    } else {
      EXPECT_GT(q[0], 0.05);
    }
  }
}

/// How many links that hang in a fixed one, and are shot in all directions at 30 to 100 m/s, spinning,
/// in steps of 10 ms, have left it after some steps.
int count_lost_links(Precision precision, const std::string& option, int links) {
  Batch batch = make_batch(surface_scene(ring(8, 0.03, 0.04, 0.005).element("link"), "fixed free",
                                         "<geom name='fixed' type='mesh' mesh='link'/>"
                                         "<body pos='.035 0 0' euler='1.5707963 0 0'><freejoint/>"
                                         "<geom name='free' type='mesh' mesh='link'/></body>",
                                         option),
                           links, precision);
  fill(&batch, "qvel", [&](int env, int i) {
    double n[3] = {noise(env, 0), noise(env, 1), noise(env, 2)};
    const double length = std::hypot(n[0], n[1], n[2]), v = 65 + 35 * noise(env, 3);
    return i < 3 ? v * n[i] / length : 100 * noise(env, i);
  });
  batch.step(6);
  const std::vector<double> q = batch.read("qpos");
  int lost = 0;
  for (std::size_t env = 0; env < static_cast<std::size_t>(links); ++env) {
    // links have a point in common with the disks that fill them
    lost += std::hypot(q[7 * env], q[7 * env + 1], q[7 * env + 2]) <= 0.08 ? 0 : 1;
  }
  return lost;
}

TEST_P(Nonconvex, ALinkDoesNotLeaveTheOneItHangsIn) {
  const int links = shots / 2, lost = count_lost_links(GetParam(), speculative, links),
            without = count_lost_links(GetParam(), discrete, links);
  std::printf("%d of %d links left the one they hung in, with the flag off %d\n", lost, links,
              without);
  EXPECT_EQ(lost, 0);
  EXPECT_GT(without, links / 2);
}

TEST_P(Nonconvex, AHullTakenAsASurfaceHoldsWhatTheHullHolds) {
  const std::string meshes =
      "<mesh name='block' inertia='convex' vertex='-.3 -.3 -.1  .3 -.3 -.1  -.3 .3 -.1  .3 .3 -.1"
      "  -.3 -.3 .1  .3 -.3 .1  -.3 .3 .1  .3 .3 .1' face='0 2 3  0 3 1  4 5 7  4 7 6"
      "  0 1 5  0 5 4  2 6 7  2 7 3  0 4 6  0 6 2  1 3 7  1 7 5'/>" +
      ring(8, 0.02, 0.06, 0.03).element("nut");
  const std::pair<const char*, const char*> geoms[] = {
      {"sphere", "type='sphere' size='.05'"},
      {"capsule", "type='capsule' size='.03 .05' euler='1.5707963 0 0'"},
      {"ellipsoid", "type='ellipsoid' size='.05 .06 .04'"},
      {"cylinder", "type='cylinder' size='.05 .04'"},
      {"box", "type='box' size='.05 .06 .04'"},
      {"hull", "type='mesh' mesh='nut'"}};
  for (const auto& [name, geom] : geoms) {
    std::vector<double> rest[2];
    for (const bool as_it_is : {false, true}) {
      Batch batch =
          make_batch(surface_scene(meshes, as_it_is ? "block" : "",
                                   "<geom name='block' type='mesh' mesh='block' pos='0 0 -.1'/>"
                                   "<body pos='.02 .01 .08'><freejoint/><geom " +
                                       std::string(geom) + "/></body>"),
                     1, GetParam());
      batch.step(1500);
      rest[as_it_is ? 1 : 0] = batch.read("qpos");
    }
    double off = 0, turned = 0;
    for (std::size_t k = 0; k < 7; ++k) {
      double& most = k < 3 ? off : turned;
      most = std::max(most, std::abs(rest[1][k] - rest[0][k]));
    }
    std::printf("%-10s on a block: %.2g m and %.2g (quaternion) from where the hull holds it\n",
                name, off, turned);
    // other points hold it, each of which gives way by some tenths of a millimetre
    EXPECT_LT(off, 5e-4) << name;
    EXPECT_LT(turned, 5e-3) << name;
  }
}

/// A sheet bent to a gutter along y, open to the top: no inside.
const char* const gutter =
    "<mesh name='gutter' inertia='shell' vertex='-.2 -.2 .1  0 -.2 0  .2 -.2 .1  -.2 .2 .1  0 .2 0"
    "  .2 .2 .1' face='0 1 4  0 4 3  1 2 5  1 5 4'/>";

TEST_P(Nonconvex, ASheetHoldsOnBothSides) {
  for (const double up : {1.0, -1.0}) {
    // a ball in the gutter, and one that is pressed against a slope from below
    const std::string option =
        up > 0 ? "<option gravity='0 0 -9.81'/>" : "<option gravity='-4.387 0 8.774'/>";
    const std::string bodies =
        "<geom name='gutter' type='mesh' mesh='gutter' friction='1'/><body pos='" +
        std::string(up > 0 ? "0 0 .12" : ".1 0 -.02") + "'><freejoint/><geom size='.05'/></body>";
    Batch batch = make_batch(surface_scene(gutter, "gutter", bodies, option), 1, GetParam());
    batch.step(1000);
    const std::vector<double> q = batch.read("qpos");
    // distance from the planes of the slopes, upwards
    const double from_right = (2 * q[2] - q[0]) / std::sqrt(5),
                 from_left = (2 * q[2] + q[0]) / std::sqrt(5);
    std::printf("%s: ball %.4f and %.4f m over the slopes\n", up > 0 ? "in the gutter" : "under it",
                from_left, from_right);
    if (up > 0) {
      EXPECT_NEAR(from_left, 0.05, 1e-3);
      EXPECT_NEAR(from_right, 0.05, 1e-3);
    } else {
      EXPECT_NEAR(from_right, -0.05, 1e-3);
    }
  }
}

TEST_P(Nonconvex, NothingPassesASheetFromEitherSide) {
  Batch batch = make_batch(
      surface_scene(gutter, "gutter",
                    "<geom name='gutter' type='mesh' mesh='gutter' condim='1'/>"
                    "<body><freejoint/><geom type='box' size='.004 .006 .005' condim='1'/></body>",
                    speculative),
      shots, GetParam());
  std::vector<int> side;
  std::vector<double> qpos, qvel;
  for (int env = 0; env < shots; ++env) {
    // towards a point of the right slope, from a point above or below it
    const double x = 0.1 + 0.06 * noise(env, 0), y = 0.1 * noise(env, 1);
    const double n[3] = {-1 / std::sqrt(5), 0, 2 / std::sqrt(5)};
    const double s = env % 2 == 0 ? 1 : -1, far = 0.03 + 0.02 * noise(env, 2);
    side.push_back(env % 2 == 0 ? 1 : -1);
    const double from[3] = {x + s * far * n[0], y, 0.5 * x + s * far * n[2]};
    qpos.insert(qpos.end(), {from[0], from[1], from[2], 1, 0, 0, 0});
    const double v = -s * (20 + 80 * std::abs(noise(env, 3)));
    qvel.insert(qvel.end(), {v * n[0], 0, v * n[2], 200 * noise(env, 4), 200 * noise(env, 5),
                             200 * noise(env, 6)});
  }
  batch.write("qpos", qpos);
  batch.write("qvel", qvel);
  batch.step();
  const std::vector<double> after = batch.read("qpos");
  int passed = 0;
  for (std::size_t env = 0; env < static_cast<std::size_t>(shots); ++env) {
    const double* const q = &after[7 * env];
    // without friction nothing carries it to the edges of the sheet
    EXPECT_LT(std::abs(q[0]), 0.2);
    EXPECT_LT(std::abs(q[1]), 0.2);
    const double over = (q[2] - 0.5 * std::abs(q[0])) * side[env];
    passed += over < 0 ? 1 : 0;
  }
  std::printf("%d of %d boxes passed a sheet in a step of 0.2 to 1 m\n", passed, shots);
  EXPECT_EQ(passed, 0);
}

INSTANTIATE_TEST_SUITE_P(Both, Nonconvex, testing::Values(Precision::f64, Precision::f32),
                         [](const auto& test) {
                           return test.param == Precision::f64 ? "f64" : "f32";
                         });

}  // namespace
}  // namespace swept::test
