// SPDX-License-Identifier: Apache-2.0
// The comparison behind `swept bench`: swept in each precision and, if wanted, the official
// library's threaded batch, side by side in one run.
//
// Every side steps the same scene with the same tolerance under the same controls on the same
// number of threads. After a warm-up the sides take turns (A B C A B C ...), so that a slow spell
// of the machine meets all of them; a side's speed is the median of its turns. The official library
// runs with whichever of {Newton, CG} x {dense, sparse Jacobian} is fastest in a trial from the
// warmed-up state. Measures of quality are sampled between stretches of steps, outside the time.
#pragma once

#include "bench/quality.h"

#include <swept/batch.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace swept::bench {

struct CompareOptions {
  std::string scene;           ///< file
  int nenv = 1024;             ///< environments on every side
  std::int64_t steps = 200;    ///< per turn
  std::int64_t warmup = 500;   ///< before the first turn
  int turns = 3;               ///< of each side
  int hold = 5;                ///< steps for which random controls stay
  std::uint64_t seed = 1;      ///< of the controls
  int threads = 0;             ///< on every side, 0: as many as the machine has
  std::string device = "cpu";  ///< of swept
  bool against_mujoco = false;
  std::vector<Precision> precisions{Precision::f32, Precision::f64};
  std::function<void(const std::string&)> progress;  ///< told what is being done; may be empty
};

/// What one side did.
struct SideResult {
  std::string name, detail;
  std::vector<double> seconds;  ///< of each turn
  double steps_per_second = 0;  ///< all environments together, from the median turn
  Quality quality;
  std::size_t bytes_per_env = 0;
};

struct CompareResult {
  std::string scene, model;
  int nenv = 0, threads = 0, nv = 0, nu = 0;
  std::int64_t steps = 0, warmup = 0;
  int hold = 0;
  std::vector<SideResult> sides;   ///< swept's, then the official library's
  bool has_mujoco = false;         ///< the last side is the official library's
  std::vector<std::string> notes;  ///< such as: the mean contacts differ by more than 5 %
  std::string to_json() const;     ///< one object
  std::string to_text() const;     ///< a table
};

/// Run a comparison. Throws Error for a scene, a backend or a library that cannot be had.
CompareResult compare(const CompareOptions& options);

}  // namespace swept::bench
