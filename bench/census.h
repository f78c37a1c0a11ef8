// SPDX-License-Identifier: Apache-2.0
// The tunnelling census: random shots of one step, and whether the geoms went through each other.
//
// A crossing is a depth of more than half of the thinner geom's half size, on the way that was really
// made or at its end, as the judge sees it (census_judge.h); or, of geoms that in the whole step come
// closer by less than that half size, of all of it: those are slow, and left to the discrete contacts. Beside what the engine does stands what
// one pass of rows alone would do on the same shots (speculative_iterations 0, judged as if the step
// were made in full), and what the official library does with its flag on.
#pragma once

#include <swept/batch.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/census_scenes.h"

namespace swept::census {

struct CensusOptions {
  Precision precision = Precision::f64;
  std::uint64_t first = 0;    ///< number of the first scene
  std::int64_t scenes = 100;  ///< random scenes, each its own
  int shots = 128;            ///< of each scene
  bool others = true;         ///< one pass and the official library too
  int threads = 1;            ///< that take scenes
  double seconds = 0;         ///< not 0: no new scene after this time
};

/// Who got through.
struct Crossing {
  std::uint64_t scene = 0;
  int shot = 0;
  double depth = 0;      ///< [m]
  double thickness = 0;  ///< [m] thinner half size
  std::string what;      ///< types and arrangement
};

/// What became of shots.
struct CensusCount {
  std::int64_t shots = 0;     ///< apart at the beginning
  std::int64_t meet = 0;      ///< of which would be in each other during the step
  std::int64_t crossed = 0;   ///< of which crossed
  std::int64_t touched = 0;   ///< of which were in each other a little
  std::int64_t resolved = 0;  ///< of which were solved again
  std::int64_t held = 0;      ///< of which moved for a part of the step only
  double lost = 0;            ///< [steps] by that
  std::int64_t one_pass = 0;  ///< of `meet` that cross with one pass alone
  std::int64_t official = 0;  ///< of `meet` that cross in the official library
  double deepest = 0;         ///< [thinner half sizes] of those that are not slow

  void add(const CensusCount& other);
};

struct CensusResult {
  std::array<CensusCount, static_cast<std::size_t>(Arrangement::count)>
      by;  ///< of each arrangement
  std::vector<Crossing> crossings;
  std::int64_t scenes = 0;
  double seconds = 0;  ///< all of it took

  CensusCount all() const;
  std::string to_text() const;  ///< a table
};

/// Take a census. The same numbers give the same shots, in any order and on any number of threads.
CensusResult take_census(const CensusOptions& options);

}  // namespace swept::census
