// SPDX-License-Identifier: Apache-2.0
// How the cost of a step depends on the number of environments and of threads, and how long a
// program takes to its first step. All sizes take turns in one run, so that a slow spell of the
// machine meets all of them.
#pragma once

#include <swept/batch.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace swept::bench {

struct ScalingOptions {
  std::string scene;                                   ///< file
  std::vector<int> sizes{64, 256, 1024, 4096, 16384};  ///< environments
  Precision precision = Precision::f32;
  std::int64_t warmup = 500;                         ///< steps before the first turn
  int turns = 5;                                     ///< of each size
  std::int64_t work = 100'000;                       ///< environment steps of a turn
  std::uint64_t seed = 1;                            ///< of the controls
  int threads = 0;                                   ///< 0: as many as the machine has
  std::function<void(const std::string&)> progress;  ///< told what is being done
};

/// Cost at one number of environments.
struct ScalingRow {
  int nenv = 0;
  double all_threads = 0;  ///< time per environment and step [s], median turn
  double one_thread = 0;   ///< the same with one thread
};

struct ScalingResult {
  std::string scene;
  int threads = 0;
  std::vector<ScalingRow> rows;
  double compiled = 0;    ///< load and compile the scene [s]
  double first_step = 0;  ///< that, a batch of the largest size and one step [s]
  double spread() const;  ///< largest over smallest cost with all threads, 1
  /// Largest number of environments: time with one thread over time with all, 1.
  double speedup() const;
  std::string to_json() const;  ///< one object
  std::string to_text() const;  ///< a table
};

/// Measure. Throws Error for a scene or a backend that cannot be had.
ScalingResult scaling(const ScalingOptions& options);

}  // namespace swept::bench
