// SPDX-License-Identifier: Apache-2.0
// swept run: steps a batch in chunks that end where controls change, a row is recorded, a sample is
// taken or the terminal wants news. The chunks have no influence on the results.
#include "bench/controls.h"
#include "tools/swept/commands.h"
#include "tools/swept/interrupt.h"
#include "tools/swept/progress.h"
#include "tools/swept/recorder.h"
#include "tools/swept/resume.h"
#include "tools/swept/run_result.h"
#include "tools/swept/scene.h"

#include <swept/compile.h>
#include <swept/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>

namespace swept::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t samples_wanted = 20;

std::unique_ptr<bench::Controls> make_controls(const RunOptions& options, const Model& model) {
  if (options.ctrl == "zero") {
    return bench::zero_controls(model);
  }
  return options.ctrl == "random" ? bench::random_controls(model, options.seed, options.hold)
                                  : bench::file_controls(model, options.ctrl);
}

// steps from `step` to the next multiple of `every`
std::int64_t until_multiple(std::int64_t step, std::int64_t every) {
  return every - step % every;
}

// a number of steps that takes about a fifth of a second, from how long the last ones took
class Pace {
 public:
  std::int64_t steps() const { return steps_; }
  void learn(std::int64_t steps, double seconds) {
    const double fit = 0.2 * static_cast<double>(steps) / std::max(seconds, 1e-9);
    steps_ = std::clamp<std::int64_t>(static_cast<std::int64_t>(fit), 1, 2 * steps_);
    steps_ = std::min<std::int64_t>(steps_, 1 << 20);
  }

 private:
  std::int64_t steps_ = 1;
};

// the step of this run at which controls are set first
std::int64_t first_change(const bench::Controls& controls, const Start& start) {
  return start.step > 0 && start.same_controls ? controls.unchanged_for(start.step - 1) - 1 : 0;
}

// steps until all are taken, memory ends or someone interrupts
void step_all(const RunOptions& options, const bench::Controls& controls, const Start& start_at,
              Batch& batch, Recorder* recorder, RunResult* result) {
  Progress progress;
  Pace pace;
  const std::int64_t sample_every = std::max<std::int64_t>(1, options.steps / samples_wanted);
  std::int64_t change_at = first_change(controls, start_at);
  const Clock::time_point start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  while (result->steps < options.steps && !interrupted()) {
    const std::int64_t step = result->steps;
    if (step == change_at) {
      apply(controls, batch, start_at.step + step);
      const std::int64_t stay = controls.unchanged_for(start_at.step + step);
      change_at = stay < options.steps ? step + stay : std::numeric_limits<std::int64_t>::max();
    }
    std::int64_t n = std::min(
        {options.steps - step, change_at - step, until_multiple(step, sample_every), pace.steps()});
    if (recorder != nullptr) {
      n = std::min(n, until_multiple(step, options.record_every));
    }

    const double before = elapsed();
    try {
      batch.step(static_cast<int>(n));
      batch.sync();
    } catch (const Error& error) {
      result->steps += batch.steps_done();
      result->error = error.what();
      break;
    }
    pace.learn(n, elapsed() - before);
    result->steps += n;

    if (result->steps % sample_every == 0) {
      result->quality.add(bench::quality_of(batch.report()));
    }
    if (recorder != nullptr && result->steps % options.record_every == 0) {
      recorder->add(batch);
    }
    progress.show(result->steps, options.steps, options.envs);
  }
  result->seconds = elapsed();
}

// reasons for which environments stand still, the commonest first
std::vector<Frozen> find_frozen(Batch& batch) {
  std::vector<Frozen> found;
  for (int env = 0; env < batch.nenv(); ++env) {
    const Status status = batch.status(env);
    if (status == Status::ok) {
      continue;
    }
    const std::string reason(describe(status));
    auto entry = std::find_if(found.begin(), found.end(),
                              [&](const Frozen& frozen) { return frozen.reason == reason; });
    if (entry == found.end()) {
      found.push_back({reason, 0, env, batch.status_step(env)});
      entry = found.end() - 1;
    }
    ++entry->count;
  }
  std::sort(found.begin(), found.end(),
            [](const Frozen& a, const Frozen& b) { return a.count > b.count; });
  return found;
}

// where environments that go bad are put back to
std::optional<int> reset_keyframe(const RunOptions& options, const Model& model) {
  if (options.auto_reset.empty()) {
    return {};
  }
  return options.auto_reset == "-1" ? -1 : find_keyframe(model, options.auto_reset);
}

}  // namespace

int run(const RunOptions& wanted) {
  RunOptions options = wanted;
  std::optional<Snapshot> loaded;
  if (!options.load.empty()) {
    loaded = Snapshot::read(options.load);
    options.envs = options.envs_given ? options.envs : loaded->nenv();
  }
  const Model model = open_scene(options.scene);
  const int keyframe = find_keyframe(model, options.keyframe);
  const auto controls = make_controls(options, model);
  Batch batch(model, {.nenv = options.envs,
                      .device = options.device,
                      .precision = options.precision == "f32" ? Precision::f32 : Precision::f64,
                      .threads = options.threads,
                      .auto_reset = reset_keyframe(options, model)});
  batch.reset(keyframe);
  const Start start = loaded ? resume(options, *loaded, batch) : Start{};
  std::unique_ptr<Recorder> recorder;
  if (!options.record.empty()) {
    recorder = make_recorder(options, batch);
    recorder->add(batch);
  }

  RunResult result;
  result.model = model.names.model;
  result.backend = batch.backend();
  result.lanes = batch.lanes();
  result.speculative = (model.opt.enableflags & enable_speculative) != 0;
  result.threads = batch.options().threads;
  result.notices = model.notices;
  catch_interrupts();
  result.first_step = start.step;
  step_all(options, *controls, start, batch, recorder.get(), &result);
  if (!options.save.empty()) {
    save_run(options, start.step + result.steps, batch);
  }

  result.interrupted = result.steps < options.steps && result.error.empty();
  result.simulated = static_cast<double>(result.steps) * model.opt_timestep[0];
  result.report = batch.report();
  if (result.quality.samples == 0 && result.steps > 0) {
    result.quality.add(bench::quality_of(result.report));
  }
  if (result.report.frozen > 0) {
    result.frozen = find_frozen(batch);
  }
  result.hash = state_hash(batch);
  if (recorder) {
    recorder->close();
    result.recorded_rows = recorder->rows();
  }
  if (options.json) {
    print_json(options, result);
  } else {
    print_table(options, result);
  }
  if (!result.error.empty()) {
    fmt::print(stderr, "swept: error: stopped after {} steps: {}\n", result.steps, result.error);
    return exit_failed;
  }
  return result.interrupted ? exit_interrupted : exit_done;
}

}  // namespace swept::cli
