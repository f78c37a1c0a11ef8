// SPDX-License-Identifier: Apache-2.0
// Environments with edited models against official models that are edited the same way in memory and
// passed through mj_setConst: 64 models of every scene, the constants that follow, and steps.
#include "parity/knife_edges.h"
#include "parity/model_edits.h"
#include "parity/scenes.h"
#include "parity/step_difference.h"
#include "parity/table.h"
#include "support/data.h"

#include <swept/compile.h>
#include <swept/load.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace swept::test {
namespace {

constexpr int models = 64;
constexpr int rounds = 4;
constexpr Bar precisions[] = {Bar::f64, Bar::f32};

/// Constants are computed in double on both sides, by other orders of summation, and rounded once to
/// the batch's precision.
constexpr Tolerance constants_bar = {1e-9, 1e-6};
/// The bars of a step from the same state, as for scenes that are not edited.
constexpr Tolerance free_bar = {1e-9, 1e-4};
constexpr Tolerance contact_bar = {1e-7, 1e-3};

struct FreeModel {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};
using OwnedModel = std::unique_ptr<mjModel, FreeModel>;

/// Relative difference of two arrays: of each number, but of one that is tiny beside the others to
/// a millionth of the largest.
double constants_difference(std::span<const double> got, const std::vector<double>& want) {
  double largest = 0, difference = 0;
  for (const double x : want) {
    largest = std::max(largest, std::fabs(x));
  }
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double size = std::max({std::fabs(want[i]), 1e-6 * largest, 1e-12});
    const double d = std::fabs(got[i] - want[i]) / size;
    difference = d <= difference ? difference : d;
  }
  return difference;
}

class EditedScene {
 public:
  /// Edits are drawn for `drawn_for`, which has the scene's sizes.
  EditedScene(Scene* scene, const Model& drawn_for, Table* table) : scene_(scene), table_(table) {
    prepare_to_compare(scene);
    states_ = StateMaker(&scene->oracle, 5).states(models);
    const OwnedModel base(mj_copyModel(nullptr, &scene->oracle.model()));
    for (unsigned env = 0; env < models; ++env) {
      edits_.push_back(random_edits(drawn_for, 100 + env));
      mj_copyModel(&scene->oracle.model(), base.get());
      edit_official(edits_.back(), &scene->oracle);
      official_.emplace_back(mj_copyModel(nullptr, &scene->oracle.model()));
    }
    for (const Bar precision : precisions) {
      batches_.push_back(make_batch(scene->model, precision, states_));
      for (int env = 0; env < models; ++env) {
        for (const ModelEdit& edit : edits_[static_cast<std::size_t>(env)]) {
          batches_.back().write(edit.name, edit.values, env);
          edited_.insert(edit.name);
        }
      }
    }
  }

  const std::set<std::string>& edited() const { return edited_; }

  void compare_constants() {
    for (std::size_t p = 0; p < std::size(precisions); ++p) {
      for (const std::string& name : derived_constants) {
        const std::vector<double> all = batches_[p].read(name);
        const std::size_t width = all.size() / models;
        for (std::size_t env = 0; env < models; ++env) {
          const std::vector<double> want = oracle_arrays(*official_[env]).at(name);
          ASSERT_EQ(want.size(), width) << name;
          table_->add(scene_->name, "constants", precisions[p],
                      constants_difference({all.data() + env * width, width}, want),
                      [&] { return name + " of model " + std::to_string(env); });
        }
      }
    }
  }

  /// One step of all models from the same states, then from the states that the official library has.
  void compare_round(int round) {
    std::vector<SteppedBatch> stepped;
    for (Batch& batch : batches_) {
      batch.reset();
      set_states(&batch, states_);
      batch.step(1);
      stepped.emplace_back(&batch);
    }
    for (std::size_t env = 0; env < models; ++env) {
      mjModel& m = scene_->oracle.model();
      mjData& d = scene_->oracle.data();
      mj_copyModel(&m, official_[env].get());
      set_state(&scene_->oracle, states_[env]);
      mj_fwdPosition(&m, &d);
      bool touching = d.ncon > 0;
      const bool rigid = rows_are_rigid(*scene_);
      const bool edge[] = {contacts_on_edge(scene_, Bar::f64), contacts_on_edge(scene_, Bar::f32)};

      set_state(&scene_->oracle, states_[env]);
      mj_step(&m, &d);
      touching = touching || d.ncon > 0;
      const State want = take_state(&scene_->oracle, Rounding::none);
      for (std::size_t p = 0; p < stepped.size(); ++p) {
        if (edge[p]) {
          table_->excuse_edge(scene_->name, precisions[p]);
        } else if (rigid && precisions[p] == Bar::f32) {
          table_->excuse_rigid(scene_->name, precisions[p]);
        } else {
          const StateDifference found = state_difference(stepped[p], env, want, m.opt.timestep);
          table_->add(scene_->name, touching ? "touch" : "free", precisions[p], found.size, [&] {
            return found.where + " of model " + std::to_string(env) + ", step " +
                   std::to_string(round);
          });
        }
      }
      states_[env] = take_state(&scene_->oracle);
    }
  }

 private:
  Scene* scene_;
  Table* table_;
  std::vector<State> states_;
  std::vector<std::vector<ModelEdit>> edits_;
  std::vector<OwnedModel> official_;
  std::vector<Batch> batches_;
  std::set<std::string> edited_;
};

Table make_table(const std::string& title) {
  return {title, {{"constants", constants_bar}, {"free", free_bar}, {"touch", contact_bar}}};
}

void compare(EditedScene* pair) {
  pair->compare_constants();
  for (int round = 0; round < rounds; ++round) {
    pair->compare_round(round);
  }
}

std::set<std::string> compare_scenes(std::vector<Scene>* scenes, const std::string& title) {
  Table table = make_table(title);
  std::set<std::string> edited;
  for (Scene& scene : *scenes) {
    SCOPED_TRACE(scene.name);
    EditedScene pair(&scene, scene.model, &table);
    compare(&pair);
    edited.insert(pair.edited().begin(), pair.edited().end());
  }
  table.print();
  table.expect_below_bars();
  const int steps = models * rounds * static_cast<int>(scenes->size());
  EXPECT_LE(table.edges(Bar::f64), steps / 100);
  EXPECT_LE(table.edges(Bar::f32), steps / 20);
  return edited;
}

/// Scenes of a place whose names are listed.
std::vector<Scene> chosen(Origin origin, const std::set<std::string>& names) {
  std::vector<Scene> scenes;
  for (Scene& scene : load_scenes(origin).scenes) {
    if (names.empty() || names.contains(scene.name)) {
      scenes.push_back(std::move(scene));
    }
  }
  return scenes;
}

TEST(ModelFieldsParity, FeatureScenesFollowTheirEditedModels) {
  std::vector<Scene> scenes = chosen(Origin::features, {});
  const std::set<std::string> edited = compare_scenes(&scenes, "edited feature scenes");
  // every field that random_edits() knows was edited somewhere
  EXPECT_GE(edited.size(), 60u);
}

TEST(ModelFieldsParity, SimpleBodiesThatAreEditedOutOfItFollowScenesThatNeverCalledThemSimple) {
  const auto text = [](const char* simple) {
    return std::string("<mujoco><worldbody><geom type='plane' size='5 5 .1'/>") +
           "<body pos='0 0 .2' simple='" + simple + "'><freejoint/>" +
           "<geom type='box' size='.1 .2 .15' contype='0'/></body>" +
           "<body pos='1 0 .3' simple='" + simple +
           "'><joint type='slide' axis='1 0 0'/><joint axis='0 0 1' damping='1'/>" +
           "<geom size='.1'/></body>" + "<body pos='2 0 3' simple='" + simple +
           "'><joint type='ball'/><geom type='capsule' size='.1 .2' "
           "contype='0'/></body></worldbody></mujoco>";
  };
  const auto ours = [&](const char* simple) {
    return compile(load_string(text(simple), Format::xml, "simple"));
  };
  Scene scene{"simple", ours("auto"), Oracle::from_text(text("false"))};
  ASSERT_EQ(scene.model.body_simple, (std::vector<int>{1, 1, 1, 1}));
  Table table = make_table("simple bodies that are edited out of it");
  EditedScene pair(&scene, ours("false"), &table);
  compare(&pair);
  table.print();
  table.expect_below_bars();
}

TEST(ModelFieldsParity, OwnScenesFollowTheirEditedModels) {
  std::vector<Scene> scenes;
  for (const char* name : {"humanoid", "tendon", "balls"}) {
    const std::filesystem::path path =
        source_path(std::string("scenes/") + name + "/" + name + ".xml");
    scenes.push_back({name, compile(load(path)), Oracle(path)});
  }
  compare_scenes(&scenes, "edited scenes of our own");
}

TEST(ModelFieldsParity, GymnasiumRobotsFollowTheirEditedModels) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::gymnasium));
  std::vector<Scene> scenes =
      chosen(Origin::gymnasium,
             {"gymnasium/ant", "gymnasium/humanoid", "gymnasium/hopper", "gymnasium/half_cheetah"});
  ASSERT_EQ(scenes.size(), 4u);
  compare_scenes(&scenes, "edited robots of gymnasium");
}

}  // namespace
}  // namespace swept::test
