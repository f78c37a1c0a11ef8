// SPDX-License-Identifier: Apache-2.0
// The scaling measurement behind `swept_bench --scaling`, at sizes that take no time.
#include "bench/scaling.h"

#include <swept/error.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace swept::test {
namespace {

bench::ScalingOptions small() {
  bench::ScalingOptions options;
  options.scene = std::string(SWEPT_SOURCE_DIR) + "/scenes/pendulum/pendulum.xml";
  options.sizes = {8, 40};
  options.warmup = 5;
  options.turns = 2;
  options.work = 400;
  options.threads = 2;
  return options;
}

TEST(Scaling, MeasuresEverySizeWithAllThreadsAndWithOne) {
  const bench::ScalingResult result = bench::scaling(small());
  ASSERT_EQ(result.rows.size(), 2u);
  EXPECT_EQ(result.rows[0].nenv, 8);
  EXPECT_EQ(result.rows[1].nenv, 40);
  for (const bench::ScalingRow& row : result.rows) {
    EXPECT_GT(row.all_threads, 0);
    EXPECT_GT(row.one_thread, 0);
  }
  EXPECT_GE(result.spread(), 1);
  EXPECT_GT(result.speedup(), 0);
  EXPECT_GT(result.first_step, result.compiled);
}

TEST(Scaling, PrintsTheSameNumbersAsTextAndAsJson) {
  bench::ScalingResult result;
  result.scene = "a scene";
  result.threads = 2;
  result.rows = {{64, 2e-6, 3e-6}, {4096, 1e-6, 1.9e-6}};
  result.first_step = 0.25;
  EXPECT_DOUBLE_EQ(result.spread(), 2);
  EXPECT_DOUBLE_EQ(result.speedup(), 1.9);
  const nlohmann::json json = nlohmann::json::parse(result.to_json());
  EXPECT_DOUBLE_EQ(json["rows"][1]["seconds_per_env_step"], 1e-6);
  EXPECT_DOUBLE_EQ(json["speedup"], 1.9);
  for (const char* part : {"4096", "1.900", "2.00", "0.250"}) {
    EXPECT_NE(result.to_text().find(part), std::string::npos) << part;
  }
}

TEST(Scaling, RefusesToMeasureNothing) {
  bench::ScalingOptions options = small();
  options.sizes.clear();
  EXPECT_THROW(bench::scaling(options), Error);
}

}  // namespace
}  // namespace swept::test
