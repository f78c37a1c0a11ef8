// SPDX-License-Identifier: Apache-2.0
// The measurement behind `swept_bench --isolation`, at a size that takes no time.
#include "bench/isolation.h"

#include <swept/error.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace swept::test {
namespace {

bench::IsolationOptions small() {
  bench::IsolationOptions options;
  options.scene = std::string(SWEPT_SOURCE_DIR) + "/scenes/pendulum/pendulum.xml";
  options.nenv = 200;
  options.warmup = 5;
  options.steps = 10;
  options.turns = 3;
  options.threads = 2;
  return options;
}

TEST(IsolationBench, MeasuresBatchesWithAndWithoutBadEnvironments) {
  const bench::IsolationResult result = bench::isolation(small());
  ASSERT_EQ(result.rows.size(), 4u);
  EXPECT_EQ(result.rows[0].ratio, 1);
  EXPECT_EQ(result.rows[0].frozen, 0);
  EXPECT_EQ(result.rows[1].frozen, 1);
  EXPECT_EQ(result.rows[2].frozen, 2);
  EXPECT_EQ(result.rows[3].frozen, 0);
  EXPECT_EQ(result.rows[3].resets, 2 * 2 * 3) << "two environments, two stretches, three turns";
  for (const bench::IsolationRow& row : result.rows) {
    EXPECT_GT(row.seconds, 0);
    EXPECT_GT(row.ratio, 0);
  }
}

TEST(IsolationBench, PrintsTheSameNumbersAsTextAndAsJson) {
  const bench::IsolationResult result{"a scene", 64, {{"one frozen", 1, 2e-3, 1.25, 1, 7}}};
  const nlohmann::json json = nlohmann::json::parse(result.to_json());
  EXPECT_EQ(json["rows"][0]["ratio"], 1.25);
  EXPECT_EQ(json["rows"][0]["resets"], 7);
  for (const char* part : {"a scene", "64", "one frozen", "2.000", "1.250"}) {
    EXPECT_NE(result.to_text().find(part), std::string::npos) << part;
  }
}

TEST(IsolationBench, RefusesToMeasureNothing) {
  bench::IsolationOptions options = small();
  options.turns = 0;
  EXPECT_THROW(bench::isolation(options), Error);
}

}  // namespace
}  // namespace swept::test
