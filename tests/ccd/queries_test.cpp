// SPDX-License-Identifier: Apache-2.0
// Public labelled queries: no collision is missed, in either precision, with and without
// separation.
#include "ccd/queries.h"
#include "support/data.h"

#include <swept/error.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace swept::test {
namespace {

using ccd::QueryTally;
using ccd::VertexOptions;

template <class T>
QueryTally answer(const std::vector<ccd::Query>& queries, T separation, T tolerance) {
  const QueryTally tally = ccd::answer_queries<T>(
      queries, {.tolerance = tolerance, .separation = separation, .max_iterations = 1000});
  std::printf(
      "f%zu, separation %g, tolerance %g: %zu queries, %zu collisions, %zu missed, %zu false "
      "alarms, %zu not converged, %.2f steps, %.0f ns in the mean, %.0f in the median\n",
      8 * sizeof(T), static_cast<double>(separation), static_cast<double>(tolerance), tally.queries,
      tally.collisions, tally.missed, tally.false_alarms, tally.unfinished, tally.iterations,
      tally.mean_ns, tally.median_ns);
  return tally;
}

TEST(LabelledQueries, NoCollisionIsMissed) {
  const std::filesystem::path folder = test_data("ccd_queries");
  SWEPT_SKIP_WITHOUT(folder);
  const auto queries = ccd::read_queries(folder);
  EXPECT_GT(queries.size(), 1000u);
  for (const double separation : {0.0, 1e-6, 1e-3}) {
    for (const double tolerance : {0.0, 1e-6, 1e-10}) {
      const QueryTally exact = answer<double>(queries, separation, tolerance);
      EXPECT_GT(exact.collisions, 100u);
      EXPECT_EQ(exact.missed, 0u);
      const QueryTally single =
          answer<float>(queries, static_cast<float>(separation), static_cast<float>(tolerance));
      EXPECT_EQ(single.missed, 0u);
      if (separation == 0) {
        // a query that is called a hit for no reason but the tolerance is rare: these sets are near
        // misses
        EXPECT_LT(exact.false_alarms, queries.size() / 5);
        EXPECT_LT(single.false_alarms, queries.size() / 4);
        EXPECT_LT(exact.unfinished, queries.size() / 500);
      }
    }
  }
}

TEST(LabelledQueries, MalformedFilesAreRefusedWithTheirLine) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "edge-edge";
  std::filesystem::create_directories(folder);
  const auto file = folder / "queries.csv";
  const auto refuses = [&](const std::string& text, const std::string& problem) {
    std::ofstream(file) << text;
    try {
      ccd::read_query_file(file);
      ADD_FAILURE() << "took " << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(problem), std::string::npos) << error.what();
    }
  };
  refuses("1,1,2,1,3,1\n", ":1: ");
  refuses("1,1,2,1,3,1,0\n1,1,2,0,3,1,0\n", ":2: ");
  refuses("1,1,2,1,3,1,5\n", "neither 0 nor 1");
  refuses("1,1,2,1,3,1,0\n1,1,2,1,3,1,1\n", "differs");
  refuses("1,1,2,1,3,1,0\n", "cut short");
  std::string good;
  for (int i = 0; i < 8; ++i) {
    good += std::to_string(i) + ",2,0,1,0,1,1\n";
  }
  std::ofstream(file) << good;
  const auto queries = ccd::read_query_file(file);
  ASSERT_EQ(queries.size(), 1u);
  EXPECT_EQ(queries[0].vertices[3].start[0], 1.5);
  EXPECT_EQ(queries[0].vertices[0].end[0], 2.0);
  EXPECT_TRUE(queries[0].collides);
  EXPECT_THROW(ccd::read_queries(folder / "none"), Error);
}

}  // namespace
}  // namespace swept::test
