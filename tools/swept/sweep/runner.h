// SPDX-License-Identifier: Apache-2.0
// Runs combinations, one environment each, and measures them.
#pragma once

#include "tools/swept/sweep/meter.h"
#include "tools/swept/sweep/setup.h"

#include <swept/batch.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace swept::bench {
class Controls;
}

namespace swept::cli {

/// What is known of a combination in the end.
struct Row {
  std::int64_t combination = 0;
  std::vector<double> numbers;  ///< values of the parameters, then the measures
  int status = 0;               ///< swept::Status
};

/// How to run them.
struct Machine {
  std::string device = "cpu";
  int threads = 0;  ///< 0: as many as there are
};

class Runner {
 public:
  /// The plan and the model have to outlive this. Throws Error for what does not fit together, and
  /// for a device that is not there.
  Runner(const Plan& plan, const Model& model, const Machine& machine);
  ~Runner();

  const Setup& setup() const { return setup_; }
  const Meter& meter() const { return meter_; }
  /// A number of environments that fits into half of what the process may still have, at most 4096.
  int fitting_envs() const;

  /// Run some combinations to the end, one environment each. Their rows do not depend on which
  /// others run beside them. `progress` is called with the number of steps so far and says whether
  /// to go on. Nothing: it said no. Throws MemoryError if they do not fit.
  std::optional<std::vector<Row>> run(std::span<const std::int64_t> combinations,
                                      const std::function<bool(std::int64_t)>& progress);

 private:
  Batch make_batch(int envs) const;
  void set_controls(Batch& batch, std::span<const std::int64_t> combinations,
                    std::int64_t step) const;
  std::int64_t controls_stay(std::int64_t step) const;

  const Plan& plan_;
  const Model& model_;
  Machine machine_;
  Setup setup_;
  Meter meter_;
  std::unique_ptr<bench::Controls> file_controls_;
  Capacity capacity_{};
};

}  // namespace swept::cli
