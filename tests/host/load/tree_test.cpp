// SPDX-License-Identifier: Apache-2.0
// The kinematic tree: units, fromto, frames, and the rules of what may stand where.
#include "host/load/load_support.h"

#include <cmath>
#include <numbers>
#include <random>

namespace swept::test {
namespace {

// a few roundings on numbers of order one
constexpr double tolerance = 1e-14;

void expect_near(Vec3 a, Vec3 b) {
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(a[i], b[i], tolerance);
  }
}

TEST(Tree, OnlyAnglesThatAreLimitsOfTurningAreConverted) {
  const Spec spec = load_world(
      "<body><joint range='-90 90' ref='90' springref='90'/>"
      "<joint type='ball' range='0 90'/><joint type='slide' range='-90 90' ref='90'/>"
      "<joint range='-90 90' limited='false'/></body>");
  const std::vector<Joint>& joints = spec.worldbody.bodies[0].joints;
  const double half = std::numbers::pi / 2.0;
  EXPECT_DOUBLE_EQ(joints[0].range[1], half);
  EXPECT_DOUBLE_EQ(joints[0].ref, half);
  EXPECT_DOUBLE_EQ(joints[0].springref, half);
  EXPECT_DOUBLE_EQ(joints[1].range[1], half);
  EXPECT_EQ(joints[2].range[1], 90.0);
  EXPECT_EQ(joints[2].ref, 90.0);
  EXPECT_EQ(joints[3].range[1], 90.0);
}

TEST(Tree, FromtoGivesCentreHalfLengthAndAnAxisTowardsTheFirstPoint) {
  const Spec spec = load_world(
      "<geom type='capsule' size='0.1' fromto='1 0 0 3 0 0'/>"
      "<geom type='box' size='0.1' fromto='0 0 0 0 0 4'/>");
  const Geom& capsule = spec.worldbody.geoms[0];
  expect_near(capsule.pos, {2.0, 0.0, 0.0});
  expect_near(capsule.size, {0.1, 1.0, 0.0});
  // z axis = (-1, 0, 0)
  const Quat q = capsule.quat;
  EXPECT_NEAR(2.0 * (q[1] * q[3] + q[0] * q[2]), -1.0, tolerance);
  expect_near(spec.worldbody.geoms[1].size, {0.1, 0.1, 2.0});
}

TEST(Tree, FramesAreComposedIntoTheirContent) {
  const Spec spec = load_world(
      "<body><frame pos='1 0 0' euler='0 0 90'>"
      "<geom size='1' pos='1 0 0'/><joint pos='1 0 0' axis='1 0 0'/>"
      "<frame pos='0 2 0'><body pos='1 0 0'/><light dir='1 0 0'/></frame></frame></body>");
  const Body& body = spec.worldbody.bodies[0];
  expect_near(body.geoms[0].pos, {1.0, 1.0, 0.0});
  expect_near(body.joints[0].pos, {1.0, 1.0, 0.0});
  expect_near(body.joints[0].axis, {0.0, 1.0, 0.0});
  expect_near(body.bodies[0].pos, {-1.0, 1.0, 0.0});
  expect_near(body.lights[0].dir, {0.0, 1.0, 0.0});
}

TEST(Tree, AFrameThatUndoesAnotherChangesNothing) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int i = 0; i < 500; ++i) {
    const double angle = 100.0 * uniform(random);
    const std::string there = std::to_string(angle);
    const std::string back = std::to_string(-angle);
    const Spec spec = load_world("<frame euler='0 " + there + " 0'><frame euler='0 " + back +
                                 " 0'><geom size='1' pos='1 2 3'/></frame></frame>");
    expect_near(spec.worldbody.geoms[0].pos, {1.0, 2.0, 3.0});
    EXPECT_NEAR(std::abs(spec.worldbody.geoms[0].quat[0]), 1.0, tolerance);
  }
}

TEST(Tree, AFreeJointIgnoresItsFrame) {
  const Spec spec =
      load_world("<body><frame pos='1 2 3' euler='10 20 30'><freejoint/></frame></body>");
  expect_near(spec.worldbody.bodies[0].joints[0].pos, {0.0, 0.0, 0.0});
  expect_near(spec.worldbody.bodies[0].pos, {0.0, 0.0, 0.0});
}

TEST(Tree, ElementsKeepDocumentOrderAndTheirLine) {
  const Spec spec = load_string(
      "<mujoco>\n<worldbody>\n<geom name='a' size='1'/>\n<frame>\n<geom name='b' size='1'/>\n"
      "</frame>\n<geom name='c' size='1'/>\n</worldbody>\n</mujoco>",
      Format::xml, "order.xml");
  const std::vector<Geom>& geoms = spec.worldbody.geoms;
  EXPECT_EQ(geoms[0].name + geoms[1].name + geoms[2].name, "abc");
  EXPECT_EQ(geoms[0].source.line, 3);
  EXPECT_EQ(geoms[1].source.line, 5);
  EXPECT_EQ(geoms[2].source.line, 7);
  EXPECT_EQ(spec.files[0], "order.xml");
}

TEST(Tree, SettingsAreRead) {
  const Spec spec = load_sections(
      "<option timestep='0.01' solver='CG' cone='elliptic' actuatorgroupdisable='0 3'>"
      "<flag contact='disable' eulerdamp='disable' energy='enable' gravity='enable'/></option>"
      "<option integrator='RK4'/><statistic extent='2' center='1 2 3'/><size nkey='4'/>"
      "<custom><numeric name='n' size='3' data='1 2'/><text name='t' data='hello'/></custom>"
      "<keyframe><key name='k' time='2' ctrl='1 2 3'/></keyframe>");
  EXPECT_EQ(spec.option.timestep, 0.01);
  EXPECT_EQ(spec.option.solver, SolverType::cg);
  EXPECT_EQ(spec.option.cone, Cone::elliptic);
  EXPECT_EQ(spec.option.integrator, Integrator::rk4);
  EXPECT_EQ(spec.option.disableactuator, 9);
  EXPECT_EQ(spec.option.disableflags, (1 << 4) | (1 << 15));
  EXPECT_EQ(spec.option.enableflags, 1 << 1);
  EXPECT_EQ(spec.statistic.extent, 2.0);
  EXPECT_FALSE(spec.statistic.meanmass.has_value());
  EXPECT_EQ(spec.size.nkey, 4);
  EXPECT_EQ(spec.numerics[0].data, (std::vector<double>{1.0, 2.0, 0.0}));
  EXPECT_EQ(spec.texts[0].data, "hello");
  EXPECT_EQ(spec.keys[0].ctrl.size(), 3U);
  EXPECT_TRUE(spec.keys[0].qpos.empty());
}

TEST(Tree, WhatStandsInTheWrongPlaceIsRefused) {
  for (const char* const elements : {
           "<joint/>",
           "<freejoint/>",
           "<inertial pos='0 0 0' mass='1'/>",
           "<body><inertial mass='1'/></body>",
           "<body><inertial pos='0 0 0' mass='1'/><inertial pos='0 0 0' mass='1'/></body>",
           "<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 1' fullinertia='1 1 1 0 0 "
           "0'/></body>",
           "<body><inertial pos='0 0 0' mass='1' quat='1 0 0 0' fullinertia='1 1 1 0 0 0'/></body>",
           "<geom quat='1 0 0 0' euler='0 0 0'/>",
           "<geom type='sphere' size='1' fromto='0 0 0 0 0 1'/>",
           "<geom type='capsule' size='1' fromto='0 0 0 0 0 0'/>",
           "<geom type='capsule' size='1' pos='1 0 0' fromto='0 0 0 0 0 1'/>",
           "<geom quat='0 0 0 0'/>",
           "<geom material='none'/>",
           "<geom name='a'/><geom name='a'/>",
           "<body name='world'/>",
           "<camera target='none'/>",
           "<body><joint limited='true'/></body>",
           "<body><joint limited='true' range='1 0'/></body>",
       }) {
    const Error error = error_of_sections("<worldbody>" + std::string(elements) + "</worldbody>");
    EXPECT_EQ(error.line(), 1) << elements;
  }
}

TEST(Tree, WithoutAutolimitsARangeNeedsItsFlag) {
  const std::string off = "<compiler autolimits='false'/>";
  error_of_sections(off + "<worldbody><body><joint range='0 1'/></body></worldbody>");
  load_sections(off + "<worldbody><body><joint range='0 1' limited='true'/></body></worldbody>");
  load_sections(off +
                "<default><joint range='0 1'/></default>"
                "<worldbody><body><joint limited='false'/></body></worldbody>");
}

TEST(Tree, ReferencesAreChecked) {
  const std::string world =
      "<worldbody><geom name='g'/><body name='b'><joint name='j'/></body></worldbody>";
  load_sections(world + "<contact><exclude body1='b' body2='world'/></contact>");
  for (const char* const sections : {
           "<contact><pair geom1='g' geom2='h'/></contact>",
           "<contact><exclude body1='b' body2='c'/></contact>",
           "<tendon><fixed><joint joint='k' coef='1'/></fixed></tendon>",
           "<actuator><motor joint='k'/></actuator>",
           "<actuator><motor tendon='j'/></actuator>",
           "<actuator><motor/></actuator>",
           "<actuator><motor joint='j' tendon='j'/></actuator>",
           "<asset><material name='m' texture='t'/></asset>",
       }) {
    error_of_sections(world + sections);
  }
  EXPECT_NE(
      error_of_sections(world + "<actuator><motor joint='jj'/></actuator>").remedy().find("'j'"),
      std::string::npos);
}

}  // namespace
}  // namespace swept::test
