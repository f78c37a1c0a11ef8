// SPDX-License-Identifier: Apache-2.0
// swept bench: small comparisons, alone and against the official library.
#include "cli/command.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

namespace swept::test {
namespace {

using nlohmann::json;

TEST(Bench, ComparesThePrecisionsOfAScene) {
  const Outcome done = run_swept({"bench", scene("tendon/tendon.xml"), "--envs", "16", "--steps",
                                  "20", "--warmup", "20", "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  const json bench = json::parse(done.out);
  ASSERT_EQ(bench["sides"].size(), 2u);
  EXPECT_EQ(bench["sides"][0]["name"], "swept f32");
  EXPECT_EQ(bench["sides"][1]["name"], "swept f64");
  for (const json& side : bench["sides"]) {
    EXPECT_EQ(side["seconds"].size(), 3u);
    EXPECT_GT(side["steps_per_second"], 0.0);
    EXPECT_EQ(side["dropped"], 0);
    EXPECT_EQ(side["samples"], 15);
  }
}

TEST(Bench, StandsBesideTheOfficialLibrary) {
  const Outcome done =
      run_swept({"bench", scene("humanoid/humanoid.xml"), "--envs", "64", "--steps", "20",
                 "--warmup", "20", "--precision", "f64", "--against", "mujoco", "--json"});
#if SWEPT_HAVE_ORACLE
  ASSERT_EQ(done.code, 0) << done.err;
  const json bench = json::parse(done.out);
  ASSERT_EQ(bench["sides"].size(), 2u);
  const json ours = bench["sides"][0], theirs = bench["sides"][1];
  EXPECT_EQ(theirs["name"].get<std::string>().rfind("mujoco ", 0), 0u);
  EXPECT_EQ(theirs["ratio"], 1.0);
  // 80 steps from the same state under the same controls: the falls are still nearly the same
  EXPECT_NEAR(ours["contacts"]["mean"].get<double>(), theirs["contacts"]["mean"].get<double>(),
              0.05 * theirs["contacts"]["mean"].get<double>());
  EXPECT_NEAR(ours["rows"]["mean"].get<double>(), theirs["rows"]["mean"].get<double>(),
              0.05 * theirs["rows"]["mean"].get<double>());
#else
  EXPECT_EQ(done.code, 1);
  EXPECT_NE(done.err.find("without the official MuJoCo library"), std::string::npos) << done.err;
#endif
}

TEST(Bench, PrintsATableForPeople) {
  const Outcome done = run_swept({"bench", scene("pendulum/pendulum.xml"), "--envs", "8", "--steps",
                                  "10", "--warmup", "0", "--turns", "1"});
  ASSERT_EQ(done.code, 0) << done.err;
  for (const char* part : {"steps/s", "contacts", "rows", "iterations", "dropped", "penetration",
                           "residual", "memory", "swept f32", "swept f64"}) {
    EXPECT_NE(done.out.find(part), std::string::npos) << part << " in\n" << done.out;
  }
}

TEST(Bench, AMissingSceneIsAnError) {
  const Outcome done = run_swept({"bench", "/nowhere/scene.xml"});
  EXPECT_EQ(done.code, 1);
  EXPECT_NE(done.err.find("/nowhere/scene.xml"), std::string::npos) << done.err;
}

}  // namespace
}  // namespace swept::test
