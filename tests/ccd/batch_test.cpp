// SPDX-License-Identifier: Apache-2.0
// The batched time of impact against the host's routine and against distances in double, in every
// precision of the backend. 3,000 random queries; SWEPT_LONG in the environment takes 100,000.
#include "ccd/batch_queries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace swept::test {
namespace {

using ccd::Impact;
using ccd::ImpactBatchOptions;
using ccd::ImpactQuery;
using ccd::Mesh;
using ccd::Status;

int query_count() {
  return std::getenv("SWEPT_LONG") != nullptr ? 100'000 : 3'000;
}

/// Bodies, queries and a batch in a precision.
class ImpactBatch : public testing::TestWithParam<Precision> {
 protected:
  void SetUp() override {
    if (make_batch(bodies, {.precision = GetParam()}) == nullptr) {
      GTEST_SKIP() << "the backend was built without this precision";
    }
  }

  std::vector<Impact<3>> solve(const std::vector<ImpactQuery>& queries,
                               ImpactBatchOptions options = {}) {
    options.precision = GetParam();
    const auto batch = make_batch(bodies, options);
    std::vector<Impact<3>> impacts = batch->time_of_impact(queries);
    counts = batch->counts();
    return impacts;
  }

  double u() const { return GetParam() == Precision::f32 ? 0x1p-24 : 0x1p-53; }

  // what the header says about the tolerance
  double coarsest_tolerance(const ImpactQuery& q, const Impact<3>& reference) const {
    double start = 0, way = 0, ways = 0;
    for (int k = 0; k < 3; ++k) {
      start += std::pow(q.motion_a.start()[k] - q.motion_b.start()[k], 2);
      way += std::pow(q.motion_a.way()[k] - q.motion_b.way()[k], 2);
    }
    for (const auto* motion : {&q.motion_a, &q.motion_b}) {
      ways += std::hypot(motion->way()[0], motion->way()[1], motion->way()[2]);
    }
    const double r_a = bodies[q.a].radius(), r_b = bodies[q.b].radius();
    const double size = r_a + r_b + std::sqrt(start) + std::sqrt(way);
    const double mu = ways + q.motion_a.angle() * r_a + q.motion_b.angle() * r_b;
    return std::max(reference.tolerance,
                    1.001 * u() * (400 * size + 80 * mu + 64 * thickness_of(bodies, q)));
  }

  /// The distances that an answer promises, at samples.
  void check_distances(const ImpactQuery& q, const Impact<3>& impact) const {
    const double thickness = thickness_of(bodies, q);
    // what the host's own distance is off by
    const double error = 1e-14;
    if (impact.status == Status::initial_contact) {
      EXPECT_EQ(impact.toi, 0);
      EXPECT_EQ(impact.lower_bound, 0);
      EXPECT_LE(distance_at(bodies, q, 0), thickness + impact.tolerance + error);
      return;
    }
    EXPECT_GE(impact.lower_bound, impact.toi);
    EXPECT_LE(impact.lower_bound, 1);
    double least = distance_at(bodies, q, impact.toi);
    for (int k = 0; k <= 24; ++k) {
      const double s = k % 2 > 0 ? k / 24.0 : 1 - std::pow(0.6, k);
      least = std::min(least, distance_at(bodies, q, impact.lower_bound * s));
    }
    least = std::min(least, distance_at(bodies, q, impact.lower_bound));
    EXPECT_GE(least, thickness + impact.tolerance / 2 - error);
    const double there = distance_at(bodies, q, impact.toi);
    if (impact.status == Status::contact) {
      EXPECT_LE(there, thickness + impact.tolerance + error);
    } else if (impact.status == Status::separate) {
      EXPECT_EQ(impact.toi, 1);
      EXPECT_GT(there, thickness + impact.tolerance * (1 - 1e-6) - 12 * u());
    }
    // the facets' distance and the points that it is between, as far as rounding goes
    EXPECT_NEAR(impact.distance, there, std::max(impact.tolerance / 2, 1e-13));
    double square = 0;
    for (int k = 0; k < 3; ++k) {
      square += std::pow(impact.point_a[k] - impact.point_b[k], 2);
    }
    EXPECT_NEAR(std::sqrt(square), impact.distance, std::max(impact.tolerance / 2, 1e-13));
  }

  /// How fast the bodies close before a contact; 0 where that is too slow to compare times.
  double closing_speed(const ImpactQuery& q, const Impact<3>& impact) const {
    const double step = 1e-4;
    if (impact.status != Status::contact || impact.toi < 2 * step) {
      return 0;
    }
    const double here = distance_at(bodies, q, impact.toi),
                 before = distance_at(bodies, q, impact.toi - step),
                 earlier = distance_at(bodies, q, impact.toi - 2 * step);
    const double speed = (before - here) / step, last = (earlier - before) / step;
    // nearly constant, and no graze
    return std::abs(last - speed) < 0.05 * speed && speed > 0.05 * impact.speed ? speed : 0;
  }

  /// Same statuses and times, but for a graze: one stops in the band between half a tolerance and a
  /// whole one, which the other passes. False for those.
  bool agrees(const ImpactQuery& q, const Impact<3>& impact, const Impact<3>& want) const {
    const double speed = closing_speed(q, want);
    if (impact.status == want.status && speed > 0) {
      EXPECT_NEAR(impact.toi, want.toi, std::max(impact.tolerance, want.tolerance) / speed);
      return true;
    }
    if (impact.status == want.status && want.status != Status::contact) {
      EXPECT_EQ(impact.toi, want.toi);
      return true;
    }
    // the earlier one has touched by its own right, checked by check_distances(); or the host met its
    // cap with the plain bound, and the batch, whose last part is directional, did not
    const bool first = impact.toi < want.toi;
    const Impact<3>& earlier = first ? impact : want;
    EXPECT_TRUE(earlier.status == Status::contact || earlier.status == Status::initial_contact ||
                (!first && want.status == Status::not_converged &&
                 want.iterations == q.options.max_iterations))
        << ccd::to_string(impact.status) << " at " << impact.toi << " after " << impact.iterations
        << ", the host: " << ccd::to_string(want.status) << " at " << want.toi << " after "
        << want.iterations;
    return false;
  }

  Random random{20};
  std::vector<Mesh> bodies = random_bodies(random, 48);
  ccd::ImpactCounts counts;
};

TEST_P(ImpactBatch, AnswersAreThoseOfTheHostAndCertified) {
  const auto queries = random_queries(random, 48, query_count());
  const auto impacts = solve(queries);
  ASSERT_EQ(impacts.size(), queries.size());
  int contacts = 0, separate = 0, initial = 0, grazing = 0;
  for (std::size_t i = 0; i < queries.size() && !HasFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "query " << i);
    const ImpactQuery& q = queries[i];
    const Impact<3>& impact = impacts[i];
    const Impact<3> wanted = host_impact(bodies, q, q.options.tolerance);
    // not finer than wanted, and not coarser than what is said
    EXPECT_GE(impact.tolerance, wanted.tolerance);
    EXPECT_LE(impact.tolerance, coarsest_tolerance(q, wanted) * (1 + 1e-3));
    check_distances(q, impact);
    grazing += !agrees(q, impact, host_impact(bodies, q, impact.tolerance));
    contacts += impact.status == Status::contact;
    separate += impact.status == Status::separate;
    initial += impact.status == Status::initial_contact;
  }
  std::printf(
      "%zu queries: %d contacts, %d separate, %d initial, %d grazing; %lld went on at the "
      "host\n",
      queries.size(), contacts, separate, initial, grazing, static_cast<long long>(counts.on_host));
  EXPECT_EQ(counts.queries, query_count());
  EXPECT_GT(contacts, query_count() / 5);
  EXPECT_GT(separate, query_count() / 5);
  EXPECT_GT(initial, query_count() / 100);
  EXPECT_LT(grazing, query_count() / 20);
  EXPECT_LT(counts.on_host, query_count() / 5);
}

TEST_P(ImpactBatch, ACapOfOneLookGivesTheSameAnswers) {
  const auto queries = random_queries(random, 48, query_count() / 3);
  const auto impacts = solve(queries);
  const auto capped = solve(queries, {.looks = 1});
  EXPECT_GT(counts.on_host, query_count() / 6);
  int grazing = 0;
  for (std::size_t i = 0; i < queries.size() && !HasFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "query " << i);
    check_distances(queries[i], capped[i]);
    grazing += !agrees(queries[i], capped[i], impacts[i]);
  }
  EXPECT_LT(grazing, query_count() / 50);
}

TEST_P(ImpactBatch, WhatTheDeviceMayNotRoundGoesToTheHost) {
  const auto queries = random_queries(random, 48, 200);
  const auto impacts = solve(queries, {.coarsest = 0});
  if (GetParam() == Precision::f32) {
    EXPECT_GT(counts.declined, 100);
  }
  EXPECT_EQ(counts.on_host >= counts.declined, true);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const Impact<3> want = host_impact(bodies, queries[i], queries[i].options.tolerance);
    EXPECT_LE(impacts[i].tolerance, std::max(want.tolerance, 1e-11));
    check_distances(queries[i], impacts[i]);
    agrees(queries[i], impacts[i], want);
  }
}

TEST_P(ImpactBatch, OrderNumberAndThreadsDoNotChangeABit) {
  const auto queries = random_queries(random, 48, query_count() / 3);
  const auto impacts = solve(queries, {.threads = 1});
  // in another order, on more threads, and some of them alone
  std::vector<std::size_t> order(queries.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::shuffle(order.begin(), order.end(), random);
  std::vector<ImpactQuery> mixed;
  for (const std::size_t i : order) {
    mixed.push_back(queries[i]);
  }
  const auto again = solve(mixed, {.threads = 3});
  for (std::size_t k = 0; k < order.size(); ++k) {
    EXPECT_TRUE(same_bits(again[k], impacts[order[k]])) << "query " << order[k];
  }
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_TRUE(same_bits(solve({queries[i]}).front(), impacts[i])) << "query " << i;
  }
}

TEST_P(ImpactBatch, BothInstructionSetsGiveTheSameBits) {
  const auto backends = available_backends();
  const char* const before = std::getenv("SWEPT_ISA");
  const std::string chosen = before == nullptr ? "" : before;
  const auto queries = random_queries(random, 48, 500);
  std::vector<std::vector<Impact<3>>> results;
  for (const char* isa : {"v3", "v4"}) {
    setenv("SWEPT_ISA", isa, 1);
    const auto here = available_backends();
    const bool built = std::find(here.begin(), here.end(), std::string("cpu_") + isa) != here.end();
    if (built && make_batch(bodies, {.precision = GetParam()}) != nullptr) {
      results.push_back(solve(queries));
    }
  }
  chosen.empty() ? unsetenv("SWEPT_ISA") : setenv("SWEPT_ISA", chosen.c_str(), 1);
  if (results.size() < 2) {
    GTEST_SKIP() << "this machine or build has one instruction set, so there is nothing to compare";
  }
  for (std::size_t i = 0; i < queries.size(); ++i) {
    EXPECT_TRUE(same_bits(results[0][i], results[1][i])) << "query " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, ImpactBatch, testing::Values(Precision::f32, Precision::f64),
                         [](const auto& param) {
                           return std::string(param.param == Precision::f32 ? "f32" : "f64");
                         });

}  // namespace
}  // namespace swept::test
