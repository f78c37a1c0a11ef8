// SPDX-License-Identifier: Apache-2.0
// Averages over environments and over sampled steps.
#include "bench/quality.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace swept::bench {
namespace {

TEST(Quality, ASpreadKnowsMeanPercentileAndMaximum) {
  std::vector<double> numbers(100);
  std::iota(numbers.rbegin(), numbers.rend(), 1.0);  // 100, 99, ..., 1
  const Spread of = spread(numbers);
  EXPECT_DOUBLE_EQ(of.mean, 50.5);
  EXPECT_EQ(of.p95, 95);
  EXPECT_EQ(of.max, 100);
  EXPECT_EQ(spread({7}).p95, 7);
  EXPECT_EQ(spread({}).max, 0);
}

TEST(Quality, SamplesAreAveragedAndExtremesKept) {
  Quality total;
  for (const double contacts : {2.0, 4.0, 9.0}) {
    Quality sample;
    sample.samples = 1;
    sample.contacts = {contacts, 2 * contacts, 3 * contacts};
    sample.penetration = 10 - contacts;
    sample.dropped = 1;
    sample.unstable = static_cast<std::int64_t>(contacts);
    total.add(sample);
  }
  EXPECT_EQ(total.samples, 3);
  EXPECT_DOUBLE_EQ(total.contacts.mean, 5);
  EXPECT_DOUBLE_EQ(total.contacts.p95, 10);
  EXPECT_DOUBLE_EQ(total.contacts.max, 27);
  EXPECT_DOUBLE_EQ(total.penetration, 8);
  EXPECT_EQ(total.dropped, 3);
  EXPECT_EQ(total.unstable, 9);
}

}  // namespace
}  // namespace swept::bench
