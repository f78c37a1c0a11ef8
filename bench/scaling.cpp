// SPDX-License-Identifier: Apache-2.0
// Turns of all sizes, each about as long as the others.
#include "bench/scaling.h"

#include "bench/controls.h"
#include "bench/side.h"

#include <swept/compile.h>
#include <swept/error.h>
#include <swept/load.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

namespace swept::bench {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

/// Steps for which controls stay; a turn is a multiple of them.
constexpr int hold = 5;

/// One size with one number of threads.
struct Runner {
  Runner(const Model& model, const ScalingOptions& options, int size, int threads,
         const Controls& controls)
      : nenv(size) {
    BatchOptions wanted;
    wanted.nenv = nenv;
    wanted.precision = options.precision;
    wanted.threads = threads;
    side = swept_side(model, wanted, controls);
  }

  void take_turn(std::int64_t work) {
    const std::int64_t steps = std::max<std::int64_t>(hold, work / nenv / hold * hold);
    costs.push_back(side->run(steps) / static_cast<double>(steps * nenv));
  }

  int nenv;
  std::unique_ptr<Side> side;
  std::vector<double> costs;
};

/// Load, compile, make a batch and take one step, as a program does at its start.
void measure_start(const ScalingOptions& options, int threads, ScalingResult* result) {
  const Clock::time_point start = Clock::now();
  const Model model = compile(load(options.scene));
  result->compiled = seconds_since(start);
  BatchOptions wanted;
  wanted.nenv = *std::max_element(options.sizes.begin(), options.sizes.end());
  wanted.precision = options.precision;
  wanted.threads = threads;
  Batch batch(model, wanted);
  batch.step(1);
  batch.sync();
  result->first_step = seconds_since(start);
}

}  // namespace

double ScalingResult::spread() const {
  const auto [low, high] = std::minmax_element(
      rows.begin(), rows.end(),
      [](const ScalingRow& a, const ScalingRow& b) { return a.all_threads < b.all_threads; });
  return high->all_threads / low->all_threads;
}

double ScalingResult::speedup() const {
  return rows.back().one_thread / rows.back().all_threads;
}

std::string ScalingResult::to_json() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ScalingRow& row : rows) {
    list.push_back({{"envs", row.nenv},
                    {"seconds_per_env_step", row.all_threads},
                    {"one_thread", row.one_thread}});
  }
  return nlohmann::ordered_json({{"scene", scene},
                                 {"threads", threads},
                                 {"rows", list},
                                 {"spread", spread()},
                                 {"speedup", speedup()},
                                 {"compile_seconds", compiled},
                                 {"first_step_seconds", first_step}})
      .dump(2);
}

std::string ScalingResult::to_text() const {
  std::string text =
      fmt::format("{}\n{:>12} {:>22} {:>22} {:>8}\n", scene, "environments",
                  fmt::format("us per step, {} thr.", threads), "one thread", "ratio");
  for (const ScalingRow& row : rows) {
    text += fmt::format("{:>12} {:>22.3f} {:>22.3f} {:>8.2f}\n", row.nenv, 1e6 * row.all_threads,
                        1e6 * row.one_thread, row.one_thread / row.all_threads);
  }
  text += fmt::format("largest over smallest cost: {:.2f}\n", spread());
  text +=
      fmt::format("scene compiled after {:.3f} s, first step of {} environments after {:.3f} s\n",
                  compiled, rows.back().nenv, first_step);
  return text;
}

ScalingResult scaling(const ScalingOptions& options) {
  if (options.sizes.empty() || options.turns < 1) {
    throw Error("scaling needs sizes and turns", "give at least one of each");
  }
  ScalingResult result;
  result.scene = options.scene;
  result.threads = options.threads > 0
                       ? options.threads
                       : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  measure_start(options, result.threads, &result);

  const Model model = compile(load(options.scene));
  const auto controls = random_controls(model, options.seed, hold);
  std::vector<std::unique_ptr<Runner>> runners;
  for (const int nenv : options.sizes) {
    for (const int threads : {result.threads, 1}) {
      if (options.progress) {
        options.progress(fmt::format("{} environments, {} threads: warming up", nenv, threads));
      }
      runners.push_back(std::make_unique<Runner>(model, options, nenv, threads, *controls));
      runners.back()->side->run(options.warmup);
    }
  }
  for (int turn = 0; turn < options.turns; ++turn) {
    for (const auto& runner : runners) {
      if (options.progress) {
        options.progress(
            fmt::format("turn {} of {}, {} environments", turn + 1, options.turns, runner->nenv));
      }
      runner->take_turn(options.work);
    }
  }
  for (std::size_t i = 0; i < runners.size(); i += 2) {
    result.rows.push_back(
        {runners[i]->nenv, median(runners[i]->costs), median(runners[i + 1]->costs)});
  }
  return result;
}

}  // namespace swept::bench
