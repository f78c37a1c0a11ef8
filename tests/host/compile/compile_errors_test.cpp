// SPDX-License-Identifier: Apache-2.0
// Scenes that cannot be compiled give an error with the line of the element and what to do.
#include <swept/compile.h>
#include <swept/load.h>

#include <gtest/gtest.h>

#include <limits>
#include <ostream>

namespace swept {
namespace {

/// A scene with one mistake. The element stands in line 2.
struct Mistake {
  const char* name;
  const char* xml;
  const char* message;  ///< a part of what the error says
};

void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.name;
}

const Mistake mistakes[] = {
    {"no_mass", R"(<mujoco><worldbody>
      <body name="b"><joint/></body></worldbody></mujoco>)",
     "moves but has no mass"},
    {"negative_size", R"(<mujoco><worldbody>
      <geom name="g" size="0"/></worldbody></mujoco>)",
     "size 1 of a sphere must be positive"},
    {"plane_that_moves", R"(<mujoco><worldbody>
      <body><joint/><geom size=".1"/><geom name="p" type="plane" size="1 1 1"/></body></worldbody>
      </mujoco>)",
     "a plane can only stand on a body that does not move"},
    {"mocap_inside", R"(<mujoco><worldbody><body>
      <body name="b" mocap="true"/></body></worldbody></mujoco>)",
     "a mocap body must be a child of the world"},
    {"mocap_with_joints", R"(<mujoco><worldbody>
      <body mocap="true"><joint/><geom size=".1"/></body></worldbody></mujoco>)",
     "a mocap body has joints"},
    {"mocap_key", R"(<mujoco><worldbody><body mocap="true"/></worldbody><keyframe>
      <key mpos="1 2"/></keyframe></mujoco>)",
     "mpos has 2 numbers, the mocap bodies have 3"},
    {"mocap_key_without_bodies", R"(<mujoco><keyframe>
      <key mquat="1 0 0 0"/></keyframe></mujoco>)",
     "mquat has 4 numbers, the mocap bodies have 0"},
    {"free_inside", R"(<mujoco><worldbody><body><geom size=".1"/>
      <body><freejoint/><geom size=".1"/></body></body></worldbody></mujoco>)",
     "child of the world"},
    {"rotation_after_ball", R"(<mujoco><worldbody><body><geom size=".1"/>
      <joint type="ball"/><joint name="j"/></body></worldbody></mujoco>)",
     "cannot follow a ball"},
    {"too_many_dofs", R"(<mujoco><worldbody><body><geom size=".1"/><freejoint/>
      <joint name="j"/></body></worldbody></mujoco>)",
     "more than 6 dofs"},
    {"axis", R"(<mujoco><worldbody><body><geom size=".1"/>
      <joint axis="0 0 0"/></body></worldbody></mujoco>)",
     "axis"},
    {"triangle", R"(<mujoco><worldbody>
      <body name="b"><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/></body></worldbody>
        </mujoco>)",
     "A + B >= C"},
    {"full_inertia", R"(<mujoco><worldbody><body>
      <inertial pos="0 0 0" mass="1" fullinertia="1 1 1 2 0 0"/></body></worldbody></mujoco>)",
     "not positive definite"},
    {"no_such_joint", R"(<mujoco><actuator>
      <motor name="m" joint="knee"/></actuator></mujoco>)",
     "no joint 'knee'"},
    {"no_such_geom", R"(<mujoco><contact>
      <pair geom1="a" geom2="b"/></contact></mujoco>)",
     "no geom 'a'"},
    {"no_such_body", R"(<mujoco><contact>
      <exclude body1="world" body2="b"/></contact></mujoco>)",
     "no body 'b'"},
    {"ball_in_tendon", R"(<mujoco><worldbody><body><geom size=".1"/><joint name="j" type="ball"/>
      </body></worldbody><tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
        </mujoco>)",
     "not a slide or a hinge"},
    {"joint_twice",
     R"(<mujoco><worldbody><body><geom size=".1"/><joint name="j"/></body></worldbody>
      <tendon><fixed name="t"><joint joint="j" coef="1"/><joint joint="j" coef="2"/></fixed>
        </tendon>
      </mujoco>)",
     "appears twice"},
    {"nothing_to_inherit",
     R"(<mujoco><worldbody><body><geom size=".1"/><joint name="j"/></body></worldbody>
      <actuator><position joint="j" inheritrange="1"/></actuator></mujoco>)",
     "has no range"},
    {"inherited_by_a_site",
     R"(<mujoco><worldbody><body><geom size=".1"/><site name="s"/></body></worldbody>
      <actuator><position site="s" inheritrange="1"/></actuator></mujoco>)",
     "is no slide, hinge or tendon"},
    {"inherited_from_a_ball",
     R"(<mujoco><worldbody><body><geom size=".1"/><joint name="j" type="ball" range="0 9"/></body>
      </worldbody><actuator><position joint="j" inheritrange="1"/></actuator></mujoco>)",
     "is no slide, hinge or tendon"},
    {"damping_of_a_site",
     R"(<mujoco><worldbody><body><geom size=".1"/><site name="s"/></body></worldbody>
      <actuator><motor site="s" damping="1"/></actuator></mujoco>)",
     "it acts on a site and has damping"},
    {"armature_of_a_site",
     R"(<mujoco><worldbody><body><geom size=".1"/><site name="s"/></body></worldbody>
      <actuator><motor site="s" armature="1"/></actuator></mujoco>)",
     "it acts on a site and has damping or armature"},
    {"long_key", R"(<mujoco><keyframe>
      <key name="k" qpos="1 2 3"/></keyframe></mujoco>)",
     "qpos has 3 numbers, the model has 0"},
    {"visual_mass", R"(<mujoco><compiler discardvisual="true" inertiafromgeom="true"/><worldbody>
      <body name="b"><geom size=".1" contype="0" conaffinity="0"/></body></worldbody></mujoco>)",
     "discardvisual"},
};

class CompileMistake : public testing::TestWithParam<Mistake> {};

TEST_P(CompileMistake, IsAnErrorInLineTwo) {
  try {
    compile(load_string(GetParam().xml, Format::xml));
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(GetParam().message), std::string::npos) << text;
    EXPECT_EQ(text.substr(0, 8), "scene:2:") << text;
  }
}

INSTANTIATE_TEST_SUITE_P(All, CompileMistake, testing::ValuesIn(mistakes),
                         [](const auto& which) { return std::string(which.param.name); });

/// The message of the error that compiling a Spec gives.
std::string refusal(const Spec& spec) {
  try {
    compile(spec);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// A scene built by a program: one hinge and one actuator on it.
Spec servo() {
  Spec spec;
  Body body;
  body.geoms.resize(1);
  body.geoms[0].size = {0.1, 0.0, 0.0};
  body.joints.resize(1);
  body.joints[0].name = "hinge";
  spec.worldbody.bodies.push_back(body);
  spec.actuators.resize(1);
  spec.actuators[0].name = "servo";
  spec.actuators[0].target = "hinge";
  return spec;
}

TEST(Compile, ChecksWhatAProgramBuilds) {
  EXPECT_EQ(refusal(servo()), "no error");

  Spec unlimited = servo();
  unlimited.compiler.autolimits = false;
  unlimited.worldbody.bodies[0].joints[0].range = {-1.0, 1.0};
  EXPECT_NE(refusal(unlimited).find("joint 'hinge': range is given but limited is not"),
            std::string::npos)
      << refusal(unlimited);

  Spec empty = servo();
  empty.worldbody.bodies[0].joints[0].limited = Tristate::yes;
  EXPECT_NE(refusal(empty).find("joint 'hinge': range is empty"), std::string::npos)
      << refusal(empty);

  Spec stateless = servo();
  stateless.actuators[0].actrange = {-1.0, 1.0};
  EXPECT_NE(refusal(stateless).find("actuator 'servo': actrange is given but dyntype is none"),
            std::string::npos)
      << refusal(stateless);

  Spec wide = servo();
  wide.actuators[0].dyntype = DynType::filter;
  wide.actuators[0].actdim = 2;
  EXPECT_NE(refusal(wide).find("actuator 'servo': actdim is 2"), std::string::npos)
      << refusal(wide);
}

TEST(Compile, RefusesAMediumOfNegativeDensityOrViscosity) {
  for (double OptionSettings::*const number :
       {&OptionSettings::density, &OptionSettings::viscosity}) {
    Spec thin = servo();
    thin.option.*number = 1e-9;
    EXPECT_EQ(refusal(thin), "no error");
    thin.option.*number = -1e-9;
    EXPECT_NE(refusal(thin).find("must not be negative"), std::string::npos) << refusal(thin);
  }
}

TEST(Compile, SaysOnceThatTheSolverIsAnother) {
  const auto notices = [](const char* solver) {
    return compile(load_string(std::string("<mujoco><option solver=\"") + solver + "\"/></mujoco>",
                               Format::xml))
        .notices;
  };
  EXPECT_TRUE(notices("CG").empty());
  ASSERT_EQ(notices("Newton").size(), 1U);
  EXPECT_NE(notices("Newton")[0].find("Newton"), std::string::npos);
  ASSERT_EQ(notices("PGS").size(), 1U);
}

TEST(Compile, GivesTheSameBitsTwice) {
  const Spec spec = load_string(R"(<mujoco><worldbody><body euler="10 20 30"><freejoint/>
    <geom size=".1" pos="1 2 3"/><geom size=".2"/></body></worldbody></mujoco>)",
                                Format::xml);
  EXPECT_EQ(compile(spec).body_iquat, compile(spec).body_iquat);
  EXPECT_EQ(compile(spec).dof_invweight0, compile(spec).dof_invweight0);
}

}  // namespace
}  // namespace swept
