// SPDX-License-Identifier: Apache-2.0
// The stepping loop that all sides share, and swept's side.
#include "bench/side.h"

#include "bench/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace swept::bench {

namespace {

class SweptSide final : public Side {
 public:
  SweptSide(const Model& model, const BatchOptions& options, const Controls& controls)
      : Side(controls), batch_(model, options) {}

  std::string name() const override {
    return fmt::format("swept {}", batch_.options().precision == Precision::f32 ? "f32" : "f64");
  }
  std::string detail() const override {
    return fmt::format("{}, {} environments side by side; {} state, {} scratch while it is stepped",
                       batch_.backend(), batch_.lanes(),
                       bytes_text(static_cast<double>(memory_.state_bytes)),
                       bytes_text(static_cast<double>(memory_.scratch_bytes)));
  }
  void restart(const std::vector<double>& qpos, const std::vector<double>& qvel) override {
    batch_.reset();
    batch_.write("qpos", qpos);
    batch_.write("qvel", qvel);
  }
  std::vector<double> qpos() override { return batch_.read("qpos"); }
  Quality sample() override {
    memory_ = batch_.report();
    return quality_of(memory_);
  }
  std::size_t bytes_per_env() override {
    return batch_.report().total_bytes / static_cast<std::size_t>(batch_.nenv());
  }

 private:
  void set_controls(std::int64_t step) override { apply(controls(), batch_, step); }
  void advance(int n) override {
    batch_.step(n);
    batch_.sync();
  }

  Batch batch_;
  Report memory_;  ///< of the last sample
};

}  // namespace

double Side::run(std::int64_t steps) {
  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double> spent{0};
  const std::int64_t end = step_ + steps;
  while (step_ < end) {
    set_controls(step_);
    const std::int64_t n =
        std::min({end - step_, controls_.unchanged_for(step_), std::int64_t{1} << 20});
    const Clock::time_point start = Clock::now();
    advance(static_cast<int>(n));
    spent += Clock::now() - start;
    step_ += n;
  }
  return spent.count();
}

std::unique_ptr<Side> swept_side(const Model& model, const BatchOptions& options,
                                 const Controls& controls) {
  return std::make_unique<SweptSide>(model, options, controls);
}

}  // namespace swept::bench
