// SPDX-License-Identifier: Apache-2.0
// The integrators on random trees: equal bits for packs and groups, momentum and energy, order of
// convergence, exact answers, and frozen environments.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kernels/integrate/medium.h"
#include "kernels/integrate/steps.h"
#include "support/near.h"
#include "support/thread_group.h"

namespace swept::SWEPT_NS {
namespace {

using swept::test::near;
using swept::test::near_all;

constexpr int integrators[] = {integrator_euler, integrator_rk4, integrator_implicit,
                               integrator_implicitfast};
int Layout::*const state[] = {&Layout::time, &Layout::qpos, &Layout::qvel, &Layout::act,
                              &Layout::qacc_warmstart};

void fill_all(HostTile* tile, const ModelArrays& m) {
  for (int env = 0; env < (*tile)->nblocks * W; ++env) {
    fill_state(tile, m, env, static_cast<unsigned>(env) + 5);
  }
}

void expect_same_state(const HostTile& a, const HostTile& b, int env, const std::string& what) {
  for (int Layout::*const field : state) {
    EXPECT_EQ(a.read(field, env), b.read(field, env)) << what << ", environment " << env;
  }
}

TEST(Integrate, GivesTheBitsOfPacksForOneEnvironment) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    for (const int integrator : integrators) {
      const ModelArrays m = wet_tree(seed, integrator);
      HostTile packs(m, W + 1), each(m, W + 1);
      fill_all(&packs, m);
      fill_all(&each, m);
      for (int step = 0; step < 3; ++step) {
        step_packs(&packs, integrator);
        for (int env = 0; env <= W; ++env) {
          step_one(&each, env, integrator);
        }
      }
      for (int env = 0; env <= W; ++env) {
        expect_same_state(packs, each, env, "tree " + std::to_string(seed));
      }
    }
  }
}

TEST(Integrate, GivesTheSameBitsForEveryGroupSize) {
  for (const int integrator : integrators) {
    const ModelArrays m = wet_tree(2, integrator);
    HostTile serial(m, 1);
    fill_all(&serial, m);
    step_one(&serial, 0, integrator);
    for (const int size : {1, 4, 8, 32}) {
      HostTile lanes(m, 1);
      fill_all(&lanes, m);
      test::run_lanes(size, [&](const test::ThreadGroup g) {
        step_once(g, lanes.model_at(0), lanes.data_at(0), lanes->frozen, integrator);
      });
      expect_same_state(lanes, serial, 0, "size " + std::to_string(size));
    }
  }
}

// momentum, then angular momentum about the world's origin, then energy
std::vector<double> conserved(HostTile* tile, const ModelArrays& m) {
  forward(Serial{}, tile->model_at(0), tile->data_at(0));
  const DataAt<real> d = tile->data_at(0);
  std::vector<double> sum(7, 0.0);
  for (int body = 1; body < m.nbody; ++body) {
    const Motion<real> v = motion(d.cvel(6 * body));
    const Force<real> momentum = inertia(d.cinert(10 * body)) * v;
    const Vec3<real> about =
        momentum.t +
        cross(vec3(d.subtree_com(3 * m.body_rootid[static_cast<std::size_t>(body)])), momentum.f);
    const real values[7] = {momentum.f.x, momentum.f.y, momentum.f.z,        about.x,
                            about.y,      about.z,      dot(v, momentum) / 2};
    for (std::size_t i = 0; i < 7; ++i) {
      sum[i] += static_cast<double>(values[i]);
    }
  }
  return sum;
}

// a floating tree without any force, and its state
ModelArrays free_tree(unsigned seed, double timestep) {
  TreeOptions options;
  options.passive = options.actuated = false;
  options.floating = true;
  options.gravity = {0, 0, 0};
  options.timestep = timestep;
  return RandomTree(seed, options).scene();
}

void rest_inputs(HostTile* tile) {
  for (int Layout::*const field : {&Layout::ctrl, &Layout::qfrc_applied, &Layout::xfrc_applied}) {
    tile->write(field, 0,
                std::vector<double>(static_cast<std::size_t>(tile->count(field)), 0.0).data());
  }
}

TEST(Integrate, ConservesMomentumAndEnergyOfFloatingTrees) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const ModelArrays m = free_tree(seed, 1e-3);
    HostTile tile(m, 1);
    fill_state(&tile, m, 0, seed);
    rest_inputs(&tile);
    const std::vector<double> before = conserved(&tile, m);
    for (int step = 0; step < 50; ++step) {
      step_one(&tile, 0, integrator_rk4);
    }
    // fourth order at 1e-3 s, trees that turn at up to ten radians a second; f32: 200 forward
    // passes of roundings
    EXPECT_TRUE(near_all(conserved(&tile, m), before, {1e-8, 2e-4})) << "tree " << seed;
  }
}

// distance of the end states after 0.1 s in n steps and in 1024 steps
double error_of(unsigned seed, int n, int integrator) {
  std::vector<double> ends[2];
  for (int run = 0; run < 2; ++run) {
    const int steps = run == 0 ? n : 1024;
    const ModelArrays m = free_tree(seed, 0.1 / steps);
    HostTile tile(m, 1);
    fill_state(&tile, m, 0, seed);
    rest_inputs(&tile);
    // quaternions that start normalised
    for (int step = 0; step < steps; ++step) {
      step_one(&tile, 0, run == 0 ? integrator : static_cast<int>(integrator_rk4));
    }
    forward(Serial{}, tile.model_at(0), tile.data_at(0));
    ends[run] = tile.read(&Layout::xquat, 0);
    const std::vector<double> v = tile.read(&Layout::qvel, 0);
    ends[run].insert(ends[run].end(), v.begin(), v.end());
  }
  double square = 0;
  for (std::size_t i = 0; i < ends[0].size(); ++i) {
    square += (ends[0][i] - ends[1][i]) * (ends[0][i] - ends[1][i]);
  }
  return std::sqrt(square);
}

TEST(Integrate, ConvergesWithFourthOrderForRungeKuttaAndFirstForTheOthers) {
  if (sizeof(real) == 4) {
    GTEST_SKIP() << "in f32 roundings hide the fourth order";
  }
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const double rk4 =
        std::log2(error_of(seed, 32, integrator_rk4) / error_of(seed, 64, integrator_rk4));
    EXPECT_NEAR(rk4, 4, 0.3) << "tree " << seed;
    for (const int integrator : integrators) {
      if (integrator != integrator_rk4) {
        const double first =
            std::log2(error_of(seed, 64, integrator) / error_of(seed, 128, integrator));
        EXPECT_NEAR(first, 1, 0.2) << "tree " << seed << " integrator " << integrator;
      }
    }
  }
}

// one body on one slide, 2 kg, without gravity
ModelArrays slider() {
  ModelArrays m;
  m.nbody = 2;
  m.njnt = m.nq = m.nv = 1;
  m.resize();
  m.body_quat = m.body_iquat = {1, 0, 0, 0, 1, 0, 0, 0};
  m.body_parentid = {0, 0};
  m.body_rootid = {0, 1};
  m.body_jntadr = m.body_dofadr = {-1, 0};
  m.body_jntnum = m.body_dofnum = {0, 1};
  m.body_mass = {0, 2};
  m.body_subtreemass = {2, 2};
  m.body_inertia = {0, 0, 0, 1, 1, 1};
  m.jnt_type = {joint_slide};
  m.jnt_bodyid = {1};
  m.jnt_actuatorid = {-1};
  m.jnt_axis = {0, 0, 1};
  m.dof_bodyid = {1};
  m.dof_parentid = {-1};
  m.opt_timestep = {0.01};
  finish_tree(&m);
  return m;
}

TEST(Integrate, DampsImplicitlyInEuler) {
  ModelArrays m = slider();
  m.dof_damping = {30};
  for (const bool implicit : {true, false}) {
    m.opt.implicit_damping = 1;
    m.opt.disableflags = implicit ? 0 : static_cast<int>(disable_eulerdamp);
    HostTile tile(m, 1);
    const double speed = 3;
    tile.write(&Layout::qvel, 0, &speed);
    double want = speed;
    for (int step = 0; step < 10; ++step) {
      step_one(&tile, 0, integrator_euler);
      want = implicit ? want / (1 + 0.01 * 30 / 2) : want * (1 - 0.01 * 30 / 2);
    }
    // ten divisions or products
    EXPECT_TRUE(near(tile.read(&Layout::qvel, 0)[0], want, {1e-14, 2e-6}));
  }
}

TEST(Integrate, TakesExactStepsOfFilteredActivations) {
  ModelArrays m = slider();
  m.nu = m.na = 1;
  m.resize();
  m.actuator_trnid = {0, -1};
  m.actuator_dyntype = {dyn_filterexact};
  m.actuator_actnum = {1};
  m.actuator_dynprm[0] = 0.07;
  for (const int integrator : integrators) {
    HostTile tile(m, 1);
    const double ctrl = 0.8;
    tile.write(&Layout::ctrl, 0, &ctrl);
    for (int step = 0; step < 10; ++step) {
      step_one(&tile, 0, integrator);
    }
    const double act = tile.read(&Layout::act, 0)[0];
    if (integrator != integrator_rk4) {
      EXPECT_TRUE(near(act, 0.8 * (1 - std::exp(-0.1 / 0.07)), {1e-14, 2e-6}));
    } else {
      // the average of four rates, then the exact step: near the same, not equal
      EXPECT_NEAR(act, 0.8 * (1 - std::exp(-0.1 / 0.07)), 0.05);
    }
    EXPECT_TRUE(near(tile.read(&Layout::time, 0)[0], 0.1, {1e-15, 1e-6}));
  }
}

// ---- frozen environments ------------------------------------------------------------------------

struct Poison {
  int Layout::*field;
  Status status;
};

TEST(Integrate, FreezesOnlyTheEnvironmentWhoseInputIsBad) {
  const Poison poisons[] = {{&Layout::qpos, status_bad_qpos},
                            {&Layout::qvel, status_bad_qvel},
                            {&Layout::ctrl, status_bad_ctrl},
                            {&Layout::qfrc_applied, status_bad_qfrc_applied},
                            {&Layout::xfrc_applied, status_bad_xfrc_applied}};
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(),
                        std::numeric_limits<double>::infinity(), -2e10};
  const ModelArrays m = RandomTree(1, {}).scene();
  for (const int integrator : integrators) {
    HostTile clean(m, W);
    fill_all(&clean, m);
    step_packs(&clean, integrator);
    for (const Poison& poison : poisons) {
      for (const double value : bad) {
        HostTile tile(m, W);
        fill_all(&tile, m);
        const int victim = W / 2;
        std::vector<double> values = tile.read(poison.field, victim);
        values.back() = value;
        tile.write(poison.field, victim, values.data());
        step_packs(&tile, integrator);
        for (int env = 0; env < W; ++env) {
          EXPECT_EQ(tile->frozen[env], env == victim ? poison.status : status_ok);
          if (env != victim) {
            expect_same_state(tile, clean, env, "beside a frozen one");
          }
        }
        // nothing in the victim's lane is bad
        for (int i = 0; i < tile->layout.size; ++i) {
          ASSERT_TRUE(std::isfinite(tile->scratch[i * W + victim])) << "element " << i;
        }
      }
    }
  }
}

TEST(Integrate, KeepsTheOldStateOfAnEnvironmentThatTurnsBad) {
  const ModelArrays m = slider();
  for (const int integrator : integrators) {
    HostTile tile(m, W);
    const double speed = 2, place = 0.5, force = 5e9, mass = 1e-15;
    tile.vary(&ModelView::body_mass, 2, [&](int env, int body) {
      return env == 1 ? mass : m.body_mass[static_cast<std::size_t>(body)];
    });
    for (int env = 0; env < W; ++env) {
      tile.write(&Layout::qvel, env, &speed);
      tile.write(&Layout::qpos, env, &place);
      tile.write(&Layout::qfrc_applied, env, &force);
    }
    step_packs(&tile, integrator);
    EXPECT_EQ(tile->frozen[1], status_diverged_qacc);
    EXPECT_EQ(tile->frozen[0], status_ok);
    EXPECT_EQ(tile.read(&Layout::qvel, 1)[0], speed);
    EXPECT_EQ(tile.read(&Layout::qpos, 1)[0], place);
    EXPECT_EQ(tile.read(&Layout::time, 1)[0], 0);
    EXPECT_EQ(tile.read(&Layout::qacc_warmstart, 1)[0], 0);
    EXPECT_NE(tile.read(&Layout::qvel, 0)[0], speed);
  }
}

TEST(Integrate, LeavesEnvironmentsThatWereFrozenBefore) {
  const ModelArrays m = RandomTree(1, {}).scene();
  HostTile tile(m, W);
  fill_all(&tile, m);
  tile->frozen[0] = status_diverged_qacc;
  step_packs(&tile, integrator_euler);
  EXPECT_EQ(tile->frozen[0], status_diverged_qacc);
  for (int env = 1; env < W; ++env) {
    EXPECT_EQ(tile->frozen[env], status_ok);
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS
