// SPDX-License-Identifier: Apache-2.0
// Every stage of a forward pass against the official library, at 100 states of every scene, in both
// precisions (see stage_comparison.h).
#include "parity/stage_comparison.h"
#include "support/data.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace swept::test {
namespace {

constexpr int states_per_scene = StagePlan{}.states;

void compare_stages(Origin origin, const std::string& title) {
  SceneGroup group = load_scenes(origin);
  ASSERT_GE(static_cast<int>(group.scenes.size()), least_scenes(origin));
  Table table = stage_table(title);
  StageComparison::Choices choices[2];
  int contacts = 0;
  for (Scene& scene : group.scenes) {
    SCOPED_TRACE(scene.name);
    // dense rows and official solutions of large scenes cost more than they show
    const bool large = scene.model.nv > 100;
    StagePlan plan;
    plan.states = large ? 4 : states_per_scene;
    plan.longest_roll = large ? 40 : 300;
    plan.by_gradient = large;
    StageComparison comparison(&scene, &table, plan);
    comparison.run();
    contacts += comparison.contacts();
    choices[0].add(comparison.choices(Bar::f64));
    choices[1].add(comparison.choices(Bar::f32));
  }
  table.print();
  table.expect_below_bars();
  const int states = states_per_scene * static_cast<int>(group.scenes.size());
  std::printf("%d states of %zu scenes, %d contacts\n", states, group.scenes.size(), contacts);
  choices[0].print("f64");
  choices[1].print("f32");
  choices[0].expect_few();
  choices[1].expect_few();
  EXPECT_GT(contacts, states / 4);
  // three scenes of the test folder touch at a distance of 0 in all states
  const int always = origin == Origin::test_folder ? 3 * states_per_scene : 0;
  EXPECT_LE(table.edges(Bar::f64), always + states / 200);
  EXPECT_LE(table.edges(Bar::f32), always + states / 50);
}

TEST(StageParity, FeatureScenesGoThroughTheSameStages) {
  compare_stages(Origin::features, "stages of feature scenes");
}

TEST(StageParity, GymnasiumRobotsGoThroughTheSameStages) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::gymnasium));
  compare_stages(Origin::gymnasium, "stages of gymnasium's robots");
}

TEST(StageParity, HumanoidsGoThroughTheSameStages) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::humanoids));
  compare_stages(Origin::humanoids, "stages of humanoids");
}

TEST(StageParity, TestScenesGoThroughTheSameStages) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::test_folder));
  compare_stages(Origin::test_folder, "stages of the official library's test scenes");
}

TEST(ParityScenes, AreLeftOutOnlyForMissingFeatures) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::test_folder));
  const SceneGroup group = load_scenes(Origin::test_folder);
  std::printf("official library %s: %zu of its test scenes are compared, %zu are left out:\n",
              mj_versionString(), group.scenes.size(), group.left_out.size());
  for (const LeftOut& scene : group.left_out) {
    std::printf("  %-64s %s\n", scene.name.c_str(), scene.reason.c_str());
  }
  for (const LeftOut& scene : group.failed) {
    ADD_FAILURE() << scene.name << ": " << scene.reason;
  }
  EXPECT_GE(static_cast<int>(group.scenes.size()), least_scenes(Origin::test_folder));
}

}  // namespace
}  // namespace swept::test
