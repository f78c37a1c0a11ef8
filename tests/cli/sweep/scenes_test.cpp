// SPDX-License-Identifier: Apache-2.0
// The sweeps of scenes/sweeps find what their READMEs say.
#include "cli/command.h"
#include "tools/swept/sweep/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <string>
#include <vector>

namespace swept::cli {
namespace {

using test::run_swept;
using test::scene;
using test::write_file;

constexpr double g = 9.81;

// the table of a sweep of the project
Table table_of(const std::string& name) {
  const std::string path = write_file(name + ".csv", "");
  std::filesystem::remove(path);
  const auto done =
      run_swept({"sweep", scene("sweeps/" + name + "/" + name + ".json"), "--out", path});
  EXPECT_EQ(done.code, 0) << done.err;
  return read_table(path);
}

const std::vector<double>& column(const Table& table, const std::string& name,
                                  const std::string& unit) {
  const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                  [&](const Column& column) { return column.name == name; });
  EXPECT_EQ(found->unit, unit) << name;
  return found->numbers;
}

void expect_all_well(const Table& table, std::size_t rows) {
  const std::vector<double>& status = column(table, "status", "");
  EXPECT_EQ(status, std::vector<double>(rows, 0.0));
}

TEST(SweepScenes, TheBlockSlidesAsCoulombSays) {
  const Table table = table_of("sliding_block");
  expect_all_well(table, 380);
  const auto& friction = column(table, "friction", "1");
  const auto& slope = column(table, "slope", "deg");
  const auto& distance = column(table, "distance", "m");
  const auto& speed = column(table, "speed", "m/s");
  const auto& start = column(table, "start", "s");
  int sliding = 0;
  for (std::size_t i = 0; i < friction.size(); ++i) {
    const double a = slope[i] * std::numbers::pi / 180;
    const double acceleration = g * (std::sin(a) - friction[i] * std::cos(a));
    // at tan a = friction the sign is one of rounding
    if (acceleration > 1e-9) {
      ++sliding;
      // sums of steps of 2 ms are 0.2 % more than the integral; 1.4 mm and 3 mm/s seen
      EXPECT_NEAR(distance[i], acceleration / 2 * 1.002, 0.002) << i;
      EXPECT_NEAR(speed[i], acceleration / 2, 0.01) << i;
      EXPECT_TRUE(acceleration < 0.15 || start[i] < 0.5) << i;
    } else {
      EXPECT_LT(std::abs(distance[i]), 0.001) << i;
      EXPECT_TRUE(std::isnan(start[i])) << i;
    }
  }
  EXPECT_EQ(sliding, 160);
}

TEST(SweepScenes, TheBallBouncesAsASpringAndADamperDo) {
  const Table table = table_of("bouncing_ball");
  expect_all_well(table, 76);
  const auto& ratio = column(table, "damping_ratio", "1");
  const auto& constant = column(table, "time_constant", "s");
  const auto& rebound = column(table, "rebound", "m/s");
  const auto& lowest = column(table, "lowest", "m");
  const auto& contact = column(table, "contact", "s");
  const double root = std::sqrt(0.99), v = std::sqrt(2 * g);
  for (std::size_t i = 0; i < ratio.size(); ++i) {
    const double zeta = root * ratio[i], rest = std::sqrt(1 - zeta * zeta);
    const double omega = 1 / (root * constant[i] * ratio[i]);
    const double phi = std::acos(zeta);
    const double away = v * std::exp(-2 * phi * zeta / rest);
    const double depth = v / omega * std::exp(-phi * zeta / rest);
    EXPECT_NEAR(rebound[i], away, 0.015 * away) << i;
    EXPECT_NEAR(-1 - lowest[i], depth, 0.01 * depth) << i;
    EXPECT_NEAR(contact[i], std::sqrt(2 / g), 0.0002) << i;
  }
}

TEST(SweepScenes, TheFallDependsOnDampingOverMassAlone) {
  const Table table = table_of("humanoid_fall");
  expect_all_well(table, 153);
  const auto& mass = column(table, "mass", "1");
  const auto& damping = column(table, "damping", "1");
  const auto& fall = column(table, "fall", "s");
  const auto& sunk = column(table, "sunk", "m");
  std::map<int, std::vector<std::size_t>> diagonals;  // by 4 log2(damping / mass)
  for (std::size_t i = 0; i < mass.size(); ++i) {
    diagonals[static_cast<int>(std::lround(4 * std::log2(damping[i] / mass[i])))].push_back(i);
  }
  EXPECT_EQ(diagonals.size(), 25u);
  for (const auto& [ratio, rows] : diagonals) {
    for (const std::size_t row : rows) {
      EXPECT_NEAR(sunk[row], sunk[rows[0]], 1e-9) << ratio;
      EXPECT_EQ(std::isnan(fall[row]), std::isnan(fall[rows[0]])) << ratio;
      EXPECT_FALSE(std::abs(fall[row] - fall[rows[0]]) > 0.0051) << ratio;
    }
  }
  for (const auto& [ratio, seconds] : {std::pair{-4, 1.955}, {0, 2.185}, {4, 2.84}}) {
    EXPECT_NEAR(fall[diagonals[ratio][0]], seconds, 0.0051);
  }
  EXPECT_TRUE(std::isnan(fall[diagonals[5][0]]));
}

}  // namespace
}  // namespace swept::cli
