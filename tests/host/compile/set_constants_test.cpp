// SPDX-License-Identifier: Apache-2.0
// set_constants: what it computes is what the compiler has computed, and follows exactly from the
// fields that the batch believes it to follow from.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include <swept/compile.h>
#include <swept/model_fields.h>

#include "host/batch/edit_rules.h"
#include "host/compile/random_scene.h"
#include "host/compile/setconst/set_constants.h"

namespace swept::test {
namespace {

/// The first array in which two models differ, empty if none.
std::string first_difference(const Model& a, const Model& b) {
  for (const ModelField& field : model_fields(a)) {
    const std::string name(field.name);
    const bool same = field.is_int ? std::ranges::equal(int_field(a, name), int_field(b, name))
                                   : std::ranges::equal(real_field(a, name), real_field(b, name));
    if (!same) {
      return name;
    }
  }
  return {};
}

TEST(SetConstants, ChangesNoBitOfACompiledModel) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Model compiled = compile(SceneMaker(seed).scene(8));
    Model again = compiled;
    compiler::set_constants(again);
    EXPECT_EQ(first_difference(compiled, again), "") << "seed " << seed;
  }
}

TEST(SetConstants, FollowsFromNoPlainField) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Model compiled = compile(SceneMaker(seed).scene(8));
    for (const EditRule& rule : edit_rules()) {
      if (rule.kind != EditKind::plain) {
        continue;
      }
      Model edited = compiled;
      for (double& x : edited.*rule.values) {
        x = 1.5 * x + 0.25;
      }
      Model again = edited;
      compiler::set_constants(again);
      EXPECT_EQ(first_difference(edited, again), "") << rule.name << ", seed " << seed;
    }
  }
}

TEST(SetConstants, KeepsABodySimpleOnlyWhileItsFramesCoincide) {
  Spec spec;
  spec.worldbody.name = "world";
  Body body;
  body.joints.push_back({});
  body.joints[0].type = JointType::free;
  body.geoms.push_back({});
  body.geoms[0].type = GeomType::box;
  body.geoms[0].size = {0.1, 0.2, 0.3};
  spec.worldbody.bodies.push_back(body);
  Model model = compile(spec);
  ASSERT_EQ(model.body_simple[1], 1);
  ASSERT_EQ(model.dof_simplenum[0], 6);

  model.body_ipos[3] = 0.05;
  compiler::set_constants(model);
  EXPECT_EQ(model.body_simple[1], 0);
  EXPECT_EQ(model.dof_simplenum[0], 0);
  EXPECT_EQ(model.body_sameframe[1], sameframe_bodyrot);

  // about the body's origin the inertia across the offset grows by m d^2
  EXPECT_NEAR(model.dof_M0[4], model.body_inertia[4] + model.body_mass[1] * 0.05 * 0.05,
              1e-12 * model.dof_M0[4]);
}

}  // namespace
}  // namespace swept::test
