// SPDX-License-Identifier: Apache-2.0
// One side of a comparison: an engine that steps a number of environments of one scene under given
// controls.
#pragma once

#include "bench/controls.h"
#include "bench/quality.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace swept::bench {

class Side {
 public:
  virtual ~Side() = default;
  /// Short name, such as "swept f32".
  virtual std::string name() const = 0;
  /// What exactly ran: backend, solver, threads.
  virtual std::string detail() const = 0;
  /// Take `steps` steps under fresh controls and return the time spent stepping [s]; setting the
  /// controls is not counted.
  double run(std::int64_t steps);
  /// Put all environments to these positions and velocities, at rest but for them: no controls, no
  /// warm start.
  ///   qpos   [nenv, nq]; qvel [nenv, nv]
  virtual void restart(const std::vector<double>& qpos, const std::vector<double>& qvel) = 0;
  /// The present positions, [nenv, nq].
  virtual std::vector<double> qpos() = 0;
  /// Measures of the last step (or of the solve that follows it); changes nothing.
  virtual Quality sample() = 0;
  /// Memory per environment [bytes], everything counted.
  virtual std::size_t bytes_per_env() = 0;
  /// Steps taken.
  std::int64_t steps_done() const { return step_; }

 protected:
  explicit Side(const Controls& controls) : controls_(controls) {}
  const Controls& controls() const { return controls_; }
  /// For a side that goes on from another's state.
  void set_steps_done(std::int64_t step) { step_ = step; }

 private:
  /// Set the controls for the steps from `step` on.
  virtual void set_controls(std::int64_t step) = 0;
  /// Take `n` steps and wait for them.
  virtual void advance(int n) = 0;

  const Controls& controls_;
  std::int64_t step_ = 0;
};

/// swept itself. `model` and `controls` must outlive it. Throws Error if the backend cannot be had.
std::unique_ptr<Side> swept_side(const Model& model, const BatchOptions& options,
                                 const Controls& controls);

}  // namespace swept::bench
