// SPDX-License-Identifier: Apache-2.0
// Writing model fields: for all, some and one environment; what follows, what is refused, what
// freezes, what it costs, and what can be looked at.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <swept/batch.h>
#include <swept/error.h>
#include <swept/model_fields.h>

#include "host/batch/edits.h"
#include "host/batch/own_models.h"

namespace swept::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class ModelWrites : public testing::TestWithParam<Precision> {};
INSTANTIATE_TEST_SUITE_P(Precisions, ModelWrites, testing::Values(Precision::f32, Precision::f64),
                         [](const auto& given) {
                           return given.param == Precision::f32 ? "f32" : "f64";
                         });

TEST_P(ModelWrites, EveryFieldIsWrittenForAllForSomeAndForOne) {
  const Model model = scene();
  constexpr int nenv = 9;
  Batch batch(model, {.nenv = nenv, .precision = GetParam()});
  for (const EditRule* rule : writable(model)) {
    SCOPED_TRACE(std::string(rule->name));
    const std::vector<double>& compiled = model.*rule->values;
    const std::vector<double> other = nearby(model, *rule);
    const std::size_t width = compiled.size();
    const auto expect = [&](const std::vector<int>& with_other) {
      const std::vector<double> all = batch.read(rule->name);
      ASSERT_EQ(all.size(), nenv * width);
      for (int env = 0; env < nenv; ++env) {
        const bool is_other =
            std::find(with_other.begin(), with_other.end(), env) != with_other.end();
        const auto row = all.begin() + env * static_cast<std::ptrdiff_t>(width);
        if (is_other) {
          EXPECT_TRUE(std::equal(other.begin(), other.end(), row)) << "environment " << env;
        } else if (!with_other.empty()) {
          EXPECT_TRUE(std::equal(compiled.begin(), compiled.end(), row)) << "environment " << env;
        }
      }
    };
    // one, then some with a value each, then some with one for all
    batch.write(rule->name, other, 3);
    expect({3});
    std::vector<double> two = other;
    two.insert(two.end(), compiled.begin(), compiled.end());
    batch.write(rule->name, two, std::vector<int>{8, 3});
    expect({8});
    batch.write(rule->name, other, std::vector<int>{0, 1});
    expect({0, 1, 8});
    // all
    std::vector<double> everyone;
    for (int env = 0; env < nenv; ++env) {
      everyone.insert(everyone.end(), other.begin(), other.end());
    }
    batch.write(rule->name, everyone);
    expect({0, 1, 2, 3, 4, 5, 6, 7, 8});
    batch.restore_model();
    expect({});
    EXPECT_EQ(batch.report().model_bytes, 0u);
  }
}

TEST_P(ModelWrites, DerivedFieldsFollowBeforeTheNextLookAndStayAsTheyWereElsewhere) {
  const Model model = scene();
  Batch batch(model, {.nenv = 3, .precision = GetParam()});
  const EditRule& mass = *find_rule("body_mass");
  batch.write("body_mass", nearby(model, mass), 1);
  const Model edited = edited_model(model, mass);
  for (const char* name : {"body_subtreemass", "dof_invweight0", "body_invweight0", "dof_M0",
                           "tendon_invweight0", "actuator_acc0"}) {
    const std::vector<double> got = batch.read(name);
    const std::span<const double> mine = real_field(edited, name),
                                  compiled = real_field(model, name);
    const std::size_t width = mine.size();
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double want = i / width == 1 ? mine[i % width] : compiled[i % width];
      // numbers in use have the precision of the batch
      EXPECT_EQ(got[i], GetParam() == Precision::f32 ? static_cast<float>(want) : want) << name;
    }
  }
}

TEST_P(ModelWrites, WhatCannotBeWrittenIsRefusedByNameWithTheReason) {
  const Model model = scene();
  Batch batch(model, {.nenv = 3, .precision = GetParam()});
  const auto refusal = [&](std::string_view name, std::span<const double> values, int env) {
    try {
      batch.write(name, values, env);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto has = [](const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  };
  const std::vector<double> one = {1};
  for (const EditRule& rule : edit_rules()) {
    if (rule.kind == EditKind::derived || rule.kind == EditKind::fixed) {
      const std::string text = refusal(rule.name, model.*rule.values, 0);
      EXPECT_TRUE(has(text, rule.name) && has(text, rule.sources)) << rule.name << ": " << text;
    }
  }
  for (const ModelField& field : model_fields(model)) {
    if (field.is_int) {
      const std::string text = refusal(field.name, one, 0);
      EXPECT_TRUE(has(text, field.name) && has(text, "integers")) << text;
    }
  }
  EXPECT_TRUE(has(refusal("xpos", one, 0), "computed by forward() and step()"));
  EXPECT_TRUE(has(refusal("status", one, 0), "computed by forward() and step()"));
  EXPECT_TRUE(has(refusal("body_color", one, 0), "there is no field 'body_color'"));
  EXPECT_TRUE(has(refusal("body_mass", one, 0), "numbers per environment, 1 were given"));
  EXPECT_TRUE(has(refusal("body_mass", model.body_mass, 3), "environment 3 does not exist"));
  EXPECT_TRUE(has(refusal("qpos", model.qpos0, -1), "environment -1 does not exist"));
  EXPECT_TRUE(has(refusal("qpos", one, 0), "numbers per environment, 1 were given"));
  EXPECT_THROW(batch.write("body_mass", model.body_mass), Error);
  EXPECT_THROW(batch.restore_model(std::vector<int>{7}), Error);
  // none of it left a trace
  EXPECT_EQ(batch.report().model_bytes, 0u);
  EXPECT_EQ(batch.field_info("body_mass").stride[0], 0);
}

TEST_P(ModelWrites, AModelThatCannotBeFreezesItsEnvironmentAlone) {
  const Model model = scene();
  constexpr int nenv = 400, mine = 123;
  Batch plain(model, {.nenv = nenv, .precision = GetParam()});
  run(&plain, 8);
  const struct {
    const char* name;
    std::size_t index;
    double value;
  } cases[] = {
      {"body_mass", 2, nan},      {"body_mass", 2, -1},
      {"body_ipos", 3, INFINITY}, {"geom_size", 3, 0},
      {"opt_timestep", 0, 0},     {"opt_gravity", 2, nan},
      {"geom_friction", 4, nan},  {"actuator_gainprm", 0, -INFINITY},
      {"body_inertia", 7, -1e-9}, {"opt_impratio", 0, -2},
      {"opt_density", 0, -1},     {"opt_viscosity", 0, -1e-9},
      {"wrap_prm", 1, nan},       {"key_qpos", 1, nan},
  };
  for (const auto& bad : cases) {
    SCOPED_TRACE(std::string(bad.name) + " " + std::to_string(bad.value));
    const EditRule& rule = *find_rule(bad.name);
    std::vector<double> values = model.*rule.values;
    values[bad.index] = bad.value;
    Batch batch(model, {.nenv = nenv, .precision = GetParam()});
    batch.write(bad.name, values, mine);
    run(&batch, 8);
    EXPECT_EQ(batch.status(mine), Status::bad_model);
    EXPECT_NE(batch.model_problem(mine).find(bad.name), std::string::npos);
    EXPECT_EQ(batch.model_problem(mine - 1), "");
    EXPECT_EQ(batch.read("time")[mine], 0);
    EXPECT_EQ(batch.report().frozen, 1);
    for (int env = 0; env < nenv; ++env) {
      if (env != mine) {
        ASSERT_EQ(difference(&batch, env, &plain, env), "") << "environment " << env;
      }
    }
    // the numbers are as written
    const double kept = batch.read(bad.name)[mine * values.size() + bad.index];
    EXPECT_TRUE(std::isnan(bad.value) ? std::isnan(kept) : kept == bad.value);
    // nothing was computed from them
    const std::vector<double> weights = batch.read("body_invweight0");
    const std::size_t width = model.body_invweight0.size();
    for (std::size_t i = 0; i < width; ++i) {
      EXPECT_EQ(weights[mine * width + i], weights[i]);
    }

    // good numbers alone do not wake it, a reset does
    batch.write(bad.name, model.*rule.values, mine);
    batch.step(1);
    EXPECT_EQ(batch.status(mine), Status::bad_model);
    run(&batch, 8);
    EXPECT_EQ(difference(&batch, mine, &plain, mine), "");
  }
}

TEST_P(ModelWrites, AQuaternionAndAnAxisOfZeroFreezeAndOthersAreNormalized) {
  const Model model = scene();
  for (const char* name : {"body_quat", "body_iquat", "geom_quat", "site_quat"}) {
    Batch batch(model, {.nenv = 2, .precision = GetParam()});
    std::vector<double> values = model.*find_rule(name)->values;
    std::fill(values.begin() + 4, values.begin() + 8, 0.0);
    batch.write(name, values, 1);
    run(&batch, 2);
    EXPECT_EQ(batch.status(0), Status::ok) << name;
    EXPECT_EQ(batch.status(1), Status::bad_model) << name;

    // twice as long is the same rotation
    Batch plain(model, {.nenv = 2, .precision = GetParam()});
    values = model.*find_rule(name)->values;
    for (double& x : values) {
      x *= 2;
    }
    Batch longer(model, {.nenv = 2, .precision = GetParam()});
    longer.write(name, values, 1);
    run(&plain);
    run(&longer);
    EXPECT_EQ(longer.read(name)[values.size()], 2 * (model.*find_rule(name)->values)[0]);
    const std::vector<double> a = plain.read("qpos"), b = longer.read("qpos");
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_NEAR(a[i], b[i], GetParam() == Precision::f32 ? 1e-4 : 1e-12) << name;
    }
  }
  Batch batch(model, {.nenv = 2, .precision = GetParam()});
  std::vector<double> axes = model.jnt_axis;
  const std::size_t hinge = 3 * 3;
  std::fill_n(axes.begin() + hinge, 3, 0.0);
  batch.write("jnt_axis", axes, 0);
  run(&batch, 2);
  EXPECT_EQ(batch.status(0), Status::bad_model);
  EXPECT_EQ(batch.model_problem(0), "row 3 of jnt_axis is 0, an axis must have a direction");
}

TEST_P(ModelWrites, MemoryIsTakenForWhatDiffersOnly) {
  const Model model = scene();
  Batch batch(model, {.nenv = 64, .precision = GetParam()});
  const std::size_t before = batch.report().total_bytes;
  batch.write("geom_friction", model.geom_friction, 5);
  batch.step();
  EXPECT_EQ(batch.report().total_bytes, before) << "as compiled";
  batch.write("geom_friction", nearby(model, *find_rule("geom_friction")), 5);
  batch.step();
  const Report report = batch.report();
  // doubles and flags on the host, numbers of the batch on the device
  const std::size_t real = GetParam() == Precision::f32 ? 4 : 8;
  EXPECT_EQ(report.model_bytes, 64 * (model.geom_friction.size() * (8 + real) + 1));
  EXPECT_EQ(report.total_bytes, before + report.model_bytes);
  EXPECT_EQ(estimate_model_bytes(model, GetParam(), "geom_friction"), report.model_bytes / 64);
}

TEST(ModelFieldViews, AreCopiesThatStayInPlaceAndFollow) {
  const Model model = scene();
  Batch batch(model, {.nenv = 5, .precision = Precision::f64});
  EXPECT_EQ(batch.field<double>("body_mass").stride[0], 0);
  std::vector<double> heavy = model.body_mass;
  heavy[2] = 3;
  batch.write("body_mass", heavy, 4);
  const View<double> mass = batch.field<double>("body_mass");
  const View<double> subtree = batch.field<double>("body_subtreemass");
  EXPECT_EQ(mass.stride[0], model.nbody);
  EXPECT_EQ(mass(4, 2), 3);
  EXPECT_EQ(mass(3, 2), model.body_mass[2]);
  EXPECT_EQ(subtree(4, 2), 3);
  heavy[2] = 5;
  batch.write("body_mass", heavy, 4);
  batch.step();
  EXPECT_EQ(mass(4, 2), 5);
  EXPECT_EQ(subtree(4, 2), 5);
  batch.restore_model();
  batch.step();
  EXPECT_EQ(mass(4, 2), model.body_mass[2]);
  EXPECT_EQ(batch.field<double>("body_mass").data, mass.data);
}

TEST(StateFields, AreWrittenForSomeEnvironments) {
  const Model model = scene();
  Batch batch(model, {.nenv = 6, .precision = Precision::f64});
  const std::size_t nq = model.qpos0.size();
  std::vector<double> two(2 * nq);
  for (std::size_t i = 0; i < two.size(); ++i) {
    two[i] = static_cast<double>(i);
  }
  batch.write("qpos", two, std::vector<int>{4, 2});
  std::vector<double> all = batch.read("qpos");
  for (std::size_t i = 0; i < nq; ++i) {
    EXPECT_EQ(all[4 * nq + i], two[i]);
    EXPECT_EQ(all[2 * nq + i], two[nq + i]);
    EXPECT_EQ(all[3 * nq + i], model.qpos0[i]);
  }
  batch.write("ctrl", std::vector<double>{1, 2, 3, 4}, std::vector<int>{0, 1, 5});
  const std::vector<double> ctrl = batch.read("ctrl");
  EXPECT_EQ(ctrl[4 * 5 + 2], 3);
  EXPECT_EQ(ctrl[4 * 1 + 3], 4);
  EXPECT_EQ(ctrl[4 * 2], 0);
}

TEST(EditList, IsInTheOrderOfTheFieldTableAndHoldsWhatDiffersOnly) {
  const Model model = scene();
  Edits edits(model, 4);
  const auto names = [&] {
    std::string text;
    for (const EditedField& field : edits.fields()) {
      text += std::string(field.name) + " ";
    }
    return text;
  };
  std::vector<double> gravity = {0, 0, -1}, mass = model.body_mass;
  mass[1] += 1;
  edits.write("opt_gravity", gravity, std::vector<int>{2});
  edits.write("body_mass", mass, std::vector<int>{2, 3});
  EXPECT_EQ(names(), "body_mass opt_gravity ");
  EXPECT_EQ(edits.pending(), (std::vector<int>{2, 3}));
  EXPECT_EQ(edits.edited_envs(), (std::vector<int>{2, 3}));
  edits.settle();

  // a swap of two environments, then back by hand
  edits.copy(std::vector<int>{2, 0}, std::vector<int>{0, 2});
  EXPECT_EQ(edits.edited_envs(), (std::vector<int>{0, 3}));
  EXPECT_EQ(edits.find("opt_gravity")->row(0)[2], -1);
  EXPECT_EQ(edits.pending(), (std::vector<int>{0, 2}));

  // written back to what was compiled, a field is no longer listed
  edits.settle();
  edits.write("opt_gravity", model.opt_gravity, std::vector<int>{0});
  EXPECT_EQ(names(), "body_mass ");
  EXPECT_TRUE(edits.lost_field());
  edits.restore(std::vector<int>{0, 1, 2, 3});
  EXPECT_EQ(names(), "");
  EXPECT_EQ(edits.bytes(), 0u);
}

}  // namespace
}  // namespace swept::test
