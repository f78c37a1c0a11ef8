// SPDX-License-Identifier: Apache-2.0
// Launches reach every block and environment once, and are timed when asked for. Groups of one
// lane.
#include "kernels/base/launch.h"

#include <gtest/gtest.h>

#include <string>

namespace swept::SWEPT_NS::test {
namespace {

struct CountBlocks {
  int* visits;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (g.lane() == 0 && lane == 0) {
      ++visits[block];
    }
  }
};

struct CountEnvs {
  int* visits;
  SWEPT_FN void operator()(const Group auto g, int env) const { visits[env] += g.size(); }
};

TEST(Launch, ReachesEveryBlockAndEnvironmentOnce) {
  int visits[5] = {};
  launch_packs<4>("blocks", Context{}, 4, CountBlocks{visits});
  launch_envs<32>("envs", Context{}, 4, CountEnvs{visits});
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(visits[i], i < 4 ? 2 : 0);
  }
}

TEST(Launch, OfNothingDoesNothing) {
  launch_packs("blocks", Context{}, 0, CountBlocks{nullptr});
  launch_envs("envs", Context{}, 0, CountEnvs{nullptr});
}

TEST(Launch, IsTimedUnderItsNameWhenAProfileIsGiven) {
  std::vector<ProfileRow> profile;
  Context ctx;
  ctx.profile = &profile;
  int visits[3] = {};
  for (int i = 0; i < 3; ++i) {
    launch_envs("often", ctx, 3, CountEnvs{visits});
  }
  launch_envs("once", ctx, 3, CountEnvs{visits});
  ASSERT_EQ(profile.size(), 2u);
  EXPECT_EQ(std::string(profile[0].name), "often");
  EXPECT_EQ(profile[0].launches, 3);
  EXPECT_EQ(profile[1].launches, 1);
  EXPECT_GE(profile[0].seconds, 0);
}

TEST(Serial, IsAGroupOfOneLane) {
  constexpr Serial g;
  static_assert(g.lane() == 0 && g.size() == 1);
  EXPECT_EQ(g.sum(real(2.5)), real(2.5));
  EXPECT_EQ(g.sum(3), 3);
  EXPECT_EQ(g.max(-3), -3);
  EXPECT_TRUE(g.any(true));
  EXPECT_FALSE(g.any(false));
  EXPECT_EQ(g.exclusive_scan(5), 0);
  g.sync();
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
