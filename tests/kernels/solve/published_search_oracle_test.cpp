// SPDX-License-Identifier: Apache-2.0
// The published line search against the official library's: the first iteration of its CG from
// qacc_smooth, whose direction is known, counts the same evaluations and takes the same step.
#include <gtest/gtest.h>

#include <mujoco/mujoco.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "kernels/solve/published_search.h"

namespace swept::test {
namespace {

/// A scene of this project under the official library, set to one iteration of CG.
class OneIteration {
 public:
  explicit OneIteration(const std::string& scene) {
    char error[1000] = "";
    const std::string path = std::string(SWEPT_SOURCE_DIR) + "/scenes/" + scene;
    m = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
    if (m == nullptr) {
      throw std::runtime_error(error);
    }
    m->opt.solver = mjSOL_CG;
    m->opt.integrator = mjINT_EULER;
    m->opt.jacobian = mjJAC_DENSE;
    m->opt.iterations = 1;
    m->opt.disableflags |= mjDSBL_ISLAND | mjDSBL_WARMSTART;
    d = mj_makeData(m);
  }
  ~OneIteration() {
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  OneIteration(const OneIteration&) = delete;
  OneIteration& operator=(const OneIteration&) = delete;

  /// The objective's rows at residuals r + alpha v.
  RowsPhi rows(double alpha) const {
    RowsPhi sum;
    for (int i = 0; i < d->nefc; ++i) {
      const auto at = [&](int k) {
        return static_cast<long double>(r[static_cast<std::size_t>(i + k)]) +
               static_cast<long double>(alpha) * v[static_cast<std::size_t>(i + k)];
      };
      const double rate = v[static_cast<std::size_t>(i)];
      switch (d->efc_type[i]) {
        case mjCNSTR_EQUALITY:
          sum.quadratic(d->efc_D[i], at(0), rate);
          break;
        case mjCNSTR_FRICTION_DOF:
        case mjCNSTR_FRICTION_TENDON:
          sum.friction_loss(d->efc_D[i], d->efc_R[i], d->efc_frictionloss[i], at(0), rate);
          break;
        case mjCNSTR_CONTACT_ELLIPTIC: {
          const mjContact& contact = d->contact[d->efc_id[i]];
          long double rs[6], vs[6];
          for (int k = 0; k < contact.dim; ++k) {
            rs[k] = at(k);
            vs[k] = v[static_cast<std::size_t>(i + k)];
          }
          sum.cone(contact.dim, d->efc_D + i, contact.mu, contact.friction, rs, vs);
          i += contact.dim - 1;
          break;
        }
        default:
          sum.one_sided(d->efc_D[i], at(0), rate);
      }
    }
    return sum;
  }

  /// The search from qacc_smooth along -M^-1 gradient; fills `direction`.
  SearchResult search() {
    const std::size_t nv = static_cast<std::size_t>(m->nv), n = static_cast<std::size_t>(d->nefc);
    // gradient = -J^T force at qacc_smooth, force from the slopes of single rows
    r.assign(n, 0);
    mj_mulJacVec(m, d, r.data(), d->qacc_smooth);
    for (std::size_t i = 0; i < n; ++i) {
      r[i] -= d->efc_aref[i];
    }
    std::vector<double> force(n), pull(nv);
    mj_constraintUpdate(m, d, r.data(), nullptr, 0);
    direction.assign(nv, 0);
    mj_solveM(m, d, direction.data(), d->qfrc_constraint, 1);
    v.assign(n, 0);
    mj_mulJacVec(m, d, v.data(), direction.data());

    // the Gauss term and the tolerance
    mj_mulM(m, d, pull.data(), direction.data());
    std::vector<double> full(nv * nv);
    mj_fullM(m, d, full.data());
    double trace = 0, energy = 0, norm2 = 0;
    for (std::size_t i = 0; i < nv; ++i) {
      trace += full[i * nv + i];
      energy += direction[i] * pull[i];
      norm2 += direction[i] * direction[i];
    }
    const double gtol = m->opt.tolerance * m->opt.ls_tolerance * std::sqrt(norm2) * trace;
    const RowsPhi start = rows(0);
    const auto phi = [&](double alpha) {
      const RowsPhi here = rows(alpha);
      const long double x = alpha;
      return Phi{static_cast<double>(here.cost - start.cost + x * x * energy / 2),
                 static_cast<double>(here.slope + x * energy),
                 static_cast<double>(here.curvature + energy)};
    };
    return published_search(phi, gtol, m->opt.ls_iterations);
  }

  mjModel* m = nullptr;
  mjData* d = nullptr;
  std::vector<double> r, v, direction;
};

void compare(const std::string& scene, int cone, double tolerance, int ls_iterations) {
  OneIteration one(scene);
  mjModel* const m = one.m;
  mjData* const d = one.d;
  m->opt.cone = cone;
  m->opt.ls_iterations = ls_iterations;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int searches = 0, other_count = 0, brackets = 0;
  for (int step = 0; step < 400; ++step) {
    for (int i = 0; i < m->nu; ++i) {
      d->ctrl[i] = uniform(random);
    }
    // the trajectory at full accuracy, then one iteration
    m->opt.iterations = 100;
    m->opt.tolerance = 1e-8;
    mj_step(m, d);
    m->opt.iterations = 1;
    m->opt.tolerance = tolerance;
    mj_forward(m, d);
    if (d->nefc == 0 || d->solver_niter[0] != 1) {
      continue;
    }
    const mjSolverStat stat = d->solver[0];
    const std::vector<double> qacc(d->qacc, d->qacc + m->nv);
    const SearchResult want = one.search();
    ++searches;
    brackets += want.evaluations > 3 ? 1 : 0;
    if (stat.neval != want.evaluations) {
      ++other_count;
      continue;
    }
    for (int i = 0; i < m->nv; ++i) {
      const double move = want.alpha * one.direction[static_cast<std::size_t>(i)];
      // both add thousands of rounded terms of 1e3; the step is as uncertain as the root
      EXPECT_NEAR(qacc[static_cast<std::size_t>(i)], d->qacc_smooth[i] + move,
                  1e-7 * (1 + std::abs(move)))
          << scene << ", step " << step << ", dof " << i;
    }
  }
  EXPECT_GE(searches, 100) << scene;
  EXPECT_GE(brackets, 5) << scene << ": the lines are too easy to prove anything";
  // none is seen; rounding may decide beside a bound
  EXPECT_LE(other_count, searches / 100) << scene << ": of " << searches << " searches";
}

TEST(PublishedSearch, CountsWhatTheOfficialLibraryCounts) {
  for (const int cone : {mjCONE_PYRAMIDAL, mjCONE_ELLIPTIC}) {
    for (const double tolerance : {1e-8, 1e-4, 1e-2}) {
      for (const int ls_iterations : {50, 6}) {
        compare("humanoid/humanoid.xml", cone, tolerance, ls_iterations);
        compare("balls/balls.xml", cone, tolerance, ls_iterations);
      }
    }
  }
}

}  // namespace
}  // namespace swept::test
