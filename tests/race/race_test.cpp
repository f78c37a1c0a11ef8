// SPDX-License-Identifier: Apache-2.0
// Walks the table of cooperative functions with emulated lanes. ThreadSanitizer watches 2, 4 and 8
// of them; results of 1, 4, 8 and 32 agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <set>

#include "race/cases.h"

namespace {

std::atomic<int> reports{0};

}  // namespace

/// ThreadSanitizer calls this for every data race; it prints the two places itself.
extern "C" void __tsan_on_report(void*) {
  ++reports;
}

namespace swept::SWEPT_NS::test {
namespace {

const std::vector<Case>& table() {
  static const std::vector<Case> all = [] {
    std::vector<Case> cases;
    for (const auto& topic :
         {smooth_cases(), collide_cases(), constrain_cases(), solve_cases(), integrate_cases(),
          engine_cases(), query_cases(), ccd_cases(), speculative_cases(), tail_cases()}) {
      cases.insert(cases.end(), topic.begin(), topic.end());
    }
    return cases;
  }();
  return all;
}

Scene& scene(bool elliptic) {
  static Scene pyramidal_scene(false);
  static Scene elliptic_scene(true);
  return elliptic ? elliptic_scene : pyramidal_scene;
}

/// What a function leaves behind in memory when a group of some lanes runs it.
Memory result_of(const Case& c, Scene& s, int lanes) {
  s.go_to(c.input);
  const int n = c.per_block ? s.nblocks() : s.nenv();
  run_lanes(lanes, [&](const ThreadGroup g) {
    for (int i = 0; i < n; ++i) {
      c.run(g, s, i);
      // neighbours in a launch do not wait for each other, but here they share the lanes
      g.sync();
    }
  });
  return s.memory();
}

/// Where two memories differ first, or nothing.
std::string difference(const Case& c, const Scene& s, const Memory& one, const Memory& other) {
  for (std::size_t r = 0; r < one.size(); ++r) {
    const Region& region = s.regions()[r];
    if (c.compare == Compare::bits) {
      if (one[r] != other[r]) {
        const auto at =
            std::mismatch(one[r].begin(), one[r].end(), other[r].begin()).first - one[r].begin();
        return region.name + " at byte " + std::to_string(at);
      }
    } else if (region.result && region.reals) {
      std::vector<real> a(region.bytes / sizeof(real)), b(a.size());
      std::memcpy(a.data(), one[r].data(), region.bytes);
      std::memcpy(b.data(), other[r].data(), region.bytes);
      for (std::size_t i = 0; i < a.size(); ++i) {
        // converged to 1e-14 of the objective, so to the root of it in the result
        const bool close = std::abs(a[i] - b[i]) <= 1e-6 * std::max(real(1), std::abs(b[i]));
        if (!close && !(std::isnan(a[i]) && std::isnan(b[i]))) {
          return region.name + " at " + std::to_string(i) + ": " + std::to_string(a[i]) + " and " +
                 std::to_string(b[i]);
        }
      }
    }
  }
  return "";
}

class EveryGroupFunction : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryGroupFunction, HasNoRaceAndOneResultForAnyNumberOfLanes) {
  const Case& c = table()[GetParam()];
  for (const bool elliptic : {false, true}) {
    Scene& s = scene(elliptic);
    const int before = reports;
    const Memory one = result_of(c, s, 1);
    for (const int lanes : {2, 4, 8, 32}) {
      const std::string where = difference(c, s, one, result_of(c, s, lanes));
      EXPECT_EQ(where, "") << c.name << ": " << lanes << " lanes and one lane differ";
      ASSERT_EQ(reports, before) << c.name << ": a data race between " << lanes
                                 << " lanes; see the report above";
    }
  }
}

std::string test_name(const testing::TestParamInfo<std::size_t>& info) {
  std::string name = table()[info.param].name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == ':'; }, '_');
  return name + "_" + std::to_string(info.param);
}

INSTANTIATE_TEST_SUITE_P(Table, EveryGroupFunction, testing::Range(std::size_t{0}, table().size()),
                         test_name);

TEST(RaceTable, EveryFunctionDoesSomething) {
  // functions whose purpose is to leave everything as it is
  const std::set<std::string> idle = {"solve/TreeMetric::apply", "engine/ClearHalt"};
  for (const Case& c : table()) {
    bool changed = false;
    for (const bool elliptic : {false, true}) {
      Scene& s = scene(elliptic);
      s.go_to(c.input);
      const Memory before = s.memory();
      changed = changed || result_of(c, s, 1) != before;
    }
    EXPECT_TRUE(changed || idle.count(c.name) != 0)
        << c.name << " changes nothing: its case tests nothing";
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
