// SPDX-License-Identifier: Apache-2.0
// Two small cases whose numbers were computed with the official library 4.0.0: a sprung, damped
// pendulum that hits its limit, and a free body that tumbles.
#include <gtest/gtest.h>

#include <vector>

#include "kernels/integrate/steps.h"
#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using swept::test::near;
using swept::test::near_all;

// ten digits were written down
const swept::test::Tolerance digits{2e-10, 3e-6};

// one body; its joint and inertia are still to be set
ModelArrays one_body(int nq, int nv) {
  ModelArrays m;
  m.nbody = 2;
  m.njnt = 1;
  m.nq = nq;
  m.nv = nv;
  m.resize();
  m.body_quat = m.body_iquat = {1, 0, 0, 0, 1, 0, 0, 0};
  m.body_rootid = {0, 1};
  m.body_jntadr = m.body_dofadr = {-1, 0};
  m.body_jntnum = {0, 1};
  m.body_dofnum = {0, nv};
  m.jnt_bodyid = {1};
  m.jnt_actuatorid = {-1};
  for (int i = 0; i < nv; ++i) {
    m.dof_bodyid[static_cast<std::size_t>(i)] = 1;
    m.dof_parentid[static_cast<std::size_t>(i)] = i - 1;
  }
  m.opt_timestep = {0.01};
  finish_tree(&m);
  return m;
}

void put(HostTile* tile, int Layout::*field, const std::vector<double>& values) {
  tile->write(field, 0, values.data());
}

TEST(Golden, Pendulum) {
  ModelArrays m = one_body(1, 1);
  m.jnt_type = {joint_hinge};
  m.jnt_axis = {0, 1, 0};
  m.body_mass[1] = m.body_subtreemass[1] = m.body_subtreemass[0] = 8.37758041;
  m.body_ipos[5] = -0.5;
  m.body_inertia = {0, 0, 0, 0.8006479777, 0.8006479777, 0.01034107582};
  m.jnt_stiffness = {2};
  m.qpos_spring = {0.3490658503988659};
  m.dof_damping = {0.3};
  m.dof_armature = {0.05};
  m.opt_gravity = {0, 0, -9.81};
  m.opt.implicit_damping = 1;
  HostTile tile(m, 1);
  put(&tile, &Layout::qpos, {0.5});
  put(&tile, &Layout::qvel, {1});
  forward(Serial{}, tile.model_at(0), tile.data_at(0));
  EXPECT_TRUE(near(tile.read(&Layout::M, 0)[0], 2.94504308, digits));
  EXPECT_TRUE(near(tile.read(&Layout::qfrc_bias, 0)[0], 19.70056953, digits));
  EXPECT_TRUE(near(tile.read(&Layout::qfrc_spring, 0)[0], -0.3018682992, digits));
  EXPECT_TRUE(near(tile.read(&Layout::qfrc_damper, 0)[0], -0.3, digits));
  EXPECT_TRUE(near(tile.read(&Layout::qacc_smooth, 0)[0], -6.893765992, digits));

  // the limit's force
  put(&tile, &Layout::qacc, {-914.0123753});
  put(&tile, &Layout::qfrc_constraint, {-2671.503383});
  euler(Serial{}, tile.model_at(0), tile.data_at(0), tile->frozen);
  EXPECT_TRUE(near(tile.read(&Layout::qpos, 0)[0], 0.4186917746, digits));
  EXPECT_TRUE(near(tile.read(&Layout::qvel, 0)[0], -8.130822542, digits));
  EXPECT_TRUE(near(tile.read(&Layout::qacc_warmstart, 0)[0], -914.0123753, digits));
}

ModelArrays tumbling_box() {
  ModelArrays m = one_body(7, 6);
  m.jnt_type = {joint_free};
  m.jnt_axis = {0, 0, 1};
  m.qpos0 = m.qpos_spring = {0, 0, 0, 1, 0, 0, 0};
  m.body_mass[1] = m.body_subtreemass[1] = m.body_subtreemass[0] = 48;
  m.body_ipos = {0, 0, 0, 0.1, 0, 0.05};
  m.body_inertia = {0, 0, 0, 2.08, 1.6, 0.8};
  return m;
}

TEST(Golden, TumblingBox) {
  const ModelArrays m = tumbling_box();
  HostTile tile(m, 1);
  put(&tile, &Layout::qvel, {0, 0, 0, 1, 2, 3});
  forward(Serial{}, tile.model_at(0), tile.data_at(0));
  EXPECT_TRUE(near_all(tile.read(&Layout::qfrc_bias, 0),
                       std::vector<double>{-55.2, 24, 2.4, -6, 0.84, 1.44}, digits));
  EXPECT_TRUE(near_all(tile.read(&Layout::qacc, 0),
                       std::vector<double>{1.27, -0.5046153846, -0.29, 2.307692308, -2.4, 1.2},
                       digits));
}

TEST(Golden, TumblingBoxOneStepOfEuler) {
  HostTile tile(tumbling_box(), 1);
  put(&tile, &Layout::qvel, {0, 0, 0, 1, 2, 3});
  step_one(&tile, 0, integrator_euler);
  const std::vector<double> qvel = {0.0127, -0.005046153846, -0.0029, 1.023076923, 1.976, 3.012};
  const std::vector<double> qpos = {0.000127,       -5.046153846e-05, -2.9e-05,     0.9998247125,
                                    0.005115085724, 0.009879422713,   0.01505912005};
  EXPECT_TRUE(near_all(tile.read(&Layout::qvel, 0), qvel, digits));
  EXPECT_TRUE(near_all(tile.read(&Layout::qpos, 0), qpos, digits));
}

TEST(Golden, TumblingBoxOneStepOfRungeKutta) {
  HostTile tile(tumbling_box(), 1);
  put(&tile, &Layout::qvel, {0, 0, 0, 1, 2, 3});
  step_one(&tile, 0, integrator_rk4);
  const std::vector<double> qvel = {0.01272676866, -0.004849242008, -0.003137028903,
                                    1.022983157,   1.975674912,     3.012064322};
  const std::vector<double> qpos = {6.3592456e-05,  -2.4576258e-05, -1.5290792e-05, 0.9998248673,
                                    0.005057645956, 0.009939114991, 0.01502893780};
  EXPECT_TRUE(near_all(tile.read(&Layout::qvel, 0), qvel, digits));
  EXPECT_TRUE(near_all(tile.read(&Layout::qpos, 0), qpos, digits));
}

}  // namespace
}  // namespace swept::SWEPT_NS
