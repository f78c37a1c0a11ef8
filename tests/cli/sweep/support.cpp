// SPDX-License-Identifier: Apache-2.0
// The helpers of the tests of swept sweep.
#include "cli/sweep/support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace swept::test {

namespace fs = std::filesystem;
using nlohmann::json;

std::string fresh(const std::string& name) {
  const std::string path = write_file(name, "");
  fs::remove_all(path);
  fs::remove_all(path + ".parts");
  return path;
}

json sweep_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "sweep");
  arguments.push_back("--json");
  const Outcome done = run_swept(arguments);
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err, "") << "a pipe gets no progress";
  return done.code == 0 ? json::parse(done.out) : json();
}

std::string refused(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "sweep");
  const Outcome done = run_swept(arguments);
  EXPECT_EQ(done.code, 1) << done.out;
  EXPECT_NE(done.err.find("; "), std::string::npos) << "no remedy in: " << done.err;
  return done.err;
}

std::vector<double> column(const std::string& path, const std::string& title) {
  const auto rows = read_csv(path);
  const auto at = std::find(rows[1].begin(), rows[1].end(), title);
  EXPECT_NE(at, rows[1].end()) << title;
  std::vector<double> numbers;
  for (std::size_t i = 2; i < rows.size(); ++i) {
    numbers.push_back(std::stod(rows[i][static_cast<std::size_t>(at - rows[1].begin())]));
  }
  return numbers;
}

std::string humanoid_sweep(const std::string& precision) {
  const json sweep = json::parse(R"({
    "steps": 60, "keyframe": "squat",
    "controls": {"random": {"seed": 3, "hold": 7}},
    "samples": {"count": 9, "sequence": "sobol", "seed": 4},
    "parameters": [
      {"name": "mass", "change": "scale", "log_uniform": [0.5, 2],
       "targets": [{"field": "body_mass"}, {"field": "body_inertia"}]},
      {"name": "friction", "field": "geom_friction", "column": 0, "values": [0.1, 0.8]},
      {"name": "push", "field": "qvel", "of": ["root[0]"], "change": "add", "normal": [0, 1]},
      {"name": "seed", "field": "seed", "values": [3, 4]}],
    "measures": [
      {"name": "head", "field": "xpos", "of": "head", "column": "z", "take": "min"},
      {"name": "speed", "field": "qvel", "of": ["root[0]", "root[1]", "root[2]"], "over": "norm",
       "take": "mean"},
      {"name": "contacts", "field": "ncon", "take": "max"},
      {"name": "effort", "field": "actuator_force", "over": "norm", "take": "rms"},
      {"name": "low", "field": "qpos", "of": "root[2]", "take": "time", "below": 0.45}]})");
  json whole = sweep;
  whole["scene"] = scene("humanoid/humanoid.xml");
  whole["precision"] = precision;
  return write_file("humanoid_" + precision + ".json", whole.dump());
}

}  // namespace swept::test
