// SPDX-License-Identifier: Apache-2.0
// The order of a comparison: warm up, choose the peer's best setting, take turns, sample.
#include "bench/compare.h"

#include "bench/mujoco.h"
#include "bench/side.h"

#include <swept/compile.h>
#include <swept/error.h>
#include <swept/load.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <thread>

namespace swept::bench {

namespace {

constexpr int samples_per_turn = 5;

void tell(const CompareOptions& options, const std::string& what) {
  if (options.progress) {
    options.progress(what);
  }
}

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const std::size_t n = numbers.size();
  return n % 2 == 1 ? numbers[n / 2] : 0.5 * (numbers[n / 2 - 1] + numbers[n / 2]);
}

// one side per precision, warmed up
std::vector<std::unique_ptr<Side>> make_swept(const CompareOptions& options, const Model& model,
                                              int threads, const Controls& controls) {
  std::vector<std::unique_ptr<Side>> sides;
  for (const Precision precision : options.precisions) {
    BatchOptions batch;
    batch.nenv = options.nenv;
    batch.device = options.device;
    batch.precision = precision;
    batch.threads = threads;
    sides.push_back(swept_side(model, batch, controls));
    tell(options, fmt::format("{}: warming up, {} steps", sides.back()->name(), options.warmup));
    sides.back()->run(options.warmup);
  }
  return sides;
}

// settings of the official library that may be the fastest with nv dofs, a likely one first; dense
// matrices of large scenes take seconds a step and are hopeless
std::vector<MujocoChoice> choices_for(int nv) {
  constexpr int largest_dense = 300;
  const MujocoChoice newton_dense{true, true}, newton_sparse{true, false}, cg_dense{false, true},
      cg_sparse{false, false};
  if (nv > largest_dense) {
    return {cg_sparse, newton_sparse};
  }
  return {newton_dense, newton_sparse, cg_dense, cg_sparse};
}

// the official library, warmed up, with the fastest of its settings for a scene with nv dofs
std::unique_ptr<Side> make_mujoco(const CompareOptions& options, int nv, int threads,
                                  const Controls& controls) {
  const std::vector<MujocoChoice> choices = choices_for(nv);
  auto first = mujoco_side(options.scene, choices[0], options.nenv, threads, controls);
  tell(options, fmt::format("mujoco: warming up, {} steps", options.warmup));
  first->run(options.warmup);

  // every candidate takes the same steps from the same state
  const std::int64_t trial = std::clamp<std::int64_t>(options.steps / 4, 1, 50);
  std::unique_ptr<MujocoSide> best;
  MujocoChoice best_choice;
  double best_time = 0;
  for (const MujocoChoice& choice : choices) {
    auto candidate = mujoco_side(options.scene, choice, options.nenv, threads, controls);
    candidate->copy_state(*first);
    tell(options,
         fmt::format("{} ({}): trial, {} steps", candidate->name(), candidate->detail(), trial));
    // the first round wakes caches and threads; who is far behind in it needs no second
    constexpr double far_behind = 3;
    const double first_time = candidate->run(trial);
    if (best && first_time > far_behind * best_time) {
      continue;
    }
    candidate->copy_state(*first);
    const double time = candidate->run(trial);
    if (!best || time < best_time) {
      best_choice = choice;
      best_time = time;
      best = std::move(candidate);
    }
  }
  best->copy_state(*first);
  return best;
}

// one turn: the steps in a few stretches with a sample after each
double take_turn(Side* side, std::int64_t steps, Quality* quality) {
  double seconds = 0;
  std::int64_t done = 0;
  const int stretches = static_cast<int>(std::min<std::int64_t>(samples_per_turn, steps));
  for (int i = 1; i <= stretches; ++i) {
    const std::int64_t end = steps * i / stretches;
    seconds += side->run(end - done);
    done = end;
    quality->add(side->sample());
  }
  return seconds;
}

// sentences about sides that do not do the same work
void note_differences(CompareResult* result) {
  const SideResult& peer = result->sides.back();
  for (const SideResult& side : result->sides) {
    if (side.quality.dropped > 0) {
      result->notes.push_back(
          fmt::format("{} left out contacts or rows {} times", side.name, side.quality.dropped));
    }
    if (side.quality.unstable > 0) {
      result->notes.push_back(
          fmt::format("{}: {} environments diverged", side.name, side.quality.unstable));
    }
    const double ours = side.quality.contacts.mean, theirs = peer.quality.contacts.mean;
    if (result->has_mujoco && std::abs(ours - theirs) > 0.05 * theirs) {
      result->notes.push_back(
          fmt::format("mean contacts of {} and {} differ by {:.1f} %, more than 5 %", side.name,
                      peer.name, theirs > 0 ? 100 * std::abs(ours / theirs - 1) : 100.0));
    }
  }
}

void check(const CompareOptions& options) {
  const auto positive = [](std::int64_t value, const char* what) {
    if (value < 1) {
      throw Error(fmt::format("{} is {}, but must be at least 1", what, value));
    }
  };
  positive(options.nenv, "the number of environments");
  positive(options.steps, "the number of steps");
  positive(options.turns, "the number of turns");
  positive(options.hold, "the number of steps that controls are held");
  if (options.against_mujoco && !have_mujoco()) {
    // says what to do
    mujoco_side({}, {}, 1, 1, *zero_controls(Model{}));
  }
}

}  // namespace

CompareResult compare(const CompareOptions& options) {
  check(options);
  const Model model = compile(load(options.scene));
  const int threads = options.threads > 0
                          ? options.threads
                          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const auto controls = random_controls(model, options.seed, options.hold);

  CompareResult result;
  result.scene = options.scene;
  result.model = model.names.model;
  result.nenv = options.nenv;
  result.threads = threads;
  result.nv = model.nv;
  result.nu = model.nu;
  result.steps = options.steps;
  result.warmup = options.warmup;
  result.hold = options.hold;
  result.has_mujoco = options.against_mujoco;
  result.notes = model.notices;

  auto sides = make_swept(options, model, threads, *controls);
  if (options.against_mujoco) {
    sides.push_back(make_mujoco(options, model.nv, threads, *controls));
  }
  result.sides.resize(sides.size());
  for (int turn = 0; turn < options.turns; ++turn) {
    for (std::size_t i = 0; i < sides.size(); ++i) {
      tell(options, fmt::format("{}: turn {} of {}, {} steps", sides[i]->name(), turn + 1,
                                options.turns, options.steps));
      result.sides[i].seconds.push_back(
          take_turn(sides[i].get(), options.steps, &result.sides[i].quality));
    }
  }

  for (std::size_t i = 0; i < sides.size(); ++i) {
    SideResult& side = result.sides[i];
    side.name = sides[i]->name();
    side.detail = sides[i]->detail();
    side.bytes_per_env = sides[i]->bytes_per_env();
    side.steps_per_second = static_cast<double>(options.nenv) * static_cast<double>(options.steps) /
                            std::max(median(side.seconds), 1e-12);
  }
  note_differences(&result);
  return result;
}

}  // namespace swept::bench
