// SPDX-License-Identifier: Apache-2.0
// One step from identical states against the official library, both precisions, with each
// integrator: 100 states of every scene.
#include "parity/corpus.h"
#include "parity/handed_contacts.h"
#include "parity/knife_edges.h"
#include "parity/scenes.h"
#include "parity/step_difference.h"
#include "parity/table.h"
#include "support/data.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

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

/// What is known of a state before it is stepped.
struct Start {
  bool touching = false;
  bool rigid = false;
  bool edge[2] = {};       ///< rounding decides contacts, per precision
  bool late_edge[2] = {};  ///< the same for RK4, whose stages stand half a step and a step further
};

/// One scene with its states, which all integrators start from.
class StepComparison {
 public:
  StepComparison(Scene* scene, Table* table) : scene_(*scene), table_(*table) {
    prepare_to_compare(scene);
    // without dofs only mocap bodies and the clock differ
    const int number = scene_.model.nv > 0 ? states_per_scene : 4;
    states_ = StateMaker(&scene_.oracle, 2).states(number);
    for (const State& state : states_) {
      starts_.push_back(start_of(state));
    }
    if (contacts_are_chosen(scene_)) {
      for (const Bar precision : precisions) {
        readbacks_.push_back(
            std::make_unique<Readback>(scene_.model, precision, states_, contact_fields()));
      }
    }
  }

  /// Steps all states with one integrator.
  void run(int integrator, const std::string& name) {
    scene_.oracle.model().opt.integrator = integrator;
    scene_.model.opt.integrator = integrator;
    for (std::size_t p = 0; p < std::size(precisions); ++p) {
      Batch batch = make_batch(scene_.model, precisions[p], states_);
      batch.field_info("ncon");
      batch.step(1);
      const SteppedBatch stepped(&batch);
      for (std::size_t env = 0; env < states_.size(); ++env) {
        compare(env, p, integrator, name, stepped);
      }
    }
  }

 private:
  Start start_of(const State& state) {
    mjModel& m = scene_.oracle.model();
    mjData& d = scene_.oracle.data();
    Start start;
    for (int stage = 0; stage <= 2; ++stage) {
      set_state(&scene_.oracle, state);
      if (stage > 0) {
        mj_integratePos(&m, d.qpos, d.qvel, 0.5 * stage * m.opt.timestep);
      }
      mj_fwdPosition(&m, &d);
      if (stage == 0) {
        start.touching = d.ncon > 0;
        start.rigid = rows_are_rigid(scene_);
      }
      for (std::size_t p = 0; p < std::size(precisions); ++p) {
        bool& edge = stage == 0 ? start.edge[p] : start.late_edge[p];
        edge = edge || contacts_on_edge(&scene_, precisions[p]);
      }
    }
    return start;
  }

  /// The official state after a step. Where contacts are found by iteration it starts from swept's.
  State official_step(std::size_t env, std::size_t p, int integrator) {
    const mjModel& m = scene_.oracle.model();
    mjData& d = scene_.oracle.data();
    set_state(&scene_.oracle, states_[env]);
    if (integrator == integrator_rk4 || readbacks_.empty()) {
      mj_step(&m, &d);
    } else {
      mj_fwdPosition(&m, &d);
      forward_smooth(&scene_.oracle);
      forward_on(&scene_.oracle, swept_contacts(*readbacks_[p], env));
      (integrator == integrator_euler ? mj_Euler : mj_implicit)(&m, &d);
    }
    return take_state(&scene_.oracle, Rounding::none);
  }

  void compare(std::size_t env, std::size_t p, int integrator, const std::string& name,
               const SteppedBatch& stepped) {
    const Start& start = starts_[env];
    const bool rk4 = integrator == integrator_rk4;
    // rows without regularisation have forces of 1e17 that cancel: M qacc is known, their sum is not
    const bool from_forces =
        integrator == integrator_implicit || integrator == integrator_implicitfast;
    const State want = official_step(env, p, integrator);
    const bool touching = start.touching || scene_.oracle.data().ncon > 0;
    const bool edge = start.edge[p] || (rk4 && start.late_edge[p]);
    const bool given = !rk4 && !readbacks_.empty();
    if (rk4 && (touching || edge) && !readbacks_.empty()) {
      table_.excuse_choice(scene_.name, precisions[p]);
    } else if (edge && !given) {
      table_.excuse_edge(scene_.name, precisions[p]);
    } else if (start.rigid && (from_forces || precisions[p] == Bar::f32)) {
      table_.excuse_rigid(scene_.name, precisions[p]);
    } else {
      const StateDifference difference =
          state_difference(stepped, env, want, scene_.oracle.model().opt.timestep);
      table_.add(scene_.name, name + (touching ? " touch" : " free"), precisions[p],
                 difference.size,
                 [&] { return difference.where + " in state " + std::to_string(env); });
    }
  }

  Scene& scene_;
  Table& table_;
  std::vector<State> states_;
  std::vector<Start> starts_;
  std::vector<std::unique_ptr<Readback>> readbacks_;  // of scenes whose contacts are chosen
};

Table step_table(const std::string& title) {
  std::vector<Column> columns;
  for (const auto& [integrator, name] : integrators) {
    columns.push_back({std::string(name) + " free", free_bar});
    columns.push_back({std::string(name) + " touch", contact_bar});
  }
  return {title, columns};
}

/// Steps a scene with every integrator, or all but RK4; the number of steps.
int compare_scene(Scene* scene, Table* table, bool rk4 = true) {
  if (scene->model.nv > most_dofs) {
    return 0;
  }
  SCOPED_TRACE(scene->name);
  StepComparison comparison(scene, table);
  int steps = 0;
  for (const auto& [integrator, name] : integrators) {
    if (rk4 || integrator != integrator_rk4) {
      comparison.run(integrator, name);
      steps += states_per_scene;
    }
  }
  return steps;
}

void expect_little_left_out(const Table& table, int steps) {
  table.print();
  table.expect_below_bars();
  EXPECT_LE(table.edges(Bar::f64), steps / 200);
  EXPECT_LE(table.edges(Bar::f32), steps / 50);
}

void compare_steps(Origin origin, const std::string& title) {
  SceneGroup group = load_scenes(origin);
  ASSERT_GE(static_cast<int>(group.scenes.size()), least_scenes(origin));
  Table table = step_table(title);
  int steps = 0;
  for (Scene& scene : group.scenes) {
    steps += compare_scene(&scene, &table);
  }
  expect_little_left_out(table, steps);
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

TEST(StepParity, MenagerieRobotsTakeTheSameStep) {
  SWEPT_SKIP_WITHOUT(corpus_table());
  constexpr int level = 2;
  Table table = step_table("one step of Menagerie's robots");
  int steps = 0, scenes = 0;
  for (const CorpusModel& model : corpus_models()) {
    if (model.corpus == "menagerie" && model.at_hand && model.loads && model.level >= 0 &&
        model.level <= level) {
      SceneGroup group = load_scene(model.path, model.file());
      ASSERT_EQ(group.scenes.size(), 1u) << model.path;
      // under their stiff servos RK4 diverges at their time step
      steps += compare_scene(&group.scenes[0], &table, false);
      ++scenes;
    }
  }
  expect_little_left_out(table, steps);
  EXPECT_EQ(scenes, 6);
}

}  // namespace
}  // namespace swept::test
