// SPDX-License-Identifier: Apache-2.0
// One step from identical states against the official library, both precisions, with each
// integrator: 25 states of every scene, in the long form 100.
#include "parity/knife_edges.h"
#include "parity/scenes.h"
#include "parity/step_difference.h"
#include "parity/table.h"
#include "support/data.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace swept::test {
namespace {

/// The official solution of larger scenes, a dense factor of nv^3 per iteration, takes minutes;
/// stage_parity_test compares their stages.
constexpr int most_dofs = 100;

constexpr int states_per_scene = 100;

constexpr struct {
  int integrator;
  const char* name;
} integrators[] = {{integrator_euler, "Euler"},
                   {integrator_rk4, "RK4"},
                   {integrator_implicit, "implicit"},
                   {integrator_implicitfast, "fast"}};
constexpr Bar precisions[] = {Bar::f64, Bar::f32};

/// A step adds h qacc to qvel, and differences are relative to the larger of qvel and 1. f64:
/// without contact qacc is exact but for M's condition, with contact it is a minimiser of stiff
/// terms. f32: as uncertain as qacc there.
constexpr Tolerance free_bar = {1e-9, 1e-4};
constexpr Tolerance contact_bar = {1e-7, 1e-3};

/// One step of all states with one integrator.
void compare_step(Scene* scene, int integrator, const std::string& name,
                  const std::vector<State>& states, Table* table) {
  // rows without regularisation have forces of 1e17 that cancel: M qacc is known, their sum is not
  const bool from_forces =
      integrator == integrator_implicit || integrator == integrator_implicitfast;
  mjModel& m = scene->oracle.model();
  m.opt.integrator = integrator;
  scene->model.opt.integrator = integrator;
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

    // the stages of RK4 stand half a step and a step further
    for (int stage = 1; integrator == integrator_rk4 && stage <= 2; ++stage) {
      set_state(&scene->oracle, states[env]);
      mj_integratePos(&m, d.qpos, d.qvel, 0.5 * stage * m.opt.timestep);
      mj_fwdPosition(&m, &d);
      for (std::size_t p = 0; p < std::size(precisions); ++p) {
        edge[p] = edge[p] || contacts_on_edge(scene, precisions[p]);
      }
    }

    set_state(&scene->oracle, states[env]);
    mj_step(&m, &d);
    touching = touching || d.ncon > 0;
    const State want = take_state(&scene->oracle, Rounding::none);
    for (std::size_t p = 0; p < stepped.size(); ++p) {
      if ((touching || edge[p]) && contacts_are_chosen(*scene)) {
        table->excuse_choice(scene->name, precisions[p]);
      } else if (edge[p]) {
        table->excuse_edge(scene->name, precisions[p]);
      } else if (rigid && (from_forces || precisions[p] == Bar::f32)) {
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
  std::vector<Column> columns;
  for (const auto& [integrator, name] : integrators) {
    columns.push_back({std::string(name) + " free", free_bar});
    columns.push_back({std::string(name) + " touch", contact_bar});
  }
  Table table(title, columns);
  int steps = 0;
  for (Scene& scene : group.scenes) {
    if (scene.model.nv > most_dofs) {
      continue;
    }
    SCOPED_TRACE(scene.name);
    prepare_to_compare(&scene);
    const std::vector<State> states = StateMaker(&scene.oracle, 2).states(states_per_scene);
    steps += states_per_scene * static_cast<int>(std::size(integrators));
    for (const auto& [integrator, name] : integrators) {
      compare_step(&scene, integrator, name, states, &table);
    }
  }
  table.print();
  table.expect_below_bars();
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
