// SPDX-License-Identifier: Apache-2.0
// swept sweep ended by SIGKILL at random moments, again and again: no row is lost or doubled.
#include "cli/sweep/support.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace swept::test {
namespace {

namespace fs = std::filesystem;

constexpr int kills_wanted = 50;

std::string swings() {
  return write_file("swings.json", R"({"scene": ")" + scene("pendulum/pendulum.xml") + R"(",
    "steps": 500, "precision": "f64", "keyframe": "wide",
    "parameters": [
      {"name": "mass", "field": "body_mass", "of": 1, "range": {"from": 1, "to": 2, "count": 15}},
      {"name": "speed", "field": "qvel", "range": {"from": -1, "to": 1, "count": 8}}],
    "measures": [
      {"name": "end", "field": "qpos", "take": "final"},
      {"name": "down", "field": "qpos", "take": "time", "below": 0}]})");
}

class Kill : public testing::TestWithParam<std::string> {};

TEST_P(Kill, FiftyTimesGivesTheTableOfOneRun) {
  const std::string sweep = swings();
  const std::string whole = fresh("whole" + GetParam()), killed = fresh("killed" + GetParam());
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(run_swept({"sweep", sweep, "--out", whole, "--envs", "3"}).code, 0);
  const long one_run = std::chrono::duration_cast<std::chrono::microseconds>(
                           std::chrono::steady_clock::now() - start)
                           .count();
  const std::string wanted = read_file(whole);
  ASSERT_FALSE(wanted.empty());

  const std::vector<std::string> command{"sweep", sweep, "--out", killed, "--envs", "3"};
  std::mt19937 random(20);
  // from before main() to the end of many batches
  std::uniform_int_distribution<long> moment(0, one_run / 3);
  int kills = 0, finished = 0, grown = 0;
  std::size_t bytes = 0;
  while (kills < kills_wanted) {
    const int code = kill_swept_after(command, moment(random)).code;
    if (code == 128 + 9) {
      const std::size_t now = read_file(killed + ".parts/shard-1-of-1").size();
      grown += now > bytes ? 1 : 0;
      bytes = now;
      ++kills;
      continue;
    }
    // it was done before the signal came: look, and begin anew
    ASSERT_EQ(code, 0);
    ASSERT_EQ(read_file(killed), wanted) << "after " << kills << " kills";
    ++finished;
    bytes = 0;
    fresh("killed" + GetParam());
  }
  const Outcome last = run_swept(command);
  ASSERT_EQ(last.code, 0) << last.err;
  EXPECT_EQ(read_file(killed), wanted);
  EXPECT_FALSE(fs::exists(killed + ".parts")) << "nothing is left over";
  EXPECT_GT(grown, 0) << "the kills never met work";
  std::printf("%d kills, %d after more rows, %d tables finished between them\n", kills, grown,
              finished);
}

INSTANTIATE_TEST_SUITE_P(Formats, Kill, testing::Values(".csv", ".h5"),
                         [](const auto& format) { return format.param.substr(1); });

TEST(Kill, WhileTheTableIsMadeLeavesTheRowsOrTheTable) {
  // the rows of two shards, each from a folder of its own, brought together: what is left to do is
  // the table
  const std::string sweep = swings();
  const std::string whole = fresh("of_one.csv"), table = fresh("made.csv");
  ASSERT_EQ(run_swept({"sweep", sweep, "--out", whole}).code, 0);
  const std::string wanted = read_file(whole);
  const fs::path rows = fresh("rows");
  fs::create_directory(rows);
  for (const std::string shard : {"1", "2"}) {
    const std::string part = fresh("part" + shard + ".csv");
    ASSERT_EQ(run_swept({"sweep", sweep, "--out", part, "--shard", shard + "/2"}).code, 0);
    fs::copy(part + ".parts", rows, fs::copy_options::recursive);
  }
  std::mt19937 random(22);
  std::uniform_int_distribution<long> moment(0, 60000);
  int kills = 0, tables = 0;
  while (kills < kills_wanted) {
    fresh("made.csv");
    fs::copy(rows, table + ".parts", fs::copy_options::recursive);
    kills += kill_swept_after({"sweep", sweep, "--out", table}, moment(random)).code == 128 + 9;
    const std::string made = read_file(table);
    ASSERT_TRUE(made.empty() || made == wanted) << "a table that is not whole has no name";
    tables += made.empty() ? 0 : 1;
    const Outcome after = run_swept({"sweep", sweep, "--out", table});
    ASSERT_EQ(after.code, 0) << after.err;
    ASSERT_EQ(read_file(table), wanted);
    ASSERT_FALSE(fs::exists(table + ".parts"));
  }
  std::printf("%d kills, the table was there after %d runs\n", kills, tables);
}

TEST(Kill, TwoShardsThatAreKilledShareTheFolder) {
  const std::string sweep = swings();
  const std::string whole = fresh("one.csv"), shared = fresh("two.csv");
  ASSERT_EQ(run_swept({"sweep", sweep, "--out", whole}).code, 0);
  std::mt19937 random(21);
  std::uniform_int_distribution<long> moment(0, 60000);
  const auto command = [&](const char* shard) {
    return std::vector<std::string>{"sweep",  sweep, "--out",   shared,
                                    "--envs", "3",   "--shard", shard};
  };
  for (int i = 0; i < 20; ++i) {
    kill_swept_after(command(i % 2 == 0 ? "1/2" : "2/2"), moment(random));
  }
  EXPECT_EQ(run_swept(command("1/2")).code, 0);
  EXPECT_EQ(run_swept(command("2/2")).code, 0);
  EXPECT_EQ(read_file(shared), read_file(whole));
}

}  // namespace
}  // namespace swept::test
