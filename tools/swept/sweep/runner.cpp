// SPDX-License-Identifier: Apache-2.0
// The stepping loop of a sweep: from one moment or change of controls to the next.
#include "tools/swept/sweep/runner.h"

#include "bench/controls.h"

#include <swept/types.h>

#include <unistd.h>

#include <algorithm>
#include <limits>

namespace swept::cli {

namespace {

constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();
/// Steps after which the progress is told at the latest.
constexpr std::int64_t most_steps_at_once = 64;
constexpr int most_envs = 4096;

std::int64_t until_multiple(std::int64_t step, std::int64_t every) {
  return every - step % every;
}

// start + k timestep, of every environment; sums of rounded steps would drift
class Clock {
 public:
  explicit Clock(Batch& batch)
      : start_(batch.read("time")), timestep_(batch.read("opt_timestep")), now_(start_.size()) {}
  std::span<const double> at(std::int64_t step) {
    for (std::size_t env = 0; env < now_.size(); ++env) {
      now_[env] = start_[env] + static_cast<double>(step) * timestep_[env];
    }
    return now_;
  }

 private:
  std::vector<double> start_, timestep_, now_;
};

}  // namespace

Runner::Runner(const Plan& plan, const Model& model, const Machine& machine)
    : plan_(plan), model_(model), machine_(machine), setup_(plan, model), meter_(plan, model) {
  if (plan.controls.kind == ControlPlan::Kind::file) {
    file_controls_ = bench::file_controls(model, plan.controls.file);
  }
  // what the device or the fields refuse is refused before anything is written
  Batch probe = make_batch(1);
  const std::int64_t first[] = {0};
  setup_.apply(probe, first);
}

Batch Runner::make_batch(int envs) const {
  return Batch(model_, {.nenv = envs,
                        .device = machine_.device,
                        .precision = plan_.precision == "f32" ? Precision::f32 : Precision::f64,
                        .threads = machine_.threads,
                        .capacity = capacity_});
}

Runner::~Runner() = default;

int Runner::fitting_envs() const {
  const Precision precision = plan_.precision == "f32" ? Precision::f32 : Precision::f64;
  const MemoryEstimate memory = estimate_memory(model_, precision);
  std::size_t own = 0;
  for (const std::string& field : setup_.model_fields()) {
    own += estimate_model_bytes(model_, precision, field);
  }
  const auto half = static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) *
                    static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 2;
  const int threads =
      machine_.threads > 0 ? machine_.threads : static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  int envs = most_envs;
  while (envs > 1 &&
         memory.cpu_bytes(envs, threads) + static_cast<std::size_t>(envs) * own > half) {
    envs /= 2;
  }
  return envs;
}

std::int64_t Runner::controls_stay(std::int64_t step) const {
  switch (plan_.controls.kind) {
    case ControlPlan::Kind::random:
      return until_multiple(step, plan_.controls.hold);
    case ControlPlan::Kind::file:
      return file_controls_->unchanged_for(step);
    case ControlPlan::Kind::none:
      break;
  }
  return forever;
}

void Runner::set_controls(Batch& batch, std::span<const std::int64_t> combinations,
                          std::int64_t step) const {
  const auto nu = static_cast<std::size_t>(model_.nu);
  if (nu == 0 || plan_.controls.kind == ControlPlan::Kind::none) {
    return;
  }
  std::vector<double> ctrl(combinations.size() * nu);
  if (plan_.controls.kind == ControlPlan::Kind::file) {
    file_controls_->fill(step, batch.nenv(), ctrl.data(), model_.nu, machine_.threads);
  } else {
    // all combinations of one seed get the same: those of environment 0 of swept run
    const bench::ControlRange range = bench::control_range(model_);
    const auto block = static_cast<std::uint64_t>(step / plan_.controls.hold);
    for (std::size_t env = 0; env < combinations.size(); ++env) {
      const std::uint64_t seed = setup_.control_seed(combinations[env]);
      for (std::size_t i = 0; i < nu; ++i) {
        ctrl[env * nu + i] =
            range.low[i] + (range.high[i] - range.low[i]) * bench::uniform(seed, 0, block, i);
      }
    }
  }
  batch.write("ctrl", ctrl);
}

std::optional<std::vector<Row>> Runner::run(std::span<const std::int64_t> combinations,
                                            const std::function<bool(std::int64_t)>& progress) {
  Batch batch = make_batch(static_cast<int>(combinations.size()));
  setup_.apply(batch, combinations);
  meter_.begin(batch);
  Clock clock(batch);
  // the stages of RK4 leave what the last of them computed
  const bool computes_again = model_.opt.integrator == integrator_rk4;

  std::int64_t change_at = 0;
  for (std::int64_t step = 0; step < plan_.steps;) {
    if (step == change_at) {
      set_controls(batch, combinations, step);
      const std::int64_t stay = controls_stay(step);
      change_at = stay == forever ? forever : step + stay;
    }
    std::int64_t n = std::min({plan_.steps - step, change_at - step, most_steps_at_once,
                               until_multiple(step, plan_.every)});
    const bool moment = step % plan_.every == 0;
    if (moment) {
      meter_.state_moment(batch, clock.at(step));
    }
    if (moment && meter_.derived()) {
      if (computes_again) {
        batch.forward();
      } else {
        n = 1;
        batch.step(1);
      }
      meter_.derived_moment(batch, clock.at(step));
    }
    if (!moment || !meter_.derived() || computes_again) {
      batch.step(static_cast<int>(n));
    }
    step += n;
    if (!progress(step)) {
      return {};
    }
  }
  meter_.state_moment(batch, clock.at(plan_.steps));
  if (meter_.derived()) {
    batch.forward();
    meter_.derived_moment(batch, clock.at(plan_.steps));
  }
  capacity_ = batch.report().capacity;

  std::vector<Row> rows;
  for (std::size_t i = 0; i < combinations.size(); ++i) {
    const int env = static_cast<int>(i);
    const Status status = batch.status(env);
    Row row{combinations[i], values_of(plan_, combinations[i]), static_cast<int>(status)};
    const std::vector<double> measures = meter_.results(env, status != Status::ok);
    row.numbers.insert(row.numbers.end(), measures.begin(), measures.end());
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace swept::cli
