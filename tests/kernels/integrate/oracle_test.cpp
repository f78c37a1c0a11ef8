// SPDX-License-Identifier: Apache-2.0
// Steps of Euler and RK4 against the official library, with its constraint forces or without
// constraints.
#include <gtest/gtest.h>

#include <cstdio>
#include <initializer_list>
#include <string>
#include <vector>

#include "kernels/integrate/stages.h"
#include "kernels/smooth/oracle_scenes.h"
#include "kernels/smooth/stages.h"
#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using test::Tolerance;

// One step adds a few roundings to those of qacc, times the time step; f32 qacc itself is only
// known to 1e-3 in ill-conditioned scenes, times 0.01 s.
const Tolerance step_bar{1e-11, 5e-5};

void forward(const Context& ctx, Tile* t) {
  position(ctx, t, t->nblocks);
  velocity(ctx, t, t->nblocks);
  actuation(ctx, t, t->nblocks);
  acceleration(ctx, t, t->nblocks);
}

// what the solver would do without constraints
void unconstrained(OracleTile* tile) {
  for (int env = 0; env < (*tile)->nblocks * W; ++env) {
    const DataAt<real> d = tile->data_at(env);
    for (int i = 0; i < tile->model().nv; ++i) {
      d.qacc(i) = d.qacc_smooth(i).get();
      d.qfrc_constraint(i) = 0;
    }
  }
}

void expect_state(const std::string& name, const OracleTile& tile, int env, const mjModel* m,
                  const mjData* d) {
  const auto want = [](const mjtNum* values, mjtSize n) {
    return std::vector<double>(values, values + n);
  };
  EXPECT_TRUE(test::near_all(tile.read(&Layout::qpos, env), want(d->qpos, m->nq), step_bar))
      << name << " qpos";
  EXPECT_TRUE(test::near_all(tile.read(&Layout::qvel, env), want(d->qvel, m->nv), step_bar))
      << name << " qvel";
  EXPECT_TRUE(test::near_all(tile.read(&Layout::act, env), want(d->act, m->na), step_bar))
      << name << " act";
  EXPECT_TRUE(test::near_all(tile.read(&Layout::time, env), want(&d->time, 1), step_bar))
      << name << " time";
}

// size of applied forces: tiny bodies must not turn by several revolutions in a step, where the
// rate of a rotation vector is singular
constexpr double applied = 0.01;

// a step without constraints, from the same random states
void compare_free_step(const std::string& name, const OracleModel& scene, int integrator,
                       int nstates) {
  mjModel* const m = scene.model;
  m->opt.integrator = integrator;
  m->opt.disableflags |= mjDSBL_CONSTRAINT;
  OracleTile tile(m, nstates);
  for (int env = 0; env < nstates; ++env) {
    random_state(m, scene.data, static_cast<unsigned>(env + 1), 1.0, applied);
    tile.load_state(env, scene.data);
  }
  const Context ctx;
  check_state(ctx, tile.get(), tile->nblocks);
  const int stages = integrator == integrator_rk4 ? 4 : 1;
  for (int stage = 0; stage < stages; ++stage) {
    forward(ctx, tile.get());
    unconstrained(&tile);
    if (integrator == integrator_rk4) {
      rk4_stage(ctx, tile.get(), tile->nblocks, stage);
    } else {
      euler(ctx, tile.get(), tile->nblocks);
    }
  }
  for (int env = 0; env < nstates && !testing::Test::HasFailure(); ++env) {
    EXPECT_EQ(tile->frozen[env], 0);
    random_state(m, scene.data, static_cast<unsigned>(env + 1), 1.0, applied);
    mj_step(m, scene.data);
    expect_state(name, tile, env, m, scene.data);
    // the warm start is the solver's acceleration, as accurate as the condition of M allows
    const std::vector<double> want(scene.data->qacc_warmstart, scene.data->qacc_warmstart + m->nv);
    EXPECT_TRUE(test::near_all(tile.read(&Layout::qacc_warmstart, env), want, {1e-9, 1e-2}))
        << name << " qacc_warmstart";
  }
}

TEST(IntegrateOracle, EulerAgreesOnASceneWithEveryFeature) {
  compare_free_step("features", OracleModel::from_text(feature_scene), integrator_euler, 30);
}

TEST(IntegrateOracle, RungeKuttaAgreesOnASceneWithEveryFeature) {
  const OracleModel scene = OracleModel::from_text(feature_scene);
  // the explicit method needs a time step below the scene's fastest damper
  scene.model->opt.timestep = 2e-4;
  compare_free_step("features", scene, integrator_rk4, 30);
}

TEST(IntegrateOracle, BothAgreeUnderTheFlagsThatConcernThem) {
  for (const int flag :
       std::initializer_list<int>{disable_eulerdamp, disable_damper, disable_actuation}) {
    for (const int integrator : std::initializer_list<int>{integrator_euler, integrator_rk4}) {
      const OracleModel scene = OracleModel::from_text(feature_scene);
      scene.model->opt.disableflags |= flag;
      scene.model->opt.timestep = 2e-4;
      compare_free_step("features with flag " + std::to_string(flag), scene, integrator, 3);
    }
  }
}

int compare_folder(const std::filesystem::path& folder) {
  int compared = 0;
  for (const OracleScene& file : scenes_under(folder)) {
    for (const int integrator : std::initializer_list<int>{integrator_euler, integrator_rk4}) {
      try {
        const OracleModel scene(file.path);
        // in a medium explicit steps may turn thin bodies by several revolutions; implicit_oracle_test
        // has media
        const bool medium = scene.model->opt.density > 0 || scene.model->opt.viscosity > 0;
        if (!medium && scene.model->nv <= 100 && unsupported_by_smooth(scene.model).empty() &&
            (scene.model->opt.enableflags & mjENBL_SLEEP) == 0) {
          compare_free_step(file.name, scene, integrator, 4);
          compared += integrator == integrator_rk4 ? 1 : 0;
        }
      } catch (const std::exception&) {
        // a scene that the library itself refuses
      }
    }
  }
  std::printf("%d scenes compared\n", compared);
  return compared;
}

TEST(IntegrateOracle, BothAgreeOnGymnasiumsModels) {
  const std::filesystem::path folder = test::gymnasium_asset("ant.xml").parent_path();
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << "gymnasium is not installed in the virtual environment";
  }
  EXPECT_GE(compare_folder(folder), 11);
}

TEST(IntegrateOracle, BothAgreeOnPublicScenes) {
  const std::filesystem::path folder = test::test_data("mujoco/test");
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << folder << " is not there";
  }
  EXPECT_GE(compare_folder(folder), 20);
}

// Euler with contact and limit forces in it: the library's solver gives qacc and qfrc_constraint
TEST(IntegrateOracle, EulerAgreesWithConstraintForces) {
  const std::filesystem::path file = test::gymnasium_asset("humanoid.xml");
  if (!std::filesystem::exists(file)) {
    GTEST_SKIP() << "gymnasium is not installed in the virtual environment";
  }
  const OracleModel scene(file);
  mjModel* const m = scene.model;
  m->opt.integrator = mjINT_EULER;
  mjData* const d = scene.data;
  OracleTile tile(m, 1);
  const Context ctx;
  for (int step = 0; step < 400; ++step) {
    for (int i = 0; i < m->nu; ++i) {
      d->ctrl[i] = 0.4 * std::sin(0.1 * step + i);
    }
    tile.load_state(0, d);
    forward(ctx, tile.get());
    mj_forward(m, d);
    tile.write(&Layout::qacc, 0, d->qacc);
    tile.write(&Layout::qfrc_constraint, 0, d->qfrc_constraint);
    euler(ctx, tile.get(), tile->nblocks);
    mj_Euler(m, d);
    expect_state("humanoid", tile, 0, m, d);
  }
  EXPECT_GT(d->ncon, 0);
}

}  // namespace
}  // namespace swept::SWEPT_NS
