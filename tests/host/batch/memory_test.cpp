// SPDX-License-Identifier: Apache-2.0
// When memory ends while a buffer grows: the step is refused, the state is the one before it, and
// the batch goes on once there is memory again.
#include <gtest/gtest.h>
#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/error.h>
#include <swept/load.h>
#include <sys/resource.h>

#include <fstream>
#include <string>
#include <vector>

#include "host/batch/scenes.h"

namespace swept::test {
namespace {

/// Leaves this process `spare` more bytes of address space while it lives.
class TightMemory {
 public:
  explicit TightMemory(std::size_t spare) {
    getrlimit(RLIMIT_AS, &before_);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit tight = before_;
    tight.rlim_cur = pages * 4096 + spare;
    setrlimit(RLIMIT_AS, &tight);
  }
  ~TightMemory() { setrlimit(RLIMIT_AS, &before_); }
  TightMemory(const TightMemory&) = delete;
  TightMemory& operator=(const TightMemory&) = delete;

 private:
  rlimit before_{};
};

/// Lift the first half of the environments so high that they touch nothing.
void lift_half(Batch* batch) {
  std::vector<double> qpos = batch->read("qpos");
  const std::size_t width = qpos.size() / static_cast<std::size_t>(batch->nenv());
  for (std::size_t env = 0; env < static_cast<std::size_t>(batch->nenv()) / 2; ++env) {
    qpos[env * width + 2] += 10;
    qpos[env * width + 13] += 20;
  }
  batch->write("qpos", qpos);
}

TEST(BatchMemory, AStepThatCannotGrowIsRefusedAndUndone) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer needs more address space than the limit leaves";
#endif
  std::string xml = walker_xml;
  xml.replace(xml.find("INTEGRATOR"), std::string("INTEGRATOR").size(), "Euler");
  const Model model = compile(load_string(xml, Format::xml, "walker"));

  // two tiles of many environments: the first needs no more room and stores its state, the second
  // asks for megabytes
  constexpr int nenv = 8192;
  constexpr int steps = 40;
  const Capacity small{1, 1, 100, 1000};
  const BatchOptions options{.nenv = nenv, .threads = 1, .tile = nenv / 2, .capacity = small};
  Batch batch(model, options);
  lift_half(&batch);
  const std::vector<double> before = batch.read("qpos");

  std::string message;
  {
    const TightMemory limit(std::size_t{1} << 19);
    try {
      batch.step(steps);
    } catch (const Error& error) {
      message = error.what();
    }
  }
  ASSERT_NE(message.find("memory"), std::string::npos) << "the step was not refused: " << message;
  EXPECT_NE(message.find("fewer environments"), std::string::npos) << message;
  EXPECT_EQ(batch.steps_done(), 0);
  EXPECT_EQ(batch.read("qpos"), before);
  EXPECT_EQ(batch.read("time")[0], 0);

  // with memory again it goes on, to the same bits
  Batch reference(model, options);
  lift_half(&reference);
  reference.step(steps);
  batch.step(steps);
  EXPECT_EQ(batch.steps_done(), steps);
  EXPECT_EQ(batch.read("qpos"), reference.read("qpos"));
  EXPECT_EQ(batch.read("qvel"), reference.read("qvel"));
}

}  // namespace
}  // namespace swept::test
