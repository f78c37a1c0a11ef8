// SPDX-License-Identifier: Apache-2.0
// swept run: the table, the JSON, the recording, controls, keyframes, and the same bits however it
// is run.
#include "cli/command.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace swept::test {
namespace {

using nlohmann::json;

const std::string humanoid = scene("humanoid/humanoid.xml");
const std::string pendulum = scene("pendulum/pendulum.xml");
const std::string tendon = scene("tendon/tendon.xml");

// the JSON of a run that has to succeed
json run_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "run");
  arguments.push_back("--json");
  const Outcome done = run_swept(arguments);
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err, "") << "a pipe gets no progress";
  return done.code == 0 ? json::parse(done.out) : json();
}

TEST(Run, PrintsOneTableIntoAPipeAndNothingElse) {
  const Outcome done =
      run_swept({"run", humanoid, "--envs", "40", "--steps", "30", "--ctrl", "random"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  EXPECT_EQ(done.out.find('\r'), std::string::npos);
  for (const char* title :
       {"scene", "environments", "steps", "time", "speed", "contacts", "rows", "iterations",
        "dropped", "penetration", "residual", "memory", "frozen", "state hash"}) {
    EXPECT_NE(("\n" + done.out).find("\n" + std::string(title) + " "), std::string::npos)
        << title << " in\n"
        << done.out;
  }
}

TEST(Run, JsonSaysWhatWasDone) {
  const json run =
      run_json({humanoid, "--threads", "2", "--envs", "24", "--steps", "50", "--ctrl", "random"});
  EXPECT_EQ(run["envs"], 24);
  EXPECT_EQ(run["threads"], 2);
  EXPECT_EQ(run["steps"], 50);
  EXPECT_NEAR(run["simulated"].get<double>(), 0.25, 1e-12);  // 50 steps of 5 ms
  EXPECT_GT(run["steps_per_second"], 0.0);
  EXPECT_EQ(run["dropped"], 0);
  EXPECT_TRUE(run["frozen"].empty());
  EXPECT_FALSE(run["interrupted"]);
  EXPECT_GT(run["contacts"]["mean"], 0.0);
  EXPECT_GE(run["contacts"]["max"], run["contacts"]["p95"]);
  EXPECT_GT(run["memory"]["per_env"], 0);
}

TEST(Run, TheSameSeedGivesTheSameBitsForAnyNumberOfThreads) {
  const std::vector<std::string> base{humanoid, "--envs", "50",    "--steps",
                                      "60",     "--ctrl", "random"};
  const auto hash = [&](std::vector<std::string> more) {
    more.insert(more.begin(), base.begin(), base.end());
    return run_json(more)["state_hash"];
  };
  const json one = hash({"--threads", "1", "--seed", "7"});
  EXPECT_EQ(one, hash({"--threads", "2", "--seed", "7"}));
  EXPECT_EQ(one, hash({"--threads", "7", "--seed", "7"}));
  EXPECT_NE(one, hash({"--threads", "2", "--seed", "8"}));
}

TEST(Run, RecordingDoesNotChangeTheResult) {
  const std::string path = write_file("unchanged.csv", "");
  const std::vector<std::string> base{tendon, "--envs", "9", "--steps", "40", "--ctrl", "random"};
  std::vector<std::string> recorded = base;
  recorded.insert(recorded.end(), {"--record", path});
  EXPECT_EQ(run_json(base)["state_hash"], run_json(recorded)["state_hash"]);
}

TEST(Run, XmlAndJsonGiveTheSameBits) {
  const std::vector<std::string> options{"--envs", "17",     "--steps",     "100",
                                         "--ctrl", "random", "--precision", "f64"};
  std::vector<std::string> xml{humanoid}, other{scene("humanoid/humanoid.json")};
  xml.insert(xml.end(), options.begin(), options.end());
  other.insert(other.end(), options.begin(), options.end());
  EXPECT_EQ(run_json(xml)["state_hash"], run_json(other)["state_hash"]);
}

TEST(Run, RecordsTimePositionsAndVelocitiesOfEveryStep) {
  const std::string path = write_file("trajectory.csv", "");
  const json run = run_json({tendon, "--envs", "3", "--steps", "25", "--record", path});
  const auto rows = read_csv(path);
  EXPECT_EQ(run["recorded_rows"], 26);
  ASSERT_EQ(rows.size(), 1u + 26u);  // header, start, 25 steps
  ASSERT_EQ(rows[0].size(), 1u + 12u + 11u);
  EXPECT_EQ(rows[0][0], "time");
  EXPECT_EQ(rows[0][1], "qpos_0");
  EXPECT_EQ(rows[0][13], "qvel_0");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), rows[0].size());
    // steps of 2 ms; time is a sum of rounded numbers in f32
    EXPECT_NEAR(std::stod(rows[i][0]), 0.002 * static_cast<double>(i - 1), 1e-6);
  }
}

TEST(Run, RecordsEveryFewStepsWhatItRecordsEveryStep) {
  const std::string dense = write_file("dense.csv", ""), sparse = write_file("sparse.csv", "");
  run_json({humanoid, "--envs", "5", "--steps", "30", "--ctrl", "random", "--record", dense});
  run_json({humanoid, "--envs", "5", "--steps", "30", "--ctrl", "random", "--record", sparse,
            "--record-every", "10"});
  const auto all = read_csv(dense), some = read_csv(sparse);
  ASSERT_EQ(some.size(), 1u + 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(some[1 + i], all[1 + 10 * i]);
  }
}

TEST(Run, APendulumSwingsWithItsKnownPeriod) {
  const std::string path = write_file("pendulum.csv", "");
  run_json(
      {pendulum, "--keyframe", "small", "--steps", "1000", "--precision", "f64", "--record", path});
  const auto rows = read_csv(path);
  ASSERT_EQ(rows.size(), 1002u);
  // a physical pendulum: inertia 1 kg (1 m)^2 + 0.002 kg m^2; amplitude 0.01 adds a^2/16
  const double period = 2 * M_PI * std::sqrt(1.002 / 9.81) * (1 + 0.01 * 0.01 / 16);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double t = std::stod(rows[i][0]);
    // the next term of the pendulum's series is of order a^3/192, and RK4's error is smaller
    ASSERT_NEAR(std::stod(rows[i][1]), 0.01 * std::cos(2 * M_PI * t / period), 2e-8) << "at " << t;
  }
}

TEST(Run, KeyframesGoByNameAndById) {
  const std::vector<std::string> tail{"--steps", "5"};
  const auto hash = [&](const std::string& key) {
    return run_json({humanoid, "--steps", "5", "--keyframe", key})["state_hash"];
  };
  EXPECT_EQ(hash("squat"), hash("1"));
  EXPECT_NE(hash("squat"), hash("stand"));
}

TEST(Run, AnUnknownKeyframeNamesThoseThereAre) {
  const Outcome done = run_swept({"run", humanoid, "--keyframe", "jump"});
  EXPECT_EQ(done.code, 1);
  EXPECT_NE(done.err.find("'jump'"), std::string::npos) << done.err;
  EXPECT_NE(done.err.find("stand, squat"), std::string::npos) << done.err;
}

TEST(Run, ControlsFromAFileAreFollowedRowByRow) {
  // a torque of 1 N m for one step, then none: the pendulum moves on at a speed of h / inertia
  const std::string controls = write_file("push.csv", "# pivot\n1\n0\n");
  const std::string path = write_file("pushed.csv", "");
  run_json({pendulum, "--steps", "3", "--ctrl", controls, "--precision", "f64", "--record", path});
  const auto rows = read_csv(path);
  ASSERT_EQ(rows.size(), 5u);
  const double speed = 0.005 / 1.002;
  // gravity's pull on the way is below h^2 g times the speed
  EXPECT_NEAR(std::stod(rows[2][2]), speed, 1e-6);
  EXPECT_NEAR(std::stod(rows[3][2]), speed, 5e-6);
}

TEST(Run, TheLastRowOfAFileStays) {
  const std::string brief = write_file("brief.csv", "0.5\n-1\n");
  const std::string full = write_file("full.csv", "0.5\n-1\n-1\n-1\n-1\n-1\n-1\n-1\n-1\n-1\n");
  const auto hash = [&](const std::string& path) {
    return run_json({pendulum, "--steps", "10", "--ctrl", path})["state_hash"];
  };
  EXPECT_EQ(hash(brief), hash(full));
}

TEST(Run, ABadControlFileIsAnErrorWithItsLine) {
  const std::string word = write_file("word.csv", "1\nx\n");
  const std::string wide = write_file("wide.csv", "1\n1,2\n");
  const std::string empty = write_file("empty.csv", "# nothing\n");
  for (const auto& [path, text] : {std::pair{word, word + ":2: 'x'"},
                                   {wide, wide + ":2: 2 numbers"},
                                   {empty, empty + ": no row"},
                                   {std::string("/nowhere.csv"), "/nowhere.csv"}}) {
    const Outcome done = run_swept({"run", pendulum, "--steps", "1", "--ctrl", path});
    EXPECT_EQ(done.code, 1);
    EXPECT_NE(done.err.find(text), std::string::npos) << done.err;
  }
}

TEST(Run, ARecordingThatCannotBeWrittenIsAnError) {
  const Outcome done = run_swept({"run", pendulum, "--record", "/nowhere/out.csv"});
  EXPECT_EQ(done.code, 1);
  EXPECT_NE(done.err.find("/nowhere/out.csv"), std::string::npos) << done.err;
}

TEST(Run, AnUnknownDeviceIsAnError) {
  const Outcome done = run_swept({"run", pendulum, "--device", "abacus"});
  EXPECT_EQ(done.code, 1);
  EXPECT_NE(done.err.find("abacus"), std::string::npos) << done.err;
}

TEST(Run, NoStepsAtAllIsFine) {
  const json run = run_json({pendulum, "--steps", "0"});
  EXPECT_EQ(run["steps"], 0);
}

TEST(Run, ADivergingSceneFreezesAndSaysWhy) {
  // a spring that Euler cannot integrate at this step
  const std::string path = write_file("unstable.xml", R"(<mujoco model="unstable">
  <option timestep="0.1" gravity="0 0 0"/>
  <worldbody>
    <body>
      <joint type="slide" axis="1 0 0" stiffness="1e6"/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
    </body>
  </worldbody>
  <keyframe><key qpos="1"/></keyframe>
</mujoco>
)");
  const json run = run_json({path, "--envs", "3", "--steps", "50", "--keyframe", "0"});
  ASSERT_EQ(run["frozen"].size(), 1u);
  EXPECT_EQ(run["frozen"][0]["count"], 3);
  EXPECT_EQ(run["frozen"][0]["first_env"], 0);
  EXPECT_FALSE(run["frozen"][0]["reason"].get<std::string>().empty());
}

}  // namespace
}  // namespace swept::test
