// SPDX-License-Identifier: Apache-2.0
// Turns of a batch without bad environments and of batches with some.
#include "bench/isolation.h"

#include "bench/controls.h"

#include <swept/compile.h>
#include <swept/error.h>
#include <swept/load.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>

namespace swept::bench {

namespace {

/// Steps for which controls stay; a turn is a number of such stretches.
constexpr int hold = 5;
constexpr int one = 1234;  ///< the environment that is bad alone

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

class Runner {
 public:
  Runner(const Model& model, const IsolationOptions& options, const Controls& controls,
         std::string name, std::vector<int> sick, bool reset)
      : controls_(controls), name_(std::move(name)), sick_(std::move(sick)), reset_(reset) {
    BatchOptions wanted{.nenv = options.nenv, .precision = options.precision};
    wanted.threads = options.threads;
    if (reset) {
      wanted.auto_reset = -1;
    }
    batch_ = std::make_unique<Batch>(model, wanted);
  }

  /// Time of so many steps [s]; controls and bad numbers are written outside of it.
  double run(std::int64_t steps, bool make_sick) {
    double seconds = 0;
    for (std::int64_t done = 0; done < steps; done += hold) {
      apply(controls_, *batch_, step_);
      if (make_sick && (reset_ || !was_sick_)) {
        poison();
        was_sick_ = true;
      }
      const auto start = std::chrono::steady_clock::now();
      batch_->step(hold);
      batch_->sync();
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      step_ += hold;
    }
    return seconds / static_cast<double>(steps);
  }

  IsolationRow row(const std::vector<double>& seconds, const std::vector<double>& well) const {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      ratios.push_back(seconds[i] / well[i]);
    }
    const Report report = batch_->report();
    return {name_,           static_cast<int>(sick_.size()),
            median(seconds), median(ratios),
            report.frozen,   report.resets};
  }

 private:
  void poison() {
    if (sick_.empty()) {
      return;
    }
    std::vector<double> time = batch_->read("time");
    for (const int env : sick_) {
      time[static_cast<std::size_t>(env)] = std::numeric_limits<double>::quiet_NaN();
    }
    batch_->write("time", time);
  }

  const Controls& controls_;
  std::string name_;
  std::vector<int> sick_;
  bool reset_;
  bool was_sick_ = false;
  std::int64_t step_ = 0;
  std::unique_ptr<Batch> batch_;
};

}  // namespace

std::string IsolationResult::to_json() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const IsolationRow& row : rows) {
    list.push_back({{"batch", row.name},
                    {"sick", row.sick},
                    {"seconds_per_step", row.seconds},
                    {"ratio", row.ratio},
                    {"frozen", row.frozen},
                    {"resets", row.resets}});
  }
  return nlohmann::ordered_json({{"scene", scene}, {"envs", nenv}, {"rows", list}}).dump(2);
}

std::string IsolationResult::to_text() const {
  std::string text = fmt::format("{}, {} environments\n{:<36} {:>12} {:>8} {:>8} {:>8}\n", scene,
                                 nenv, "batch", "ms per step", "ratio", "frozen", "resets");
  for (const IsolationRow& row : rows) {
    text += fmt::format("{:<36} {:>12.3f} {:>8.3f} {:>8} {:>8}\n", row.name, 1e3 * row.seconds,
                        row.ratio, row.frozen, row.resets);
  }
  return text;
}

IsolationResult isolation(const IsolationOptions& options) {
  if (options.turns < 1 || options.steps < 1) {
    throw Error("the measurement of isolation needs turns and steps", "give at least one of each");
  }
  const Model model = compile(load(options.scene));
  const auto controls = random_controls(model, options.seed, hold);
  std::vector<int> some;
  for (int env = 50; env < options.nenv; env += 100) {
    some.push_back(env);
  }
  std::vector<std::unique_ptr<Runner>> runners;
  const auto add = [&](const char* name, std::vector<int> sick, bool reset) {
    runners.push_back(
        std::make_unique<Runner>(model, options, *controls, name, std::move(sick), reset));
  };
  add("all well", {}, false);
  add("one frozen", {std::min(one, options.nenv - 1)}, false);
  add("one in a hundred frozen", some, false);
  add("one in a hundred reset all the time", some, true);

  for (const auto& runner : runners) {
    runner->run(options.warmup, false);
  }
  std::vector<std::vector<double>> seconds(runners.size());
  for (int turn = 0; turn < options.turns; ++turn) {
    if (options.progress) {
      options.progress(fmt::format("turn {} of {}", turn + 1, options.turns));
    }
    for (std::size_t i = 0; i < runners.size(); ++i) {
      // each is first, second, ... in turn
      const std::size_t k = (i + static_cast<std::size_t>(turn)) % runners.size();
      seconds[k].push_back(runners[k]->run(options.steps, true));
    }
  }
  IsolationResult result{options.scene, options.nenv, {}};
  for (std::size_t i = 0; i < runners.size(); ++i) {
    result.rows.push_back(runners[i]->row(seconds[i], seconds[0]));
  }
  return result;
}

}  // namespace swept::bench
