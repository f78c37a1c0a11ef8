// SPDX-License-Identifier: Apache-2.0
// The table of every function that takes a Group: how to run it on small data. One list per topic
// of src/kernels, named topic/function, topic/Struct::function or, for a kernel, topic/Struct.
// tools/checks/check_groups compares the names with the sources.
#pragma once

#include <vector>

#include "race/scene.h"
#include "support/thread_group.h"

namespace swept::SWEPT_NS::test {

/// How results of groups of different sizes are compared.
enum class Compare {
  bits,     ///< all memory, bit for bit
  rounded,  ///< results only, up to rounding: the function sums over lanes
};

/// One function.
struct Case {
  const char* name;
  Point input;  ///< what has been done before
  Compare compare;
  bool per_block;  ///< `run` is called for every block, else for every environment
  void (*run)(const ThreadGroup g, Scene& s, int block_or_env);
};

/// A function that works on the pack of a block.
constexpr Case on_blocks(const char* name, Point input,
                         void (*run)(const ThreadGroup, Scene&, int)) {
  return {name, input, Compare::bits, true, run};
}

/// A function that works on one environment.
constexpr Case on_envs(const char* name, Point input, void (*run)(const ThreadGroup, Scene&, int)) {
  return {name, input, Compare::bits, false, run};
}

/// The same with sums over the lanes.
constexpr Case rounded(Case c) {
  c.compare = Compare::rounded;
  return c;
}

std::vector<Case> smooth_cases();
std::vector<Case> collide_cases();
std::vector<Case> constrain_cases();
std::vector<Case> solve_cases();
std::vector<Case> integrate_cases();
std::vector<Case> engine_cases();
std::vector<Case> query_cases();
std::vector<Case> ccd_cases();
std::vector<Case> speculative_cases();
std::vector<Case> tail_cases();

}  // namespace swept::SWEPT_NS::test
