// SPDX-License-Identifier: Apache-2.0
// The arrays that speed up searches on hulls: blocks of the vertices of small hulls, and cells of
// directions of large ones, with the vertices that may be the furthest.
#include <swept/compile.h>
#include <swept/hull.h>
#include <swept/load.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>

namespace swept {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// A body with meshes of random points on a sphere, all of which are on the hull.
Model scene_of(const std::vector<int>& counts) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::string meshes, geoms;
  for (std::size_t m = 0; m < counts.size(); ++m) {
    std::string text;
    for (int i = 0; i < counts[m]; ++i) {
      double p[3] = {normal(random), normal(random), normal(random)};
      const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
      for (const double x : p) {
        text += std::to_string(x / length) + " ";
      }
    }
    meshes += "<mesh name='" + std::to_string(m) + "' vertex='" + text + "'/>";
    geoms += "<geom type='mesh' mesh='" + std::to_string(m) + "'/>";
  }
  return compile(load_string("<mujoco><asset>" + meshes + "</asset><worldbody><body>" + geoms +
                                 "</body></worldbody></mujoco>",
                             Format::xml));
}

double along(const Model& m, int vertex, const double* dir) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    sum += m.mesh_vert[3 * at(vertex) + k] * dir[k];
  }
  return sum;
}

TEST(HullArrays, BlocksHaveEveryVertexOfASmallHullOnceAndRepeatTheFirst) {
  const Model m = scene_of({4, 12, 16, 17, 128, 129});
  for (int mesh = 0; mesh < m.nmesh; ++mesh) {
    const int numvert = m.mesh_graph[at(m.mesh_graphadr[at(mesh)])];
    EXPECT_EQ(m.mesh_hullnum[at(mesh)], numvert <= hull_in_blocks ? numvert : 0);
    std::set<int> seen;
    for (int i = 0; i < hull_blocks(numvert) * hull_block; ++i) {
      const std::size_t block = at(m.mesh_hulladr[at(mesh)] + i / hull_block);
      const std::size_t place = at(i % hull_block);
      const int vertex = m.mesh_hullid[block * at(hull_block) + place];
      EXPECT_EQ(seen.insert(vertex).second, i < numvert);
      if (i >= numvert) {
        EXPECT_EQ(vertex, m.mesh_hullid[at(m.mesh_hulladr[at(mesh)]) * at(hull_block)]);
      }
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(m.mesh_hullvert[(3 * block + k) * at(hull_block) + place],
                  m.mesh_vert[3 * at(m.mesh_vertadr[at(mesh)] + vertex) + k]);
      }
    }
  }
}

TEST(HullArrays, SeedsAreTheFurthestVerticesAlongTheMiddlesOfTheCells) {
  const Model m = scene_of({40, 300, 3000});
  EXPECT_EQ(m.mesh_seednum[0], 0);
  for (int mesh = 1; mesh < m.nmesh; ++mesh) {
    const int* const graph = m.mesh_graph.data() + m.mesh_graphadr[at(mesh)];
    const int numvert = graph[0], n = m.mesh_seednum[at(mesh)];
    const int* const globalid = graph + 2 + numvert;
    ASSERT_EQ(n, hull_cells(numvert));
    ASSERT_LE(numvert, 48 * n * n);
    for (int cell = 0; cell < hull_directions(n); ++cell) {
      const int axis = cell / (n * n) / 2, first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
      double dir[3];
      dir[axis] = cell / (n * n) % 2 == 1 ? 1 : -1;
      dir[first] = (2 * (cell / n % n) + 1.0) / n - 1;
      dir[second] = (2 * (cell % n) + 1.0) / n - 1;
      double most = -1e9;
      for (int i = 0; i < numvert; ++i) {
        most = std::max(most, along(m, m.mesh_vertadr[at(mesh)] + globalid[i], dir));
      }
      const int seed = m.mesh_seed[at(m.mesh_seedadr[at(mesh)] + cell)];
      ASSERT_GE(along(m, m.mesh_vertadr[at(mesh)] + globalid[seed], dir), most - 1e-12);
    }
  }
}

/// The cell that a direction points to.
int cell_of(const double* dir, int n) {
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    axis = std::abs(dir[k]) > std::abs(dir[axis]) ? k : axis;
  }
  const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
  const auto part = [&](int k) {
    return std::min(n - 1, static_cast<int>((dir[k] / std::abs(dir[axis]) + 1) / 2 * n));
  };
  return ((2 * axis + (dir[axis] > 0 ? 1 : 0)) * n + part(first)) * n + part(second);
}

TEST(HullArrays, ACellHasTheFurthestVertexOfAllItsDirections) {
  const Model m = scene_of({300, 3000, 20000});
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  int vertices = 0, queries = 0;
  for (int mesh = 0; mesh < m.nmesh; ++mesh) {
    const int* const graph = m.mesh_graph.data() + m.mesh_graphadr[at(mesh)];
    const int numvert = graph[0], n = m.mesh_seednum[at(mesh)];
    const int* const globalid = graph + 2 + numvert;
    const int vertadr = m.mesh_vertadr[at(mesh)];
    for (int query = 0; query < 1000; ++query) {
      const double dir[3] = {normal(random), normal(random), normal(random)};
      double most = -1e9, best = -1e9;
      for (int i = 0; i < numvert; ++i) {
        most = std::max(most, along(m, vertadr + globalid[i], dir));
      }
      const int code = m.mesh_cell[at(m.mesh_seedadr[at(mesh)] + cell_of(dir, n))];
      ASSERT_GE(code, 0);
      const int first = (m.mesh_hulladr[at(mesh)] + cell_first(code)) * hull_block;
      const int count = cell_count(code) * hull_block;
      for (int i = first; i < first + count; ++i) {
        best = std::max(best, along(m, vertadr + m.mesh_hullid[at(i)], dir));
      }
      vertices += count;
      ++queries;
      ASSERT_GE(best, most - 1e-12);
    }
  }
  // few are looked at, however large the hull
  EXPECT_LT(vertices, 32 * queries);
}

TEST(HullArrays, CellsWithTooManyVerticesAreLeftToWalks) {
  // a thousand points in a corner of a large tetrahedron, a sphere's worth in one cell
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::string text = "-9 -9 -9 9 -9 -9 -9 9 -9 ";
  for (int i = 0; i < 1000; ++i) {
    double p[3] = {normal(random), normal(random), std::abs(normal(random)) + 3};
    const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    for (int k = 0; k < 3; ++k) {
      text += std::to_string(p[k] / length + (k == 2 ? 20 : 0)) + " ";
    }
  }
  const Model m = compile(load_string("<mujoco><asset><mesh name='m' vertex='" + text +
                                          "'/></asset><worldbody><body><geom type='mesh' "
                                          "mesh='m'/></body></worldbody></mujoco>",
                                      Format::xml));
  ASSERT_GT(m.mesh_seednum[0], 0);
  EXPECT_EQ(m.mesh_cell.size(), m.mesh_seed.size());
  EXPECT_GT(std::count(m.mesh_cell.begin(), m.mesh_cell.end(), -1), 0);
}

}  // namespace
}  // namespace swept
