// SPDX-License-Identifier: Apache-2.0
// The emulated lanes keep the contract of a Group and notice when a caller breaks it.
#include "support/thread_group.h"

#include <gtest/gtest.h>

#include <cstring>

namespace swept::SWEPT_NS::test {
namespace {

class ThreadGroupOf : public testing::TestWithParam<int> {};

TEST_P(ThreadGroupOf, RunsEveryLaneOnce) {
  std::vector<int> runs(static_cast<std::size_t>(GetParam()));
  run_lanes(GetParam(), [&](const ThreadGroup g) {
    EXPECT_EQ(g.size(), GetParam());
    ++runs[static_cast<std::size_t>(g.lane())];
  });
  for (const int n : runs) {
    EXPECT_EQ(n, 1);
  }
}

TEST_P(ThreadGroupOf, SeesAfterASyncWhatAllLanesWroteBeforeIt) {
  const int n = GetParam();
  std::vector<int> values(static_cast<std::size_t>(n));
  run_lanes(n, [&](const ThreadGroup g) {
    for (int round = 0; round < 50; ++round) {
      values[static_cast<std::size_t>(g.lane())] = 100 * round + g.lane();
      g.sync();
      const int neighbour = (g.lane() + 1) % n;
      EXPECT_EQ(values[static_cast<std::size_t>(neighbour)], 100 * round + neighbour);
      g.sync();
    }
  });
}

TEST_P(ThreadGroupOf, CollectivesGiveTheSameOnEveryLane) {
  const int n = GetParam();
  std::vector<real> sums(static_cast<std::size_t>(n));
  run_lanes(n, [&](const ThreadGroup g) {
    const int k = g.lane();
    sums[static_cast<std::size_t>(k)] = g.sum(real(1) / real(k + 3));
    EXPECT_EQ(g.sum(k), n * (n - 1) / 2);
    EXPECT_EQ(g.max(k == n / 2 ? 7 : -k), 7);
    EXPECT_TRUE(g.any(k == n - 1));
    EXPECT_FALSE(g.any(false));
    EXPECT_EQ(g.exclusive_scan(k + 1), k * (k + 1) / 2);
  });
  for (const real sum : sums) {
    EXPECT_EQ(std::memcmp(&sum, &sums[0], sizeof sum), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ThreadGroupOf, testing::Values(1, 2, 4, 8, 16, 32));

TEST(ThreadGroup, SumsInTheOrderOfAWarp) {
  // lanes 0 and 2, lanes 1 and 3, then the pairs: one big number cancels before the small ones are
  // added
  const real big = real(1e30);
  const real values[] = {big, real(1), -big, real(2)};
  real sum = 0;
  run_lanes(4, [&](const ThreadGroup g) {
    const real mine = g.sum(values[g.lane()]);
    if (g.lane() == 0) {
      sum = mine;
    }
  });
  EXPECT_EQ(sum, 3);
}

TEST(ThreadGroup, NoticesLanesThatCallDifferentCollectives) {
  const auto diverge = [](const ThreadGroup g) {
    if (g.lane() == 1) {
      g.any(true);
    } else {
      g.sync();
    }
  };
  EXPECT_THROW(run_lanes(2, diverge), std::logic_error);
}

TEST(ThreadGroup, NoticesALaneThatReturnsWhileOthersWait) {
  const auto diverge = [](const ThreadGroup g) {
    if (g.lane() < 3) {
      g.sync();
    }
  };
  EXPECT_THROW(run_lanes(4, diverge), std::logic_error);
  EXPECT_NO_THROW(run_lanes(1, diverge));
}

TEST(ThreadGroup, HandsOnWhatALaneThrows) {
  const auto fail = [](const ThreadGroup g) {
    if (g.lane() == 2) {
      throw std::runtime_error("from lane 2");
    }
  };
  EXPECT_THROW(run_lanes(4, fail), std::runtime_error);
  EXPECT_THROW(run_lanes(3, fail), std::invalid_argument);
  EXPECT_THROW(run_lanes(64, fail), std::invalid_argument);
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
