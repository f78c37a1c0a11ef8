// SPDX-License-Identifier: Apache-2.0
// Laws of motion without contact: closed forms of the integrators, conservation of energy and
// momentum.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "physics/scene.h"
#include "support/near.h"

namespace swept::test {
namespace {

Bar bar_of(Precision precision) {
  return precision == Precision::f32 ? Bar::f32 : Bar::f64;
}

class MotionLaws : public testing::TestWithParam<Precision> {};

TEST_P(MotionLaws, FreeFallFollowsTheClosedFormOfSemiImplicitEuler) {
  // z_n = z_0 + n h v_0 - g h^2 n (n + 1) / 2
  Batch batch = make_batch(
      R"(<mujoco><option timestep="0.004" gravity="0 0 -9.5"/><worldbody><body><freejoint/><geom type="sphere" size="0.2"/></body></worldbody></mujoco>)",
      33, GetParam());
  fill(&batch, "qpos",
       [](int env, int i) { return i == 2 ? 2 + noise(env, 2) : (i == 3 ? 1 : 0.0); });
  fill(&batch, "qvel", [](int env, int i) { return i == 2 ? 3 * noise(env, 7) : 0.0; });
  const auto start = batch.read("qpos"), velocity = batch.read("qvel");
  constexpr int n = 100;
  batch.step(n);
  const auto end = batch.read("qpos");
  for (std::size_t env = 0; env < 33; ++env) {
    const double expected = start[env * 7 + 2] + n * 0.004 * velocity[env * 6 + 2] -
                            9.5 * 0.004 * 0.004 * n * (n + 1) / 2;
    // rounding of 100 additions of numbers near 2
    EXPECT_TRUE(near(end[env * 7 + 2], expected, {1e-13, 3e-5}, bar_of(GetParam())))
        << "environment " << env;
  }
}

/// Potential and kinetic energy of the double pendulum below, from its coordinates alone.
double double_pendulum_energy(double q1, double q2, double v1, double v2) {
  // point masses m at the ends of massless rods of length l; angles from the downward vertical, the
  // second relative to the first
  constexpr double m = 1, l = 0.5, g = 9.81;
  const double w2 = v1 + v2;
  const double kinetic = 0.5 * m * l * l * (2 * v1 * v1 + w2 * w2 + 2 * v1 * w2 * std::cos(q2));
  const double potential = -m * g * l * (2 * std::cos(q1) + std::cos(q1 + q2));
  return kinetic + potential;
}

/// Largest drift of its energy over one second, relative to the energy's scale.
double energy_drift(Precision precision, double timestep) {
  const std::string xml = R"(<mujoco><option timestep=")" + std::to_string(timestep) +
                          R"(" integrator="RK4" gravity="0 0 -9.81"/>
    <worldbody><body><joint name="a" axis="0 1 0"/><inertial pos="0 0 -0.5" mass="1" diaginertia="1e-10 1e-10 1e-10"/>
      <body pos="0 0 -0.5"><joint name="b" axis="0 1 0"/><inertial pos="0 0 -0.5" mass="1" diaginertia="1e-10 1e-10 1e-10"/></body></body></worldbody></mujoco>)";
  constexpr int nenv = 20;
  Batch batch = make_batch(xml, nenv, precision);
  fill(&batch, "qpos", [](int env, int i) { return 2 * noise(env, i); });
  fill(&batch, "qvel", [](int env, int i) { return 2 * noise(env, i, 1); });
  const auto q0 = batch.read("qpos"), v0 = batch.read("qvel");
  batch.step(static_cast<int>(std::lround(1 / timestep)));
  const auto q1 = batch.read("qpos"), v1 = batch.read("qvel");
  double drift = 0;
  for (std::size_t e = 0; e < nenv; ++e) {
    const double before =
        double_pendulum_energy(q0[2 * e], q0[2 * e + 1], v0[2 * e], v0[2 * e + 1]);
    const double after = double_pendulum_energy(q1[2 * e], q1[2 * e + 1], v1[2 * e], v1[2 * e + 1]);
    drift = std::max(drift, std::abs(after - before) / 14.7);
  }
  return drift;
}

TEST(EnergyLaw, Rk4ConservesTheEnergyOfADoublePendulumToFourthOrder) {
  const double coarse = energy_drift(Precision::f64, 0.01),
               fine = energy_drift(Precision::f64, 0.005);
  EXPECT_LT(coarse, 1e-3);
  // the local error is of order h^5, the drift over a fixed time of order h^4 to h^5: halving h
  // divides it by 16 to 32, more where signs cancel
  EXPECT_GT(coarse / fine, 12);
  // f32 adds rounding of 200 steps
  EXPECT_LT(energy_drift(Precision::f32, 0.005), fine + 2e-5);
}

constexpr int chains = 17;

/// A free chain with springs, motors and friction loss, without gravity or contacts.
std::string chain_xml(double timestep) {
  return R"(<mujoco><option timestep=")" + std::to_string(timestep) +
         R"(" gravity="0 0 0"><flag contact="disable"/></option>
    <worldbody><body name="root"><freejoint/><geom type="capsule" size="0.05 0.2"/>
      <body pos="0 0 0.3"><joint name="a" axis="1 0 0" stiffness="20" damping="0.5"/>
        <geom type="capsule" size="0.04 0.15" pos="0 0 0.2"/>
        <body pos="0 0 0.4"><joint name="b" type="ball"/><geom type="sphere" size="0.1"/></body></body>
      <body pos="0 0.1 -0.3"><joint name="c" axis="0 1 0" frictionloss="0.2"/>
        <geom type="capsule" size="0.04 0.15" pos="0 0 -0.2"/></body></body></worldbody>
    <actuator><motor joint="a" gear="3"/><motor joint="c" gear="2"/></actuator></mujoco>)";
}

/// Linear momentum of each environment, from the velocities of the centres of mass [kg m/s].
std::vector<double> momentum_of(Batch* batch) {
  for (const char* name : {"cvel", "xipos", "subtree_com"}) {
    batch->field_info(name);
  }
  batch->forward();
  const auto cvel = batch->read("cvel"), xipos = batch->read("xipos"),
             com = batch->read("subtree_com");
  const std::size_t nbody = static_cast<std::size_t>(batch->model().nbody);
  std::vector<double> all;
  for (std::size_t env = 0; env < chains; ++env) {
    std::array<double, 3> p{};
    for (std::size_t body = 1; body < nbody; ++body) {
      // cvel is about the subtree_com of the root
      const double* v = &cvel[(env * nbody + body) * 6];
      const double* x = &xipos[(env * nbody + body) * 3];
      const double* c = &com[(env * nbody + 1) * 3];
      const double r[3] = {x[0] - c[0], x[1] - c[1], x[2] - c[2]};
      const double at[3] = {v[3] + v[1] * r[2] - v[2] * r[1], v[4] + v[2] * r[0] - v[0] * r[2],
                            v[5] + v[0] * r[1] - v[1] * r[0]};
      for (std::size_t k = 0; k < 3; ++k) {
        p[k] += batch->model().body_mass[body] * at[k];
      }
    }
    all.insert(all.end(), p.begin(), p.end());
  }
  return all;
}

/// Largest change of a chain's momentum in one step [kg m/s].
double momentum_change(Precision precision, double timestep) {
  Batch batch = make_batch(chain_xml(timestep), chains, precision);
  fill(&batch, "qvel", [](int env, int i) { return noise(env, i); });
  fill(&batch, "ctrl", [](int env, int i) { return noise(env, i, 2); });
  const std::vector<double> before = momentum_of(&batch);
  batch.step(1);
  const std::vector<double> after = momentum_of(&batch);
  double change = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    change = std::max(change, std::abs(after[i] - before[i]));
  }
  return change;
}

TEST(MomentumLaw, InternalForcesConserveMomentum) {
  // the momentum p = A(q) v has the rate A a + A' v, which is 0: what a step of Euler changes is of
  // order h^2, so halving h divides it by four; an outer force would leave a part of order h
  const double coarse = momentum_change(Precision::f64, 2e-3);
  const double fine = momentum_change(Precision::f64, 1e-3);
  const double finer = momentum_change(Precision::f64, 5e-4);
  EXPECT_LT(coarse, 2e-2);
  EXPECT_NEAR(fine / finer, 4, 0.2) << "changes " << coarse << ", " << fine << ", " << finer;
  // f32 adds the rounding of a momentum of about 10 kg m/s
  EXPECT_NEAR(momentum_change(Precision::f32, 2e-3), coarse, 1e-4);
}

TEST_P(MotionLaws, BiasAndInertiaGiveNoNetForceOnTheWhole) {
  // exact form of the law: without outer forces the acceleration of the centre of mass of a free
  // chain is zero, M qacc + bias projected on the root's translations
  Batch batch = make_batch(R"(<mujoco><option gravity="0 0 0"><flag contact="disable"/></option>
    <worldbody><body><freejoint/><geom type="capsule" size="0.05 0.2"/>
      <body pos="0 0 0.3"><joint name="a" axis="1 0 0" stiffness="20" damping="0.5"/><geom type="capsule" size="0.04 0.15" pos="0 0 0.2"/></body></body></worldbody>
    <actuator><motor joint="a" gear="3"/></actuator></mujoco>)",
                           40, GetParam());
  fill(&batch, "qvel", [](int env, int i) { return 3 * noise(env, i); });
  fill(&batch, "ctrl", [](int env, int i) { return noise(env, i, 2); });
  batch.field_info("qfrc_smooth");
  batch.field_info("qfrc_bias");
  batch.forward();
  const auto smooth = batch.read("qfrc_smooth"), bias = batch.read("qfrc_bias");
  for (std::size_t env = 0; env < 40; ++env) {
    for (std::size_t i = 0; i < 3; ++i) {
      // on the root's translations only the bias acts: motors, springs and dampers are internal
      EXPECT_TRUE(
          near(smooth[env * 7 + i] + bias[env * 7 + i], 0, {1e-12, 1e-5}, bar_of(GetParam())));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, MotionLaws, testing::Values(Precision::f64, Precision::f32),
                         [](const auto& instance) {
                           return instance.param == Precision::f32 ? "f32" : "f64";
                         });

}  // namespace
}  // namespace swept::test
