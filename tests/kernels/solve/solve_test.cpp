// SPDX-License-Identifier: Apache-2.0
// The solver on random problems with all kinds of rows, against a dense Newton method in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "kernels/solve/load_solver.h"
#include "kernels/solve/random_problem.h"
#include "support/near.h"
#include "support/thread_group.h"

namespace swept::SWEPT_NS::test {
namespace {

using swept::test::default_bar;
using swept::test::near;
using swept::test::Tolerance;

// distance in the norm of M, relative: f64: the problems' condition is up to 1e5; f32: 6e-8 times
// that root
const Tolerance optimum{1e-9, 2e-3};

TEST(Solve, FindsTheMinimumOfRandomProblems) {
  double worst = 0;
  for (int n = 0; n < 1000; ++n) {
    RandomProblem p(kind_of(n), static_cast<unsigned>(n));
    const Eigen::MatrixXd M = p.inertia();
    const Eigen::VectorXd got = p.solve();
    const double distance = relative_distance(M, got, p.newton(M));
    EXPECT_LE(distance, optimum.bar(default_bar)) << "problem " << n;
    worst = std::max(worst, distance);
  }
  RecordProperty("worst", std::to_string(worst));
}

TEST(Solve, ForcesBalanceAtTheMinimum) {
  for (int n = 0; n < 300; ++n) {
    RandomProblem p(kind_of(n), static_cast<unsigned>(n));
    const Eigen::MatrixXd M = p.inertia();
    const Eigen::VectorXd x = p.solve() - p.qacc_smooth();
    const Eigen::VectorXd force =
        p.vector([&](int i) { return p.data().qfrc_constraint(i).get(); });
    // M (a - a_smooth) = J^T f, in the norm of M^-1
    const Eigen::VectorXd e = M * x - force;
    const double rest = std::sqrt(e.dot(M.ldlt().solve(e)) / (1 + x.dot(M * x)));
    EXPECT_LE(rest, Tolerance({1e-9, 2e-2}).bar(default_bar)) << "problem " << n;
  }
}

TEST(Solve, WarmStartDoesNotMoveTheMinimum) {
  for (int n = 0; n < 200; ++n) {
    RandomProblem p(kind_of(n), static_cast<unsigned>(n));
    const Eigen::MatrixXd M = p.inertia();
    const Eigen::VectorXd warm = p.solve();
    p.tile().model.opt.disableflags = disable_warmstart;
    const Eigen::VectorXd cold = p.solve();
    // from the solution itself there is nothing left to do but the last digits
    p.tile().model.opt.disableflags = 0;
    for (int i = 0; i < p.nv(); ++i) {
      p.data().qacc_warmstart(i) = p.data().qacc(i).get();
    }
    const Eigen::VectorXd again = p.solve();
    EXPECT_LE(relative_distance(M, cold, warm), optimum.bar(default_bar)) << "problem " << n;
    EXPECT_LE(relative_distance(M, again, warm), optimum.bar(default_bar)) << "problem " << n;
  }
}

TEST(Solve, TheOrdinaryToleranceBoundsTheExcessCost) {
  for (int n = 0; n < 300; ++n) {
    RandomProblem p(kind_of(n), static_cast<unsigned>(n));
    p.tile().model.opt.tolerance = 1e-8_r;
    const Eigen::MatrixXd M = p.inertia();
    const Eigen::VectorXd best = p.newton(M);
    const double excess =
        p.objective(M).evaluate(p.solve()).cost - p.objective(M).evaluate(best).cost;
    // steps below the tolerance end the iteration; some dozens of them may be missing; f32 rounds
    // costs of 1e4
    EXPECT_LE(excess / M.trace(), Tolerance({2e-5, 1e-4}).bar(default_bar)) << "problem " << n;
  }
}

TEST(Solve, GroupsOfAnySizeAgree) {
  for (int n = 0; n < 6; ++n) {
    RandomProblem p(kind_of(7 * n + 9), static_cast<unsigned>(n));
    const Eigen::MatrixXd M = p.inertia();
    const Eigen::VectorXd alone = p.solve();
    for (const int lanes : {1, 4, 8, 32}) {
      run_lanes(lanes, [&](const ThreadGroup g) {
        load_solver(g, p.tile(), 0);
        g.sync();
        solve(g, p.tile(), 0);
      });
      EXPECT_LE(relative_distance(M, p.qacc(), alone), optimum.bar(default_bar))
          << lanes << " lanes, problem " << n;
    }
  }
}

TEST(Solve, WithoutRowsTheAccelerationIsSmooth) {
  RandomProblem p({}, 1);
  *p.tile().rows_at(0).nefc = 0;
  EXPECT_EQ(p.solve(), p.qacc_smooth());
  EXPECT_EQ(p.data().qfrc_constraint(0).get(), 0);
  EXPECT_EQ(p.tile().solver.niter[0], 0);
}

TEST(Solve, AFrozenEnvironmentIsLeftAlone) {
  RandomProblem p({}, 2);
  p.tile().frozen[0] = status_bad_qpos;
  p.solve();
  EXPECT_EQ(p.tile().solver.niter[0], 0);
}

TEST(Solve, NotANumberEndsAtOnceAndIsSeen) {
  const real bad[] = {std::numeric_limits<real>::quiet_NaN(),
                      std::numeric_limits<real>::infinity()};
  for (int n = 0; n < 40; ++n) {
    RandomProblem p(kind_of(n), static_cast<unsigned>(n));
    const real x = bad[n / 4 % 2];
    switch (n % 4) {
      case 0:
        p.data().qacc_smooth(0) = x;
        break;
      case 1:
        p.data().qLDiagInv(0) = x;
        break;
      case 2:
        p.tile().rows_at(0).efc_b[0] = x;
        break;
      default:
        p.tile().rows_at(0).efc_J[0] = x;
        break;
    }
    const Eigen::VectorXd got = p.solve();
    // an infinite residual may belong to a row that does not act
    if (n / 4 % 2 == 0) {
      EXPECT_FALSE(got.allFinite()) << "problem " << n;
      EXPECT_EQ(p.tile().solver.niter[0], 0) << "problem " << n;
    }
    EXPECT_LE(p.tile().solver.niter[0], p.tile().model.opt.iterations);
  }
}

TEST(Solve, ANumberNextToNotANumberIsAsWithoutIt) {
  // memory that held NaN before leaves nothing behind
  RandomProblem p(kind_of(27), 5);
  const Eigen::VectorXd clean = p.solve();
  const real keep = p.data().qacc_smooth(0).get();
  p.data().qacc_smooth(0) = std::numeric_limits<real>::quiet_NaN();
  p.solve();
  p.data().qacc_smooth(0) = keep;
  EXPECT_EQ(p.solve(), clean);
}

TEST(Solve, IterationsAreBounded) {
  for (const int most : {0, 1, 2, 7}) {
    RandomProblem p(kind_of(35), 3);
    p.tile().model.opt.iterations = most;
    p.solve();
    EXPECT_LE(p.tile().solver.niter[0], most);
  }
}

TEST(LineSearch, FindsTheRootOfTheSlope) {
  const Serial g;
  for (int n = 0; n < 500; ++n) {
    RandomProblem p(kind_of(n), static_cast<unsigned>(n));
    const Eigen::MatrixXd M = p.inertia();
    load_solver(g, p.tile(), 0);
    Work w = work_at(p.tile(), 0);
    const TreeMetric metric{p.tile().model_at<real>(0, 0), w.L, w.dinvsqrt, w.nv};
    set_up_blocks(g, &w, metric);
    start(g, w, metric, false);
    gradient_at(g, w, metric, w.grad);
    for (int i = 0; i < w.np; ++i) {
      w.search[i] = -w.grad[i];
    }
    multiply(g, w, w.search, w.v);
    const real slope = dot(g, w.np, w.search, w.grad);
    const real dd = dot(g, w.np, w.search, w.search);
    if (!(slope < 0)) {
      continue;  // no row acts: the start is the minimum
    }
    const LineStep step = search_line(g, w, {slope, dd, 0_r, 50});

    // the same line in dofs
    std::vector<real> direction(static_cast<std::size_t>(w.np));
    metric.out_of(g, w.search, direction.data());
    const Eigen::VectorXd d =
        p.vector([&](int i) { return direction[static_cast<std::size_t>(i)]; });
    const Eigen::VectorXd a = p.qacc_smooth();
    const auto before = p.objective(M).evaluate(a);
    const auto after = p.objective(M).evaluate(a + static_cast<double>(step.alpha) * d);
    // f64: the search's own 1e-7 and rounding; f32: 1e-4 and rounding of forces
    EXPECT_LE(std::abs(after.gradient.dot(d)),
              Tolerance({1e-6, 2e-3}).bar(default_bar) * std::abs(before.gradient.dot(d)))
        << "problem " << n;
    EXPECT_TRUE(
        near(static_cast<double>(step.improvement) / (before.cost - after.cost), 1, {1e-9, 1e-3}))
        << "problem " << n;
  }
}

// M plus a diagonal, which M's factor does not know
struct ShiftedMetric : TreeMetric {
  static constexpr bool identity = false;
  const real* shift;

  SWEPT_FN void apply(const Group auto g, const real* z, real* out) const {
    std::vector<real> x(static_cast<std::size_t>(nv));
    out_of(g, z, x.data());
    for (int i = 0; i < nv; ++i) {
      x[static_cast<std::size_t>(i)] *= shift[i];
    }
    // D^-1/2 L^-T x, zero in the gaps between trees
    for (int i = 0; i < SolverView::padded(m->nplace); ++i) {
      out[i] = 0;
    }
    for (int i = nv - 1; i >= 0; --i) {
      const real xi = x[static_cast<std::size_t>(i)];
      for (int k = m.M_rowadr(i); k < m.M_rowadr(i) + m.M_rownnz(i) - 1; ++k) {
        x[static_cast<std::size_t>(m.M_colind(k))] -= L[k] * xi;
      }
      out[m.dof_place(i)] = z[m.dof_place(i)] + dinvsqrt[i] * xi;
    }
  }
};

TEST(Solve, AnotherMetricIsSolvedWithTheSamePreconditioner) {
  const Serial g;
  for (int n = 0; n < 200; ++n) {
    RandomProblem p(kind_of(n), static_cast<unsigned>(n));
    std::vector<real> shift(static_cast<std::size_t>(p.nv()));
    Eigen::MatrixXd M = p.inertia();
    for (int i = 0; i < p.nv(); ++i) {
      shift[static_cast<std::size_t>(i)] = real(std::exp(p.normal()));
      M(i, i) += static_cast<double>(shift[static_cast<std::size_t>(i)]);
    }
    load_solver(g, p.tile(), 0);
    Work w = work_at(p.tile(), 0);
    const ShiftedMetric metric{{p.tile().model_at<real>(0, 0), w.L, w.dinvsqrt, w.nv},
                               shift.data()};
    set_up_blocks(g, &w, metric);
    start(g, w, metric, true);
    gradient_at(g, w, metric, w.grad);
    minimise(g, &w, metric, {real(1 / M.trace()), 1e-15_r, 0.01_r, 400, 50});
    std::vector<real> x(static_cast<std::size_t>(w.np));
    metric.out_of(g, w.z, x.data());
    const Eigen::VectorXd got =
        p.qacc_smooth() + p.vector([&](int i) { return x[static_cast<std::size_t>(i)]; });
    EXPECT_LE(relative_distance(M, got, p.newton(M)), optimum.bar(default_bar)) << "problem " << n;
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
