// SPDX-License-Identifier: Apache-2.0
// A halt for the host's tail: the pairs come to the host as the device has them, visits behind it wait,
// and what is answered is what the step goes on with. Times are rounded down on their way back.
#include <gtest/gtest.h>
#include <swept/compile.h>
#include <swept/load.h>

#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "host/batch/backend.h"
#include "host/batch/observe.h"
#include "host/step/program.h"

namespace swept::test {
namespace {

constexpr int nenv = 37;

/// Three balls, of which the second and the third fly past the first within reach; one round of the
/// device is not enough for either.
Model balls(const std::string& mode) {
  return compile(load_string(
      "<mujoco><option timestep='0.01' gravity='0 0 0'><flag "
      "speculative='enable'/></option><custom>"
      "<numeric name='speculative_cap' data='1'/><text name='speculative_mode' data='" +
          mode +
          "'/></custom><worldbody><body><freejoint/><geom size='.1'/></body>"
          "<body pos='1 .1 0'><freejoint/><geom size='.1' contype='0'/></body>"
          "<body pos='0 1 .1'><freejoint/><geom size='.05' margin='.01' contype='0'/></body>"
          "</worldbody><keyframe><key qpos='0 0 0 1 0 0 0  1 .1 0 1 0 0 0  0 1 .1 1 0 0 0' "
          "qvel='0 0 0 0 0 0  -150 0 0 0 0 0  0 -125 0 0 0 0'/></keyframe></mujoco>",
      Format::xml, "balls"));
}

std::unique_ptr<Engine> engine_of(const Model& model, Precision precision, int tile = nenv) {
  EngineOptions options;
  options.nenv = nenv;
  options.tile = tile;
  auto engine = make_engine(model, Device{"cpu", 0}, precision, options);
  engine->reset({}, 0);
  return engine;
}

class TailHalt : public testing::TestWithParam<Precision> {};

TEST_P(TailHalt, HandsOverThePairsAsTheDeviceHasThem) {
  const Model model = balls("robust");
  const std::vector<Call> program = step_program(model, {});
  const auto engine = engine_of(model, GetParam());
  const Visit first{0, 0, &program, 2, true}, second{1, 0, &program, 1, true};
  engine->queue(0, first);
  engine->queue(0, second);
  Halt halt;
  ASSERT_TRUE(engine->halted(0, &halt));
  EXPECT_TRUE(halt.tail);
  EXPECT_EQ(halt.visit, 0);
  EXPECT_EQ(halt.substep, 0);
  EXPECT_EQ(program[static_cast<std::size_t>(halt.call)].stage, Stage::advance);
  const HostField qpos(*engine, engine->field("qpos"), 0, nenv);
  EXPECT_EQ(qpos(0, 7), 1) << "the state has moved";

  const std::vector<TailPair> pairs = engine->hand_over(0, first);
  ASSERT_EQ(pairs.size(), 2u * nenv);
  const bool f32 = GetParam() == Precision::f32;
  const auto real = [&](double x) { return f32 ? static_cast<double>(static_cast<float>(x)) : x; };
  for (int k = 0; k < 2 * nenv; ++k) {
    const TailPair& p = pairs[static_cast<std::size_t>(k)];
    const bool near = k % 2 == 0;  // the second ball
    EXPECT_EQ(p.env, k / 2);
    EXPECT_EQ(p.number, k % 2);
    EXPECT_EQ(p.touches, 0);
    EXPECT_EQ(p.margin, near ? 0 : real(0.01));
    EXPECT_EQ(p.thickness, real(near ? 0.1 : 0.05));
    EXPECT_EQ(p.geom1.type, geom_sphere);
    EXPECT_EQ(p.geom2.size[0], real(near ? 0.1 : 0.05));
    EXPECT_EQ(p.geom2.pos[0], near ? 1 : 0);
    EXPECT_EQ(p.geom2.pos[1], near ? real(0.1) : 1);
    EXPECT_EQ(p.geom2.pos[2], near ? 0 : real(0.1));
    // a product of two rounded numbers
    EXPECT_NEAR(p.geom2.way[0], near ? -1.5 : 0, f32 ? 2e-7 : 1e-15);
    EXPECT_NEAR(p.geom2.way[1], near ? 0 : -1.25, f32 ? 2e-7 : 1e-15);
    EXPECT_EQ(p.geom1.mat[0], 1);
    EXPECT_EQ(p.state.rounds, 1);
    EXPECT_GT(p.state.t, 0.1);
    EXPECT_EQ(p.state.t, p.state.seen) << "the last look was where it stands";
  }
}

TEST_P(TailHalt, GoesOnWithTheAnswerAndRoundsItsTimeDown) {
  const Model model = balls("robust");
  const std::vector<Call> program = forward_program(model);
  const auto engine = engine_of(model, GetParam());
  engine->field("contact.toi");
  engine->field("ncon");
  const Visit visit{0, 0, &program, 1, false};
  engine->queue(0, visit);
  Halt halt;
  ASSERT_TRUE(engine->halted(0, &halt));
  std::vector<TailPair> pairs = engine->hand_over(0, visit);
  ASSERT_EQ(pairs.size(), 2u * nenv);
  std::mt19937_64 random(1);
  std::vector<double> times;
  for (TailPair& p : pairs) {
    // they touch at any time, as the answer says; the third ball never
    times.push_back(std::uniform_real_distribution<double>(0.3, 0.9)(random));
    p.state.end = p.number == 0 ? 2 : 1;
    p.state.t = p.state.seen = times.back();
    p.state.distance = p.margin;
    p.state.normal[0] = 1;
    p.state.normal[1] = p.state.normal[2] = 0;
  }
  engine->take_back(0, pairs);
  engine->resume(0, visit, halt);
  EXPECT_FALSE(engine->halted(0, &halt)) << "the answer was not taken";
  const HostField toi(*engine, engine->field("contact.toi"), 0, nenv),
      ncon(*engine, engine->field("ncon"), 0, nenv);
  for (int env = 0; env < nenv; ++env) {
    ASSERT_EQ(ncon.integer(env, 0), 1);
    const double asked = times[static_cast<std::size_t>(2 * env)], made = toi(env, 0);
    if (GetParam() == Precision::f64) {
      EXPECT_EQ(made, asked);
    } else {
      EXPECT_LE(made, asked);
      EXPECT_GT(static_cast<double>(std::nextafter(static_cast<float>(made), 2.0f)), asked);
    }
  }
}

TEST_P(TailHalt, IsOfTheTileThatHaltedWhateverIsQueuedBehindIt) {
  constexpr int tile = 16;
  const Model model = balls("robust");
  const std::vector<Call> program = step_program(model, {});
  const auto engine = engine_of(model, GetParam(), tile);
  ASSERT_EQ(engine->tiles(), 3);
  const Visit first{0, 0, &program, 1, true}, last{1, 2, &program, 1, true};
  engine->queue(0, first);
  engine->queue(0, last);
  Halt halt;
  for (const Visit& visit : {first, last}) {
    ASSERT_TRUE(engine->halted(0, &halt));
    EXPECT_TRUE(halt.tail);
    EXPECT_EQ(halt.visit, visit.number);
    std::vector<TailPair> pairs = engine->hand_over(0, visit);
    const int count = visit.tile == 0 ? tile : nenv - 2 * tile;
    ASSERT_EQ(pairs.size(), 2u * count);
    EXPECT_EQ(pairs.back().env, count - 1);
    Tail(model).follow(pairs);
    engine->take_back(0, pairs);
    engine->resume(0, visit, halt);
    if (visit.number == 0) {
      engine->queue(0, last);
    }
  }
  EXPECT_FALSE(engine->halted(0, &halt));
  const HostField qpos(*engine, engine->field("qpos"), 0, nenv);
  for (int env = 0; env < nenv; ++env) {
    const bool stepped = env < tile || env >= 2 * tile;
    EXPECT_EQ(qpos(env, 7) < 1, stepped) << env;
    EXPECT_GT(qpos(env, 7), qpos(env, 0)) << "it has flown through the first one";
  }
}

TEST_P(TailHalt, TheModeParityHasNone) {
  const Model model = balls("parity");
  const std::vector<Call> program = step_program(model, {});
  const auto engine = engine_of(model, GetParam());
  engine->queue(0, {0, 0, &program, 2, true});
  Halt halt;
  EXPECT_FALSE(engine->halted(0, &halt) && halt.tail);
}

INSTANTIATE_TEST_SUITE_P(Precisions, TailHalt, testing::Values(Precision::f64, Precision::f32),
                         [](const auto& what) {
                           return what.param == Precision::f64 ? "f64" : "f32";
                         });

}  // namespace
}  // namespace swept::test
