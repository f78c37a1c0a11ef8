// SPDX-License-Identifier: Apache-2.0
// swept info: sizes for people and for programs, and one list of all that is unsupported.
#include "cli/command.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace swept::test {
namespace {

using nlohmann::json;

TEST(Info, PrintsSizesOptionsPairsAndMemory) {
  const Outcome done = run_swept({"info", scene("humanoid/humanoid.xml")});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  for (const char* part :
       {"nq 28", "nv 27", "nu 21", "timestep 0.005", "integrator Euler", "plane-capsule",
        "capsule-capsule", "memory f32", "memory f64", "per environment", "per thread", "GPU",
        "stand", "squat", "unsupported   none"}) {
    EXPECT_NE(done.out.find(part), std::string::npos) << part << " in\n" << done.out;
  }
}

TEST(Info, JsonHoldsTheSameNumbers) {
  const Outcome done = run_swept({"info", scene("balls/balls.xml"), "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const json info = json::parse(done.out);
  EXPECT_EQ(info["sizes"]["nv"], 96);
  EXPECT_EQ(info["options"]["cone"], "elliptic");
  EXPECT_EQ(info["options"]["impratio"], 2.0);
  // 16 balls: with the plane, with each other, with four walls and with the bump
  EXPECT_EQ(info["pairs"]["plane-sphere"], 16);
  EXPECT_EQ(info["pairs"]["sphere-sphere"], 16 * 15 / 2);
  EXPECT_EQ(info["pairs"]["sphere-box"], 16 * 4);
  EXPECT_EQ(info["pairs"]["sphere-capsule"], 16);
  EXPECT_EQ(info["pairs"]["capsule-capsule"], 0);
  EXPECT_LT(info["memory"]["f32"]["state"], info["memory"]["f64"]["state"]);
  for (const char* precision : {"f32", "f64"}) {
    const json& memory = info["memory"][precision];
    // the state is kept twice, and a thread steps several environments at a time
    EXPECT_GE(memory["per_env"].get<int>(), 2 * memory["state"].get<int>());
    EXPECT_GE(memory["per_thread"].get<int>(),
              memory["tile"].get<int>() * memory["scratch"].get<int>());
    EXPECT_EQ(memory["per_env_gpu"].get<int>(),
              memory["per_env"].get<int>() + memory["scratch"].get<int>());
  }
  EXPECT_TRUE(info["unsupported"].empty());
}

TEST(Info, AHumanoidTakesAtMost64KilobytesInSinglePrecision) {
  const Outcome done = run_swept({"info", scene("humanoid/humanoid.xml"), "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const json memory = json::parse(done.out)["memory"]["f32"];
  EXPECT_LE(memory["state"].get<int>() + memory["scratch"].get<int>(), 64000);
}

const char* const unsupported_scene = R"(<mujoco>
  <option integrator="discrete"/>
  <worldbody>
    <body>
      <freejoint/>
      <geom size=".1"/>
      <site name="s"/>
    </body>
  </worldbody>
  <sensor>
    <gyro site="s"/>
  </sensor>
  <equality>
    <weld body1="world" body2="world"/>
  </equality>
</mujoco>
)";

TEST(Info, ListsEveryUnsupportedPlaceAtOnceWithFileAndLine) {
  const std::string path = write_file("unsupported.xml", unsupported_scene);
  const Outcome done = run_swept({"info", path});
  EXPECT_EQ(done.code, 1);
  for (const char* line : {":2:", ":11:", ":14:"}) {
    EXPECT_NE(done.out.find(path + line), std::string::npos) << line << " in\n" << done.out;
  }
  EXPECT_NE(done.err.find("not supported"), std::string::npos) << done.err;
}

TEST(Info, RunRefusesTheSamePlacesInOneError) {
  const std::string path = write_file("refused.xml", unsupported_scene);
  const Outcome done = run_swept({"run", path, "--steps", "1"});
  EXPECT_EQ(done.code, 1);
  EXPECT_EQ(done.out, "");
  for (const char* line : {":2:", ":11:", ":14:"}) {
    EXPECT_NE(done.err.find(path + line), std::string::npos) << line << " in\n" << done.err;
  }
}

TEST(Info, MalformedXmlIsAnErrorWithItsLine) {
  const std::string path = write_file("broken.xml", "<mujoco>\n  <worldbody>\n  </mujoco>\n");
  const Outcome done = run_swept({"info", path});
  EXPECT_EQ(done.code, 1);
  EXPECT_EQ(done.err.rfind("swept: error: " + path + ":", 0), 0u) << done.err;
}

TEST(Info, AMissingFileIsNamed) {
  const Outcome done = run_swept({"info", "/nowhere/scene.xml"});
  EXPECT_EQ(done.code, 1);
  EXPECT_NE(done.err.find("/nowhere/scene.xml"), std::string::npos) << done.err;
}

TEST(Info, WrongUsageIsExitCodeTwo) {
  EXPECT_EQ(run_swept({}).code, 2);
  EXPECT_EQ(run_swept({"info"}).code, 2);
  EXPECT_EQ(run_swept({"fly"}).code, 2);
  EXPECT_EQ(run_swept({"run", scene("balls/balls.xml"), "--envs", "0"}).code, 2);
  EXPECT_EQ(run_swept({"run", scene("balls/balls.xml"), "--envs", "many"}).code, 2);
  EXPECT_EQ(run_swept({"run", scene("balls/balls.xml"), "--precision", "f16"}).code, 2);
  EXPECT_EQ(run_swept({"bench", scene("balls/balls.xml"), "--against", "nobody"}).code, 2);
}

TEST(Info, HelpIsNoError) {
  const Outcome done = run_swept({"run", "--help"});
  EXPECT_EQ(done.code, 0);
  for (const char* option : {"--envs", "--steps", "--device", "--precision", "--threads", "--ctrl",
                             "--seed", "--keyframe", "--record", "--record-fields", "--json"}) {
    EXPECT_NE(done.out.find(option), std::string::npos) << option;
  }
}

}  // namespace
}  // namespace swept::test
