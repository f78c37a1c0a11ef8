// SPDX-License-Identifier: Apache-2.0
// Models that nobody here wrote, whole: every public model of level 2 or below goes through all
// stages of a forward pass, in both precisions, unless it needs what swept refuses by name; so does
// every other public model that needs only what swept has. The rest is listed with what it lacks.
#include "parity/corpus.h"
#include "parity/stage_comparison.h"
#include "support/data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace swept::test {
namespace {

/// Level of everything that swept has.
constexpr int level = 2;

/// Public models of this level whose files are at hand, and those of them that are compared.
constexpr int models_of_level = 192;
constexpr int compared_of_level = 174;

/// Models above it that happen to need only what swept has.
constexpr int least_compared_above = 37;

/// What swept refuses by name; beginnings of what a model lacks.
constexpr const char* refused[] = {"attribute sleep=", "attribute noslip_iterations=",
                                   "attribute adhesion=", "element 'default/adhesion'"};

/// Rounded hulls of thousands of small faces that press into each other (bags of a luggage carousel,
/// superellipsoids of 32 segments, on a ring of the same kind): within the tolerance of the search
/// many faces and edges side by side are equally deep, and each library reports its own. All of them
/// must be beside the direction of the distance; only their number is not small.
constexpr const char* finely_cut = "mujoco_model/model/surfacevel/carousel.xml";

bool is_of_level(const CorpusModel& model) {
  return model.level >= 0 && model.level <= level;
}

bool is_refused(const std::string& lack) {
  return std::any_of(std::begin(refused), std::end(refused), [&](const char* beginning) {
    return lack.find(beginning) != std::string::npos;
  });
}

/// A scene's share of the work: dense rows and the official steps cost by nv.
StagePlan plan_for(const Model& model) {
  const bool full = std::getenv("SWEPT_LONG") != nullptr;
  const int most = full ? 100 : 9;
  StagePlan plan;
  plan.states = std::clamp(40 * most / std::max(model.nv, 1), 2, most);
  plan.longest_roll = model.nv > 100 ? 20 : 300;
  plan.by_gradient = model.nv > 400;
  return plan;
}

/// Models of one collection.
class Collection {
 public:
  explicit Collection(const std::string& name) : name_(name), table_(stage_table(name)) {}

  void add(const CorpusModel& model) {
    SCOPED_TRACE(model.name());
    of_level_ += is_of_level(model);
    SceneGroup group = load_scene(model.path, model.file());
    if (!group.scenes.empty()) {
      compare(&group.scenes[0], model.name() == finely_cut ? finely_cut_choices_ : choices_);
      ++(is_of_level(model) ? compared_ : compared_above_);
      return;
    }
    const LeftOut& reason = group.failed.empty() ? group.left_out.at(0) : group.failed[0];
    left_out_.push_back(reason);
    EXPECT_TRUE(group.failed.empty()) << reason.reason;
    if (is_of_level(model)) {
      EXPECT_TRUE(is_refused(reason.reason)) << "lacks " << reason.reason;
    }
  }

  void finish() const {
    table_.print();
    table_.expect_below_bars();
    std::printf(
        "%s: %d models of level %d or below, %d compared, %d more of other levels; %d states, "
        "%d contacts\n",
        name_.c_str(), of_level_, level, compared_, compared_above_, states_, contacts_);
    for (const Bar precision : {Bar::f64, Bar::f32}) {
      const auto p = static_cast<std::size_t>(precision);
      const std::string title = precision == Bar::f64 ? "f64" : "f32";
      choices_[p].print(title.c_str());
      choices_[p].expect_few();
      if (finely_cut_choices_[p].searched > 0) {
        finely_cut_choices_[p].print((title + ", finely cut").c_str());
        expect_free_only(finely_cut_choices_[p]);
      }
      // some models stand on the edge always; in f32 one of thousands of contacts often does
      EXPECT_LE(table_.edges(precision), std::max(12, states_ / (precision == Bar::f64 ? 20 : 8)));
    }
    std::printf("left out:\n");
    for (const LeftOut& scene : left_out_) {
      std::printf("  %-72s %s\n", scene.name.c_str(), scene.reason.c_str());
    }
  }

  int of_level() const { return of_level_; }
  int compared() const { return compared_; }
  int compared_above() const { return compared_above_; }

 private:
  using Choices = StageComparison::Choices;

  /// Six in ten may choose otherwise (half do); hardly any choice is worse than ours, none better.
  static void expect_free_only(const Choices& choices) {
    const auto number = [&](Choice choice) {
      return choices.by_reason[static_cast<std::size_t>(choice)];
    };
    const int free = number(Choice::corners) + number(Choice::tie) + number(Choice::features);
    EXPECT_LE(free, 0.6 * choices.searched);
    EXPECT_LE(number(Choice::official), choices.searched / 50);
    EXPECT_EQ(number(Choice::both), 0);
    EXPECT_EQ(number(Choice::ours), 0);
  }

  void compare(Scene* scene, Choices* choices) {
    const StagePlan plan = plan_for(scene->model);
    StageComparison comparison(scene, &table_, plan);
    comparison.run();
    states_ += plan.states;
    contacts_ += comparison.contacts();
    for (const Bar precision : {Bar::f64, Bar::f32}) {
      choices[static_cast<std::size_t>(precision)].add(comparison.choices(precision));
    }
  }

  std::string name_;
  Table table_;
  Choices choices_[2];
  Choices finely_cut_choices_[2];
  std::vector<LeftOut> left_out_;
  int of_level_ = 0, compared_ = 0, compared_above_ = 0, states_ = 0, contacts_ = 0;
};

TEST(CorpusParity, EveryModelOfLevelTwoGoesThroughTheSameStages) {
  SWEPT_SKIP_WITHOUT(corpus_table());
  int of_level = 0, compared = 0, compared_above = 0;
  for (const char* name :
       {"menagerie", "gymnasium", "dm_control", "mujoco_model", "mujoco_warp", "mujoco_test"}) {
    Collection collection(name);
    for (const CorpusModel& model : corpus_models()) {
      if (model.corpus == name && model.at_hand && model.loads) {
        ASSERT_TRUE(std::filesystem::exists(model.file())) << model.file();
        collection.add(model);
      }
    }
    collection.finish();
    of_level += collection.of_level();
    compared += collection.compared();
    compared_above += collection.compared_above();
  }
  std::printf("%d models of level %d or below at hand, %d compared, %d of other levels\n", of_level,
              level, compared, compared_above);
  EXPECT_EQ(of_level, models_of_level);
  EXPECT_EQ(compared, compared_of_level);
  EXPECT_GE(compared_above, least_compared_above);
}

}  // namespace
}  // namespace swept::test
