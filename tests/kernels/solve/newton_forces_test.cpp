// SPDX-License-Identifier: Apache-2.0
// Forces that no acceleration tells of: a contact whose normal passes through the pivot of its body
// moves no dof, but has the force of its regularisation.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/solve/newton_problem.h"
#include "support/near.h"

namespace swept::SWEPT_NS::test {
namespace {

using swept::test::default_bar;
using swept::test::Tolerance;

// the dual method takes up to 48 rows
constexpr int most_blocks = 12;

class NewtonForces : public testing::TestWithParam<SolverKind> {};

INSTANTIATE_TEST_SUITE_P(Methods, NewtonForces,
                         testing::Values(SolverKind::dual, SolverKind::primal),
                         [](const auto& method) {
                           return std::string(method.param == SolverKind::dual ? "Dual" : "Primal");
                         });

/// Turn the contact from row `first` into one that pushes through a pivot: nothing moves along its
/// normal, and little, `slip`, across.
void push_through_pivot(NewtonProblem* p, int first, double slip) {
  const RowsAt r = p->tile().rows_at(0);
  for (int k = 0; k < r.efc_dim[first]; ++k) {
    const int i = first + k;
    const real scale = k == 0 ? 0_r : real(slip);
    for (int c = r.efc_rowadr[i]; c < r.efc_rowadr[i] + r.efc_rownnz[i]; ++c) {
      r.efc_J[c] *= scale;
    }
    r.efc_b[i] = k == 0 ? real(-50 * (1 + std::abs(p->normal()))) : real(10 * slip * p->normal());
    r.efc_D[i] *= 1000_r;
    r.efc_R[i] = 1 / r.efc_D[i];
  }
}

/// The normal force of such a contact: every edge of a pyramid pushes, or the cone's normal.
double pivot_force(const RowsAt& r, int first) {
  const int edges = r.efc_type[first] == row_contact_pyramidal ? 2 * (r.efc_dim[first] - 1) : 1;
  return -edges * static_cast<double>(r.efc_D[first]) * static_cast<double>(r.efc_b[first]);
}

/// Problems with such contacts, solved to a tolerance.
///   returns how many forces were compared
int compare_pivot_forces(SolverKind method, double tolerance) {
  int compared = 0;
  for (int n = 0; n < 2000; ++n) {
    NewtonProblem p(kind_of(n, most_blocks), static_cast<unsigned>(n), method);
    if (!p.fits()) {
      continue;
    }
    p.tile().model.opt.tolerance = real(tolerance);
    const RowsAt r = p.tile().rows_at(0);
    const double slip = std::pow(10.0, -3 - n % 6);
    for (int i = 0; i < *r.nefc; i += r.efc_dim[i]) {
      if (r.efc_dim[i] > 1) {
        push_through_pivot(&p, i, slip);
      }
    }
    p.solve_alone();
    for (int i = 0; i < *r.nefc; i += r.efc_dim[i]) {
      if (r.efc_dim[i] > 1) {
        const double want = pivot_force(r, i);
        // a rounding for each edge
        const double bar = Tolerance({1e-14, 4e-6}).bar(default_bar) * want;
        EXPECT_NEAR(static_cast<double>(r.efc_force[i]), want, bar) << "problem " << n;
        ++compared;
      }
    }
  }
  return compared;
}

TEST_P(NewtonForces, AContactThroughThePivotHasTheForceOfItsRegularisation) {
  EXPECT_GT(compare_pivot_forces(GetParam(), 1e-15), 1000);
}

TEST_P(NewtonForces, AContactThroughThePivotHasItAtARoughToleranceToo) {
  // a first step that another row cuts short is small enough for this tolerance
  EXPECT_GT(compare_pivot_forces(GetParam(), 1e6), 1000);
}

TEST_P(NewtonForces, FrictionKeepsItsDigitsBesideALargeNormalForce) {
  int compared = 0;
  for (int n = 0; n < 500; ++n) {
    NewtonProblem p(kind_of(n, most_blocks), static_cast<unsigned>(n), GetParam());
    if (!p.fits()) {
      continue;
    }
    const RowsAt r = p.tile().rows_at(0);
    for (int i = 0; i < *r.nefc; i += r.efc_dim[i]) {
      if (r.efc_dim[i] > 1) {
        push_through_pivot(&p, i, 0);
        for (int k = 1; k < r.efc_dim[i]; ++k) {
          r.efc_b[i + k] = real(1e-6 * p.normal());
        }
      }
    }
    p.solve_alone();
    for (int i = 0; i < *r.nefc; i += r.efc_dim[i]) {
      for (int k = 1; k < r.efc_dim[i]; ++k) {
        // both edges of a pyramid's tangent push
        const double mu = static_cast<double>(r.efc_mu[i + k]);
        const double edges = r.efc_type[i] == row_contact_pyramidal ? 2 * mu * mu : 1;
        const double D = static_cast<double>(r.efc_D[i + k]);
        const double want = -edges * D * static_cast<double>(r.efc_b[i + k]);
        // a few products
        const double bar = Tolerance({2e-15, 1e-6}).bar(default_bar) * std::abs(want);
        EXPECT_NEAR(static_cast<double>(r.efc_force[i + k]), want, bar) << "problem " << n;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

TEST_P(NewtonForces, AStepThatEndsAtTheOptimumOnItsWayLeavesNoForceShort) {
  // one dof: the search often meets the minimum itself, after which nothing descends
  int compared = 0;
  for (int n = 0; n < 3000; ++n) {
    ProblemKind kind;
    kind.nv = 1;
    kind.blocks = 4 + n % 4;
    NewtonProblem p(kind, static_cast<unsigned>(n), GetParam());
    const RowsAt r = p.tile().rows_at(0);
    const int row = *r.nefc - 1;
    if (r.efc_dim[row] != 1) {
      continue;
    }
    // the last row is a frictionless contact that moves nothing
    r.efc_J[r.efc_rowadr[row]] = 0;
    r.efc_b[row] = -1000_r;
    p.solve_alone();
    const double want = 1000 * static_cast<double>(r.efc_D[row]);
    const double bar = Tolerance({1e-14, 1e-6}).bar(default_bar) * want;
    EXPECT_NEAR(static_cast<double>(r.efc_force[row]), want, bar) << "problem " << n;
    ++compared;
  }
  EXPECT_GT(compared, 500);
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
