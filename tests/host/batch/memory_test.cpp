// SPDX-License-Identifier: Apache-2.0
// When memory ends: a batch that does not fit is refused before it is made, a step that does not fit
// is undone and the batch goes on once there is memory again, and the number of environments that
// the error suggests fits where half as many more do not.
#include <gtest/gtest.h>
#include <malloc.h>
#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/error.h>
#include <swept/load.h>
#include <swept/memory.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "host/batch/memory.h"
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

/// Give memory that is freed back to the system at once, so that only what is in use counts.
void give_back_at_once() {
  mallopt(M_MMAP_THRESHOLD, 1 << 16);
  malloc_trim(0);
}

Model walker() {
  std::string xml = walker_xml;
  xml.replace(xml.find("INTEGRATOR"), std::string("INTEGRATOR").size(), "Euler");
  return compile(load_string(xml, Format::xml, "walker"));
}

/// The error that `work` ends with; empty if it ends well.
std::optional<MemoryError> refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const MemoryError& error) {
    return error;
  }
  return std::nullopt;
}

#ifdef __SANITIZE_ADDRESS__
constexpr bool limited = false;
#else
constexpr bool limited = true;
#endif
/// AddressSanitizer takes more address space than any limit leaves.
#define SKIP_WITHOUT_LIMIT()                                                           \
  if (!limited) {                                                                      \
    GTEST_SKIP() << "AddressSanitizer needs more address space than the limit leaves"; \
  }                                                                                    \
  static_assert(true, "a semicolon follows")

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
  SKIP_WITHOUT_LIMIT();
  const Model model = walker();

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
  EXPECT_NE(message.find("use at most"), std::string::npos) << message;
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

TEST(BatchMemory, ABatchThatDoesNotFitIsRefusedAndTheNumberSuggestedFits) {
  SKIP_WITHOUT_LIMIT();
  const Model model = walker();
  give_back_at_once();
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    const TightMemory limit(std::size_t{48} << 20);
    const auto make_and_step = [&](int nenv) {
      Batch batch(model, {.nenv = nenv, .precision = precision, .threads = 1});
      batch.step(3);
    };
    const auto error = refusal([&] { make_and_step(1 << 20); });
    ASSERT_TRUE(error.has_value());
    EXPECT_GT(error->asked(), error->left());
    EXPECT_LE(error->left(), std::size_t{48} << 20);
    const int fits = error->largest_nenv();
    EXPECT_NE(std::string(error->what()).find(std::to_string(fits)), std::string::npos)
        << error->what();
    ASSERT_GT(fits, 1000);
    EXPECT_FALSE(refusal([&] { make_and_step(fits - fits / 50); }).has_value()) << fits;
    EXPECT_TRUE(refusal([&] { make_and_step(fits + fits / 2); }).has_value()) << fits;
  }
}

TEST(BatchMemory, AStepThatDoesNotFitSuggestsANumberThatDoes) {
  SKIP_WITHOUT_LIMIT();
  const Model model = walker();
  give_back_at_once();
  // one tile holds the batch, as on a GPU, so that the lists of all environments grow together
  const auto options = [](int nenv) {
    return BatchOptions{.nenv = nenv, .threads = 1, .tile = 1 << 20, .capacity = {1, 1, 10, 100}};
  };
  // lying from the start, so that the first step needs all that later ones need
  Batch fallen(model, {.nenv = 1});
  fallen.step(300);
  const std::vector<double> lying = fallen.read("qpos");
  const auto make_and_step = [&](int n) {
    Batch batch(model, options(n));
    std::vector<double> qpos;
    for (int env = 0; env < n; ++env) {
      qpos.insert(qpos.end(), lying.begin(), lying.end());
    }
    batch.write("qpos", qpos);
    batch.step(3);
  };

  constexpr int nenv = 4096;
  const TightMemory limit(std::size_t{80} << 20);
  const auto error = refusal([&] { make_and_step(nenv); });
  ASSERT_TRUE(error.has_value()) << "everything fitted";
  EXPECT_NE(std::string(error->what()).find("have to grow"), std::string::npos) << error->what();
  EXPECT_GT(error->asked(), error->left());
  const int fits = error->largest_nenv();
  ASSERT_GT(fits, 100);
  ASSERT_LT(fits, nenv);
  EXPECT_FALSE(refusal([&] { make_and_step(fits); }).has_value()) << fits;
  EXPECT_TRUE(refusal([&] { make_and_step(fits + fits / 2); }).has_value()) << fits;
}

TEST(BatchMemory, AFieldThatDoesNotFitIsNotBound) {
  SKIP_WITHOUT_LIMIT();
  const Model model = walker();
  give_back_at_once();
  Batch batch(model, {.nenv = 1 << 16, .threads = 1});
  batch.step(1);
  const std::vector<double> before = batch.read("qpos");
  {
    const TightMemory limit(std::size_t{1} << 20);
    const auto error = refusal([&] { batch.bind("xpos"); });
    ASSERT_TRUE(error.has_value());
    EXPECT_NE(std::string(error->what()).find("'xpos'"), std::string::npos) << error->what();
    EXPECT_TRUE(batch.bound().empty());
  }
  EXPECT_EQ(batch.read("qpos"), before);
  batch.bind("xpos");
  batch.step(1);
  EXPECT_EQ(batch.bound(), std::vector<std::string>{"xpos"});
}

TEST(MemoryLeft, IsWhatTheLimitOfAddressSpaceLeaves) {
  SKIP_WITHOUT_LIMIT();
  const TightMemory limit(std::size_t{50} << 20);
  EXPECT_LE(process_memory_left(), std::size_t{50} << 20);
  // reading it takes a few pages
  EXPECT_GT(process_memory_left(), std::size_t{48} << 20);
}

TEST(MemoryLeft, IsWhatTheTightestControlGroupLeaves) {
  namespace fs = std::filesystem;
  const fs::path root = fs::temp_directory_path() / ("swept_groups_" + std::to_string(getpid()));
  const auto write = [&](const std::string& path, const std::string& text) {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  };
  // version 2: the parent leaves less than the group itself
  write("jobs/memory.max", "1000000\n");
  write("jobs/memory.current", "700000\n");
  write("jobs/one/memory.max", "900000\n");
  write("jobs/one/memory.current", "100000\n");
  write("free/memory.max", "max\n");
  write("free/memory.current", "5\n");
  EXPECT_EQ(cgroup_memory_left(root, "0::/jobs/one\n"), 300000u);
  // cached files can be dropped
  write("jobs/memory.stat", "anon 600000\nfile 90000\ninactive_file 80000\n");
  EXPECT_EQ(cgroup_memory_left(root, "0::/jobs/one\n"), 380000u);
  constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(cgroup_memory_left(root, "0::/free\n"), unlimited);
  EXPECT_EQ(cgroup_memory_left(root, "0::/missing\n"), unlimited);
  EXPECT_EQ(cgroup_memory_left(root, ""), unlimited);

  // version 1 has one mount per controller; more used than allowed leaves nothing
  write("memory/box/memory.limit_in_bytes", "5000\n");
  write("memory/box/memory.usage_in_bytes", "6000\n");
  EXPECT_EQ(cgroup_memory_left(root, "5:cpu:/box\n4:memory:/box\n0::/\n"), 0u);
  EXPECT_EQ(cgroup_memory_left(root, "5:cpu:/box\n0::/\n"), unlimited);
  fs::remove_all(root);
}

}  // namespace
}  // namespace swept::test
