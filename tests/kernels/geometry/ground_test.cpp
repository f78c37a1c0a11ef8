// SPDX-License-Identifier: Apache-2.0
// The surface of a height field: prisms by number, under a place and under a box, and which normals
// point out of the ground.
#include "kernels/geometry/ground.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using test::near;

/// A field with its numbers.
struct Ground {
  std::vector<real> data;
  HfieldShape f;

  Ground(int rows, int columns, std::vector<real> heights) : data(std::move(heights)) {
    f.data = data.data();
    f.nrow = rows;
    f.ncol = columns;
    f.size[0] = 1.1_r;
    f.size[1] = 0.8_r;
    f.size[2] = 0.5_r;
    f.size[3] = 0.2_r;
  }
  int prisms() const { return 2 * (f.nrow - 1) * (f.ncol - 1); }
};

Ground random_ground(std::mt19937* random) {
  std::uniform_int_distribution<int> points(2, 9);
  std::uniform_real_distribution<real> height(0, 1);
  const int rows = points(*random), columns = points(*random);
  std::vector<real> data;
  for (int i = 0; i < rows * columns; ++i) {
    data.push_back(height(*random));
  }
  return {rows, columns, data};
}

bool same(const Prism& a, const Prism& b) {
  bool equal = true;
  for (int i = 0; i < 6; ++i) {
    equal = equal && a.at[i].x == b.at[i].x && a.at[i].y == b.at[i].y && a.at[i].z == b.at[i].z;
  }
  return equal;
}

TEST(Ground, VisitsEachPrismThatABoxReachesOnceAndInOrder) {
  std::mt19937 random(3);
  std::uniform_real_distribution<real> place(-1.3_r, 1.3_r);
  long visited = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Ground ground = random_ground(&random);
    const Vec3<real> a = {place(random), place(random), place(random)};
    const Vec3<real> b = {place(random), place(random), place(random)};
    const BoxExtent box = {{min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)},
                           {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)}};
    std::vector<bool> seen(static_cast<std::size_t>(ground.prisms()), false);
    int row = -1;
    visit_prisms(ground.f, box, [&](const Prism& prism, int number) {
      EXPECT_TRUE(same(prism, prism_of(ground.f, number)));
      EXPECT_FALSE(seen[static_cast<std::size_t>(number)]);
      seen[static_cast<std::size_t>(number)] = true;
      EXPECT_GE(number / 2 / (ground.f.ncol - 1), row);
      row = number / 2 / (ground.f.ncol - 1);
      ++visited;
      return true;
    });
    // all that overlap the box by more than rounding
    for (int number = 0; number < ground.prisms(); ++number) {
      const Prism prism = prism_of(ground.f, number);
      Vec3<real> low = prism.at[0], high = prism.at[0];
      for (const Vec3<real>& p : prism.at) {
        low = {min(low.x, p.x), min(low.y, p.y), min(low.z, p.z)};
        high = {max(high.x, p.x), max(high.y, p.y), max(high.z, p.z)};
      }
      constexpr real hair = 1e-5_r;
      const bool overlap = low.x < box.high.x - hair && high.x > box.low.x + hair &&
                           low.y < box.high.y - hair && high.y > box.low.y + hair &&
                           low.z < box.high.z - hair && high.z > box.low.z + hair;
      EXPECT_TRUE(!overlap || seen[static_cast<std::size_t>(number)]) << trial << " " << number;
    }
  }
  EXPECT_GT(visited, 2000);
}

TEST(Ground, FindsTheTriangleUnderAPlace) {
  std::mt19937 random(4);
  std::uniform_real_distribution<real> part(0, 1);
  for (int trial = 0; trial < 2000; ++trial) {
    const Ground ground = random_ground(&random);
    const int number = static_cast<int>(random() % static_cast<unsigned>(ground.prisms()));
    const Prism prism = prism_of(ground.f, number);
    // a point well inside
    const real u = 0.02_r + 0.9_r * part(random), v = (0.98_r - u) * part(random) + 0.01_r;
    const Vec3<real> place =
        prism.at[3] * (1_r - u - v) + prism.at[4] * u + prism.at[5] * v + Vec3<real>{0_r, 0_r, 3_r};
    ASSERT_EQ(prism_under(ground.f, place), number);
    const PrismTop top = top_of(prism);
    EXPECT_GT(top.normal.z, 0_r);
    EXPECT_TRUE(near(static_cast<double>(top.under(place) / top.normal.z), 3, {1e-12, 1e-5}));
  }
  const Ground ground = random_ground(&random);
  EXPECT_EQ(prism_under(ground.f, {1.2_r, 0_r, 0_r}), -1);
  EXPECT_EQ(prism_under(ground.f, {0_r, -0.81_r, 0_r}), -1);
  EXPECT_GE(prism_under(ground.f, {1.1_r, 0.8_r, 0_r}), 0);
}

/// A field whose rows are alike; columns 0.22 apart.
Ground profile(const std::vector<real>& heights) {
  constexpr int rows = 5;
  std::vector<real> data;
  for (int r = 0; r < rows; ++r) {
    data.insert(data.end(), heights.begin(), heights.end());
  }
  return {rows, static_cast<int>(heights.size()), data};
}

/// A unit vector across the rows, tilted by an angle towards +x.
Vec3<real> tilted(double angle) {
  return {static_cast<real>(std::sin(angle)), 0_r, static_cast<real>(std::cos(angle))};
}

TEST(Ground, HasOnlyUpwardNormalsWhereItIsEven) {
  // a slope of 0.05 per column that goes on
  const Ground ground =
      profile({0.0_r, 0.1_r, 0.2_r, 0.3_r, 0.4_r, 0.5_r, 0.6_r, 0.7_r, 0.8_r, 0.9_r, 1.0_r});
  const double slope = std::atan(0.05 / 0.22);
  for (int column = 1; column < 10; ++column) {
    const real x = 0.22_r * static_cast<real>(column) - 1.1_r;
    const Vec3<real> on_edge = {x, 0.03_r, 0.05_r * static_cast<real>(column)};
    EXPECT_TRUE(is_clear_of_ground(ground.f, on_edge, tilted(-slope)));
    for (const double off : {-1.5, -0.3, -0.01, 0.01, 0.3, 1.5}) {
      EXPECT_FALSE(is_clear_of_ground(ground.f, on_edge, tilted(off - slope))) << column << off;
    }
    // a wall between prisms
    const Vec3<real> on_wall = {x, 0.03_r, 0.01_r};
    EXPECT_FALSE(is_clear_of_ground(ground.f, on_wall, {-1_r, 0_r, 0_r}));
    EXPECT_FALSE(is_clear_of_ground(ground.f, on_wall, {1_r, 0_r, 0_r}));
  }
}

TEST(Ground, HasAFanOfNormalsOnARidgeAndNoneInAValley) {
  const Ground ridge =
      profile({0.0_r, 0.2_r, 0.4_r, 0.6_r, 0.8_r, 1.0_r, 0.8_r, 0.6_r, 0.4_r, 0.2_r, 0.0_r});
  const double slope = std::atan(0.1 / 0.22);
  for (const double part : {-0.99, -0.5, 0.0, 0.7, 0.99}) {
    EXPECT_TRUE(is_clear_of_ground(ridge.f, {0_r, 0.03_r, 0.5_r}, tilted(part * slope))) << part;
  }
  for (const double part : {-1.05, 1.05, 2.0}) {
    EXPECT_FALSE(is_clear_of_ground(ridge.f, {0_r, 0.03_r, 0.5_r}, tilted(part * slope))) << part;
  }
  const Ground valley =
      profile({1.0_r, 0.8_r, 0.6_r, 0.4_r, 0.2_r, 0.0_r, 0.2_r, 0.4_r, 0.6_r, 0.8_r, 1.0_r});
  for (const double part : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
    EXPECT_FALSE(is_clear_of_ground(valley.f, {0_r, 0.03_r, 0_r}, tilted(part * slope))) << part;
  }
  // that of a top is one of the field's wherever it is met
  const PrismTop top = top_of(prism_of(valley.f, prism_under(valley.f, {0.01_r, 0.03_r, 0_r})));
  EXPECT_TRUE(points_out(valley.f, top, {0_r, 0.03_r, 0_r}, tilted(-slope)));
}

TEST(Ground, EndsAtItsBordersAndItsBase) {
  const Ground ground = profile({0.5_r, 0.5_r, 0.5_r, 0.5_r});
  EXPECT_TRUE(is_clear_of_ground(ground.f, {1.1_r, 0.1_r, 0.1_r}, {1_r, 0_r, 0_r}));
  EXPECT_TRUE(is_clear_of_ground(ground.f, {1.1_r, 0.1_r, 0.25_r}, tilted(0.7)));
  EXPECT_FALSE(is_clear_of_ground(ground.f, {1.1_r, 0.1_r, 0.25_r}, tilted(-0.1)));
  EXPECT_TRUE(is_clear_of_ground(ground.f, {0.1_r, 0.8_r, -0.1_r}, {0_r, 1_r, 0_r}));
  EXPECT_TRUE(is_clear_of_ground(ground.f, {0.1_r, 0.1_r, -0.2_r}, {0_r, 0_r, -1_r}));
  EXPECT_FALSE(is_clear_of_ground(ground.f, {0.1_r, 0.1_r, -0.2_r}, {0.1_r, 0_r, -0.995_r}));
  EXPECT_FALSE(is_clear_of_ground(ground.f, {0.1_r, 0.1_r, -0.1_r}, {0_r, 0_r, -1_r}));
}

}  // namespace
}  // namespace swept::SWEPT_NS
