// SPDX-License-Identifier: Apache-2.0
// Rows and solutions against the official library, at states of its own trajectories: the smooth
// quantities and contacts are the library's, the rest is ours.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "kernels/constrain/make_rows.cpp"
#include "kernels/constrain/oracle_rows.h"
#include "kernels/constrain/scenes.h"
#include "kernels/solve/solve.cpp"
#include "support/data.h"
#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using swept::test::default_bar;
using swept::test::Tolerance;

// f64: rounding of numbers up to 1e4 times the result; f32: contact distances of 1e-3 known to
// 6e-8, times K = 1e3 .. 1e5
const Tolerance rows_bar{1e-10, 2e-3};
const Tolerance jacobian_bar{1e-12, 1e-5};
// relative to the largest acceleration; f64: as the oracle's own Newton; f32: K and the inverse of
// M amplify the input's rounding
const Tolerance qacc_bar{1e-8, 1e-4};
// between f64 and f32 inputs this is what the same rows give
const Tolerance force_bar{1e-8, 2e-4};

double largest(const std::vector<double>& x) {
  double most = 1;
  for (const double v : x) {
    most = std::max(most, std::abs(v));
  }
  return most;
}

double difference(const std::vector<double>& got, const double* want) {
  double worst = 0;
  const double scale = largest(std::vector<double>(want, want + got.size()));
  for (std::size_t i = 0; i < got.size(); ++i) {
    worst = std::max(worst, std::abs(got[i] - want[i]) / scale);
  }
  return worst;
}

// scaled gradient of the oracle's own answer: how far it can be trusted
double oracle_gradient(const mjModel* m, mjData* d) {
  std::vector<double> Ma(static_cast<std::size_t>(m->nv));
  mj_mulM(m, d, Ma.data(), d->qacc);
  double worst = 0, scale = 1;
  for (int i = 0; i < m->nv; ++i) {
    worst = std::max(worst, std::abs(Ma[static_cast<std::size_t>(i)] - d->qfrc_smooth[i] -
                                     d->qfrc_constraint[i]));
    scale = std::max(scale, std::abs(d->qfrc_constraint[i]));
  }
  return worst / scale;
}

struct Worst {
  double rows = 0, jacobian = 0, qacc = 0, force = 0;
  int nefc = 0, iterations = 0, states = 0, unconverged = 0;
};

void compare_state(mjModel* m, mjData* d, OracleTile& tile, Worst* worst) {
  const double tolerance = std::exchange(m->opt.tolerance, 1e-15);
  const int iterations = std::exchange(m->opt.iterations, 1000);
  mj_forward(m, d);
  m->opt.tolerance = tolerance;
  m->opt.iterations = iterations;

  load_before_rows(tile, 0, m, d);
  tile->model.opt.tolerance = 1e-15_r;
  tile->model.opt.iterations = 1000;
  make_rows(Context{}, tile.get(), 1);
  load_solver(Context{}, tile.get(), tile->nblocks);
  solve(Context{}, tile.get(), 1);
  ASSERT_EQ(tile->control->halt, 0);

  // rows
  const RowsAt r = tile->rows_at(0);
  const auto repeated = [&](const real* values) {
    return repeat_rows(r, [&](int i) { return static_cast<double>(values[i]); });
  };
  const auto expanded = [&](const real* values) {
    return expand_rows(r, [&](int i) { return static_cast<double>(values[i]); });
  };
  const std::vector<double> aref = expanded(r.efc_aref);
  ASSERT_EQ(static_cast<int>(aref.size()), d->nefc);
  if (d->nefc > 0) {
    worst->rows = std::max(
        {worst->rows, difference(aref, d->efc_aref), difference(expanded(r.efc_vel), d->efc_vel),
         difference(repeated(r.efc_R), d->efc_R), difference(repeated(r.efc_diagA), d->efc_diagA),
         difference(repeated(r.efc_frictionloss), d->efc_frictionloss)});
  }
  for (int j = 0; j < m->nv; ++j) {
    const std::vector<double> J = expand_rows(r, [&](int i) { return jacobian_entry(r, i, j); });
    for (int i = 0; i < d->nefc; ++i) {
      const double want = d->efc_J[i * m->nv + j];
      worst->jacobian = std::max(worst->jacobian, std::abs(J[static_cast<std::size_t>(i)] - want) /
                                                      std::max(1.0, std::abs(want)));
    }
  }
  for (int k = 0; k < d->ncon; ++k) {
    EXPECT_EQ(tile->contacts_at(0).exclude(k), d->contact[k].exclude);
    worst->rows = std::max(
        worst->rows, std::abs(static_cast<double>(tile->contacts_at(0).mu(k)) - d->contact[k].mu));
    for (int i = 0; i < 3; ++i) {
      const double got = static_cast<double>(tile->contacts_at(0).surfacevel(k, i));
      worst->rows = std::max(worst->rows, std::abs(got - d->contact[k].surfacevel[i]));
    }
  }

  // solution, where the oracle has one
  ++worst->states;
  worst->nefc += static_cast<int>(d->nefc);
  worst->iterations += tile->solver.niter[0];
  if (oracle_gradient(m, d) > 1e-10) {
    ++worst->unconverged;
    return;
  }
  const std::vector<double> qacc = tile.read(&Layout::qacc, 0);
  worst->qacc = std::max(worst->qacc, difference(qacc, d->qacc));
  worst->force = std::max(worst->force,
                          difference(tile.read(&Layout::qfrc_constraint, 0), d->qfrc_constraint));
}

void compare_scene(const std::string& name, OracleModel& scene, int cone, int states) {
  mjModel* const m = scene.model;
  mjData* const d = scene.data;
  m->opt.cone = cone;
  m->opt.jacobian = mjJAC_DENSE;
  m->opt.solver = mjSOL_NEWTON;
  m->opt.disableflags |= mjDSBL_ISLAND;
  m->opt.enableflags &= ~static_cast<int>(mjENBL_SLEEP);
  OracleTile tile(m, 1, row_capacity(m));
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Worst worst;
  for (int n = 0; n < states; ++n) {
    const double strength = n % 3 == 0 ? 1 : (n % 3 == 1 ? 0.3 : 0.05);
    for (int s = 0; s < 10; ++s) {
      for (int i = 0; i < m->nu; ++i) {
        d->ctrl[i] = strength * uniform(random);
      }
      for (int i = 0; i < m->nv && m->nu == 0; ++i) {
        d->qfrc_applied[i] = 2 * uniform(random);
      }
      mj_step(m, d);
    }
    compare_state(m, d, tile, &worst);
    if (testing::Test::HasFatalFailure()) {
      return;
    }
  }
  std::printf(
      "%-28s %-9s rows %5.1f iterations %5.1f | rows %.1e J %.1e qacc %.1e force %.1e | oracle not "
      "converged %d of %d\n",
      name.c_str(), cone == mjCONE_ELLIPTIC ? "elliptic" : "pyramidal", double(worst.nefc) / states,
      double(worst.iterations) / states, worst.rows, worst.jacobian, worst.qacc, worst.force,
      worst.unconverged, worst.states);
  EXPECT_LE(worst.rows, rows_bar.bar(default_bar)) << name;
  EXPECT_LE(worst.jacobian, jacobian_bar.bar(default_bar)) << name;
  EXPECT_LE(worst.qacc, qacc_bar.bar(default_bar)) << name;
  EXPECT_LE(worst.force, force_bar.bar(default_bar)) << name;
  EXPECT_LT(worst.unconverged, worst.states / 2 + 1) << name;
}

class RowsAgainstOracle : public testing::TestWithParam<int> {};

TEST_P(RowsAgainstOracle, SceneWithEveryKindOfRow) {
  OracleModel scene = OracleModel::from_text(everything);
  compare_scene("everything", scene, GetParam(), 60);
}

TEST_P(RowsAgainstOracle, SurfacesThatMove) {
  OracleModel scene = OracleModel::from_text(belts);
  compare_scene("belts", scene, GetParam(), 60);
}

TEST_P(RowsAgainstOracle, GymnasiumRobots) {
  SWEPT_SKIP_WITHOUT(swept::test::gymnasium_asset("ant.xml"));
  for (const char* name :
       {"ant.xml", "humanoid.xml", "walker2d_v5.xml", "half_cheetah.xml", "hopper.xml"}) {
    OracleModel scene(swept::test::gymnasium_asset(name));
    compare_scene(name, scene, GetParam(), 40);
  }
}

TEST_P(RowsAgainstOracle, Humanoid) {
  const std::filesystem::path path = swept::test::test_data("mujoco/model/humanoid/humanoid.xml");
  SWEPT_SKIP_WITHOUT(path);
  OracleModel scene(path);
  compare_scene("humanoid", scene, GetParam(), 60);
}

INSTANTIATE_TEST_SUITE_P(Cones, RowsAgainstOracle,
                         testing::Values(int{mjCONE_PYRAMIDAL}, int{mjCONE_ELLIPTIC}));

}  // namespace
}  // namespace swept::SWEPT_NS
