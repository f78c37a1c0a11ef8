// SPDX-License-Identifier: Apache-2.0
// The medium, the derivatives and the steps of the implicit integrators against the official
// library.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "kernels/integrate/implicit.h"
#include "kernels/integrate/steps.h"
#include "kernels/smooth/oracle_scenes.h"
#include "support/implicit_scenes.h"
#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using test::Tolerance;

// a few roundings of sums over the tree
const Tolerance force_bar{1e-12, 1e-4};
// products of two such quantities
const Tolerance derivative_bar{1e-11, 2e-4};
// the derivative times the time step, through a factor of M - h D
const Tolerance step_bar{1e-11, 1e-4};

const char* const scenes[] = {feature_scene, site_scene, test::medium_scene, test::limits_scene,
                              test::spinning_scene};

OracleModel load(const char* text, int integrator) {
  OracleModel scene = OracleModel::from_text(text);
  scene.model->opt.integrator = integrator;
  scene.model->opt.disableflags |= mjDSBL_CONSTRAINT;
  return scene;
}

// the library's rows of qDeriv (D's pattern) as a dense matrix
std::vector<double> dense_derivative(const mjModel* m, const mjData* d) {
  std::vector<double> full(static_cast<std::size_t>(m->nv) * static_cast<std::size_t>(m->nv), 0.0);
  for (int i = 0; i < m->nv; ++i) {
    for (int k = m->D_rowadr[i]; k < m->D_rowadr[i] + m->D_rownnz[i]; ++k) {
      full[static_cast<std::size_t>(i * m->nv + m->D_colind[k])] = d->qDeriv[k];
    }
  }
  return full;
}

// ours and theirs, of the entries that both integrators keep
void expect_derivative(const std::string& name, const OracleTile& tile, int env, const mjModel* m,
                       const mjData* d) {
  const std::vector<double> want = dense_derivative(m, d), lower = tile.read(&Layout::qH, env),
                            upper = tile.read(&Layout::qHU, env);
  const ModelAt<real> at = tile.model_at(env);
  const bool whole = m->opt.integrator == mjINT_IMPLICIT;
  double scale = 1;
  for (const double x : want) {
    scale = std::max(scale, std::abs(x));
  }
  const double bar = scale * derivative_bar.bar(test::default_bar);
  for (int i = 0; i < m->nv; ++i) {
    if (!whole && is_free_body(at, m->dof_jntid[i])) {
      continue;
    }
    for (int k = at.M_rowadr(i); k < at.M_rowadr(i) + at.M_rownnz(i); ++k) {
      const int j = at.M_colind(k);
      const std::size_t here = static_cast<std::size_t>(k);
      if (!whole && i != j && m->dof_simplenum[i] > 0) {
        EXPECT_EQ(lower[here], 0) << name << " simple dof " << i;
        continue;
      }
      EXPECT_NEAR(lower[here], want[static_cast<std::size_t>(i * m->nv + j)], bar)
          << name << " entry " << i << ", " << j;
      if (whole && i != j) {
        EXPECT_NEAR(upper[here], want[static_cast<std::size_t>(j * m->nv + i)], bar)
            << name << " entry " << j << ", " << i;
      }
    }
  }
}

// the bar is relative to the largest number of the field, if that is above 1
void expect_field(const std::string& name, const OracleTile& tile, int Layout::*field, int env,
                  const mjtNum* values, mjtSize n, Tolerance bar) {
  std::vector<double> got = tile.read(field, env), want(values, values + n);
  double scale = 1;
  for (const double x : want) {
    scale = std::max(scale, std::abs(x));
  }
  for (std::size_t i = 0; i < want.size(); ++i) {
    got[i] /= scale;
    want[i] /= scale;
  }
  EXPECT_TRUE(test::near_all(got, want, bar)) << name << ", environment " << env;
}

// forces of the medium, derivative and step from the same random states
void compare(const std::string& name, OracleModel& scene, int nstates, double speed = 1.0) {
  mjModel* const m = scene.model;
  mjData* const d = scene.data;
  OracleTile tile(m, nstates);
  for (int env = 0; env < nstates && !testing::Test::HasFailure(); ++env) {
    random_state(m, d, static_cast<unsigned>(env + 1), speed, 0.01);
    tile.load_state(env, d);
    const ModelAt<real> at = tile.model_at(env);
    const DataAt<real> data = tile.data_at(env);
    forward(Serial{}, at, data);
    velocity_derivative(Serial{}, at, data);
    mj_step(m, d);
    expect_derivative(name, tile, env, m, d);
    expect_field(name + " qfrc_fluid", tile, &Layout::qfrc_fluid, env, d->qfrc_fluid, m->nv,
                 force_bar);
    expect_field(name + " qfrc_passive", tile, &Layout::qfrc_passive, env, d->qfrc_passive, m->nv,
                 force_bar);
    step_one(&tile, env, m->opt.integrator);
    EXPECT_EQ(tile->frozen[env], 0);
    expect_field(name + " qvel", tile, &Layout::qvel, env, d->qvel, m->nv, step_bar);
    expect_field(name + " qpos", tile, &Layout::qpos, env, d->qpos, m->nq, step_bar);
    expect_field(name + " act", tile, &Layout::act, env, d->act, m->na, step_bar);
  }
}

TEST(ImplicitOracle, BothAgreeOnScenesWithEveryFeature) {
  for (const int integrator : {mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
    for (std::size_t k = 0; k < std::size(scenes); ++k) {
      OracleModel scene = load(scenes[k], integrator);
      compare("scene " + std::to_string(k) + " integrator " + std::to_string(integrator), scene,
              20);
    }
  }
}

TEST(ImplicitOracle, BothAgreeUnderTheFlagsThatConcernThem) {
  for (const int flag : std::initializer_list<int>{
           mjDSBL_DAMPER, mjDSBL_SPRING, mjDSBL_SPRING | mjDSBL_DAMPER, mjDSBL_ACTUATION,
           mjDSBL_EULERDAMP, mjDSBL_CLAMPCTRL, mjDSBL_GRAVITY}) {
    for (const int integrator : {mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
      for (const char* text : {feature_scene, test::medium_scene}) {
        OracleModel scene = load(text, integrator);
        scene.model->opt.disableflags |= flag;
        compare("flag " + std::to_string(flag) + " integrator " + std::to_string(integrator), scene,
                3);
      }
    }
  }
}

TEST(ImplicitOracle, TheMediumAgreesWithoutDensityWithoutViscosityAndAtRest) {
  for (const double density : {0.0, 1000.0}) {
    for (const double viscosity : {0.0, 0.9}) {
      for (const double speed : {1.0, 0.0, 1e-6, 100.0}) {
        for (const int integrator : {mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
          OracleModel scene = load(test::medium_scene, integrator);
          scene.model->opt.density = density;
          scene.model->opt.viscosity = viscosity;
          scene.model->opt.timestep = 1e-4;
          if (speed == 0) {
            std::fill(scene.model->opt.wind, scene.model->opt.wind + 3, 0.0);
          }
          compare("density " + std::to_string(density) + " viscosity " + std::to_string(viscosity) +
                      " speed " + std::to_string(speed),
                  scene, 2, speed);
        }
      }
    }
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS
