// SPDX-License-Identifier: Apache-2.0
// The furthest vertex of a hull along a direction, against looking at all of them: small hulls in
// blocks, large ones in cells, cells that are left to walks, and hulls without any of these arrays.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "host/compile/mesh/cells.h"
#include "kernels/geometry/support.h"

namespace swept::SWEPT_NS {
namespace {

constexpr bool single = sizeof(real) == 4;

/// A closed surface of rings around the z axis, convex, with the arrays of a mesh. Rings must be
/// further from each other than the vertices of a ring: else edges run across them.
struct Globe {
  std::vector<float> vertex;
  compiler::Hull hull;
  compiler::HullCells cells;
  std::vector<int> graph, hullid;
  std::vector<real> vert, hullvert;
  MeshShape mesh;

  /// `squeeze` draws all but the southern pole to the north, so that one cell has most vertices.
  Globe(int rings, int around, double squeeze, bool with_arrays) {
    const auto add = [&](double x, double y, double z) {
      for (const double c : {0.3 * x, 0.4 * y, 0.5 * z}) {
        vertex.push_back(static_cast<float>(c));
      }
    };
    add(0, 0, 1);
    for (int r = 1; r <= rings; ++r) {
      const double t = 3.14159265358979 * squeeze * r / (rings + 1);
      for (int k = 0; k < around; ++k) {
        const double a = 6.28318530717959 * (k + 0.5 * (r % 2)) / around;
        add(std::sin(t) * std::cos(a), std::sin(t) * std::sin(a), std::cos(t));
      }
    }
    add(0, 0, -1);
    const int n = 2 + rings * around;
    std::vector<std::vector<int>> next(static_cast<std::size_t>(n));
    const auto join = [&](int a, int b) {
      next[static_cast<std::size_t>(a)].push_back(b);
      next[static_cast<std::size_t>(b)].push_back(a);
    };
    const auto at = [&](int r, int k) { return 1 + (r - 1) * around + (k + around) % around; };
    for (int k = 0; k < around; ++k) {
      join(0, at(1, k));
      join(n - 1, at(rings, k));
      for (int r = 1; r <= rings; ++r) {
        join(at(r, k), at(r, k + 1));
        if (r < rings) {
          join(at(r, k), at(r + 1, k));
          join(at(r, k), at(r + 1, r % 2 == 1 ? k + 1 : k - 1));
        }
      }
    }
    for (int v = 0; v < n; ++v) {
      hull.vertex.push_back(v);
      hull.edge_adr.push_back(static_cast<int>(hull.edge.size()));
      const std::vector<int>& of = next[static_cast<std::size_t>(v)];
      hull.edge.insert(hull.edge.end(), of.begin(), of.end());
      hull.edge.push_back(-1);
    }
    cells = compiler::make_cells(vertex, hull);
    fill(n, with_arrays);
  }

 private:
  void fill(int n, bool with_arrays) {
    vert.assign(vertex.begin(), vertex.end());
    graph = {n, 0};
    for (const std::vector<int>* const part : {&hull.edge_adr, &hull.vertex, &hull.edge}) {
      graph.insert(graph.end(), part->begin(), part->end());
    }
    mesh.vert = vert.data();
    mesh.vertnum = n;
    mesh.graph = graph.data();
    if (!with_arrays) {
      return;
    }
    const bool small = hull_blocks(n) > 0;
    hullid = cells.block_id;
    for (int i = 0; small && i < hull_blocks(n) * hull_block; ++i) {
      hullid.push_back(i < n ? i : 0);
    }
    for (std::size_t i = 0; i < 3 * hullid.size(); ++i) {
      const std::size_t block = i / (3 * hull_block), k = i / hull_block % 3;
      const int v = hullid[block * hull_block + i % hull_block];
      hullvert.push_back(vert[3 * static_cast<std::size_t>(v) + k]);
    }
    mesh.hullnum = small ? n : 0;
    mesh.hullid = hullid.data();
    mesh.hullvert = hullvert.data();
    mesh.seednum = cells.side;
    mesh.seed = cells.seed.data();
    mesh.cell = cells.cell.data();
  }
};

void compare_with_all(const Globe& globe, int queries) {
  Hull hull = hull_of(globe.mesh);
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> choice(0, 5);
  for (int q = 0; q < queries; ++q) {
    double d[3] = {normal(random), normal(random), normal(random)};
    // some along axes, on borders of sides and of cells
    const int border = choice(random);
    if (border < 3) {
      d[border] = q % 2 == 0 ? 0 : std::abs(d[(border + 1) % 3]);
    }
    if (border == 3) {
      d[0] = std::round(4 * d[0]) / 4;
      d[1] = std::round(4 * d[1]) / 4;
      d[2] = 1;
    }
    const Vec3<real> dir = {static_cast<real>(d[0]), static_cast<real>(d[1]),
                            static_cast<real>(d[2])};
    const auto reach = [&](int v) {
      const Vec3<real> p = globe.mesh.vertex(v);
      return static_cast<double>(p.x) * static_cast<double>(dir.x) +
             static_cast<double>(p.y) * static_cast<double>(dir.y) +
             static_cast<double>(p.z) * static_cast<double>(dir.z);
    };
    double most = -1e30;
    for (int v = 0; v < globe.mesh.vertnum; ++v) {
      most = std::max(most, reach(v));
    }
    const HullVertex found = furthest(&hull, dir);
    // equal within the roundings of a product of three
    const double length = static_cast<double>(norm(dir));
    ASSERT_GE(reach(found.id), most - (single ? 3e-7 : 5e-16) * length) << q;
    ASSERT_EQ(found.point.x, globe.mesh.vertex(found.id).x);
    ASSERT_EQ(found.point.z, globe.mesh.vertex(found.id).z);
  }
}

TEST(Hull, FindsTheFurthestVertexInBlocks) {
  compare_with_all(Globe(2, 4, 1, true), 2000);
  compare_with_all(Globe(6, 11, 1, true), 2000);
  compare_with_all(Globe(9, 14, 1, true), 2000);
}

TEST(Hull, FindsTheFurthestVertexInCells) {
  for (const int rings : {8, 15, 40}) {
    const Globe globe(rings, 2 * rings + 4, 1, true);
    ASSERT_GT(globe.mesh.seednum, 0);
    compare_with_all(globe, 3000);
  }
}

TEST(Hull, WalksWhereACellHasTooMany) {
  const Globe globe(10, 100, 0.05, true);
  const auto walks = std::count(globe.cells.cell.begin(), globe.cells.cell.end(), -1);
  std::printf("%d of %zu cells are left to walks\n", static_cast<int>(walks),
              globe.cells.cell.size());
  EXPECT_GT(walks, 0);
  compare_with_all(globe, 3000);
}

TEST(Hull, WalksWithoutCells) {
  compare_with_all(Globe(15, 34, 1, false), 3000);
}

}  // namespace
}  // namespace swept::SWEPT_NS
