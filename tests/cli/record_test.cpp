// SPDX-License-Identifier: Apache-2.0
// swept run --record out.h5, read back by h5py: values, attributes, chunks, compression, the memory
// it takes, and what interrupted runs leave behind.
#include "bench/controls.h"
#include "cli/command.h"

#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/load.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace swept::test {
namespace {

using nlohmann::json;

const std::string humanoid = scene("humanoid/humanoid.xml");
const std::string tendon = scene("tendon/tendon.xml");
const std::string python = SWEPT_VENV "/bin/python";

class Record : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(python) || run_program(python, {"-c", "import h5py"}).code != 0) {
      GTEST_SKIP() << "no h5py in " << SWEPT_VENV << ": tools/setup test installs it";
    }
  }
};

json read_recording(const std::string& path, int env = 0) {
  const Outcome done =
      run_program(python, {SWEPT_SOURCE_DIR "/tests/cli/recording.py", path, std::to_string(env)});
  EXPECT_EQ(done.code, 0) << done.err;
  return done.code == 0 ? json::parse(done.out) : json();
}

void run_well(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "run");
  const Outcome done = run_swept(arguments);
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err, "");
}

TEST_F(Record, HoldsTheStatesOfEveryEnvironmentAndStep) {
  const std::string path = write_file("states.h5", "");
  run_well({humanoid, "--envs", "7", "--steps", "30", "--ctrl", "random", "--seed", "4", "--record",
            path});
  constexpr int env = 5;
  const json data = read_recording(path, env)["datasets"];
  ASSERT_EQ(data["qpos"]["shape"], json({31, 7, 28}));
  ASSERT_EQ(data["ctrl"]["shape"], json({31, 7, 21}));
  EXPECT_EQ(data["time"]["shape"], json({31, 7, 1}));
  EXPECT_FALSE(data.contains("act")) << "the humanoid has no activations";

  // the same steps here
  const Model model = compile(load(humanoid));
  const auto controls = bench::random_controls(model, 4, 5);
  Batch batch(model, {.nenv = 7});
  for (int step = 0; step <= 30; ++step) {
    for (const char* name : {"time", "qpos", "qvel", "ctrl"}) {
      const auto got = data[name]["rows"][static_cast<std::size_t>(step)].get<std::vector<float>>();
      const View<float> want = batch.field<float>(name);
      ASSERT_TRUE(std::equal(got.begin(), got.end(), want[env].begin(), want[env].end()))
          << name << " of step " << step;
    }
    if (step % 5 == 0) {
      bench::apply(*controls, batch, step);
    }
    batch.step();
  }
}

TEST_F(Record, HasUnitsNamesChunksAndCompression) {
  const std::string path = write_file("described.h5", "");
  run_well({humanoid, "--envs", "20", "--steps", "400", "--precision", "f64", "--record-every", "2",
            "--record", path, "--record-fields", "time,qpos,qvel,xpos,ncon"});
  const json file = read_recording(path);
  EXPECT_EQ(file["attributes"]["model"], "humanoid");
  EXPECT_EQ(file["attributes"]["timestep"], 0.005);
  EXPECT_EQ(file["attributes"]["precision"], "f64");
  EXPECT_EQ(file["attributes"]["record_every"], json({2}));
  EXPECT_EQ(file["datasets"].size(), 5u);

  const json& qpos = file["datasets"]["qpos"];
  EXPECT_EQ(qpos["shape"], json({201, 20, 28}));
  EXPECT_EQ(qpos["type"], "float64");
  EXPECT_EQ(qpos["attributes"]["unit"], "m or 1");
  EXPECT_EQ(qpos["attributes"]["names"].size(), 28u);
  EXPECT_EQ(qpos["attributes"]["names"][0], "root[0]");
  EXPECT_EQ(qpos["attributes"]["names"][7], "spine_yaw");
  const json& xpos = file["datasets"]["xpos"];
  EXPECT_EQ(xpos["attributes"]["unit"], "m");
  EXPECT_EQ(xpos["attributes"]["shape"], json({14, 3}));
  EXPECT_EQ(xpos["attributes"]["names"][1], "pelvis");
  EXPECT_EQ(file["datasets"]["ncon"]["type"], "int32");

  for (const auto& [name, data] : file["datasets"].items()) {
    EXPECT_EQ(data["compression"], "gzip") << name;
    EXPECT_TRUE(data["shuffle"]) << name;
    EXPECT_EQ(data["chunks"].size(), 3u) << name;
    EXPECT_TRUE(data["finite"]) << name;
    EXPECT_EQ(data["rows"].size(), 201u) << name;
  }
  // a humanoid that falls without controls is the same in all environments
  EXPECT_LT(qpos["stored"].get<double>(), 201.0 * 20 * 28 * 8 / 3);
}

TEST_F(Record, ComputedFieldsBelongToTheStateBesideThem) {
  const std::string path = write_file("moment.h5", "");
  run_well({humanoid, "--envs", "3", "--steps", "40", "--ctrl", "random", "--record", path,
            "--record-fields", "xpos,qpos"});
  const json data = read_recording(path, 2)["datasets"];
  for (std::size_t row = 0; row <= 40; ++row) {
    // the pelvis has the free joint, so it is where that joint's coordinates are
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(data["xpos"]["rows"][row][3 + i], data["qpos"]["rows"][row][i]) << "row " << row;
    }
  }
}

TEST_F(Record, ChangesNothingInTheRun) {
  const std::string path = write_file("same.h5", "");
  const auto hash = [](std::vector<std::string> more) {
    std::vector<std::string> arguments{"run", humanoid, "--envs", "9",     "--steps",
                                       "50",  "--ctrl", "random", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return json::parse(run_swept(arguments).out)["state_hash"];
  };
  EXPECT_EQ(hash({}), hash({"--record", path, "--record-fields", "qpos,xpos,qacc,ncon"}));
}

TEST_F(Record, CsvTakesTheSameFields) {
  const std::string path = write_file("fields.csv", "");
  run_well({humanoid, "--steps", "3", "--record", path, "--record-fields", "time,xpos,ncon"});
  const auto rows = read_csv(path);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0].size(), 1u + 42u + 1u);
  EXPECT_EQ(rows[0][1], "xpos_0");
  EXPECT_EQ(rows[4][0], "0.015");
}

TEST_F(Record, MemoryDoesNotGrowWithTheSteps) {
  const std::string path = write_file("long.h5", "");
  const auto peak = [&](const char* steps) {
    const Outcome done = run_swept({"run", tendon, "--envs", "64", "--steps", steps, "--threads",
                                    "1", "--ctrl", "random", "--record", path});
    EXPECT_EQ(done.code, 0) << done.err;
    return done.peak_bytes;
  };
  const long brief = peak("3000"), full = peak("20000");
  // the longer one writes 110 MB more; the index of the chunks may take some of the library's cache
  EXPECT_LT(full - brief, 4 << 20) << brief << " and " << full;
}

TEST_F(Record, CtrlCLeavesAWholeFile) {
  const std::string path = write_file("ctrl_c.h5", "");
  const Outcome done = interrupt_swept(
      {"run", scene("pendulum/pendulum.xml"), "--steps", "100000000", "--record", path}, "left");
  EXPECT_EQ(done.code, 130) << done.out;
  const json data = read_recording(path)["datasets"];
  EXPECT_GT(data["time"]["rows"].size(), 1u);
  EXPECT_EQ(data["time"]["rows"].size(), data["qpos"]["rows"].size());
}

TEST_F(Record, AKilledRunLeavesWhatWasOnTheDisk) {
  const std::string path = write_file("killed.h5", "");
  kill_swept(
      {"run", tendon, "--envs", "16", "--steps", "100000000", "--ctrl", "random", "--record", path},
      path, 1 << 20);
  const json data = read_recording(path)["datasets"];
  const std::size_t rows = data["time"]["rows"].size();
  ASSERT_GT(rows, 100u);
  for (const auto& [name, column] : data.items()) {
    EXPECT_EQ(column["rows"].size(), rows) << name;
    EXPECT_TRUE(column["finite"]) << name;
  }
  // steps of 2 ms; time is a sum of rounded numbers in f32
  for (std::size_t i = 1; i < 100; ++i) {
    EXPECT_NEAR(data["time"]["rows"][i][0].get<double>(), 0.002 * static_cast<double>(i), 1e-5);
  }
}

TEST_F(Record, SaysWhichFieldsThereAre) {
  const std::string path = write_file("unknown.h5", "");
  const Outcome unknown =
      run_swept({"run", tendon, "--record", path, "--record-fields", "qpos,colour"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_NE(unknown.err.find("'colour'"), std::string::npos) << unknown.err;
  EXPECT_NE(unknown.err.find("xpos"), std::string::npos) << unknown.err;
  const Outcome twice =
      run_swept({"run", tendon, "--record", path, "--record-fields", "qpos,qpos"});
  EXPECT_EQ(twice.code, 1);
  EXPECT_EQ(run_swept({"run", tendon, "--record-fields", "qpos"}).code, 2);
  const Outcome nowhere = run_swept({"run", tendon, "--record", "/nowhere/out.h5"});
  EXPECT_EQ(nowhere.code, 1);
  EXPECT_NE(nowhere.err.find("/nowhere/out.h5"), std::string::npos) << nowhere.err;
}

}  // namespace
}  // namespace swept::test
