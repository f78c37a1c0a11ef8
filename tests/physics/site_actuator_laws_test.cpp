// SPDX-License-Identifier: Apache-2.0
// Laws of actuators on sites: a force of one is a wrench applied at the site, power is the same on
// dofs and at the actuator, and what pulls two bodies together pulls none of them away.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "physics/scene.h"

namespace swept::test {
namespace {

constexpr int nenv = 40;

/// A free body with an arm of a ball and a hinge, a second free body, and sites everywhere.
const std::string tree = R"(
  <worldbody>
    <site name="ground" pos=".2 .1 0" euler="10 20 30"/>
    <body name="base" pos="0 0 1">
      <freejoint name="fly"/>
      <geom type="box" size=".2 .1 .05" pos=".02 0 .01"/>
      <site name="rotor" pos=".2 .1 .05" euler="0 30 10"/>
      <body name="arm" pos=".3 0 0">
        <joint name="ball" type="ball"/>
        <geom type="capsule" size=".04 .1" pos="0 0 -.1"/>
        <body name="hand" pos="0 0 -.25">
          <joint name="hinge" axis="1 .2 0"/>
          <geom type="ellipsoid" size=".05 .08 .1" pos=".03 0 -.05"/>
          <site name="tool" pos=".02 .03 -.12" euler="40 0 20"/>
        </body>
      </body>
    </body>
    <body name="other" pos="1 0 1">
      <freejoint/>
      <geom type="box" size=".1 .2 .15"/>
      <site name="mark" pos="0 .2 .1" euler="0 0 70"/>
    </body>
  </worldbody>)";

class SiteActuators : public testing::TestWithParam<Precision> {
 protected:
  /// A batch whose environments stand and move at random.
  Batch batch(const std::string& actuators) const {
    Batch made = make_batch("<mujoco><option gravity='0 0 0'><flag contact='disable'/></option>" +
                                tree + "<actuator>" + actuators + "</actuator></mujoco>",
                            nenv, GetParam());
    fill(&made, "qpos", [](int env, int i) { return noise(env, i) + (i == 3 || i == 7 ? 1 : 0); });
    fill(&made, "qvel", [](int env, int i) { return noise(env, i, 1); });
    fill(&made, "ctrl", [](int env, int i) { return 3 * noise(env, i, 2); });
    return made;
  }

  /// f64: rounding; f32: of numbers up to 1e2.
  double bar() const { return GetParam() == Precision::f32 ? 2e-3 : 1e-10; }
};

TEST_P(SiteActuators, AForceIsAWrenchAtTheSite) {
  constexpr std::array<double, 6> gear = {0.4, -0.3, 1.2, 0.05, 0.1, -0.2};
  Batch driven = batch("<motor site='tool' gear='.4 -.3 1.2 .05 .1 -.2'/>");
  for (const char* field : {"site_xpos", "site_xmat", "xipos", "qacc"}) {
    driven.bind(field);
  }
  driven.forward();
  const Model& m = driven.model();
  const auto index = [](const std::vector<std::string>& names, const char* name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  const std::size_t site = index(m.names.site, "tool"), body = index(m.names.body, "hand");
  const std::size_t nbody = m.names.body.size(), nsite = m.names.site.size();
  const std::vector<double> xpos = driven.read("site_xpos"), xmat = driven.read("site_xmat"),
                            xipos = driven.read("xipos"), ctrl = driven.read("ctrl");

  // the same wrench by hand, at the centre of mass
  Batch pushed = batch("<motor site='tool' gear='.4 -.3 1.2 .05 .1 -.2'/>");
  fill(&pushed, "ctrl", [](int, int) { return 0.0; });
  fill(&pushed, "xfrc_applied", [&](int env, int i) {
    const std::size_t e = static_cast<std::size_t>(env), k = static_cast<std::size_t>(i);
    if (k / 6 != body) {
      return 0.0;
    }
    std::array<double, 3> force{}, torque{}, arm{};
    for (std::size_t r = 0; r < 3; ++r) {
      arm[r] = xpos[3 * (e * nsite + site) + r] - xipos[3 * (e * nbody + body) + r];
      for (std::size_t c = 0; c < 3; ++c) {
        const double axis = xmat[9 * (e * nsite + site) + 3 * r + c];
        force[r] += axis * gear[c] * ctrl[e];
        torque[r] += axis * gear[3 + c] * ctrl[e];
      }
    }
    const std::size_t r = k % 3, a = (r + 1) % 3, b = (r + 2) % 3;
    return k % 6 < 3 ? force[r] : torque[r] + arm[a] * force[b] - arm[b] * force[a];
  });
  pushed.bind("qacc");
  pushed.forward();
  const std::vector<double> got = driven.read("qacc"), want = pushed.read("qacc");
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    largest = std::max(largest, std::abs(want[i]));
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], want[i], bar() * largest) << i;
  }
  EXPECT_GT(largest, 10);
}

TEST_P(SiteActuators, PowerIsTheSameOnBothSides) {
  Batch made = batch(
      "<motor site='rotor' gear='0 0 1 0 0 .1'/><motor site='tool' refsite='rotor' gear='1 2 3'/>"
      "<motor site='tool' refsite='mark' gear='1 0 2 .3 .2 .1'/>"
      "<position site='mark' refsite='ground' gear='0 0 0 1 2 0' kp='3' kv='.5'/>"
      "<motor jointinparent='ball' gear='1 2 -1'/><motor jointinparent='fly' gear='1 0 0 0 1 2'/>"
      "<motor jointinparent='hinge' gear='3'/>");
  for (const char* field : {"actuator_force", "actuator_velocity", "qfrc_actuator"}) {
    made.bind(field);
  }
  made.forward();
  const std::vector<double> force = made.read("actuator_force"),
                            velocity = made.read("actuator_velocity"),
                            qfrc = made.read("qfrc_actuator"), qvel = made.read("qvel");
  const std::size_t nu = force.size() / nenv, nv = qvel.size() / nenv;
  for (std::size_t env = 0; env < nenv; ++env) {
    double at_actuators = 0, on_dofs = 0;
    for (std::size_t u = 0; u < nu; ++u) {
      at_actuators += force[env * nu + u] * velocity[env * nu + u];
    }
    for (std::size_t i = 0; i < nv; ++i) {
      on_dofs += qfrc[env * nv + i] * qvel[env * nv + i];
    }
    EXPECT_NEAR(at_actuators, on_dofs, bar() * 100) << env;
  }
}

TEST_P(SiteActuators, AReferenceOnAnotherTreeFeelsTheOppositeForce) {
  Batch made = batch("<motor site='rotor' refsite='mark' gear='1 2 3 .1 .2 .3'/>");
  made.bind("qfrc_actuator");
  made.forward();
  const std::vector<double> qfrc = made.read("qfrc_actuator");
  const std::size_t nv = qfrc.size() / nenv;
  double largest = 0;
  for (std::size_t env = 0; env < nenv; ++env) {
    for (std::size_t k = 0; k < 3; ++k) {
      // translations of the two free bodies; the arm between them stands at dofs 6 to 9
      const double one = qfrc[env * nv + k], other = qfrc[env * nv + 10 + k];
      EXPECT_NEAR(one, -other, bar()) << env;
      largest = std::max(largest, std::abs(one));
    }
    for (std::size_t i = 6; i < 10; ++i) {
      EXPECT_EQ(qfrc[env * nv + i], 0) << "dofs below the site are not moved by it";
    }
  }
  EXPECT_GT(largest, 1);
}

INSTANTIATE_TEST_SUITE_P(Precisions, SiteActuators, testing::Values(Precision::f64, Precision::f32),
                         [](const auto& p) { return p.param == Precision::f32 ? "f32" : "f64"; });

}  // namespace
}  // namespace swept::test
