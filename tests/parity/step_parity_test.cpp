// SPDX-License-Identifier: Apache-2.0
// One step from identical states against the official library: 100 states of every scene, both
// precisions, with the scene's integrator and with the other one.
#include "parity/knife_edges.h"
#include "parity/scenes.h"
#include "parity/step_difference.h"
#include "parity/table.h"
#include "support/data.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace swept::test {
namespace {

constexpr int states_per_scene = 100;
constexpr Bar precisions[] = {Bar::f64, Bar::f32};

/// A step adds h qacc to qvel, and differences are relative to the larger of qvel and 1. f64:
/// without contact qacc is exact but for M's condition, with contact it is a minimiser of stiff
/// terms. f32: as uncertain as qacc there.
constexpr Tolerance free_bar = {1e-9, 1e-4};
constexpr Tolerance contact_bar = {1e-7, 1e-3};

/// One step of all states with one integrator.
void compare_step(Scene* scene, int integrator, const std::vector<State>& states, Table* table) {
  mjModel& m = scene->oracle.model();
  m.opt.integrator = integrator;
  scene->model.opt.integrator = integrator;
  const std::string name = integrator == integrator_euler ? "Euler" : "RK4";
  std::vector<SteppedBatch> stepped;
  for (const Bar precision : precisions) {
    Batch batch = make_batch(scene->model, precision, states);
    batch.field_info("ncon");
    batch.step(1);
    stepped.emplace_back(&batch);
  }
  for (std::size_t env = 0; env < states.size(); ++env) {
    // contacts and rigid rows at the start
    mjData& d = scene->oracle.data();
    set_state(&scene->oracle, states[env]);
    mj_fwdPosition(&m, &d);
    bool touching = d.ncon > 0;
    const bool rigid = rows_are_rigid(*scene);
    bool edge[2];
    for (std::size_t p = 0; p < std::size(precisions); ++p) {
      edge[p] = contacts_on_edge(scene, precisions[p]);
    }

    set_state(&scene->oracle, states[env]);
    mj_step(&m, &d);
    touching = touching || d.ncon > 0;
    const State want = take_state(&scene->oracle, Rounding::none);
    for (std::size_t p = 0; p < stepped.size(); ++p) {
      if (edge[p]) {
        table->excuse_edge(scene->name, precisions[p]);
      } else if (rigid && precisions[p] == Bar::f32) {
        table->excuse_rigid(scene->name, precisions[p]);
      } else {
        const StateDifference difference = state_difference(stepped[p], env, want, m.opt.timestep);
        table->add(scene->name, name + (touching ? " touch" : " free"), precisions[p],
                   difference.size,
                   [&] { return difference.where + " in state " + std::to_string(env); });
      }
    }
  }
}

void compare_steps(Origin origin, const std::string& title) {
  SceneGroup group = load_scenes(origin);
  ASSERT_GE(static_cast<int>(group.scenes.size()), least_scenes(origin));
  Table table(title, {{"Euler free", free_bar},
                      {"Euler touch", contact_bar},
                      {"RK4 free", free_bar},
                      {"RK4 touch", contact_bar}});
  for (Scene& scene : group.scenes) {
    SCOPED_TRACE(scene.name);
    prepare_to_compare(&scene);
    const std::vector<State> states = StateMaker(&scene.oracle, 2).states(states_per_scene);
    for (const int integrator : {integrator_euler, integrator_rk4}) {
      compare_step(&scene, integrator, states, &table);
    }
  }
  table.print();
  table.expect_below_bars();
  const int steps = 2 * states_per_scene * static_cast<int>(group.scenes.size());
  EXPECT_LE(table.edges(Bar::f64), steps / 200);
  EXPECT_LE(table.edges(Bar::f32), steps / 50);
}

TEST(StepParity, FeatureScenesTakeTheSameStep) {
  compare_steps(Origin::features, "one step of feature scenes");
}

TEST(StepParity, GymnasiumRobotsTakeTheSameStep) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::gymnasium));
  compare_steps(Origin::gymnasium, "one step of gymnasium's robots");
}

TEST(StepParity, HumanoidsTakeTheSameStep) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::humanoids));
  compare_steps(Origin::humanoids, "one step of humanoids");
}

TEST(StepParity, TestScenesTakeTheSameStep) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::test_folder));
  compare_steps(Origin::test_folder, "one step of the official library's test scenes");
}

}  // namespace
}  // namespace swept::test
