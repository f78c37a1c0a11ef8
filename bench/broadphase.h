// SPDX-License-Identifier: Apache-2.0
// What finding the pairs of geoms costs per geom, over numbers of geoms and ways in which they lie.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace swept::bench {

struct BroadphaseOptions {
  std::vector<int> sizes = {10, 30, 100, 300, 1000, 3000, 10000, 20000};  ///< geoms
  int turns = 3;                                                          ///< the fastest counts
  std::function<void(const std::string&)> progress;  ///< told what is being done
};

/// One number of geoms in one arrangement.
struct BroadphaseRow {
  std::string spread;  ///< uniform, clustered or stacked
  int geoms = 0;
  bool swept = false;     ///< what a scene of this size does by itself
  double sweep = 0;       ///< sweep and merging, one environment, per geom [s]
  double all_pairs = -1;  ///< testing all pairs, the same; -1: too many pairs for a list
  double contacts = 0;    ///< per geom
};

struct BroadphaseResult {
  std::vector<BroadphaseRow> rows;
  std::string to_json() const;  ///< one object
  std::string to_text() const;  ///< a table
};

/// Measure on one thread and one pack of environments that differ, f32. Throws Error for a backend
/// that cannot be had.
BroadphaseResult broadphase(const BroadphaseOptions& options);

}  // namespace swept::bench
