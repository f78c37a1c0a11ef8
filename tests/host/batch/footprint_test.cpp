// SPDX-License-Identifier: Apache-2.0
// What estimate_memory() predicts is what a batch holds, by its own count and by the system's: to
// the byte when it is made, within a tenth after steps with contacts.
#include <gtest/gtest.h>
#include <malloc.h>
#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/load.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "support/data.h"

namespace swept::test {
namespace {

constexpr int nenv = 4096;
constexpr int threads = 2;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool real_memory = false;
#else
constexpr bool real_memory = true;
#endif

/// Bytes of memory that this process has.
double resident() {
  std::size_t size = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> size >> pages;
  return 4096.0 * static_cast<double>(pages);
}

/// Steps under random controls, so many that bodies lie and push.
void step_with_contacts(Batch* batch) {
  const int steps = std::getenv("SWEPT_LONG") != nullptr ? 500 : 60;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> control(-1, 1);
  std::vector<double> ctrl(static_cast<std::size_t>(nenv * batch->model().nu));
  for (int step = 0; step < steps; step += 10) {
    std::generate(ctrl.begin(), ctrl.end(), [&] { return control(random); });
    batch->write("ctrl", ctrl);
    batch->step(10);
  }
}

void expect_prediction(const std::string& name, const std::filesystem::path& scene) {
  const Model model = compile(load(scene));
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    const MemoryEstimate estimate = estimate_memory(model, precision);
    const double predicted = static_cast<double>(estimate.cpu_bytes(nenv, threads));
    // code, tables and threads are there before the measurement
    Batch(model, {.nenv = 64, .precision = precision, .threads = threads}).step(1);
    malloc_trim(0);
    const double before = resident();
    Batch batch(model, {.nenv = nenv, .precision = precision, .threads = threads});
    EXPECT_EQ(batch.report().total_bytes, estimate.cpu_bytes(nenv, threads)) << name;

    step_with_contacts(&batch);
    const Report report = batch.report();
    const double counted = static_cast<double>(report.total_bytes);
    malloc_trim(0);
    const double taken = resident() - before;
    std::printf("%-16s %s  predicted %6.2f MB, counted %+5.1f %%, taken %+5.1f %%; %.1f contacts\n",
                name.c_str(), precision == Precision::f32 ? "f32" : "f64", predicted / 1e6,
                100 * (counted / predicted - 1), 100 * (taken / predicted - 1),
                report.contacts.mean);
    EXPECT_NEAR(counted / predicted, 1, 0.1) << name;
    if (real_memory) {
      EXPECT_NEAR(taken / predicted, 1, 0.1) << name;
    }
  }
}

TEST(Footprint, OfTheHumanoidIsAsPredicted) {
  expect_prediction("humanoid", source_path("scenes/humanoid/humanoid.xml"));
}

TEST(Footprint, OfBallsIsAsPredicted) {
  expect_prediction("balls", source_path("scenes/balls/balls.xml"));
}

TEST(Footprint, OfTheAntIsAsPredicted) {
  SWEPT_SKIP_WITHOUT(gymnasium_asset("ant.xml"));
  expect_prediction("ant", gymnasium_asset("ant.xml"));
}

TEST(Footprint, OfThreeHumanoidsIsAsPredicted) {
  const auto scene = test_data("mujoco_warp/benchmarks/humanoid/three_humanoids.xml");
  SWEPT_SKIP_WITHOUT(scene);
  expect_prediction("three humanoids", scene);
}

TEST(Footprint, HoldsForAnyNumbersOfEnvironmentsAndThreads) {
  const Model model = compile(load(source_path("scenes/tendon/tendon.xml")));
  const MemoryEstimate estimate = estimate_memory(model, Precision::f32);
  for (const int n : {1, 15, 16, 17, 33, 1000}) {
    for (const int workers : {1, 2, 5}) {
      const Batch batch(model, {.nenv = n, .threads = workers});
      EXPECT_EQ(const_cast<Batch&>(batch).report().total_bytes, estimate.cpu_bytes(n, workers))
          << n << " environments, " << workers << " threads";
    }
  }
}

}  // namespace
}  // namespace swept::test
