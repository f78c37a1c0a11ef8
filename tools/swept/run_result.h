// SPDX-License-Identifier: Apache-2.0
// What `swept run` found, and its two ways of being printed.
#pragma once

#include "bench/quality.h"
#include "tools/swept/commands.h"

#include <swept/batch.h>

#include <cstdint>
#include <string>
#include <vector>

namespace swept::cli {

/// Environments that stand still for one reason.
struct Frozen {
  std::string reason;
  std::int64_t count = 0;
  int first_env = 0;            ///< the lowest of them
  std::int64_t first_step = 0;  ///< the step after which it stopped
};

struct RunResult {
  std::string model, backend;
  int lanes = 0;
  int threads = 0;         ///< asked for; 0: as many as the machine has
  double simulated = 0;    ///< per environment [s]
  std::int64_t first_step = 0;  ///< steps taken by the runs before, 0 if this is the first
  std::int64_t steps = 0;       ///< taken of those asked for
  double seconds = 0;      ///< wall time of the stepping loop
  bool interrupted = false;
  std::string error;       ///< why the steps ended early; empty: they did not
  bench::Quality quality;  ///< of sampled steps
  Report report;           ///< of the last step
  std::vector<Frozen> frozen;
  std::uint64_t hash = 0;  ///< of the final state
  bool speculative = false;  ///< speculative contacts are on
  long recorded_rows = 0;
  std::vector<std::string> notices;

  /// Steps of all environments together, per second.
  double rate(int envs) const {
    return seconds > 0 ? static_cast<double>(steps) * envs / seconds : 0;
  }
};

/// A table for people, on the standard output.
void print_table(const RunOptions& options, const RunResult& result);

/// One JSON object on the standard output.
void print_json(const RunOptions& options, const RunResult& result);

}  // namespace swept::cli
