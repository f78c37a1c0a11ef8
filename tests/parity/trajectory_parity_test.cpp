// SPDX-License-Identifier: Apache-2.0
// Trajectories of 200 steps under random controls against the official library, both precisions:
// free of contact each side runs on its own, with contacts swept starts every step from the
// official state.
//
// Free trajectories drift apart by round-off, which the motion itself amplifies. How much is seen
// from twins of the official trajectory that start a little beside it: if A_t is their distance at
// step t over that at the start, an error made at step s has grown by A_t / A_s. What is compared
// with the bar is therefore the difference divided by  (t + 1) max_s A_t / A_s,  the error per
// step.
#include "parity/knife_edges.h"
#include "parity/scenes.h"
#include "parity/step_difference.h"
#include "parity/table.h"
#include "support/data.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>

namespace swept::test {
namespace {

constexpr int trajectories = 4;
constexpr int steps = 200;
constexpr Bar precisions[] = {Bar::f64, Bar::f32};

/// Error per step: some roundings of a velocity, times M's condition, up to 1e5.
constexpr Tolerance free_bar = {5e-11, 5e-4};
/// A step with contacts, as in the test of single steps.
constexpr Tolerance synchronised_bar = {1e-7, 1e-3};
/// Above this difference a trajectory is no longer followed.
constexpr double lost = 0.01;

/// Steps of the official library from states that are kept outside of it.
State official_step(Oracle* oracle, const State& state, Rounding rounding) {
  set_state(oracle, state);
  mj_step(&oracle->model(), &oracle->data());
  return take_state(oracle, rounding);
}

/// Distance of two states, as state_difference() measures it.
double distance(const State& a, const State& b) {
  double largest = 0;
  const auto add = [&](const std::vector<double>& x, const std::vector<double>& y) {
    double scale = 1;
    for (const double value : y) {
      scale = std::max(scale, std::fabs(value));
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      largest = std::max(largest, std::fabs(x[i] - y[i]) / scale);
    }
  };
  add(a.qpos, b.qpos);
  add(a.qvel, b.qvel);
  add(a.act, b.act);
  return largest;
}

/// Twins of one trajectory, and how far they have spread.
class Twins {
 public:
  Twins(Oracle* oracle, const State& start, unsigned seed) {
    constexpr int count = 3;
    constexpr double apart = 1e-8;
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, apart);
    const mjModel& m = oracle->model();
    for (int i = 0; i < count; ++i) {
      State twin = start;
      std::vector<double> shift(twin.qvel.size());
      for (std::size_t k = 0; k < shift.size(); ++k) {
        shift[k] = normal(random);
        twin.qvel[k] += normal(random);
      }
      mj_integratePos(&m, twin.qpos.data(), shift.data(), 1);
      states_.push_back(twin);
    }
    start_ = spread(start);
    smallest_ = 1;
  }

  void step(Oracle* oracle, const State& reference) {
    for (State& twin : states_) {
      twin.ctrl = reference.ctrl;
      twin = official_step(oracle, twin, Rounding::none);
    }
  }

  /// max_s A_t / A_s, where `reference` is the trajectory at step t.
  double growth(const State& reference) {
    const double now = start_ > 0 ? std::max(spread(reference) / start_, 1e-6) : 1;
    smallest_ = std::min(smallest_, now);
    return now / smallest_;
  }

 private:
  double spread(const State& reference) const {
    double largest = 0;
    for (const State& twin : states_) {
      largest = std::max(largest, distance(twin, reference));
    }
    return largest;
  }

  std::vector<State> states_;
  double start_ = 0;
  double smallest_ = 1;
};

/// 200 steps with contacts switched off, each side on its own.
class FreeRun {
 public:
  FreeRun(Scene* scene, Table* table) : scene_(*scene), table_(*table) {
    scene_.oracle.model().opt.disableflags |= mjDSBL_CONTACT;
    scene_.model.opt.disableflags |= disable_contact;
    for (unsigned i = 0; i < trajectories; ++i) {
      states_.push_back(maker_.start());
      twins_.emplace_back(&scene_.oracle, states_.back(), i);
    }
    followed_.assign(std::size(precisions), std::vector<int>(trajectories, 0));
  }
  ~FreeRun() {
    scene_.oracle.model().opt.disableflags &= ~mjDSBL_CONTACT;
    scene_.model.opt.disableflags &= ~disable_contact;
  }

  /// Runs; returns for how many steps all trajectories were followed, per precision.
  std::vector<int> run() {
    std::vector<Batch> batches;
    for (const Bar precision : precisions) {
      batches.push_back(make_batch(scene_.model, precision, states_));
    }
    for (int step = 0; step < steps; ++step) {
      // the same controls for both sides and the twins
      std::vector<double> ctrl;
      for (State& state : states_) {
        state.ctrl = maker_.controls();
        ctrl.insert(ctrl.end(), state.ctrl.begin(), state.ctrl.end());
      }
      for (std::size_t i = 0; i < states_.size(); ++i) {
        twins_[i].step(&scene_.oracle, states_[i]);
        states_[i] = official_step(&scene_.oracle, states_[i], Rounding::none);
      }
      std::vector<double> growth;
      for (std::size_t i = 0; i < states_.size(); ++i) {
        growth.push_back(twins_[i].growth(states_[i]));
      }
      for (std::size_t p = 0; p < batches.size(); ++p) {
        if (!ctrl.empty()) {
          batches[p].write("ctrl", ctrl);
        }
        batches[p].step(1);
        compare(step, p, SteppedBatch(&batches[p]), growth);
      }
    }
    std::vector<int> least;
    for (const auto& list : followed_) {
      least.push_back(*std::min_element(list.begin(), list.end()));
    }
    return least;
  }

 private:
  void compare(int step, std::size_t p, const SteppedBatch& got,
               const std::vector<double>& growth) {
    const double unit = p == 0 ? 1e-16 : 1e-7;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      // followed while round-off alone cannot have spoiled the trajectory
      if (followed_[p][i] != step || unit * (step + 1) * growth[i] > lost) {
        continue;
      }
      followed_[p][i] = step + 1;
      const StateDifference d =
          state_difference(got, i, states_[i], scene_.oracle.model().opt.timestep);
      table_.add(scene_.name, "free", precisions[p], d.size / ((step + 1) * growth[i]), [&] {
        return d.where + " in trajectory " + std::to_string(i) + " at step " +
               std::to_string(step) + ", growth " + std::to_string(growth[i]);
      });
    }
  }

  Scene& scene_;
  Table& table_;
  StateMaker maker_{&scene_.oracle, 3};
  std::vector<State> states_;
  std::vector<Twins> twins_;
  std::vector<std::vector<int>> followed_;  // [precision][trajectory]
};

/// 200 steps with contacts; swept starts every one from the official state, which is rounded to
/// f32.
void run_synchronised(Scene* scene, Table* table) {
  StateMaker maker(&scene->oracle, 4);
  std::vector<State> states;
  for (int i = 0; i < trajectories; ++i) {
    states.push_back(maker.start());
  }
  std::vector<Batch> batches;
  for (const Bar precision : precisions) {
    batches.push_back(make_batch(scene->model, precision, states));
  }
  for (int step = 0; step < steps; ++step) {
    for (State& state : states) {
      state.ctrl = maker.controls();
    }
    std::vector<SteppedBatch> got;
    for (Batch& batch : batches) {
      set_states(&batch, states);
      batch.step(1);
      got.emplace_back(&batch);
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
      set_state(&scene->oracle, states[i]);
      mj_fwdPosition(&scene->oracle.model(), &scene->oracle.data());
      const bool rigid = rows_are_rigid(*scene);
      bool edge[2];
      for (std::size_t p = 0; p < std::size(precisions); ++p) {
        edge[p] = contacts_on_edge(scene, precisions[p]);
      }
      const State want = official_step(&scene->oracle, states[i], Rounding::none);
      for (std::size_t p = 0; p < got.size(); ++p) {
        if (edge[p]) {
          table->excuse_edge(scene->name, precisions[p]);
        } else if (rigid && precisions[p] == Bar::f32) {
          table->excuse_rigid(scene->name, precisions[p]);
        } else {
          const StateDifference d =
              state_difference(got[p], i, want, scene->oracle.model().opt.timestep);
          table->add(scene->name, "synchronised", precisions[p], d.size, [&] {
            return d.where + " in trajectory " + std::to_string(i) + " at step " +
                   std::to_string(step);
          });
        }
      }
      states[i] = take_state(&scene->oracle);
    }
  }
}

void compare_trajectories(Origin origin, const std::string& title) {
  SceneGroup group = load_scenes(origin);
  ASSERT_GE(static_cast<int>(group.scenes.size()), least_scenes(origin));
  Table table(title, {{"free", free_bar}, {"synchronised", synchronised_bar}});
  for (Scene& scene : group.scenes) {
    SCOPED_TRACE(scene.name);
    // 3000 official steps of a large scene cost more than they show
    if (scene.model.nv > 100) {
      std::printf("%-44s  has %d dofs: single steps are compared\n", scene.name.c_str(),
                  scene.model.nv);
      continue;
    }
    prepare_to_compare(&scene);
    const std::vector<int> followed = FreeRun(&scene, &table).run();
    std::printf("%-44s  free of contact for %d steps in f64, %d in f32\n", scene.name.c_str(),
                followed[0], followed[1]);
    EXPECT_EQ(followed[0], steps);
    if (!contacts_are_chosen(scene)) {
      run_synchronised(&scene, &table);
    }
  }
  table.print();
  table.expect_below_bars();
  const int all = trajectories * steps * static_cast<int>(group.scenes.size());
  EXPECT_LE(table.edges(Bar::f64), all / 200);
  EXPECT_LE(table.edges(Bar::f32), all / 50);
}

TEST(TrajectoryParity, FeatureScenesMoveAlike) {
  compare_trajectories(Origin::features, "200 steps of feature scenes");
}

TEST(TrajectoryParity, GymnasiumRobotsMoveAlike) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::gymnasium));
  compare_trajectories(Origin::gymnasium, "200 steps of gymnasium's robots");
}

TEST(TrajectoryParity, HumanoidsMoveAlike) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::humanoids));
  compare_trajectories(Origin::humanoids, "200 steps of humanoids");
}

TEST(TrajectoryParity, TestScenesMoveAlike) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::test_folder));
  compare_trajectories(Origin::test_folder, "200 steps of the official library's test scenes");
}

}  // namespace
}  // namespace swept::test
