// SPDX-License-Identifier: Apache-2.0
// Laws of surfaces that move over their bodies: things end up with the surface's velocity, nothing
// is pushed along the normal, action equals reaction.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "physics/scene.h"

namespace swept::test {
namespace {

class Surfaces : public testing::TestWithParam<std::tuple<Precision, const char*>> {
 protected:
  Precision precision() const { return std::get<0>(GetParam()); }

  /// Boxes on a plane whose surface moves; each environment starts with another push.
  Batch boxes(const std::string& surfacevel) const {
    Batch batch = make_batch(
        std::string("<mujoco><option cone='") + std::get<1>(GetParam()) +
            "'/><worldbody><geom type='plane' size='9 9 1' condim='4' surfacevel='" + surfacevel +
            "'/><body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' condim='4'/></body>"
            "</worldbody></mujoco>",
        nenv, precision());
    fill(&batch, "qvel", [](int env, int i) { return i < 2 ? noise(env, i) : 0.0; });
    return batch;
  }

  static constexpr int nenv = 9;
};

TEST_P(Surfaces, ABeltCarriesThingsAtItsSpeed) {
  Batch batch = boxes("0.5 -0.2 0");
  batch.step(1000);
  const std::vector<double> qvel = batch.read("qvel");
  for (std::size_t env = 0; env < nenv; ++env) {
    // friction ends where the surfaces move together; f32 keeps rounding alive
    EXPECT_NEAR(qvel[6 * env], 0.5, 1e-3) << env;
    EXPECT_NEAR(qvel[6 * env + 1], -0.2, 1e-3) << env;
    EXPECT_NEAR(qvel[6 * env + 5], 0, 1e-2) << env;
  }
}

TEST_P(Surfaces, ATurntableTurnsThings) {
  Batch batch = boxes("0 0 0 0 0 3");
  fill(&batch, "qvel", [](int, int) { return 0.0; });
  batch.step(1000);
  const std::vector<double> qvel = batch.read("qvel");
  for (std::size_t env = 0; env < nenv; ++env) {
    EXPECT_NEAR(qvel[6 * env + 5], 3, 1e-2) << env;
  }
}

TEST_P(Surfaces, MotionAlongTheNormalPushesNothing) {
  Batch still = boxes("0 0 0"), rising = boxes("0 0 7");
  still.step(200);
  rising.step(200);
  EXPECT_EQ(still.read("qpos"), rising.read("qpos"));
  EXPECT_EQ(still.read("qvel"), rising.read("qvel"));
}

TEST_P(Surfaces, OnFreeBodiesMomentumStays) {
  Batch batch = make_batch(
      std::string("<mujoco><option gravity='0 0 0' cone='") + std::get<1>(GetParam()) +
          "'/><worldbody>"
          "<body><freejoint/><geom type='capsule' size='.1 .3' mass='2' surfacevel='1 2 3 4 5 6' "
          "condim='6'/></body>"
          "<body pos='.18 0 0' euler='20 80 0'><freejoint/><geom type='capsule' size='.1 .2' "
          "mass='3' surfacevel='-1 .5 2 0 3 1'/></body></worldbody></mujoco>",
      nenv, precision());
  fill(&batch, "qvel", [](int env, int i) {
    return i % 6 < 3 ? (i < 6 ? 0.5 : -0.5) * (i % 6 == 0 ? 1 : noise(env, i)) : noise(env, i);
  });
  const std::vector<double> before = batch.read("qvel");
  double moved = 0;
  for (int step = 0; step < 20; ++step) {
    batch.step();
    const std::vector<double> qvel = batch.read("qvel");
    for (std::size_t env = 0; env < nenv; ++env) {
      for (std::size_t k = 0; k < 3; ++k) {
        const auto momentum = [&](const std::vector<double>& v) {
          return 2 * v[12 * env + k] + 3 * v[12 * env + 6 + k];
        };
        // forces of contacts cancel; what is left is rounding of sums up to 1e3 per step
        EXPECT_NEAR(momentum(qvel), momentum(before), precision() == Precision::f32 ? 1e-3 : 1e-10);
        moved = std::max(moved, std::abs(qvel[12 * env + k] - before[12 * env + k]));
      }
    }
  }
  EXPECT_GT(moved, 0.1) << "nothing touched";
}

INSTANTIATE_TEST_SUITE_P(All, Surfaces,
                         testing::Combine(testing::Values(Precision::f64, Precision::f32),
                                          testing::Values("pyramidal", "elliptic")),
                         [](const auto& p) {
                           return std::string(std::get<0>(p.param) == Precision::f32 ? "f32"
                                                                                     : "f64") +
                                  "_" + std::get<1>(p.param);
                         });

}  // namespace
}  // namespace swept::test
