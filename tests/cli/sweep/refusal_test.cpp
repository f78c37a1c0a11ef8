// SPDX-License-Identifier: Apache-2.0
// swept sweep: what is refused, with place and remedy; and the help, whose example is none of it.
#include "cli/sweep/support.h"
#include "tools/swept/sweep/plan.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>

namespace swept::test {
namespace {

namespace fs = std::filesystem;

const std::string humanoid = scene("humanoid/humanoid.xml");

TEST(SweepRefusal, WhatDoesNotFitTheSceneIsRefused) {
  const auto complaint = [](const std::string& parameter, const std::string& measure,
                            const std::string& more = "") {
    return refused({write_file("unfit.json", R"({"scene": ")" + humanoid + R"(", "steps": 2, )" +
                                                 more + R"("parameters": [)" + parameter +
                                                 R"(], "measures": [)" + measure + "]}"),
                    "--out", fresh("unfit.csv")});
  };
  const std::string parameter = R"({"name": "m", "field": "body_mass", "values": [1]})";
  const std::string measure = R"({"name": "q", "field": "qpos", "of": 0, "take": "final"})";
  EXPECT_SAYS(complaint(R"({"name": "m", "field": "body_mas", "values": [1]})", measure),
              "parameters[0].field: there is no field 'body_mas'");
  EXPECT_SAYS(
      complaint(R"({"name": "m", "field": "body_mass", "of": "foot", "values": [1]})", measure),
      "has no row 'foot'; give a number from 0 to 13, or of world, pelvis");
  EXPECT_SAYS(
      complaint(R"({"name": "m", "field": "geom_friction", "column": 3, "values": [1]})", measure),
      "has no column '3'");
  EXPECT_SAYS(
      complaint(R"({"name": "m", "field": "body_mass", "of": [1, "pelvis"], "values": [1]})",
                measure),
      "named twice");
  EXPECT_SAYS(complaint(R"({"name": "m", "field": "xpos", "values": [1]})", measure),
              "is computed, it cannot be set");
  EXPECT_SAYS(complaint(R"({"name": "m", "field": "dof_M0", "values": [1]})", measure), "dof_M0");
  EXPECT_SAYS(complaint(R"({"name": "m", "field": "body_mass", "change": "rotate", "axis": [0,0,1],
                            "values": [1]})",
                        measure),
              "a rotation has no meaning");
  EXPECT_SAYS(complaint(R"({"name": "m", "field": "seed", "values": [1]})", measure),
              "random controls alone");
  EXPECT_SAYS(complaint(R"({"name": "m", "field": "seed", "values": [1.5]})", measure,
                        R"("controls": {"random": {}}, )"),
              "whole numbers");
  EXPECT_SAYS(
      complaint(parameter + R"(, {"name": "n", "field": "body_mass", "of": 2, "values": [1]})",
                measure),
      "'n' sets numbers of 'body_mass' that 'm' changed before");
  EXPECT_SAYS(complaint(parameter, R"({"name": "q", "field": "qpos", "take": "final"})"),
              "'q' selects 28 numbers of 'qpos'");
  EXPECT_SAYS(complaint(parameter, R"({"name": "q", "field": "act", "take": "final"})"),
              "is empty in this scene");
  EXPECT_SAYS(complaint(parameter, measure, R"("keyframe": "jump", )"), "'jump'");
  EXPECT_SAYS(complaint(parameter, measure, R"("controls": "no_such.csv", )"), "no_such.csv");
}

TEST(SweepRefusal, OptionsThatMeanNothingAreRefused) {
  const std::string sweep = humanoid_sweep("f32"), out = fresh("options.csv");
  for (const char* shard : {"0/3", "4/3", "1", "a/b", "1/2x"}) {
    EXPECT_SAYS(refused({sweep, "--out", out, "--shard", shard}), "is no shard");
  }
  EXPECT_SAYS(refused({sweep, "--out", "/no/such/folder/x.csv"}), "/no/such/folder");
  EXPECT_SAYS(refused({sweep, "--out", out, "--device", "tpu"}), "tpu");
  EXPECT_SAYS(refused({sweep, "--out", out, "--plot", "x.gif"}), "neither .svg nor .png");
  EXPECT_SAYS(refused({sweep, "--out", out, "--plot", "x.svg", "--plot-columns", "head"}),
              "1 names are given");
  EXPECT_SAYS(refused({sweep, "--out", out, "--plot", "x.svg", "--plot-columns", "heat,mass"}),
              "no measure 'heat'; use head, speed");
  EXPECT_SAYS(refused({"/nowhere/sweep.json"}), "/nowhere/sweep.json: the sweep cannot be read");
  EXPECT_FALSE(fs::exists(out)) << "refused before anything is written";
  EXPECT_FALSE(fs::exists(out + ".parts"));
}

TEST(SweepRefusal, ATableOrPartsOfAnotherSweepAreNotTouched) {
  const std::string sweep = humanoid_sweep("f32"), other = humanoid_sweep("f64");
  const std::string out = fresh("mine.csv");
  sweep_json({sweep, "--out", out});
  const std::string before = read_file(out);
  EXPECT_SAYS(refused({other, "--out", out}), "table of another sweep");
  EXPECT_EQ(read_file(out), before);
  const std::string text = write_file("notes.csv", "a,b\n1,2\n");
  EXPECT_SAYS(refused({sweep, "--out", text}), "not the table of a sweep");
  EXPECT_SAYS(refused({sweep, "--out", write_file("notes.h5", "text")}),
              "not the table of a sweep");
  const std::string parts = fresh("parts.csv");
  sweep_json({sweep, "--out", parts, "--shard", "1/2"});
  EXPECT_SAYS(refused({other, "--out", parts, "--shard", "1/2"}), "a part of another sweep");
}

TEST(SweepRefusal, TheHelpShowsASweepThatRuns) {
  const Outcome help = run_swept({"sweep", "--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* option : {"--out", "--envs", "--shard", "--plot", "--plot-columns", "--json"}) {
    EXPECT_SAYS(help.out, option);
  }
  // its sweep, without the remarks behind the lines, is one that can be read
  const std::size_t begin = help.out.find("{\"scene\""), end = help.out.find("Parameters: any");
  ASSERT_NE(begin, std::string::npos) << help.out;
  ASSERT_NE(end, std::string::npos) << help.out;
  std::istringstream lines(help.out.substr(begin, end - begin));
  std::string sweep;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t quote = line.find('"');
    sweep += quote == std::string::npos ? "" : line.substr(0, line.find("   ", quote));
  }
  const cli::Plan plan = cli::read_plan(write_file("help.json", sweep));
  EXPECT_EQ(cli::count_combinations(plan), 3 * 10 * 64);
  EXPECT_EQ(plan.measures.size(), 2u);
}

}  // namespace
}  // namespace swept::test
