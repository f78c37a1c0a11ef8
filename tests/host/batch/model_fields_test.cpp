// SPDX-License-Identifier: Apache-2.0
// Model fields of single environments: each gives the bits of a batch that was made of the edited
// model, and all others keep theirs.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <swept/batch.h>

#include "host/batch/own_models.h"

namespace swept::test {
namespace {

/// Fields that no step depends on; the others show in this scene, or the test would see nothing.
const std::set<std::string_view> without_effect = {
    "geom_gap",
    "pair_gap",
    "site_size",
    "cam_pos",
    "cam_quat",
    "cam_fovy",
    "light_pos",
    "light_dir",
    "key_time",
    "key_qpos",
    "key_qvel",
    "key_act",
    "key_ctrl",
    "numeric_data",
    "actuator_cranklength",
    "actuator_lengthrange",
};

class ModelFields : public testing::TestWithParam<Precision> {};
INSTANTIATE_TEST_SUITE_P(Precisions, ModelFields, testing::Values(Precision::f32, Precision::f64),
                         [](const auto& given) {
                           return given.param == Precision::f32 ? "f32" : "f64";
                         });

TEST_P(ModelFields, TheSceneHasNumbersInEveryFieldThatASimulationReads) {
  const Model model = scene();
  for (const EditRule& rule : edit_rules()) {
    const bool absent = rule.name.starts_with("key_m") || rule.name.starts_with("mesh") ||
                        rule.name.starts_with("hfield");
    EXPECT_EQ((model.*rule.values).empty(), absent) << rule.name;
  }
}

TEST_P(ModelFields, OneEditedEnvironmentGivesTheBitsOfItsModelAndTheOthersKeepTheirs) {
  const Model model = scene();
  constexpr int nenv = 19, mine = 5;
  Batch plain(model, {.nenv = nenv, .precision = GetParam()});
  run(&plain);
  for (const EditRule* rule : writable(model)) {
    SCOPED_TRACE(std::string(rule->name));
    Batch alone(edited_model(model, *rule), {.nenv = 1, .precision = GetParam()});
    run(&alone);
    Batch mixed(model, {.nenv = nenv, .precision = GetParam()});
    mixed.write(rule->name, nearby(model, *rule), mine);
    run(&mixed);
    ASSERT_EQ(mixed.status(mine), Status::ok) << mixed.model_problem(mine);
    EXPECT_EQ(difference(&mixed, mine, &alone, 0), "");
    for (int env = 0; env < nenv; ++env) {
      if (env != mine) {
        ASSERT_EQ(difference(&mixed, env, &plain, env), "") << "environment " << env;
      }
    }
    const bool shows = difference(&mixed, mine, &plain, mine) != "";
    EXPECT_EQ(shows, !without_effect.contains(rule->name));
  }
}

TEST_P(ModelFields, AllFieldsAtOnceDifferInEveryEnvironmentAndInNone) {
  const Model model = scene();
  constexpr int nenv = 19;
  std::vector<Model> models;
  Batch mixed(model, {.nenv = nenv, .precision = GetParam(), .threads = 3});
  const std::vector<const EditRule*> rules = writable(model);
  for (int env = 0; env < nenv; ++env) {
    Model edited = model;
    for (std::size_t k = 0; k < rules.size(); ++k) {
      // every fourth environment stays as compiled
      if (env % 4 != 0 && (static_cast<int>(k) + env) % 3 == 0) {
        edited.*rules[k]->values = nearby(model, *rules[k]);
        mixed.write(rules[k]->name, nearby(model, *rules[k]), env);
      }
    }
    compiler::set_constants(edited);
    models.push_back(std::move(edited));
  }
  run(&mixed);
  for (int env = 0; env < nenv; ++env) {
    Batch alone(models[static_cast<std::size_t>(env)], {.nenv = 1, .precision = GetParam()});
    run(&alone);
    EXPECT_EQ(difference(&mixed, env, &alone, 0), "") << "environment " << env;
  }
}

TEST_P(ModelFields, DampingOfOneEnvironmentMakesNoOtherOneIntegrateImplicitly) {
  // a limit, so that qacc is as exact as its solver; the edit turns damping on or off in one environment
  for (const char* damping : {"0", ".3"}) {
    const std::string xml = std::string(R"(
      <mujoco><worldbody><body><joint axis="0 1 0" range="-1 1" damping=")") +
                            damping + R"("/><geom type="capsule" size=".05 .2" pos="0 0 -.3"/>
        <body pos="0 0 -.6"><joint axis="1 1 0" damping=")" +
                            damping + R"("/><geom size=".1" pos="0 .1 -.1"/></body>
      </body></worldbody></mujoco>)";
    const Model model = compile(load_string(xml, Format::xml, "double pendulum"));
    const double other = model.dof_damping[0] == 0 ? 0.3 : 0;
    Model edited = model;
    edited.dof_damping = {other, other};
    compiler::set_constants(edited);
    Batch plain(model, {.nenv = 11, .precision = GetParam()});
    Batch alone(edited, {.nenv = 1, .precision = GetParam()});
    Batch mixed(model, {.nenv = 11, .precision = GetParam()});
    mixed.write("dof_damping", edited.dof_damping, 4);
    for (Batch* batch : {&plain, &alone, &mixed}) {
      run(batch);
    }
    EXPECT_NE(difference(&plain, 4, &mixed, 4), "");
    for (int env = 0; env < 11; ++env) {
      EXPECT_EQ(env == 4 ? difference(&mixed, 4, &alone, 0) : difference(&mixed, env, &plain, env),
                "")
          << "environment " << env << ", damping " << damping;
    }
  }
}

TEST_P(ModelFields, ResultsDependNeitherOnThreadsNorOnTilesNorOnTheOrderOfWriting) {
  const Model model = scene();
  constexpr int nenv = 40;
  const auto make = [&](int threads, int tile, bool backwards) {
    Batch batch(model, {.nenv = nenv, .precision = GetParam(), .threads = threads, .tile = tile});
    std::vector<const EditRule*> rules = writable(model);
    if (backwards) {
      std::reverse(rules.begin(), rules.end());
    }
    for (const EditRule* rule : rules) {
      batch.write(rule->name, nearby(model, *rule), backwards ? 33 : 7);
      batch.write(rule->name, nearby(model, *rule), backwards ? 7 : 33);
    }
    run(&batch);
    return batch;
  };
  Batch first = make(1, 0, false), second = make(3, 16, true);
  for (int env = 0; env < nenv; ++env) {
    EXPECT_EQ(difference(&first, env, &second, env), "") << "environment " << env;
  }
}

TEST_P(ModelFields, AResetKeepsEditsAndUsesTheEnvironmentsOwnStart) {
  const Model model = scene();
  Batch batch(model, {.nenv = 3, .precision = GetParam()});
  std::vector<double> qpos0 = model.qpos0, key = model.key_qpos;
  qpos0[7] += 0.25;
  key[0] += 0.5;
  batch.write("qpos0", qpos0, 2);
  batch.write("key_qpos", key, 1);
  batch.reset();
  const std::size_t nq = qpos0.size();
  EXPECT_EQ(batch.read("qpos")[2 * nq + 7], model.qpos0[7] + 0.25);
  EXPECT_EQ(batch.read("qpos")[nq + 7], model.qpos0[7]);
  batch.reset(0);
  EXPECT_EQ(batch.read("qpos")[nq], model.key_qpos[0] + 0.5);
  EXPECT_EQ(batch.read("qpos")[2 * nq], model.key_qpos[0]);
  EXPECT_EQ(batch.read("qpos0")[2 * nq + 7], qpos0[7]);
}

TEST_P(ModelFields, ARestoredEnvironmentIsAsIfNeverEdited) {
  const Model model = scene();
  Batch plain(model, {.nenv = 7, .precision = GetParam()});
  Batch batch(model, {.nenv = 7, .precision = GetParam()});
  for (const EditRule* rule : writable(model)) {
    batch.write(rule->name, nearby(model, *rule), std::vector<int>{1, 4});
  }
  run(&batch);
  EXPECT_GT(batch.report().model_bytes, 0u);
  run(&plain);
  batch.restore_model(std::vector<int>{4});
  run(&batch);
  EXPECT_EQ(difference(&batch, 4, &plain, 4), "");
  EXPECT_NE(difference(&batch, 1, &plain, 1), "");
  batch.restore_model();
  run(&batch);
  for (int env = 0; env < 7; ++env) {
    EXPECT_EQ(difference(&batch, env, &plain, env), "");
  }
  EXPECT_EQ(batch.report().model_bytes, 0u);
}

TEST_P(ModelFields, RestoringOneEnvironmentLeavesTheFieldsThatOnlyOthersHave) {
  const Model model = scene();
  Batch batch(model, {.nenv = 7, .precision = GetParam()});
  Batch heavy(model, {.nenv = 7, .precision = GetParam()});
  const std::vector<double> mass = nearby(model, *find_rule("body_mass"));
  heavy.write("body_mass", mass, 1);
  batch.write("body_mass", mass, 1);
  batch.write("geom_friction", nearby(model, *find_rule("geom_friction")), 4);
  run(&batch);
  batch.restore_model(std::vector<int>{4});
  run(&batch);
  run(&heavy);
  for (int env = 0; env < 7; ++env) {
    EXPECT_EQ(difference(&batch, env, &heavy, env), "") << "environment " << env;
  }
  EXPECT_EQ(batch.report().model_bytes, heavy.report().model_bytes);
}

}  // namespace
}  // namespace swept::test
