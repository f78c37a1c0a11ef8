// SPDX-License-Identifier: Apache-2.0
// The bench of speculative contacts: its scenes, and the numbers of a small run.
#include "bench/speculative.h"
#include "bench/speculative_scenes.h"

#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/load.h>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace swept::bench {
namespace {

std::vector<ShotScene> all_scenes(const ShotOptions& options) {
  return {bullet_scene(20, options), room_scene(options), rod_scene(20, options),
          pellet_scene(options)};
}

TEST(SpeculativeScenes, StartInsideAndFarFromEachOther) {
  for (const ShotScene& scene : all_scenes({})) {
    const Model model = compile(load_string(scene.text, Format::xml, scene.name));
    EXPECT_EQ(model.nv, 6 * scene.bodies) << scene.name;
    Batch batch(model, {.nenv = 8, .precision = Precision::f64});
    const ShotStart start = scene.start(8, 5);
    EXPECT_EQ(scene.outside(start.qpos), 0) << scene.name;
    batch.write("qpos", start.qpos);
    batch.write("qvel", std::vector<double>(start.qvel.size(), 0.0));
    batch.forward();
    EXPECT_EQ(batch.report().contacts.max, 0) << scene.name;
    // the same for the same seed alone
    EXPECT_EQ(scene.start(8, 5).qvel, start.qvel);
    EXPECT_NE(scene.start(8, 6).qvel, start.qvel);
  }
}

TEST(SpeculativeScenes, CountThoseThatGotOut) {
  const ShotScene scene = pellet_scene({});
  ShotStart start = scene.start(2, 1);
  start.qpos[0] = 0.12;
  start.qpos[7 + 1] = -0.12;
  start.qpos[7 * 9 + 2] = std::nan("");
  EXPECT_EQ(scene.outside(start.qpos), 3);
}

TEST(SpeculativeScenes, BulletsPassWithoutTheFlag) {
  for (const bool on : {false, true}) {
    ShotOptions options;
    options.speculative = on;
    const ShotScene scene = bullet_scene(20, options);
    Batch batch(compile(load_string(scene.text, Format::xml)), {.nenv = 4});
    const ShotStart start = scene.start(4, 1);
    batch.write("qpos", start.qpos);
    batch.write("qvel", start.qvel);
    batch.step(4);
    if (on) {
      EXPECT_EQ(scene.outside(batch.read("qpos")), 0);
    } else {
      EXPECT_GT(scene.outside(batch.read("qpos")), 70);
    }
  }
}

TEST(SpeculativeBench, MeasuresEverything) {
  SpeculativeOptions options;
  options.calm = {{std::string(SWEPT_SOURCE_DIR) + "/scenes/humanoid/humanoid.xml", 8, 200}};
  options.quick = true;
  options.turns = 3;
  options.shot_turns = 2;
  const SpeculativeResult result = measure_speculative(options);
  ASSERT_EQ(result.overhead.size(), 2u);
  for (const OverheadRow& row : result.overhead) {
    EXPECT_GT(row.off, 0);
    EXPECT_GT(row.on, 0);
    EXPECT_EQ(row.swept, 0);
  }
  ASSERT_EQ(result.shots.size(), 3u);
  for (const ShotRow& row : result.shots) {
    ASSERT_EQ(row.sides.size(), 2u);
    for (const ShotSide& side : row.sides) {
      EXPECT_GT(side.steps_per_second, 0) << row.scene << " " << side.name;
      EXPECT_EQ(side.outside, 0) << row.scene << " " << side.name;
    }
    EXPECT_GT(row.counts[speculative_hits], 0) << row.scene;
    EXPECT_EQ(row.ratio, 0);
  }
  for (const StepResult& steps : result.steps) {
    // the flag is last; the longest step without it lets some through
    EXPECT_GT(steps.sides.front().outside, 0);
    EXPECT_EQ(steps.sides.back().outside, 0);
    EXPECT_TRUE(steps.sides.back().speculative);
  }
  for (const RoundRow& row : result.rounds) {
    EXPECT_GT(row.pairs, 0) << row.scene;
    EXPECT_LE(row.advanced, row.pairs);
    EXPECT_LE(row.p95, row.p99);
    EXPECT_LE(row.p99, row.max);
    EXPECT_LE(row.mean, row.max);
  }
  // a ball onto a face at a constant speed: the first advance is all of it
  EXPECT_LE(result.rounds.front().max, 2);
}

TEST(SpeculativeBench, PrintsTheSameNumbersAsTextAndAsJson) {
  SpeculativeResult result;
  result.overhead = {{"a scene", Precision::f64, 7, 1e-6, 1.25e-6, 1.25, 3}};
  result.shots = {{"shots", 5, 4, 3, {{"swept f32", "", 2500, 1, 0}}, {}, 15, 2.5}};
  result.steps = {{"balls", Precision::f32, 6, {{0.002, true, 0.5, 0}}, 12.5}};
  result.rounds = {{"rods", 100, 50, 1.75, 4, 8, 16}};
  const nlohmann::json json = nlohmann::json::parse(result.to_json());
  EXPECT_EQ(json["overhead"][0]["ratio"], 1.25);
  EXPECT_EQ(json["shots"][0]["sides"][0]["outside"], 1);
  EXPECT_EQ(json["shots"][0]["counters"]["held"], 0);
  EXPECT_EQ(json["steps"][0]["speedup"], 12.5);
  EXPECT_EQ(json["rounds"][0]["p99"], 8);
  for (const char* part : {"a scene", "1.2500", "2.5 k", "2.50", "12.5", "1.750", "held 0"}) {
    EXPECT_NE(result.to_text().find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace swept::bench
