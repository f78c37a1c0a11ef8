// SPDX-License-Identifier: Apache-2.0
#include <swept/compile.h>
#include <swept/load.h>
#include <swept/model_fields.h>

#include <gtest/gtest.h>

#include <set>

namespace swept {
namespace {

Model pendulum() {
  return compile(load_string(R"(<mujoco><worldbody><body name="rod"><joint name="pivot"/>
    <geom type="capsule" size=".1 .2" mass="3"/></body></worldbody>
    <actuator><motor joint="pivot"/></actuator></mujoco>)",
                             Format::xml));
}

TEST(ModelFields, HaveTheLengthThatTheirShapeSays) {
  const Model model = pendulum();
  std::set<std::string_view> names;
  for (const ModelField& field : model_fields(model)) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name << " stands twice";
    const std::size_t length =
        field.is_int ? int_field(model, field.name).size() : real_field(model, field.name).size();
    EXPECT_EQ(length, field.rows * field.cols) << field.name;
    EXPECT_FALSE(field.meaning.empty()) << field.name;
    EXPECT_EQ(field.unit.empty(), field.is_int) << field.name;
  }
  EXPECT_GT(names.size(), 150U);
}

TEST(ModelFields, AreReadByName) {
  const Model model = pendulum();
  EXPECT_EQ(real_field(model, "body_mass")[1], 3.0);
  EXPECT_EQ(int_field(model, "jnt_type")[0], joint_hinge);
  EXPECT_EQ(real_field(model, "opt_gravity")[2], -9.81);
}

TEST(ModelFields, RefuseWrongNamesAndKinds) {
  const Model model = pendulum();
  EXPECT_THROW(real_field(model, "body_weight"), Error);
  EXPECT_THROW(int_field(model, "body_mass"), Error);
  EXPECT_THROW(real_field(model, "jnt_type"), Error);
}

TEST(ModelFields, AreZeroAfterResizing) {
  Model model;
  model.nbody = 3;
  model.nq = 2;
  model.nkey = 4;
  resize_fields(model);
  EXPECT_EQ(model.body_pos, std::vector<double>(9));
  EXPECT_EQ(model.key_qpos, std::vector<double>(8));
  EXPECT_TRUE(model.geom_type.empty());
}

}  // namespace
}  // namespace swept
