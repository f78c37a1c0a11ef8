// SPDX-License-Identifier: Apache-2.0
// Turns with the flag and without, episodes of shots, and counts of rounds.
#include "bench/speculative.h"

#include "bench/mujoco.h"
#include "bench/speculative_scenes.h"

#include <swept/compile.h>
#include <swept/error.h>
#include <swept/load.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>

namespace swept::bench {

namespace {

constexpr Precision precisions[] = {Precision::f32, Precision::f64};

void tell(const SpeculativeOptions& options, const std::string& what) {
  if (options.progress) {
    options.progress(what);
  }
}

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const std::size_t n = numbers.size();
  return n % 2 == 1 ? numbers[n / 2] : 0.5 * (numbers[n / 2 - 1] + numbers[n / 2]);
}

/// Processor time of all threads of this program [s]: what others do on the machine does not count.
double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Batch make_batch(const Model& model, int nenv, Precision precision,
                 const SpeculativeOptions& options) {
  BatchOptions wanted{.nenv = nenv, .precision = precision};
  wanted.threads = options.threads;
  return Batch(model, wanted);
}

Model model_of(const ShotScene& scene) {
  return compile(load_string(scene.text, Format::xml, scene.name));
}

// ---- overhead ---------------------------------------------------------------------------------------

OverheadRow measure_overhead(const CalmScene& scene, Precision precision,
                             const SpeculativeOptions& options) {
  OverheadRow row{scene.file, precision, scene.nenv};
  tell(options,
       fmt::format("overhead: {}, {}", scene.file, precision == Precision::f32 ? "f32" : "f64"));
  Spec spec = load(scene.file);
  const auto with = [&](bool on) {
    spec.option.enableflags = on ? spec.option.enableflags | enable_speculative
                                 : spec.option.enableflags & ~enable_speculative;
    return make_batch(compile(spec), scene.nenv, precision, options);
  };
  Batch sides[2] = {with(false), with(true)};
  for (Batch& batch : sides) {
    batch.step(static_cast<int>(scene.warmup));
    batch.sync();
  }
  const auto swept = [&] { return sides[1].report().speculative[speculative_swept]; };
  const std::int64_t before = swept();

  // a turn takes as many steps as make a tenth of a second
  const double start = processor_time();
  sides[0].step(2);
  const double step = std::max((processor_time() - start) / 2, 1e-6);
  sides[1].step(2);
  const int steps = std::clamp(static_cast<int>(0.1 / step), 1, 1000);
  std::vector<double> seconds[2], ratios;
  for (int turn = 0; turn < options.turns; ++turn) {
    double time[2];
    for (int i = 0; i < 2; ++i) {
      const int side = (turn + i) % 2;
      const double from = processor_time();
      sides[side].step(steps);
      sides[side].sync();
      time[side] = (processor_time() - from) / steps / scene.nenv;
      seconds[side].push_back(time[side]);
    }
    ratios.push_back(time[1] / time[0]);
  }
  row.off = median(seconds[0]);
  row.on = median(seconds[1]);
  row.ratio = median(ratios);
  row.swept = swept() - before;
  return row;
}

// ---- shots ------------------------------------------------------------------------------------------

/// A side whose episodes are timed.
struct Shooter {
  std::unique_ptr<Side> side;
  std::vector<double> seconds{};
  int outside = 0;

  /// One episode; returns its time [s].
  double shoot(const ShotScene& scene, const ShotStart& start, int steps) {
    side->restart(start.qpos, start.qvel);
    const double from = processor_time();
    side->run(steps);
    const double time = processor_time() - from;
    outside += scene.outside(side->qpos());
    return time;
  }
};

/// The official library with whichever of its settings is fastest in one episode.
Shooter fastest_official(const ShotScene& scene, const ShotStart& start, int nenv, int steps,
                         int nv, const SpeculativeOptions& options, const Controls& controls) {
  Shooter best;
  double least = 0;
  for (const bool newton : {true, false}) {
    for (const bool dense : {true, false}) {
      if (dense && nv > 300) {
        continue;
      }
      Shooter one{mujoco_side(scene.text, {newton, dense}, nenv, options.threads, controls), {}};
      one.shoot(scene, start, steps);
      const double time = one.shoot(scene, start, steps);
      if (!best.side || time < least) {
        least = time;
        best = std::move(one);
      }
    }
  }
  best.outside = 0;
  return best;
}

ShotRow measure_shots(const ShotScene& scene, int nenv, int steps,
                      const SpeculativeOptions& options) {
  ShotRow row{scene.name, nenv, scene.bodies, steps};
  tell(options, fmt::format("shots: {}", scene.name));
  const Model model = model_of(scene);
  const auto controls = zero_controls(model);
  const ShotStart first = scene.start(nenv, 1);
  std::vector<Shooter> sides;
  for (const Precision precision : precisions) {
    BatchOptions wanted{.nenv = nenv, .precision = precision};
    wanted.threads = options.threads;
    sides.push_back({swept_side(model, wanted, *controls)});
    // buffers grow here
    sides.back().shoot(scene, first, steps);
    sides.back().outside = 0;
  }
  if (options.against_mujoco) {
    sides.push_back(fastest_official(scene, first, nenv, steps, model.nv, options, *controls));
  }
  for (int turn = 0; turn < options.shot_turns; ++turn) {
    const ShotStart start = scene.start(nenv, 2 + static_cast<std::uint64_t>(turn));
    for (Shooter& side : sides) {
      side.seconds.push_back(side.shoot(scene, start, steps));
    }
  }
  for (Shooter& side : sides) {
    const double work = static_cast<double>(nenv) * steps;
    row.sides.push_back({side.side->name(), side.side->detail(), work / median(side.seconds),
                         side.outside, side.side->sample().contacts.mean});
  }
  if (options.against_mujoco) {
    row.ratio = row.sides.front().steps_per_second / row.sides.back().steps_per_second;
  }
  // the counters, of a batch that does the first episode again
  Batch batch = make_batch(model, nenv, Precision::f32, options);
  batch.write("qpos", first.qpos);
  batch.write("qvel", first.qvel);
  batch.step(steps);
  row.counts = batch.report().speculative;
  row.env_steps = static_cast<std::int64_t>(nenv) * steps;
  return row;
}

// ---- long steps -------------------------------------------------------------------------------------

/// Pellets in a box, thrown anew every 20 ms.
StepSide measure_step(double timestep, bool speculative, int nenv, int throws, Precision precision,
                      const SpeculativeOptions& options) {
  StepSide side{timestep, speculative};
  ShotOptions shot{speculative, timestep, "0.0001 1", ""};
  const ShotScene scene = pellet_scene(shot);
  Batch batch = make_batch(model_of(scene), nenv, precision, options);
  constexpr double between = 0.02;
  const int steps = static_cast<int>(std::lround(between / timestep));
  batch.write("qpos", scene.start(nenv, 1).qpos);
  double time = 0;
  // the first throw is not timed: buffers grow
  for (int k = 0; k <= throws; ++k) {
    batch.write("qvel", scene.start(nenv, 2 + static_cast<std::uint64_t>(k)).qvel);
    const double from = processor_time();
    batch.step(steps);
    batch.sync();
    time += k > 0 ? processor_time() - from : 0;
  }
  side.outside = scene.outside(batch.read("qpos"));
  side.cost = time / (nenv * throws * between);
  return side;
}

StepResult measure_steps(Precision precision, const SpeculativeOptions& options) {
  StepResult result{"pellets in a box", precision, 64};
  const int throws = options.quick ? 3 : 20;
  for (const double timestep : {2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5}) {
    tell(options, fmt::format("steps of {} ms", 1e3 * timestep));
    result.sides.push_back(measure_step(timestep, false, result.nenv, throws, precision, options));
  }
  tell(options, "steps of 2 ms with the flag");
  const StepSide with = measure_step(2e-3, true, result.nenv, throws, precision, options);
  for (const StepSide& side : result.sides) {
    if (side.outside == 0 && with.outside == 0) {
      result.speedup = side.cost / with.cost;
      break;
    }
  }
  result.sides.push_back(with);
  return result;
}

// ---- rounds -----------------------------------------------------------------------------------------

/// Pairs that want more advances than `cap` in the steps of an episode, and how many are followed.
SpeculativeCounts counts_at_cap(Model model, int cap, const ShotStart& start, int nenv,
                                const SpeculativeOptions& options) {
  model.opt.speculative_cap = cap;
  Batch batch = make_batch(model, nenv, Precision::f32, options);
  batch.write("qpos", start.qpos);
  batch.write("qvel", start.qvel);
  batch.step();
  return batch.report().speculative;
}

/// The counter of pairs that used up their rounds, at every cap, is the distribution of rounds: no
/// kernel has to keep it. Of first steps, since later ones depend on the cap.
RoundRow measure_rounds(const ShotScene& scene, int nenv, const SpeculativeOptions& options) {
  tell(options, fmt::format("rounds: {}", scene.name));
  const Model model = model_of(scene);
  const ShotStart start = scene.start(nenv, 1);
  RoundRow row{scene.name};
  const int largest = model.opt.speculative_cap;
  std::vector<std::int64_t> above;  // [k] pairs that want more than k advances
  for (int cap = 0; cap <= largest; ++cap) {
    const SpeculativeCounts counts = counts_at_cap(model, cap, start, nenv, options);
    row.pairs = counts[speculative_swept];
    above.push_back(counts[speculative_capped]);
    if (above.back() == 0) {
      break;
    }
  }
  row.advanced = above.front();
  const auto part = [&](double p) {
    const auto most = static_cast<std::int64_t>((1 - p) * static_cast<double>(row.pairs));
    return static_cast<int>(
        std::find_if(above.begin(), above.end(), [&](std::int64_t n) { return n <= most; }) -
        above.begin());
  };
  for (const std::int64_t n : above) {
    row.mean += row.pairs > 0 ? static_cast<double>(n) / static_cast<double>(row.pairs) : 0;
  }
  row.p95 = part(0.95);
  row.p99 = part(0.99);
  row.max = static_cast<int>(above.size()) - 1;
  return row;
}

}  // namespace

SpeculativeResult measure_speculative(const SpeculativeOptions& options) {
  if (options.against_mujoco && !have_mujoco()) {
    // says what to do
    mujoco_side({}, {}, 1, 1, *zero_controls(Model{}));
  }
  SpeculativeResult result;
  for (const CalmScene& scene : options.calm) {
    for (const Precision precision : precisions) {
      result.overhead.push_back(measure_overhead(scene, precision, options));
    }
  }
  const int few = options.quick ? 16 : 64, many = options.quick ? 64 : 256;
  const ShotOptions usual;
  result.shots.push_back(
      measure_shots(bullet_scene(options.quick ? 100 : 1000, usual), 16, 4, options));
  result.shots.push_back(measure_shots(room_scene(usual), many, 10, options));
  result.shots.push_back(measure_shots(rod_scene(20, usual), few, 10, options));
  for (const Precision precision : precisions) {
    result.steps.push_back(measure_steps(precision, options));
  }
  result.rounds.push_back(
      measure_rounds(bullet_scene(options.quick ? 100 : 1000, usual), 16, options));
  result.rounds.push_back(measure_rounds(room_scene(usual), many, options));
  result.rounds.push_back(measure_rounds(rod_scene(20, usual), few, options));
  return result;
}

}  // namespace swept::bench
