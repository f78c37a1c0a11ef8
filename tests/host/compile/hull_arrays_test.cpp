// SPDX-License-Identifier: Apache-2.0
// The arrays that speed up searches on hulls: blocks of the vertices of small hulls, and a vertex to
// start from for every direction on large ones.
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
    ASSERT_LE(numvert, 36 * n * n);
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

}  // namespace
}  // namespace swept
