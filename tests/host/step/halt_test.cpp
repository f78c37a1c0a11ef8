// SPDX-License-Identifier: Apache-2.0
// A halt stands until it is answered: visits that are queued behind it leave the state alone, from
// their beginning on, and after the answer everything goes on to the same bits.
#include <gtest/gtest.h>
#include <swept/compile.h>
#include <swept/load.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "host/batch/backend.h"
#include "host/batch/scenes.h"
#include "host/step/program.h"
#include "host/step/queue.h"

namespace swept::test {
namespace {

constexpr int nenv = 37;
constexpr int steps = 60;  // it touches the ground after about 40

Model walker(const std::string& integrator) {
  std::string xml = walker_xml;
  xml.replace(xml.find("INTEGRATOR"), std::string("INTEGRATOR").size(), integrator);
  return compile(load_string(xml, Format::xml, "walker"));
}

/// One tile, one worker, as on a GPU.
std::unique_ptr<Engine> engine_of(const Model& model, const Capacity& capacity) {
  EngineOptions options;
  options.nenv = nenv;
  options.tile = nenv;
  options.capacity = capacity;
  return make_engine(model, Device{"cpu", 0}, Precision::f32, options);
}

/// The bits of the state's fields.
std::vector<std::byte> state_of(Engine* engine) {
  std::vector<std::byte> bits;
  for (const char* name : {"time", "qpos", "qvel", "qacc_warmstart", "steps", "status"}) {
    const FieldInfo info = engine->field(name);
    const std::size_t bytes = static_cast<std::size_t>(info.shape[0] * info.shape[1]) *
                              (info.scalar == Scalar::i64 ? 8 : 4);
    std::vector<std::byte> field(bytes);
    engine->copy_out(field.data(), info.data, bytes);
    bits.insert(bits.end(), field.begin(), field.end());
  }
  return bits;
}

class Halts : public testing::TestWithParam<const char*> {};

TEST_P(Halts, KeepWhatIsQueuedBehindThemFromTheState) {
  const Model model = walker(GetParam());
  const std::vector<Call> program = step_program(model, {});
  const auto small = engine_of(model, {1, 1, 1, 1});
  const auto ample = engine_of(model, {400, 400, 1200, 20000});

  // two visits are queued without a look; the first does not fit
  const Visit first{0, 0, &program, steps, true}, second{1, 0, &program, steps, true};
  const std::vector<std::byte> before = state_of(small.get());
  small->queue(0, first);
  small->queue(0, second);
  Halt halt;
  int answers = 0;
  while (small->halted(0, &halt)) {
    // none of it has reached the state, unless the first visit is through
    if (halt.visit == 0) {
      EXPECT_EQ(state_of(small.get()), before);
    }
    small->grow(0, halt.need);
    small->resume(0, halt.visit == 0 ? first : second, halt);
    if (halt.visit == 0) {
      small->queue(0, second);
    }
    ASSERT_LT(++answers, 100);
  }
  EXPECT_GT(answers, 2);

  ample->queue(0, first);
  ample->queue(0, second);
  EXPECT_FALSE(ample->halted(0, &halt)) << "the reference ran out of room";
  EXPECT_EQ(state_of(small.get()), state_of(ample.get()));
  EXPECT_NE(state_of(small.get()), before);
}

TEST_P(Halts, AreForgottenByTheFirstVisitOfAnEmptyQueue) {
  const Model model = walker(GetParam());
  const std::vector<Call> program = step_program(model, {});
  const auto engine = engine_of(model, {1, 1, 1, 1});
  const std::vector<std::byte> before = state_of(engine.get());
  engine->queue(0, {0, 0, &program, steps, true});
  Halt halt;
  EXPECT_TRUE(engine->halted(0, &halt));
  engine->restore(0);
  EXPECT_EQ(state_of(engine.get()), before);

  std::atomic<std::int64_t> growths{0};
  const Tail tail(model);
  Queue queue(engine.get(), 0, &growths, &tail);
  queue.push({0, &program, steps, true, 0, steps});
  queue.finish();
  EXPECT_EQ(queue.steps_done(), steps);
  EXPECT_GT(growths, 2);

  const auto ample = engine_of(model, {400, 400, 1200, 20000});
  ample->queue(0, {0, 0, &program, steps, true});
  EXPECT_EQ(state_of(engine.get()), state_of(ample.get()));
}

TEST_P(Halts, DoNotChangeHowManyKernelsAStepHas) {
  const Model model = walker(GetParam());
  const std::vector<Call> program = step_program(model, {});
  const auto engine = engine_of(model, {400, 400, 1200, 20000});
  engine->queue(0, {0, 0, &program, steps, true});
  // a forward pass has 16 kernels (with both solvers, as on CPUs), three marks and the integrator;
  // then two counts
  const int passes = std::string(GetParam()) == "RK4" ? 4 : 1;
  EXPECT_EQ(engine->program_kernels(), passes * 20 + 2);
}

INSTANTIATE_TEST_SUITE_P(Integrators, Halts,
                         testing::Values("Euler", "RK4", "implicit", "implicitfast"),
                         [](const auto& which) { return std::string(which.param); });

}  // namespace
}  // namespace swept::test
