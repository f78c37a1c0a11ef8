// SPDX-License-Identifier: Apache-2.0
// Replicate: poses, names, and what refers to the copies.
#include "host/load/load_support.h"

#include <cmath>

namespace swept::test {
namespace {

std::vector<std::string> names(const std::vector<Actuator>& actuators) {
  std::vector<std::string> all;
  for (const Actuator& actuator : actuators) {
    all.push_back(actuator.name + ":" + actuator.target);
  }
  return all;
}

const char* const body = "<body name='b'><joint name='j'/><geom name='g' size='1'/></body>";

TEST(Replicate, CopiesStepAlongATurningPath) {
  // quarter turns with a unit step close a square
  const Spec spec = load_world(
      "<replicate count='5' offset='1 0 0' euler='0 0 90'><geom name='g' size='1'/></replicate>");
  const double x[] = {0.0, 1.0, 1.0, 0.0, 0.0};
  const double y[] = {0.0, 0.0, 1.0, 1.0, 0.0};
  for (std::size_t i = 0; i < 5; ++i) {
    const Geom& geom = spec.worldbody.geoms[i];
    EXPECT_NEAR(geom.pos[0], x[i], 1e-15);  // a few roundings
    EXPECT_NEAR(geom.pos[1], y[i], 1e-15);
    EXPECT_NEAR(std::abs(geom.quat[0]), std::abs(std::cos(0.25 * M_PI * static_cast<double>(i))),
                1e-15);
    EXPECT_EQ(geom.name, "g" + std::to_string(i));
  }
}

TEST(Replicate, SuffixesHaveTheDigitsOfTheCount) {
  const Spec spec =
      load_world("<replicate count='10' sep='_'>" + std::string(body) + "</replicate>");
  EXPECT_EQ(spec.worldbody.bodies[0].name, "b_00");
  EXPECT_EQ(spec.worldbody.bodies[9].joints[0].name, "j_09");
  EXPECT_EQ(
      load_world("<replicate count='1'><body name='b'/></replicate>").worldbody.bodies[0].name,
      "b0");
}

TEST(Replicate, InnerSuffixesComeFirst) {
  const Spec spec = load_sections(
      "<worldbody><replicate count='2' offset='0 1 0'><replicate count='2' sep='-' offset='1 0 "
      "0'>" +
      std::string(body) +
      "</replicate></replicate></worldbody>"
      "<actuator><motor name='A' joint='j'/><motor joint='j'/></actuator>");
  EXPECT_EQ(spec.worldbody.bodies[1].name, "b-10");
  EXPECT_EQ(spec.worldbody.bodies[2].name, "b-01");
  EXPECT_EQ(spec.worldbody.bodies[3].pos, (Vec3{1.0, 1.0, 0.0}));
  EXPECT_EQ(names(spec.actuators),
            (std::vector<std::string>{"A-00:j-00", ":j-00", "A-10:j-10", ":j-10", "A-01:j-01",
                                      ":j-01", "A-11:j-11", ":j-11"}));
}

TEST(Replicate, WhatRefersToACopyIsCopiedAtTheEndOfItsList) {
  const Spec spec = load_sections(
      "<worldbody><body name='x'><joint name='jx'/><geom name='gx' size='1'/></body>"
      "<replicate count='2' sep='_'>" +
      std::string(body) +
      "</replicate></worldbody>"
      "<tendon><fixed name='t'><joint joint='jx' coef='1'/><joint joint='j' "
      "coef='2'/></fixed></tendon>"
      "<actuator><motor name='B' joint='j'/><motor name='A' joint='jx'/>"
      "<motor name='C' tendon='t'/></actuator>"
      "<contact><pair name='p' geom1='gx' geom2='g'/><exclude name='e' body1='x' "
      "body2='b'/></contact>");
  EXPECT_EQ(names(spec.actuators),
            (std::vector<std::string>{"A:jx", "B_0:j_0", "C_0:t_0", "B_1:j_1", "C_1:t_1"}));
  ASSERT_EQ(spec.tendons.size(), 2U);
  EXPECT_EQ(spec.tendons[1].name, "t_1");
  EXPECT_EQ(spec.tendons[1].joints[0].joint, "jx");
  EXPECT_EQ(spec.tendons[1].joints[1].joint, "j_1");
  ASSERT_EQ(spec.pairs.size(), 2U);
  EXPECT_EQ(spec.pairs[0].geom1 + spec.pairs[0].geom2, "gxg_0");
  ASSERT_EQ(spec.excludes.size(), 2U);
  EXPECT_EQ(spec.excludes[1].body2, "b_1");
}

TEST(Replicate, CopiesCanBeNamedFromOutside) {
  const Spec spec =
      load_sections("<worldbody><replicate count='2' sep='_'>" + std::string(body) +
                    "</replicate></worldbody><actuator><motor name='A' joint='j_1'/></actuator>");
  EXPECT_EQ(names(spec.actuators), (std::vector<std::string>{"A:j_1"}));
}

TEST(Replicate, TargetsInsideFollowTheirCopy) {
  const Spec spec = load_world(
      "<body name='far'/><replicate count='2'><body name='b'>"
      "<camera name='c' mode='targetbody' target='b'/>"
      "<light mode='targetbody' target='far'/></body></replicate>");
  EXPECT_EQ(spec.worldbody.bodies[2].cameras[0].target, "b1");
  EXPECT_EQ(spec.worldbody.bodies[2].lights[0].target, "far");
}

TEST(Replicate, MistakesAndHugeCountsAreRefused) {
  for (const char* const elements : {
           "<replicate><geom size='1'/></replicate>",
           "<replicate count='0'><geom size='1'/></replicate>",
           "<replicate count='-3'><geom size='1'/></replicate>",
           "<replicate count='2000000000'><geom size='1'/></replicate>",
           "<replicate count='2000000000'></replicate>",
           "<replicate count='9000'><replicate count='9000'><replicate count='9000'>"
           "<geom size='1'/></replicate></replicate></replicate>",
           "<body><replicate count='2'><joint/></replicate></body>",
           "<body><replicate count='2'><frame><joint/></frame></replicate></body>",
           "<body><replicate count='2'><inertial pos='0 0 0' mass='1'/></replicate></body>",
       }) {
    error_of_sections("<worldbody>" + std::string(elements) + "</worldbody>");
  }
  error_of_sections(
      "<worldbody><body name='x'/><replicate count='2'><body name='b'/></replicate></worldbody>"
      "<custom><tuple name='t'><element objtype='body' objname='b'/>"
      "<element objtype='body' objname='x'/></tuple></custom>");
}

}  // namespace
}  // namespace swept::test
