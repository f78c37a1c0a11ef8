// SPDX-License-Identifier: Apache-2.0
// Controls for whole batches: zero, uniformly random, or from a file.
//
// Random controls come from a counter: the number for (seed, environment, step, actuator) is a hash
// of the four and of nothing else, so it is the same for any number of threads, environments or
// chunks of steps, and the same for every engine that is given it. They are uniform in the
// actuator's ctrlrange, in [-1, 1] where that is unlimited, and are held for a few steps, as a
// policy with a frame skip holds its action.
#pragma once

#include <swept/batch.h>
#include <swept/model.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace swept::bench {

/// Lowest and highest control of each actuator [nu].
struct ControlRange {
  std::vector<double> low, high;
};

/// ctrlrange where it is limited, [-1, 1] elsewhere.
ControlRange control_range(const Model& model);

/// A number in [0, 1) for a point of a four-dimensional grid; 53 random bits.
double uniform(std::uint64_t seed, std::uint64_t env, std::uint64_t block, std::uint64_t index);

/// Where the controls of a batch come from.
class Controls {
 public:
  virtual ~Controls() = default;
  /// Number of steps from `step` on for which the controls stay what they are; at least 1.
  virtual std::int64_t unchanged_for(std::int64_t step) const = 0;
  /// Set the controls of all environments for the steps from `step` on.
  ///   ctrl     first number; environment e has its nu numbers at ctrl + e * stride
  ///   threads  that share the work, 0: as many as the machine has
  virtual void fill(std::int64_t step, int nenv, double* ctrl, std::int64_t stride,
                    int threads) const = 0;
  virtual void fill(std::int64_t step, int nenv, float* ctrl, std::int64_t stride,
                    int threads) const = 0;
};

/// Zeros, always.
std::unique_ptr<Controls> zero_controls(const Model& model);

/// Uniform numbers, new every `hold` steps.
std::unique_ptr<Controls> random_controls(const Model& model, std::uint64_t seed, int hold);

/// One row of nu numbers a step from a CSV file, the same for all environments; after the last row
/// that row stays. Lines that are empty or begin with # are skipped. Throws Error with file and
/// line for anything else that is no such row.
std::unique_ptr<Controls> file_controls(const Model& model, const std::string& path);

/// Set the controls of a batch for the steps from `step` on, in place where the host can reach
/// them.
void apply(const Controls& controls, Batch& batch, std::int64_t step);

}  // namespace swept::bench
