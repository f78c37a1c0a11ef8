// SPDX-License-Identifier: Apache-2.0
// swept run --save and --load: runs in pieces give the bits of one run; --auto-reset.
#include "cli/command.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace swept::test {
namespace {

using nlohmann::json;

const std::string humanoid = scene("humanoid/humanoid.xml");
const std::string pendulum = scene("pendulum/pendulum.xml");

// the JSON of a run that has to succeed
json run_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "run");
  arguments.push_back("--json");
  const Outcome done = run_swept(arguments);
  EXPECT_EQ(done.code, 0) << done.err;
  return done.code == 0 ? json::parse(done.out) : json();
}

// the error of a run that has to be refused
std::string refused(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "run");
  const Outcome done = run_swept(arguments);
  EXPECT_NE(done.code, 0) << done.out;
  return done.err;
}

TEST(Resume, RunsInPiecesGiveTheBitsOfOneRun) {
  const std::string a = write_file("a.snap", ""), b = write_file("b.snap", "");
  for (const char* precision : {"f32", "f64"}) {
    const std::vector<std::string> controls{"--ctrl", "random", "--seed",      "3",
                                            "--hold", "7",      "--precision", precision};
    const auto run = [&](std::vector<std::string> arguments) {
      arguments.insert(arguments.begin(), humanoid);
      arguments.insert(arguments.end(), controls.begin(), controls.end());
      return run_json(arguments);
    };
    const json whole = run({"--envs", "33", "--steps", "100"});
    run({"--envs", "33", "--steps", "31", "--save", a, "--threads", "2"});
    const json middle = run({"--steps", "40", "--load", a, "--save", b, "--threads", "1"});
    EXPECT_EQ(middle["envs"], 33) << "as many as were saved";
    EXPECT_EQ(middle["first_step"], 31);
    const json end = run({"--steps", "29", "--load", b, "--envs", "33"});
    EXPECT_EQ(end["first_step"], 71);
    EXPECT_EQ(end["state_hash"], whole["state_hash"]);
    EXPECT_NE(middle["state_hash"], whole["state_hash"]);
  }
}

TEST(Resume, ControlsThatChangeStartAtOnce) {
  const std::string a = write_file("c.snap", "");
  run_json({humanoid, "--envs", "2", "--steps", "10", "--ctrl", "random", "--save", a});
  const json random = run_json({humanoid, "--steps", "3", "--ctrl", "random", "--load", a});
  const json zero = run_json({humanoid, "--steps", "3", "--load", a});
  EXPECT_NE(random["state_hash"], zero["state_hash"]);
}

TEST(Resume, WhatDoesNotFitIsRefusedWithTheFilesName) {
  const std::string a = write_file("d.snap", ""), text = write_file("text.snap", "<mujoco/>");
  run_json({humanoid, "--envs", "2", "--steps", "2", "--save", a});
  EXPECT_NE(refused({pendulum, "--load", a}).find(a + ": the snapshot is of another model"),
            std::string::npos);
  EXPECT_NE(refused({humanoid, "--load", a, "--precision", "f64"}).find("use --precision f32"),
            std::string::npos);
  EXPECT_NE(refused({humanoid, "--load", a, "--envs", "3"}).find("2 environments, not 3"),
            std::string::npos);
  EXPECT_NE(refused({humanoid, "--load", text}).find(text + ": this is no snapshot"),
            std::string::npos);
  EXPECT_NE(refused({humanoid, "--load", a + ".not"}).find("cannot be read"), std::string::npos);
  EXPECT_NE(refused({humanoid, "--load", a, "--keyframe", "squat"}), "");
  EXPECT_NE(refused({humanoid, "--steps", "1", "--save", "/no/such/folder/x"}).find("written"),
            std::string::npos);
}

TEST(AutoReset, TakesAKeyframeOrNone) {
  EXPECT_EQ(run_json({humanoid, "--steps", "5", "--auto-reset"})["resets"], 0);
  EXPECT_EQ(run_json({humanoid, "--steps", "5", "--auto-reset=squat"})["resets"], 0);
  EXPECT_NE(refused({humanoid, "--steps", "5", "--auto-reset=jump"}).find("'jump'"),
            std::string::npos);

  // a control beyond all bounds; the reset takes it away
  const std::string push = write_file("push_hard.csv", "2e10\n");
  const json frozen = run_json({pendulum, "--steps", "40", "--ctrl", push});
  EXPECT_EQ(frozen["frozen"].size(), 1u) << frozen;
  const json reset = run_json({pendulum, "--steps", "40", "--ctrl", push, "--auto-reset"});
  EXPECT_EQ(reset["frozen"].size(), 0u) << reset;
  EXPECT_EQ(reset["resets"], 1);
}

}  // namespace
}  // namespace swept::test
