// SPDX-License-Identifier: Apache-2.0
// The tunnelling census (bench/census.h) of a few thousand shots; with SWEPT_LONG of a million, half of
// them in each precision.
#include "bench/census.h"
#include "bench/census_judge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace swept::census {
namespace {

class TunnellingCensus : public testing::TestWithParam<Precision> {};

TEST_P(TunnellingCensus, NothingPassesInOneStep) {
  const bool is_long = std::getenv("SWEPT_LONG") != nullptr;
  CensusOptions options;
  options.precision = GetParam();
  options.scenes = is_long ? 3910 : 150;
  options.shots = is_long ? 128 : 24;
  const CensusResult result = take_census(options);
  std::printf("%s", result.to_text().c_str());
  EXPECT_EQ(result.all().crossed, 0);
  // most shots would go through something, and one pass does not do
  EXPECT_GT(result.all().meet, result.all().shots / 2);
  EXPECT_GT(result.all().one_pass, 0);
  for (const CensusCount& count : result.by) {
    EXPECT_GT(count.meet, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, TunnellingCensus,
                         testing::Values(Precision::f64, Precision::f32), [](const auto& what) {
                           return what.param == Precision::f64 ? "f64" : "f32";
                         });

// ---- the judge ---------------------------------------------------------------------------------------

/// A plate of half a millimetre on each side, and a ball of 50 mm above it.
constexpr const char* plate =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='box' size='1 1 "
    ".0005'/><body><freejoint/>"
    "<geom size='.05'/></body></worldbody></mujoco>";

TEST(CensusJudge, SeesABallOnBothSidesOfAPlate) {
  Judge judge(plate);
  EXPECT_EQ(judge.thickness(), 0.0005);
  const std::vector<double> qpos = {0, 0, 1, 1, 0, 0, 0}, fast = {0, 0, -1000, 0, 0, 0};
  // 2 m in the step: deepest where it is in the middle of the plate
  EXPECT_NEAR(judge.least(qpos.data(), fast.data(), {1}, -1e9), -0.0505, 2e-4);
  // as far as the surface, and half a millimetre further
  EXPECT_NEAR(judge.least(qpos.data(), fast.data(), {(1 - 0.0505) / 2}, -1e9), 0, 1e-9);
  EXPECT_NEAR(judge.least(qpos.data(), fast.data(), {(1 - 0.05) / 2}, -1e9), -0.0005, 1e-9);
  // and past its edge
  const std::vector<double> aside = {1.06, 0, 1, 1, 0, 0, 0};
  EXPECT_GT(judge.least(aside.data(), fast.data(), {1}, -1e9), 0);
}

TEST(CensusJudge, FollowsArcs) {
  // a rod that swings about its end by a right angle, and a ball at half of it
  Judge judge(
      "<mujoco><option timestep='0.002'/><worldbody><body><joint type='hinge' axis='0 0 1'/><geom "
      "type='capsule' size='.001' fromto='0 0 0 1 0 0'/></body><body><freejoint/><geom "
      "size='.01'/></body></worldbody></mujoco>");
  const double c = 0.9 * std::sqrt(0.5);
  const std::vector<double> qpos = {0, c, c, 0, 1, 0, 0, 0};
  const std::vector<double> swing = {std::acos(0.0) / 0.002, 0, 0, 0, 0, 0, 0};
  // along the chord it would miss
  EXPECT_NEAR(judge.least(qpos.data(), swing.data(), {1, 1}, -1e9), -0.011, 3e-4);
  EXPECT_GT(judge.least(qpos.data(), swing.data(), {0.49, 1}, -1e9), 0);
}

TEST(CensusJudge, KnowsThePartThatWasMade) {
  Judge judge(plate);
  const std::vector<double> from = {0, 0, 1, 1, 0, 0, 0}, to = {0.1, 0, 0.9, 1, 0, 0, 0},
                            qvel = {200, 0, -200, 0, 0, 0};
  EXPECT_NEAR(judge.parts_made(from.data(), qvel.data(), to.data())[0], 0.25, 1e-12);
}

}  // namespace
}  // namespace swept::census
