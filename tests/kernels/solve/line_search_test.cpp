// SPDX-License-Identifier: Apache-2.0
// The line search against the published sequence, step for step, on random problems.
#include <gtest/gtest.h>

#include <map>

#include "kernels/solve/load_solver.h"
#include "kernels/solve/published_search.h"
#include "kernels/solve/random_problem.h"
#include "support/near.h"

namespace swept::SWEPT_NS::test {
namespace {

using swept::test::Bar;
using swept::test::default_bar;
using swept::test::Phi;
using swept::test::published_search;
using swept::test::RowsPhi;
using swept::test::SearchEnd;
using swept::test::SearchResult;
using swept::test::Tolerance;

/// A random problem on a random line that goes down.
class RandomLine {
 public:
  explicit RandomLine(int n)
      : problem_(kind_of(n), static_cast<unsigned>(n)),
        w_(load()),
        metric_{problem_.tile().model_at<real>(0, 0), w_.L, w_.dinvsqrt, w_.nv} {
    const Serial g;
    set_up_blocks(g, &w_, metric_);
    start(g, w_, metric_, n % 3 != 0);
    gradient_at(g, w_, metric_, w_.grad);
    for (int i = 0; i < w_.np; ++i) {
      w_.search[i] = -w_.grad[i];
    }
    if (n % 4 != 0) {
      // off the steepest descent, and too long or too short
      const double length = std::exp(3 * problem_.normal());
      for (int i = 0; i < w_.nv; ++i) {
        w_.search[i] += real(length * problem_.normal());
      }
    }
    multiply(g, w_, w_.search, w_.v);
    slope_ = dot(g, w_.np, w_.search, w_.grad);
    if (slope_ > 0) {
      slope_ = -slope_;
      for (int i = 0; i < w_.np; ++i) {
        w_.search[i] = -w_.search[i];
      }
      multiply(g, w_, w_.search, w_.v);
    }
    curvature_ = dot(g, w_.np, w_.search, w_.search);
    at_start_ = rows(0);
  }

  bool goes_down() const { return slope_ < 0; }
  real slope() const { return slope_; }

  LineStep search(real gtol, int most) const {
    return search_line(Serial{}, w_, {slope_, curvature_, gtol, most});
  }

  /// The objective from its definition.
  Phi phi(double alpha) const {
    const RowsPhi here = rows(alpha);
    const long double x = alpha, c = curvature_;
    // the slope at 0 as the solver has it
    const long double slope = slope_;
    return {static_cast<double>(here.cost - at_start_.cost - x * at_start_.slope + x * slope +
                                x * x * c / 2),
            static_cast<double>(here.slope - at_start_.slope + slope + x * c),
            static_cast<double>(here.curvature + c)};
  }

 private:
  Work load() {
    load_solver(Serial{}, problem_.tile(), 0);
    return work_at(problem_.tile(), 0);
  }

  RowsPhi rows(double alpha) const {
    const RowsAt& r = w_.rows;
    RowsPhi sum;
    for (int b = 0; b < w_.nblocks; ++b) {
      const int row = w_.block_row[b], entry = w_.block_entry[b], dim = r.efc_dim[row];
      const auto a = [&](int k) {
        return static_cast<long double>(w_.a[entry + k]) +
               static_cast<long double>(alpha) * static_cast<long double>(w_.v[entry + k]);
      };
      const auto v = [&](int k) { return static_cast<long double>(w_.v[entry + k]); };
      switch (r.efc_type[row]) {
        case row_equality:
          sum.quadratic(r.efc_D[row], a(0), v(0));
          break;
        case row_friction_dof:
          sum.friction_loss(r.efc_D[row], r.efc_R[row], r.efc_frictionloss[row], a(0), v(0));
          break;
        case row_contact_elliptic: {
          long double as[6], vs[6];
          for (int k = 0; k < dim; ++k) {
            as[k] = a(k);
            vs[k] = v(k);
          }
          sum.cone(dim, r.efc_D + row, r.efc_mu[row], r.efc_mu + row + 1, as, vs);
          break;
        }
        default:
          for (int k = 0; k < (dim == 1 ? 1 : 2 * (dim - 1)); ++k) {
            sum.one_sided(r.efc_D[row], a(k), v(k));
          }
      }
    }
    return sum;
  }

  RandomProblem problem_;
  Work w_;
  TreeMetric metric_;
  real slope_, curvature_;
  RowsPhi at_start_;
};

TEST(LineSearch, TakesThePublishedSequenceOfSteps) {
  std::map<SearchEnd, int> ends;
  int searches = 0, other_count = 0;
  for (int n = 0; n < 6000; ++n) {
    RandomLine line(n);
    if (!line.goes_down()) {
      continue;  // no row acts: the start is the minimum
    }
    // from a search so coarse that the first step may climb, to a fine one; with few evaluations or
    // many
    std::mt19937_64 random(static_cast<unsigned>(n));
    const double finest = default_bar == Bar::f64 ? -9 : -3;
    const double relative = std::pow(10, std::uniform_real_distribution<double>(finest, 3)(random));
    const int most = n % 2 == 0 ? 50 : std::uniform_int_distribution<int>(1, 9)(random);
    const real gtol = real(relative) * -line.slope();
    const SearchResult want =
        published_search([&](double alpha) { return line.phi(alpha); }, double(gtol), most);
    const LineStep got = line.search(gtol, most);
    ++searches;
    if (got.evaluations != want.evaluations) {
      ++other_count;
      continue;
    }
    ++ends[want.end];
    // rounding of slopes, which steps and curvatures pass on
    const Tolerance bar{1e-9, 2e-3};
    EXPECT_NEAR(double(got.alpha), want.alpha, bar.bar(default_bar) * std::abs(want.alpha))
        << "line " << n << ", end " << static_cast<int>(want.end);
    // the decrease is a difference of two terms where a coarse search passes the minimum
    EXPECT_NEAR(double(got.improvement), -want.cost,
                bar.bar(default_bar) * std::abs(want.alpha * double(line.slope())))
        << "line " << n;
  }
  // a slope or a cost so close to what it is compared with that rounding decides
  EXPECT_LE(other_count, Tolerance({5e-4, 5e-3}).bar(default_bar) * searches);
  for (const SearchEnd end :
       {SearchEnd::first_step, SearchEnd::on_the_way, SearchEnd::not_bracketed, SearchEnd::flat,
        SearchEnd::out_of_evaluations}) {
    EXPECT_GE(ends[end], 20) << "the lines are too easy to prove anything about end "
                             << static_cast<int>(end);
  }
}

TEST(LineSearch, SpendsNothingBelowTheLevelOfRounding) {
  // with no tolerance the search ends where evaluations tell nothing more, and long before its
  // evaluations are spent
  for (int n = 0; n < 2000; ++n) {
    const RandomLine line(n);
    if (!line.goes_down()) {
      continue;
    }
    const LineStep step = line.search(0, 100);
    EXPECT_LE(step.evaluations, 40) << "line " << n;
    // the level, times the cancellation of rows with each other
    EXPECT_LE(std::abs(line.phi(double(step.alpha)).slope),
              Tolerance({1e-10, 2e-3}).bar(default_bar) * std::abs(double(line.slope())))
        << "line " << n;
  }
}

TEST(LineSearch, AConeIsTheSumOfTwoSquares) {
  // against the definition, far from the start and near it
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 20000; ++n) {
    Cone<4> cone;
    real a[4], v[4];
    cone.D[0] = real(std::exp(normal(random)));
    cone.mu[0] = real(std::exp(normal(random)));
    for (int k = 0; k < 4; ++k) {
      a[k] = real(normal(random));
      v[k] = real(normal(random));
      if (k > 0) {
        cone.mu[k] = real(std::exp(normal(random)));
      }
    }
    const real alpha = real(std::pow(10, -3 * std::uniform_real_distribution<double>()(random)));
    long double as[4], start[4], vs[4], D[4], mu[4];
    for (int k = 0; k < 4; ++k) {
      mu[k] = cone.mu[k];
      D[k] = cone.D[0] * (k == 0 ? 1 : mu[k] * mu[k] / (mu[0] * mu[0]));
      start[k] = a[k];
      vs[k] = v[k];
      as[k] = start[k] + static_cast<long double>(alpha) * vs[k];
    }
    RowsPhi before, after;
    before.cone(4, D, mu[0], mu + 1, start, vs);
    after.cone(4, D, mu[0], mu + 1, as, vs);
    const LineTerms got = ConeLine<4>(cone, a, v).at(alpha);
    // f64: rounding of the definition's costs, over the square of the smallest step; f32: roundings
    // next to a cone's axis, where T turns quickly
    const double eps = Tolerance({1e-10, 2e-4}).bar(default_bar);
    const double size = double(cone.D[0]) / std::pow(double(cone.mu[0]), 2);
    double reach = 0;
    for (int k = 0; k < 4; ++k) {
      reach += std::pow(double(cone.mu[k]), 2) * double(v[k] * v[k]);
    }
    const double x = double(alpha);
    EXPECT_NEAR(double(got.slope), double(after.slope - before.slope), eps * size * reach * x)
        << n << " " << x;
    EXPECT_NEAR(double(got.cost), double(after.cost - before.cost - alpha * before.slope),
                eps * size * reach * x * x)
        << n << " " << x;
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
