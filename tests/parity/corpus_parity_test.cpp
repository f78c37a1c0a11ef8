// SPDX-License-Identifier: Apache-2.0
// Models that nobody here wrote, whole: every MJCF file of Menagerie's open robots and of dm_control
// that needs only what swept has goes through all stages of a forward pass, in f64. The others are
// listed with what they need.
#include "parity/stage_comparison.h"
#include "support/data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace swept::test {
namespace {

/// A scene's share of the work: dense rows and the official steps cost by nv.
StagePlan plan_for(const Model& model) {
  const bool full = std::getenv("SWEPT_LONG") != nullptr;
  const int most = full ? 100 : 12;
  StagePlan plan;
  plan.states = std::clamp(40 * most / std::max(model.nv, 1), 2, most);
  plan.longest_roll = model.nv > 100 ? 40 : 300;
  plan.by_gradient = model.nv > 100;
  plan.precisions = {Bar::f64};
  return plan;
}

void compare_corpus(Origin origin, const std::string& title) {
  SceneGroup group = load_scenes(origin);
  // chains of a hundred dofs and frames of meshes
  Table table = stage_table(title, room);
  int states = 0, contacts = 0;
  for (Scene& scene : group.scenes) {
    SCOPED_TRACE(scene.name);
    const StagePlan plan = plan_for(scene.model);
    StageComparison comparison(&scene, &table, plan);
    comparison.run();
    states += plan.states;
    contacts += comparison.contacts();
  }
  table.print();
  table.expect_below_bars();
  std::printf("%d states of %zu scenes, %d contacts; left out:\n", states, group.scenes.size(),
              contacts);
  for (const LeftOut& scene : group.left_out) {
    std::printf("  %-72s %s\n", scene.name.c_str(), scene.reason.c_str());
  }
  for (const LeftOut& scene : group.failed) {
    ADD_FAILURE() << scene.name << ": " << scene.reason;
  }
  EXPECT_GE(static_cast<int>(group.scenes.size()), least_scenes(origin));
  std::printf("contacts were chosen differently in %d states\n", table.choices(Bar::f64));
  EXPECT_LE(table.edges(Bar::f64), std::max(1, states / 20));
}

TEST(CorpusParity, Menagerie) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::menagerie));
  compare_corpus(Origin::menagerie, "stages of Menagerie's robots");
}

TEST(CorpusParity, DmControl) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::dm_control));
  compare_corpus(Origin::dm_control, "stages of dm_control's models");
}

}  // namespace
}  // namespace swept::test
