// SPDX-License-Identifier: Apache-2.0
// swept sweep: rows are what one environment by itself gives, and depend on the combination alone;
// shards merge; formats agree; bad input is refused.
#include "cli/sweep/support.h"

#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/load.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace swept::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string humanoid = scene("humanoid/humanoid.xml");
const std::string pendulum = scene("pendulum/pendulum.xml");

TEST(Sweep, RowsDependOnTheCombinationAlone) {
  for (const std::string precision : {"f32", "f64"}) {
    const std::string sweep = humanoid_sweep(precision);
    const std::string whole = fresh("whole.csv");
    const json done = sweep_json({sweep, "--out", whole});
    EXPECT_EQ(done["combinations"], 36);
    EXPECT_EQ(done["run"], 36);
    EXPECT_EQ(done["stopped"], 0);
    const std::string wanted = read_file(whole);
    EXPECT_EQ(read_csv(whole).size(), 38u);
    const std::vector<std::vector<std::string>> ways{
        {"--envs", "1"}, {"--envs", "7", "--threads", "1"}, {"--envs", "5", "--threads", "2"}};
    for (const auto& way : ways) {
      const std::string path = fresh("way.csv");
      std::vector<std::string> arguments{sweep, "--out", path};
      arguments.insert(arguments.end(), way.begin(), way.end());
      sweep_json(arguments);
      EXPECT_EQ(read_file(path), wanted) << precision << " " << way[1];
    }
    // something varies
    for (const char* title : {"head [m]", "speed [m/s]", "effort [N or N m]"}) {
      const std::vector<double> numbers = column(whole, title);
      EXPECT_LT(*std::min_element(numbers.begin(), numbers.end()),
                *std::max_element(numbers.begin(), numbers.end()))
          << title;
    }
  }
}

TEST(Sweep, ShardsShareTheWorkAndTheLastOneMakesTheTable) {
  const std::string sweep = humanoid_sweep("f32");
  const std::string whole = fresh("alone.csv"), shared = fresh("shared.csv");
  sweep_json({sweep, "--out", whole});
  int run = 0;
  for (const char* shard : {"2/3", "3/3", "1/3"}) {
    const json done = sweep_json({sweep, "--out", shared, "--shard", shard, "--envs", "5"});
    run += done["run"].get<int>();
    EXPECT_EQ(done["rows"], run);
    EXPECT_EQ(done["whole"], run == 36);
    EXPECT_EQ(fs::exists(shared), run == 36);
  }
  EXPECT_EQ(run, 36) << "no combination twice";
  EXPECT_EQ(read_file(shared), read_file(whole));
  EXPECT_FALSE(fs::exists(shared + ".parts"));
  EXPECT_EQ(sweep_json({sweep, "--out", shared, "--shard", "1/3"})["run"], 0) << "it is done";

  // a process that does not know of shards takes over what they left
  const std::string left = fresh("left.csv");
  sweep_json({sweep, "--out", left, "--shard", "1/2"});
  const json rest = sweep_json({sweep, "--out", left});
  EXPECT_EQ(rest["run"], 18);
  EXPECT_EQ(read_file(left), read_file(whole));
}

/// What one environment gives that is stepped one step at a time and asked after a forward pass.
struct Alone {
  double least = 1e9, sum = 0, squares = 0, last = 0, event = -1;
  int moments = 0;
};

Alone run_alone(const Model& model, const std::string& field, std::size_t at, int steps, int every,
                double below, double scale, double velocity) {
  Batch batch(model, {.nenv = 1, .precision = Precision::f64});
  for (const char* name : {"body_mass", "body_inertia"}) {
    std::vector<double> numbers = batch.read(name);
    std::transform(numbers.begin(), numbers.end(), numbers.begin(),
                   [&](double x) { return x * scale; });
    batch.write(name, numbers, 0);
  }
  batch.reset(0);
  std::vector<double> qvel = batch.read("qvel");
  qvel[0] += velocity;
  batch.write("qvel", qvel);
  batch.bind(field);
  Alone alone;
  for (int step = 0; step <= steps; ++step) {
    if (step % every == 0 || step == steps) {
      batch.forward();
      const double number = batch.read(field)[at];
      alone.least = std::min(alone.least, number);
      alone.sum += number;
      alone.squares += number * number;
      alone.last = number;
      ++alone.moments;
      if (alone.event < 0 && number < below) {
        alone.event = step * model.opt_timestep[0];
      }
    }
    if (step < steps) {
      batch.step();
    }
  }
  return alone;
}

// Euler, whose forward pass belongs to the step, and RK4, whose last one does not
void expect_as_alone(const std::string& path, const std::string& field, const std::string& of,
                     std::size_t at, double below) {
  constexpr int steps = 41, every = 3;
  json sweep = {
      {"scene", path}, {"steps", steps}, {"precision", "f64"}, {"every", every}, {"keyframe", 0}};
  sweep["parameters"] = {{{"name", "mass"},
                          {"change", "scale"},
                          {"values", {0.5, 1, 3}},
                          {"targets", {{{"field", "body_mass"}}, {{"field", "body_inertia"}}}}},
                         {{"name", "velocity"},
                          {"field", "qvel"},
                          {"of", 0},
                          {"change", "add"},
                          {"values", {-0.5, 0.25}}}};
  for (const char* take : {"min", "mean", "rms", "final", "time"}) {
    json measure = {{"name", take}, {"field", field}, {"of", of}, {"take", take}};
    if (field == "xpos") {
      measure["column"] = "z";
    }
    if (std::string(take) == "time") {
      measure["below"] = below;
    }
    sweep["measures"].push_back(measure);
  }
  const std::string table = fresh("alone_" + field + ".csv");
  sweep_json({write_file("alone.json", sweep.dump()), "--out", table});
  const Model model = compile(load(path));
  const auto rows = read_csv(table);
  ASSERT_EQ(rows.size(), 8u);
  int seen = 0;
  for (std::size_t i = 2; i < rows.size(); ++i) {
    const auto number = [&](std::size_t column) { return std::stod(rows[i][column]); };
    const Alone alone = run_alone(model, field, at, steps, every, below, number(1), number(2));
    EXPECT_EQ(number(3), alone.least);
    EXPECT_EQ(number(4), alone.sum / alone.moments);
    EXPECT_EQ(number(5), std::sqrt(alone.squares / alone.moments));
    EXPECT_EQ(number(6), alone.last);
    EXPECT_EQ(alone.moments, 15);
    if (alone.event < 0) {
      EXPECT_TRUE(std::isnan(number(7)));
    } else {
      EXPECT_NEAR(number(7), alone.event, 1e-12);
      ++seen;
    }
  }
  EXPECT_GT(seen, 0) << "the threshold decides nothing";
}

TEST(Sweep, ARowIsWhatOneEnvironmentGivesByItself) {
  expect_as_alone(humanoid, "xpos", "head", 3 * 3 + 2, 1.505);
  expect_as_alone(humanoid, "qvel", "root[0]", 0, 0.1);
  expect_as_alone(humanoid, "qacc", "left_knee", 18, 0.0);
  expect_as_alone(pendulum, "qfrc_bias", "0", 0, -1e-3);
}

TEST(Sweep, TheModelsOfABatchDoNotMix) {
  // a parameter whose value is the compiled one in some batches and not in others
  const json sweep = {
      {"scene", humanoid},
      {"steps", 80},
      {"precision", "f64"},
      {"parameters",
       {{{"name", "mass"},
         {"field", "body_mass"},
         {"of", "pelvis"},
         {"change", "scale"},
         {"values", {1, 1, 2, 1}}}}},
      {"measures", {{{"name", "sum"}, {"field", "qpos"}, {"over", "sum"}, {"take", "final"}}}}};
  const std::string path = write_file("mix.json", sweep.dump());
  const std::string one = fresh("one.csv"), all = fresh("all.csv");
  sweep_json({path, "--out", one, "--envs", "1"});
  sweep_json({path, "--out", all});
  EXPECT_EQ(read_file(one), read_file(all));
  const std::vector<double> sums = column(all, "sum [m or 1]");
  EXPECT_EQ(sums[0], sums[1]);
  EXPECT_EQ(sums[0], sums[3]);
  EXPECT_NE(sums[0], sums[2]);
}

TEST(Sweep, RotatesVectorsAndQuaternions) {
  // a ball that falls along gravity, and a body that is turned at the start
  const std::string path = write_file("turn.xml", R"(<mujoco>
    <option timestep="0.01"/>
    <worldbody><body name="b" pos="0 0 0" quat="1 1 0 0"><geom size=".1"/>
      <joint name="x" type="slide" axis="1 0 0"/></body>
    <body name="c"><freejoint name="f"/><geom size=".1" contype="0" conaffinity="0"/></body>
    </worldbody></mujoco>)");
  const json sweep = json::parse(R"({"scene": "turn.xml", "steps": 100, "precision": "f64",
    "parameters": [
      {"name": "tilt", "field": "opt_gravity", "change": "rotate", "axis": [0, 2, 0],
       "values": [0, 30, 90, -60]},
      {"name": "yaw", "field": "body_quat", "of": "b", "change": "rotate", "axis": [0, 0, 1],
       "values": [0, 90, 35]}],
    "measures": [
      {"name": "x", "field": "qvel", "of": "f[0]", "take": "final"},
      {"name": "z", "field": "qvel", "of": "f[2]", "take": "final"},
      {"name": "axis", "field": "xaxis", "of": "x", "column": "y", "take": "final"}]})");
  const std::string table = fresh("turn.csv");
  sweep_json({write_file("turn.json", sweep.dump()), "--out", table});
  const std::vector<double> tilt = column(table, "tilt [deg]"), yaw = column(table, "yaw [deg]");
  const std::vector<double> x = column(table, "x [m/s]"), z = column(table, "z [m/s]");
  const std::vector<double> axis = column(table, "axis [1]");
  ASSERT_EQ(tilt.size(), 12u);
  constexpr double degree = 3.14159265358979323846 / 180;
  for (std::size_t i = 0; i < tilt.size(); ++i) {
    // 1 s of free fall along gravity that is turned about y; the joint's axis is turned about z
    EXPECT_NEAR(x[i], -9.81 * std::sin(tilt[i] * degree), 1e-9);
    EXPECT_NEAR(z[i], -9.81 * std::cos(tilt[i] * degree), 1e-9);
    EXPECT_NEAR(axis[i], std::sin(yaw[i] * degree), 1e-12);
  }
}

TEST(Sweep, Hdf5HoldsTheSameNumbersUnitsAndMeanings) {
  const std::string sweep = humanoid_sweep("f32");
  const std::string csv = fresh("both.csv"), h5 = fresh("both.h5"), again = fresh("again.h5");
  sweep_json({sweep, "--out", csv});
  sweep_json({sweep, "--out", h5});
  sweep_json({sweep, "--out", again, "--envs", "11"});
  EXPECT_EQ(read_file(h5), read_file(again)) << "the same table gives the same bytes";
  const std::string python = SWEPT_VENV "/bin/python";
  if (!fs::exists(python) || run_program(python, {"-c", "import h5py"}).code != 0) {
    GTEST_SKIP() << "no h5py in " << SWEPT_VENV << ": tools/setup test installs it";
  }
  const Outcome read = run_program(python, {"-c", R"(
import h5py, json, sys
f = h5py.File(sys.argv[1])
text = lambda t: t if isinstance(t, str) else t.decode()
names = [text(t) for t in f.attrs['columns']]
print(json.dumps({'names': names,
                  'units': [text(f[n].attrs['unit']) for n in names],
                  'meanings': [text(f[n].attrs['meaning']) for n in names],
                  'numbers': [[repr(float(x)) for x in f[n]] for n in names]}))
)",
                                            h5});
  ASSERT_EQ(read.code, 0) << read.err;
  const json data = json::parse(read.out);
  const auto rows = read_csv(csv);
  ASSERT_EQ(data["names"].size(), rows[1].size());
  for (std::size_t c = 0; c < rows[1].size(); ++c) {
    const std::string name = data["names"][c], unit = data["units"][c];
    EXPECT_EQ(rows[1][c], unit.empty() ? name : name + " [" + unit + "]");
    EXPECT_NE(data["meanings"][c], "");
    for (std::size_t i = 2; i < rows.size(); ++i) {
      const double a = std::stod(rows[i][c]);
      const double b = std::stod(data["numbers"][c][i - 2].get<std::string>());
      EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << rows[1][c] << " " << i;
    }
  }
}

TEST(Sweep, CombinationsThatGoBadSaySoAndLeaveOthersAlone) {
  const auto sweep = [](const json& masses) {
    const json text = {
        {"scene", pendulum},
        {"steps", 50},
        {"precision", "f64"},
        {"keyframe", "wide"},
        {"parameters", {{{"name", "mass"}, {"field", "body_mass"}, {"of", 1}, {"values", masses}}}},
        {"measures",
         {{{"name", "angle"}, {"field", "qpos"}, {"take", "final"}},
          {{"name", "under"},
           {"field", "xipos"},
           {"of", 1},
           {"column", "z"},
           {"take", "time"},
           {"below", 1e9}}}}};
    return write_file("bad_mass.json", text.dump());
  };
  const std::string good = fresh("good.csv"), bad = fresh("bad.csv");
  sweep_json({sweep({1, 2}), "--out", good});
  const json done = sweep_json({sweep({1, -1, 2}), "--out", bad});
  EXPECT_EQ(done["stopped"], 1);
  const std::vector<double> status = column(bad, "status"), angle = column(bad, "angle [rad]");
  const std::vector<double> under = column(bad, "under [s]");
  EXPECT_EQ(status, (std::vector<double>{0, 11, 0}));
  EXPECT_TRUE(std::isnan(angle[1]));
  EXPECT_TRUE(std::isnan(under[1])) << "numbers that nobody computed are no event";
  EXPECT_EQ(under[0], 0);
  EXPECT_EQ(angle[0], column(good, "angle [rad]")[0]);
  EXPECT_EQ(angle[2], column(good, "angle [rad]")[1]);
}

TEST(Sweep, WindowsAndFileControlsCount) {
  const std::string push = write_file("sweep_push.csv", "1\n");
  const json sweep = {
      {"scene", pendulum},
      {"steps", 400},
      {"controls", push},
      {"parameters",
       {{{"name", "gear"}, {"field", "actuator_gear"}, {"column", 0}, {"values", {0, 1}}}}},
      {"measures",
       {{{"name", "early"}, {"field", "qvel"}, {"take", "max"}, {"to", 0.5}},
        {{"name", "late"}, {"field", "time"}, {"take", "min"}, {"from", 1.5}},
        {{"name", "never"}, {"field", "qvel"}, {"take", "mean"}, {"from", 100}},
        {{"name", "end"}, {"field", "time"}, {"take", "final"}}}}};
  const std::string table = fresh("window.csv");
  sweep_json({write_file("window.json", sweep.dump()), "--out", table});
  const std::vector<double> early = column(table, "early [rad/s]");
  EXPECT_EQ(early[0], 0);
  EXPECT_GT(early[1], 0.1);
  EXPECT_NEAR(column(table, "late [s]")[0], 1.5, 1e-4);  // f32 sums of the time step
  EXPECT_NEAR(column(table, "end [s]")[0], 2, 1e-4);
  EXPECT_TRUE(std::isnan(column(table, "never [rad/s]")[0]));
}

TEST(Sweep, ShowsABarOnATerminalAndCtrlCSaysHowToGoOn) {
  const json sweep = {{"scene", pendulum},
                      {"steps", 100000},
                      {"parameters",
                       {{{"name", "mass"},
                         {"field", "body_mass"},
                         {"of", 1},
                         {"range", {{"from", 1}, {"to", 2}, {"count", 100000}}}}}},
                      {"measures", {{{"name", "q"}, {"field", "qpos"}, {"take", "final"}}}}};
  const std::string path = write_file("long.json", sweep.dump()), out = fresh("long.csv");
  const Outcome done = interrupt_swept({"sweep", path, "--out", out, "--envs", "8"}, "left");
  EXPECT_EQ(done.code, 130) << done.out;
  EXPECT_SAYS(done.out, "[");
  EXPECT_SAYS(done.out, " of 100000 ");
  EXPECT_SAYS(done.out, "steps/s");
  EXPECT_SAYS(done.out, "the same command goes on from them");
  EXPECT_FALSE(fs::exists(out));
  EXPECT_TRUE(fs::exists(out + ".parts"));
}

}  // namespace
}  // namespace swept::test
