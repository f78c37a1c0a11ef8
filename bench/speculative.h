// SPDX-License-Identifier: Apache-2.0
// What speculative contacts cost and gain:
//
//   overhead   the flag on beside the flag off, in scenes that are at rest: nothing is fast
//   shots      scenes of fast bodies and thin walls: speed, who gets through, and the official
//              library with its flag on, on the same starts
//   steps      a scene that needs short steps without the flag, beside long ones with it
//   rounds     how often a pair that is followed is advanced
//
// All times are processor time of this program, one thread on every side unless more are asked for,
// and all sides of a row take turns in one run; medians count.
#pragma once

#include <swept/batch.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace swept::bench {

/// A scene that comes to rest.
struct CalmScene {
  std::string file;
  int nenv = 1;
  std::int64_t warmup = 0;  ///< steps until nothing is fast
};

struct SpeculativeOptions {
  std::vector<CalmScene> calm;  ///< for the overhead
  int turns = 31;               ///< of each side for the overhead
  int shot_turns = 5;           ///< episodes of each side that are timed
  bool against_mujoco = false;  ///< the official library's threaded batch as well
  bool quick = false;           ///< a tenth of the work
  int threads = 1;              ///< on every side
  std::function<void(const std::string&)> progress;  ///< told what is being measured
};

/// The flag on beside the flag off.
struct OverheadRow {
  std::string scene;
  Precision precision = Precision::f32;
  int nenv = 0;
  double off = 0, on = 0;  ///< [s] per environment and step, median turn
  double ratio = 0;        ///< median over turns of on over off of the same turn
  std::int64_t swept = 0;  ///< pairs that were fast while it was measured: 0 in a calm scene
};

/// One side of a scene of shots.
struct ShotSide {
  std::string name, detail;
  double steps_per_second = 0;  ///< environment steps
  int outside = 0;              ///< bodies that got through, all episodes
  double contacts = 0;          ///< per environment, in the last step of the last episode
};
struct ShotRow {
  std::string scene;
  int nenv = 0, bodies = 0, steps = 0;  ///< steps of an episode
  std::vector<ShotSide> sides{};        ///< the official library last, if it takes part
  SpeculativeCounts counts{};           ///< of swept in f32, all episodes
  std::int64_t env_steps = 0;           ///< that these belong to
  double ratio = 0;                     ///< swept f32 over the official library, 0: not compared
};

/// One step size of the scene of long steps.
struct StepSide {
  double timestep = 0;  ///< [s]
  bool speculative = false;
  double cost = 0;  ///< [s] per environment and simulated second
  int outside = 0;  ///< bodies that got through
};
struct StepResult {
  std::string scene;
  Precision precision = Precision::f32;
  int nenv = 0;
  std::vector<StepSide> sides{};
  /// Cost of the longest step without the flag that nobody gets through, over that of the step with
  /// it; 0: there is none.
  double speedup = 0;
};

/// Advances of the pairs of a scene that are followed.
struct RoundRow {
  std::string scene;
  std::int64_t pairs = 0;     ///< followed
  std::int64_t advanced = 0;  ///< of which at least once
  double mean = 0;            ///< advances, over those that are followed
  int p95 = 0, p99 = 0, max = 0;
};

struct SpeculativeResult {
  std::vector<OverheadRow> overhead;
  std::vector<ShotRow> shots;
  std::vector<StepResult> steps;
  std::vector<RoundRow> rounds;
  std::string to_json() const;  ///< one object
  std::string to_text() const;  ///< tables
};

/// Measure. Throws Error for a scene or a backend that cannot be had, and if the official library is
/// asked for and cannot be opened.
SpeculativeResult measure_speculative(const SpeculativeOptions& options);

}  // namespace swept::bench
