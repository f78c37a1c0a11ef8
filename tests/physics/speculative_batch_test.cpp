// SPDX-License-Identifier: Apache-2.0
// Batches with speculative contacts: where all is slow the flag changes no bit; a bad number stays in
// its environment; results depend on nothing but the state.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "host/batch/bits.h"
#include "physics/speculative_scene.h"

namespace swept::test {
namespace {

class SpeculativeBatch : public testing::TestWithParam<Precision> {};

Spec with_flag(Spec spec, bool on) {
  spec.option.enableflags = on ? spec.option.enableflags | enable_speculative
                               : spec.option.enableflags & ~enable_speculative;
  return spec;
}

/// 200 steps of two environments that start differently.
Bits run_slow(const Spec& spec, Precision precision, SpeculativeCounts* counts) {
  Batch batch(compile(spec), {.nenv = 2, .precision = precision});
  const std::vector<double> qvel = batch.read("qvel");
  const std::size_t nv = qvel.size() / 2;
  fill(&batch, "qvel", [&](int env, int i) {
    return qvel[static_cast<std::size_t>(env) * nv + static_cast<std::size_t>(i)] +
           0.1 * noise(env, i);
  });
  if (batch.model().nu > 0) {
    fill(&batch, "ctrl", [&](int env, int i) { return 0.2 * noise(env, i, 1); });
  }
  batch.step(200);
  *counts = batch.report().speculative;
  return bits_of(batch);
}

TEST_P(SpeculativeBatch, WhereAllIsSlowTheFlagChangesNoBit) {
  const std::filesystem::path scenes = std::filesystem::path(SWEPT_SOURCE_DIR) / "scenes";
  const std::filesystem::path gymnasium =
      std::filesystem::path(SWEPT_VENV) /
      "lib/python3.11/site-packages/gymnasium/envs/mujoco/assets";
  std::vector<std::filesystem::path> files = {
      scenes / "humanoid/humanoid.xml",

      scenes / "hand/hand.xml", scenes / "tendon/tendon.xml",
      scenes / "collision_lesson/collision_lesson.xml", scenes / "balls/balls.xml"};
  for (const char* const name : {"humanoid.xml", "ant.xml", "walker2d.xml"}) {
    if (std::filesystem::exists(gymnasium / name)) {
      files.push_back(gymnasium / name);
    }
  }
  for (const std::filesystem::path& file : files) {
    for (const Integrator integrator : {Integrator::euler, Integrator::implicitfast}) {
      SCOPED_TRACE(file.string());
      Spec spec = load(file);
      spec.option.integrator = integrator;
      SpeculativeCounts on{}, off{};
      const Bits with = run_slow(with_flag(spec, true), GetParam(), &on);
      const Bits without = run_slow(with_flag(spec, false), GetParam(), &off);
      EXPECT_EQ(on[speculative_swept], 0);
      EXPECT_TRUE(with == without);
    }
  }
}

/// Bodies of all kinds in a room with thin walls, fast enough for several lengths a step.
///   cap   rounds of a pair on the device
std::string room(int cap = 64) {
  SpeculativeOptions o;
  o.custom = "<numeric name='speculative_cap' data='" + std::to_string(cap) + "'/>";
  o.gravity = "0 0 -9.81";
  std::string bodies =
      "<geom type='plane' size='9 9 1'/><geom type='box' size='.005 1 1' pos='1 0 1'/>"
      "<geom type='box' size='.005 1 1' pos='-1 0 1'/><geom type='box' size='1 .005 1' pos='0 1 "
      "1'/>"
      "<geom type='box' size='1 .005 1' pos='0 -1 1'/><geom type='box' size='1 1 .005' pos='0 0 "
      "2'/>";
  const char* const geoms[] = {"type='sphere' size='.05'", "type='box' size='.1 .05 .02'",
                               "type='capsule' size='.02 .15'", "type='cylinder' size='.08 .01'",
                               "type='ellipsoid' size='.1 .06 .03'"};
  for (int i = 0; i < 10; ++i) {
    bodies += free_body({0.35 * (i % 5) - 0.7, i < 5 ? -0.4 : 0.4, 0.5 + 0.1 * i}, geoms[i % 5]);
  }
  bodies +=
      "<body pos='0 0 1'><joint type='hinge' axis='0 0 1' damping='.01'/><geom type='capsule' "
      "size='.01' fromto='0 0 0 .6 0 0'/></body>";
  return speculative_scene(o, bodies);
}

void throw_all(Batch* batch) {
  fill(batch, "qvel", [](int env, int i) { return (i % 6 < 3 ? 150 : 200) * noise(env, i); });
}

Bits run_room(const BatchOptions& options, int steps = 12) {
  Batch batch(compile(load_string(room(), Format::xml)), options);
  throw_all(&batch);
  batch.step(steps);
  return bits_of(batch);
}

TEST_P(SpeculativeBatch, ResultsDependOnTheStateAlone) {
  constexpr int nenv = 19;
  const Precision precision = GetParam();
  const Bits one = run_room({.nenv = nenv, .precision = precision, .threads = 1});
  const auto different = [&](const Bits& other) {
    int n = 0;
    for (std::size_t env = 0; env < one.size(); ++env) {
      n += other[env] == one[env] ? 0 : 1;
    }
    return n;
  };
  EXPECT_EQ(different(run_room({.nenv = nenv, .precision = precision, .threads = 2})), 0)
      << "threads";
  for (const int tile : {1, 8, 24}) {
    EXPECT_EQ(
        different(run_room({.nenv = nenv, .precision = precision, .threads = 1, .tile = tile})), 0)
        << "tile of " << tile;
  }
  const Capacity least = {1, 1, 1, 1, 1, 1};
  EXPECT_EQ(
      different(run_room({.nenv = nenv, .precision = precision, .threads = 1, .capacity = least})),
      0)
      << "buffers that grow";
  EXPECT_EQ(
      different(run_room(
          {.nenv = nenv, .precision = precision, .threads = 2, .tile = 8, .capacity = least})),
      0)
      << "buffers that grow, in tiles";

  // alone, one after the other
  Batch batch(compile(load_string(room(), Format::xml)), {.nenv = 1, .precision = precision});
  Batch all(compile(load_string(room(), Format::xml)), {.nenv = nenv, .precision = precision});
  throw_all(&all);
  const std::vector<double> q = all.read("qpos"), v = all.read("qvel");
  const auto nq = static_cast<long>(q.size()) / nenv, nv = static_cast<long>(v.size()) / nenv;
  int apart = 0;
  for (long env = 0; env < nenv; ++env) {
    batch.reset();
    batch.write("qpos", std::vector<double>(q.begin() + env * nq, q.begin() + (env + 1) * nq));
    batch.write("qvel", std::vector<double>(v.begin() + env * nv, v.begin() + (env + 1) * nv));
    batch.step(12);
    apart += bits_of(batch)[0].state == one[static_cast<std::size_t>(env)].state ? 0 : 1;
  }
  EXPECT_EQ(apart, 0) << "environments that are alone";
}

TEST_P(SpeculativeBatch, WhatTheHostFollowsFurtherDependsOnTheStateAlone) {
  constexpr int nenv = 19;
  const auto run = [&](BatchOptions options, bool one_by_one = false) {
    options.nenv = nenv;
    options.precision = GetParam();
    Batch batch(compile(load_string(room(1), Format::xml)), options);
    throw_all(&batch);
    for (int i = 0; i < (one_by_one ? 12 : 1); ++i) {
      batch.step(one_by_one ? 1 : 12);
    }
    const SpeculativeCounts counts = batch.report().speculative;
    EXPECT_GT(counts[speculative_tail], 500);
    EXPECT_LE(counts[speculative_tail], counts[speculative_capped]);
    return bits_of(batch);
  };
  const Bits one = run({.threads = 1});
  const Capacity least = {1, 1, 1, 1, 1, 1};
  EXPECT_TRUE(run({.threads = 2}) == one) << "threads";
  EXPECT_TRUE(run({.threads = 1, .tile = 1}) == one) << "a tile each";
  EXPECT_TRUE(run({.threads = 2, .tile = 24}) == one) << "one tile";
  EXPECT_TRUE(run({.threads = 2, .capacity = least}) == one) << "buffers that grow";
  EXPECT_TRUE(run({.threads = 1}, true) == one) << "steps one by one";
}

TEST_P(SpeculativeBatch, StepsOneByOneAreTheSame) {
  const BatchOptions options = {.nenv = 9, .precision = GetParam(), .threads = 1};
  Batch batch(compile(load_string(room(), Format::xml)), options);
  throw_all(&batch);
  for (int i = 0; i < 12; ++i) {
    batch.forward();
    batch.step();
  }
  EXPECT_TRUE(bits_of(batch) == run_room(options));
}

TEST_P(SpeculativeBatch, ABadVelocityStaysInItsEnvironment) {
  constexpr int nenv = 19, sick = 9;
  const BatchOptions options = {.nenv = nenv, .precision = GetParam(), .threads = 1};
  const Bits well = run_room(options);
  const double limit = std::numeric_limits<double>::infinity();
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), limit, -limit, 3e10}) {
    for (const int dof : {0, 3, 60}) {
      Batch batch(compile(load_string(room(), Format::xml)), options);
      throw_all(&batch);
      set_number(&batch, "qvel", sick, bad, dof);
      batch.step(12);
      EXPECT_EQ(batch.status(sick), Status::bad_qvel) << bad;
      const Bits bits = bits_of(batch);
      int different = 0;
      for (std::size_t env = 0; env < nenv; ++env) {
        different += env != sick && !(bits[env] == well[env]) ? 1 : 0;
      }
      EXPECT_EQ(different, 0) << "environments that give other bits, " << bad << " in dof " << dof;
    }
  }
}

TEST_P(SpeculativeBatch, VelocitiesThatAreAllowedButHugeEndTheStep) {
  // 1e9 m/s and rad/s: 2,000 km in a step; who does not get through it says why
  Batch batch(compile(load_string(room(), Format::xml)), {.nenv = 8, .precision = GetParam()});
  fill(&batch, "qvel", [](int env, int i) { return 1e9 * noise(env, i); });
  batch.step(2);
  for (int env = 0; env < 8; ++env) {
    EXPECT_TRUE(batch.status(env) == Status::ok || diverged(batch.status(env)));
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, SpeculativeBatch,
                         testing::Values(Precision::f64, Precision::f32), [](const auto& what) {
                           return what.param == Precision::f64 ? "f64" : "f32";
                         });

}  // namespace
}  // namespace swept::test
