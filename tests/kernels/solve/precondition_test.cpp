// SPDX-License-Identifier: Apache-2.0
// The solver's preconditioner against the Hessian's blocks, entry by entry.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "kernels/solve/random_problem.h"
#include "support/near.h"

namespace swept::SWEPT_NS::test {
namespace {

using swept::test::default_bar;
using swept::test::Tolerance;

/// Problems of one tree or several, of up to 60 dofs.
ProblemKind large_kind(int n) {
  ProblemKind kind = kind_of(n);
  kind.nv = 1 + n * 7 % 60;
  return kind;
}

/// A problem with blocks and entries at qacc_smooth, where curvatures are taken.
struct AtStart {
  RandomProblem problem;
  Serial g;
  Work w;
  TreeMetric metric;

  explicit AtStart(int n)
      : problem(large_kind(n), static_cast<unsigned>(n)),
        w((load_solver(g, problem.tile(), 0), work_at(problem.tile(), 0))),
        metric{problem.tile().model_at<real>(0, 0), w.L, w.dinvsqrt, w.nv} {
    set_up_blocks(g, &w, metric);
    start(g, w, metric, false);
  }
};

/// Room for a vector of the solver.
std::vector<real> padded_vector(const Work& w) {
  return std::vector<real>(static_cast<std::size_t>(w.np + strip_size), 0_r);
}

/// A pointer into `x` that is aligned to a strip.
real* aligned(std::vector<real>& x) {
  const auto address = reinterpret_cast<std::uintptr_t>(x.data());
  const std::size_t strip = strip_size * sizeof(real);
  return x.data() + (strip - address % strip) % strip / sizeof(real);
}

/// What is compared.
struct Compared {
  double worst = 0;  ///< error of a column relative to its terms
  int clusters = 0, longer = 0, idle = 0;
};

/// P^-1 against the Hessian's block on every cluster.
void compare_clusters(const AtStart& s, Compared* c) {
  const ModelAt<real>& m = s.metric.m;
  set_up_preconditioner(s.g, m, s.w);
  for (int k = 0; k < m->ncluster; ++k) {
    if (m.cluster_adr(k) < 0) {
      continue;
    }
    const int first = strip_size * m.cluster_strip(k), end = strip_size * m.cluster_strip(k + 1);
    ++c->clusters;
    c->longer += end - first > strip_size ? 1 : 0;
    bool idle = true;
    // H of the cluster, column by column, and P^-1 of a column: the unit vector it came from
    std::vector<real> unit = padded_vector(s.w), image = unit, out = unit;
    real *const x = aligned(unit), *const Hx = aligned(image), *const y = aligned(out);
    for (int j = first; j < end; ++j) {
      x[j] = 1;
      apply_H(s.g, s.w, s.metric, x, Hx);
      x[j] = 0;
      double scale = 1;
      for (int i = 0; i < s.w.np; ++i) {
        Hx[i] = i < first || i >= end ? 0_r : Hx[i];
        idle = idle && Hx[i] == (i == j ? 1_r : 0_r);
        scale = std::max(scale, std::abs(static_cast<double>(Hx[i])));
      }
      precondition(s.g, m, s.w, Hx, y);
      for (int i = first; i < end; ++i) {
        const double error = std::abs(static_cast<double>(y[i]) - (i == j ? 1 : 0));
        c->worst = std::max(c->worst, std::isfinite(error) ? error / scale : HUGE_VAL);
      }
    }
    c->idle += idle ? 1 : 0;
  }
}

TEST(Precondition, InvertsTheHessianOnEveryCluster) {
  Compared c;
  for (int n = 0; n < 300; ++n) {
    AtStart s(n);
    // the memory may hold anything, and what an earlier set-up has left
    std::fill_n(s.w.precond, s.metric.m->nprecond, std::numeric_limits<real>::quiet_NaN());
    compare_clusters(s, &c);
    for (int i = 0; i < s.w.nentry; ++i) {
      s.w.a[i] = -s.w.a[i];
    }
    compare_clusters(s, &c);
  }
  // rounding of a column's terms: the smallest eigenvalue of P is 1
  const Tolerance rounding{1e-13, 1e-4};
  EXPECT_LE(c.worst, rounding.bar(default_bar));
  EXPECT_GT(c.clusters, 600);
  EXPECT_GT(c.longer, 200);
  EXPECT_GT(c.idle, 50);
}

TEST(Precondition, OneTreeIsSolvedInOneIteration) {
  int solved = 0;
  for (int n = 0; n < 300; ++n) {
    AtStart s(n);
    const ModelAt<real>& m = s.metric.m;
    if (m.strip_cluster(m.dof_place(s.w.nv - 1) / strip_size) > 0 || m.cluster_adr(0) < 0) {
      continue;
    }
    gradient_at(s.g, s.w, s.metric, s.w.grad);
    set_up_preconditioner(s.g, m, s.w);
    const double gg = static_cast<double>(dot(s.g, s.w.np, s.w.grad, s.w.grad));
    if (gg == 0) {
      continue;  // no row acts
    }
    newton_direction(s.g, s.w, s.metric, 0_r, 1);
    // what is left: grad + H search
    std::vector<real> image = padded_vector(s.w);
    apply_H(s.g, s.w, s.metric, s.w.search, aligned(image));
    double rest = 0;
    for (int i = 0; i < s.w.np; ++i) {
      const double r = static_cast<double>(aligned(image)[i]) + static_cast<double>(s.w.grad[i]);
      rest += r * r;
    }
    // rounding times the condition of H
    EXPECT_LE(std::sqrt(rest / gg), Tolerance({1e-8, 2e-2}).bar(default_bar)) << "problem " << n;
    ++solved;
  }
  EXPECT_GT(solved, 20);
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
