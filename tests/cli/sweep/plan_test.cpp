// SPDX-License-Identifier: Apache-2.0
// Sweep files: the combinations that they mean, and what is wrong with those that mean none.
#include "tools/swept/sweep/plan.h"
#include "cli/command.h"

#include <swept/error.h>

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace swept::cli {
namespace {

using test::write_file;

const std::string measures =
    R"("measures": [{"name": "end", "field": "qpos", "of": 0, "take": "final"}])";

// a sweep with these parameters, and more members
Plan plan_of(const std::string& parameters, const std::string& more = "") {
  return read_plan(write_file("plan.json", R"({"scene": "s.xml", "steps": 3, )" + more +
                                               R"("parameters": [)" + parameters + "], " +
                                               measures + "}"));
}

// what read_plan says of a whole file
std::string complaint_of(const std::string& text) {
  try {
    read_plan(write_file("bad.json", text));
  } catch (const Error& error) {
    EXPECT_FALSE(error.remedy().empty()) << error.what();
    EXPECT_NE(error.file().find("bad.json"), std::string::npos) << error.what();
    return error.what();
  }
  return "accepted";
}

std::string complaint_of_parameter(const std::string& members, const std::string& more = "") {
  return complaint_of(R"({"scene": "s.xml", "steps": 3, )" + more +
                      R"("parameters": [{"name": "a", "field": "body_mass", )" + members + "}], " +
                      measures + "}");
}

std::string complaint_of_measure(const std::string& members) {
  return complaint_of(
      R"({"scene": "s.xml", "steps": 3, "parameters": [{"name": "a", "field": "body_mass",
          "values": [1]}], "measures": [{"name": "m", "field": "qpos", )" +
      members + "}]}");
}

#define EXPECT_SAYS(text, words) EXPECT_NE((text).find(words), std::string::npos) << (text)

TEST(Plan, TheGridIsTheProductWithTheLastParameterFastest) {
  const Plan plan = plan_of(R"({"name": "a", "field": "f", "values": [1, 2]},
                               {"name": "b", "field": "f", "range": {"from": 0, "to": 1, "count": 3}})");
  ASSERT_EQ(count_combinations(plan), 6);
  const std::vector<std::vector<double>> wanted{{1, 0}, {1, 0.5}, {1, 1}, {2, 0}, {2, 0.5}, {2, 1}};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(values_of(plan, static_cast<std::int64_t>(i)), wanted[i]) << i;
  }
}

TEST(Plan, RangesHaveBothEnds) {
  const Plan plan = plan_of(
      R"({"name": "a", "field": "f", "range": {"from": 0.1, "to": 0.7, "count": 7}},
         {"name": "b", "field": "f", "range": {"from": 0.01, "to": 100, "count": 5, "spacing": "log"}},
         {"name": "c", "field": "f", "range": {"from": 0, "to": 0.3, "step": 0.1}},
         {"name": "d", "field": "f", "range": {"from": 3, "to": 0, "step": -1.5}},
         {"name": "e", "field": "f", "range": {"from": 4, "to": 9, "count": 1}})");
  ASSERT_EQ(plan.parameters[0].values.size(), 7u);
  EXPECT_EQ(plan.parameters[0].values.back(), 0.7);
  ASSERT_EQ(plan.parameters[1].values.size(), 5u);
  for (int i = 0; i < 5; ++i) {
    const double wanted = std::pow(10.0, i - 2);
    EXPECT_NEAR(plan.parameters[1].values[static_cast<std::size_t>(i)], wanted, 1e-14 * wanted);
  }
  EXPECT_EQ(plan.parameters[1].values.back(), 100);
  EXPECT_TRUE(plan.parameters[1].log);
  EXPECT_EQ(plan.parameters[2].values.size(), 4u) << "0.3 is three steps of 0.1, rounded or not";
  EXPECT_EQ(plan.parameters[3].values, (std::vector<double>{3, 1.5, 0}));
  EXPECT_EQ(plan.parameters[4].values, (std::vector<double>{4}));
}

TEST(Plan, DrawnParametersHaveTheirDistributions) {
  constexpr int count = 20000;
  for (const std::string sequence : {"random", "sobol"}) {
    const Plan plan =
        plan_of(R"({"name": "u", "field": "f", "uniform": [2, 6]},
                                 {"name": "l", "field": "f", "log_uniform": [0.01, 100]},
                                 {"name": "n", "field": "f", "normal": [5, 2]})",
                R"("samples": {"count": 20000, "sequence": ")" + sequence + R"(", "seed": 9}, )");
    ASSERT_EQ(count_combinations(plan), count);
    double u = 0, u2 = 0, l = 0, n = 0, n2 = 0;
    for (int i = 0; i < count; ++i) {
      const std::vector<double> v = values_of(plan, i);
      ASSERT_TRUE(v[0] > 2 && v[0] < 6 && v[1] > 0.01 && v[1] < 100);
      u += v[0] / count;
      u2 += v[0] * v[0] / count;
      l += std::log10(v[1]) / count;
      n += v[2] / count;
      n2 += v[2] * v[2] / count;
    }
    // five deviations of the means of 20,000 random samples
    EXPECT_NEAR(u, 4, 0.045);
    EXPECT_NEAR(u2 - u * u, 16.0 / 12, 0.05);
    EXPECT_NEAR(l, 0, 0.045);
    EXPECT_NEAR(n, 5, 0.075);
    EXPECT_NEAR(n2 - n * n, 4, 0.2);
  }
}

TEST(Plan, EveryPointOfTheGridGetsTheSameSamples) {
  const Plan plan = plan_of(R"({"name": "a", "field": "f", "uniform": [0, 1]},
                               {"name": "b", "field": "f", "values": [7, 8, 9]},
                               {"name": "c", "field": "f", "normal": [0, 1]})",
                            R"("samples": {"count": 5}, )");
  ASSERT_EQ(count_combinations(plan), 15);
  std::set<double> drawn;
  for (std::int64_t c = 0; c < 15; ++c) {
    const std::vector<double> values = values_of(plan, c);
    EXPECT_EQ(values[1], 7.0 + static_cast<double>(c / 5));
    EXPECT_EQ(values[0], values_of(plan, c % 5)[0]);
    EXPECT_EQ(values[2], values_of(plan, c % 5)[2]);
    drawn.insert(values[0]);
  }
  EXPECT_EQ(drawn.size(), 5u);
}

TEST(Plan, WhatIsNoSweepIsRefusedWithPlaceAndRemedy) {
  EXPECT_SAYS(complaint_of("{\n\"scene\": \"s.xml\",\n oops"), "bad.json:3: this is no JSON");
  EXPECT_SAYS(complaint_of("[1]"), "an object is needed");
  EXPECT_SAYS(complaint_of("{}"), "member 'scene' is missing");
  EXPECT_SAYS(complaint_of(R"({"scene": "s", "scene": "t"})"), "'scene' stands twice");
  EXPECT_SAYS(complaint_of(R"({"scene": "s", "steps": 0})"), "steps: a whole number from 1 on");
  EXPECT_SAYS(complaint_of(R"({"scene": "s", "steps": 2.5})"), "not 2.5");
  EXPECT_SAYS(complaint_of(R"({"scene": "s", "steps": 1, "precision": "f16"})"), "use f32, f64");
  EXPECT_SAYS(complaint_of(R"({"scene": "s", "steps": 1, "controls": {"rondom": {}}})"),
              "these controls are not known");
  EXPECT_SAYS(complaint_of(R"({"scene": "s", "steps": 1})"), "'parameters' is no list");
  EXPECT_SAYS(complaint_of(R"({"scene": "s", "steps": 1, "parameters": []})"),
              "'parameters' is no list with something in it");
  EXPECT_SAYS(complaint_of_parameter(R"("values": [1])", R"("stepz": 3, )"),
              "member 'stepz' is not known here");
}

TEST(Plan, WhatIsNoParameterIsRefused) {
  EXPECT_SAYS(complaint_of_parameter(R"("of": "x")"), "parameters[0]: 0 of values, range");
  EXPECT_SAYS(complaint_of_parameter(R"("values": [1], "uniform": [0, 1])"), "2 of values, range");
  EXPECT_SAYS(complaint_of_parameter(R"("values": [])"), "parameters[0].values: a list of numbers");
  EXPECT_SAYS(complaint_of_parameter(R"("values": [1, "2"])"), "a list of numbers");
  EXPECT_SAYS(complaint_of_parameter(R"("values": [1], "off": 3)"), "member 'off' is not known");
  EXPECT_SAYS(complaint_of_parameter(R"("values": [1], "of": [])"), "the list is empty");
  EXPECT_SAYS(complaint_of_parameter(R"("values": [1], "of": -1)"), "neither a name nor a number");
  EXPECT_SAYS(complaint_of_parameter(R"("values": [1], "change": "sett")"),
              "use set, scale, add, rotate");
  EXPECT_SAYS(complaint_of_parameter(R"("values": [1], "change": "rotate")"), "'axis' is missing");
  EXPECT_SAYS(complaint_of_parameter(R"("values": [1], "change": "rotate", "axis": [0, 0, 0])"),
              "not all 0");
  EXPECT_SAYS(complaint_of_parameter(R"("values": [1], "targets": [])"), "no list of targets");
  EXPECT_SAYS(complaint_of_parameter(R"("range": {"from": 0, "to": 1})"), "'count' is missing");
  EXPECT_SAYS(complaint_of_parameter(R"("range": {"from": 0, "to": 1, "step": -0.1})"),
              "do not lead from 0 to 1");
  EXPECT_SAYS(complaint_of_parameter(R"("range": {"from": 0, "to": 1, "step": 0})"),
              "do not lead from 0 to 1");
  EXPECT_SAYS(
      complaint_of_parameter(R"("range": {"from": 0, "to": 1, "count": 3, "spacing": "log"})"),
      "no place for 0");
  EXPECT_SAYS(complaint_of_parameter(R"("uniform": [0, 1])"), "nothing says how often");
  EXPECT_SAYS(complaint_of_parameter(R"("values": [1])", R"("samples": {"count": 3}, )"),
              "no parameter is drawn");
  const std::string samples = R"("samples": {"count": 3}, )";
  EXPECT_SAYS(complaint_of_parameter(R"("uniform": [2, 1])", samples), "low is above high");
  EXPECT_SAYS(complaint_of_parameter(R"("log_uniform": [0, 1])", samples), "no place for 0");
  EXPECT_SAYS(complaint_of_parameter(R"("normal": [0, -1])", samples), "deviation is negative");
  EXPECT_SAYS(complaint_of_parameter(R"("normal": [0])", samples), "write [mean, deviation]");
  EXPECT_SAYS(
      complaint_of_parameter(R"("uniform": [0, 1])", R"("samples": {"count": 2000000000}, )"),
      "more than 1000000000 combinations");
}

TEST(Plan, WhatIsNoMeasureIsRefused) {
  EXPECT_SAYS(complaint_of_measure(R"("of": 0)"), "measures[0]: member 'take' is missing");
  EXPECT_SAYS(complaint_of_measure(R"("take": "median")"), "use final, mean, min, max, rms, time");
  EXPECT_SAYS(complaint_of_measure(R"("take": "time")"), "needs a threshold");
  EXPECT_SAYS(complaint_of_measure(R"("take": "time", "above": 1, "below": 2)"),
              "needs a threshold");
  EXPECT_SAYS(complaint_of_measure(R"("take": "max", "above": 1)"), "member 'above' is not known");
  EXPECT_SAYS(complaint_of_measure(R"("take": "max", "from": 2, "to": 1)"),
              "ends before it begins");
  EXPECT_SAYS(complaint_of_measure(R"("take": "max", "over": "all")"), "use one, min, max, sum");
  EXPECT_SAYS(complaint_of_measure(R"("take": "max", "unit": "m,s")"), "a unit has no comma");
  const std::string twice = R"({"name": "end", "field": "f", "values": [1]})";
  EXPECT_SAYS(complaint_of(R"({"scene": "s.xml", "steps": 3, "parameters": [)" + twice + "], " +
                           measures + "}"),
              "the name 'end' stands twice");
  EXPECT_SAYS(complaint_of(R"({"scene": "s.xml", "steps": 3, "parameters": [{"name": "a,b",
                               "field": "f", "values": [1]}], )" +
                           measures + "}"),
              "cannot be the title of a column");
}

}  // namespace
}  // namespace swept::cli
