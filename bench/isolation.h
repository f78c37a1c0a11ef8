// SPDX-License-Identifier: Apache-2.0
// What environments that go bad cost the others: batches with and without them take turns in one
// run, on the same scene under the same controls.
#pragma once

#include <swept/batch.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace swept::bench {

struct IsolationOptions {
  std::string scene;  ///< file
  int nenv = 4096;
  Precision precision = Precision::f32;
  std::int64_t warmup = 300;                         ///< steps before the first turn
  std::int64_t steps = 50;                           ///< of a turn
  int turns = 9;                                     ///< of each batch; their median counts
  std::uint64_t seed = 1;                            ///< of the controls
  int threads = 0;                                   ///< 0: as many as the machine has
  std::function<void(const std::string&)> progress;  ///< told what is being done
};

/// One kind of batch.
struct IsolationRow {
  std::string name;
  int sick = 0;        ///< environments that are bad, or are reset in every stretch of steps
  double seconds = 0;  ///< per step, median turn
  double ratio = 0;    ///< to the batch in which all are well, of the same turn; median
  std::int64_t frozen = 0, resets = 0;  ///< at the end
};

struct IsolationResult {
  std::string scene;
  int nenv = 0;
  std::vector<IsolationRow> rows;  ///< the first: all are well
  std::string to_json() const;     ///< one object
  std::string to_text() const;     ///< a table
};

/// Measure. Throws Error for a scene or a backend that cannot be had.
IsolationResult isolation(const IsolationOptions& options);

}  // namespace swept::bench
