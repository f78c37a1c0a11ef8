// SPDX-License-Identifier: Apache-2.0
// Compares the meshes of two compiled scenes where the order is free: hulls as sets of vertices and
// of triangles, polygons as sets of closed paths with their normals, and for each vertex the
// polygons around it. Everything else of a mesh is compared as all arrays are.
#pragma once

#include <swept/model.h>

#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace swept::test {

/// Arrays of meshes whose order depends on qhull and on hash tables.
inline const std::set<std::string> free_order = {
    "mesh_graph",      "mesh_polyvertadr", "mesh_polyvertnum", "mesh_polyvert",
    "mesh_polymapadr", "mesh_polymapnum",  "mesh_polymap",     "mesh_polynormal"};

/// What a mesh has in either library, in an order of our own.
struct MeshSets {
  using Path = std::vector<int>;
  std::set<int> hull_vertices;
  std::set<Path> hull_faces;                ///< turned so that the smallest number stands first
  std::set<std::array<int, 2>> hull_edges;  ///< from the lists of neighbours, both ways
  std::map<Path, std::array<double, 3>> polygons;  ///< with their normals
  std::map<int, std::set<Path>> around;            ///< polygons around each vertex
};

inline MeshSets::Path turned(MeshSets::Path path) {
  std::rotate(path.begin(), std::min_element(path.begin(), path.end()), path.end());
  return path;
}

/// Reads one mesh from arrays that carry the official names.
template <class ModelType>
MeshSets mesh_sets(const ModelType& m, std::size_t id) {
  MeshSets sets;
  const auto index = [](auto i) { return static_cast<std::size_t>(i); };
  if (m.mesh_graphadr[id] >= 0) {
    const int* const graph = &m.mesh_graph[index(m.mesh_graphadr[id])];
    const std::size_t numvert = index(graph[0]), numface = index(graph[1]);
    const int* const edgeadr = graph + 2;
    const int* const globalid = edgeadr + numvert;
    const int* const edge = globalid + numvert;
    const int* const face = edge + numvert + 3 * numface;
    for (std::size_t v = 0; v < numvert; ++v) {
      sets.hull_vertices.insert(globalid[v]);
      for (int e = edgeadr[v]; edge[e] >= 0; ++e) {
        sets.hull_edges.insert({globalid[v], globalid[edge[e]]});
      }
    }
    for (std::size_t f = 0; f < numface; ++f) {
      sets.hull_faces.insert(turned({face[3 * f], face[3 * f + 1], face[3 * f + 2]}));
    }
  }
  std::vector<MeshSets::Path> paths;
  for (int p = 0; p < m.mesh_polynum[id]; ++p) {
    const std::size_t row = index(m.mesh_polyadr[id] + p);
    const int* const first = &m.mesh_polyvert[index(m.mesh_polyvertadr[row])];
    paths.push_back(turned({first, first + m.mesh_polyvertnum[row]}));
    sets.polygons[paths.back()] = {m.mesh_polynormal[3 * row], m.mesh_polynormal[3 * row + 1],
                                   m.mesh_polynormal[3 * row + 2]};
  }
  for (int v = 0; v < m.mesh_vertnum[id]; ++v) {
    const std::size_t row = index(m.mesh_vertadr[id] + v);
    for (int k = 0; k < m.mesh_polymapnum[row]; ++k) {
      sets.around[v].insert(paths[index(m.mesh_polymap[index(m.mesh_polymapadr[row] + k)])]);
    }
  }
  return sets;
}

/// How meshes of both sides compare; sums over meshes.
struct MeshComparison {
  int meshes = 0;
  int hulls = 0;
  int polygons = 0;
  int vertices = 0;
  int other_vertices = 0;  ///< coordinates that are not the same bits, nor round-off of 0
  int other_faces = 0;     ///< triangles of hulls that only one side has
  int other_polygons = 0;  ///< polygons that only one side has
  int broken = 0;          ///< hulls with another set of vertices, or maps that do not fit
  double worst_normal = 0.0;

  void add(const MeshComparison& other) {
    meshes += other.meshes;
    hulls += other.hulls;
    polygons += other.polygons;
    vertices += other.vertices;
    other_vertices += other.other_vertices;
    other_faces += other.other_faces;
    other_polygons += other.other_polygons;
    broken += other.broken;
    worst_normal = std::max(worst_normal, other.worst_normal);
  }
};

/// How many elements of a set are not in the other, both ways.
template <class Set>
int different(const Set& a, const Set& b) {
  int count = 0;
  for (const auto& each : a) {
    count += b.count(each) == 0;
  }
  for (const auto& each : b) {
    count += a.count(each) == 0;
  }
  return count;
}

inline MeshComparison compare_meshes(const Model& ours, const mjModel& theirs) {
  MeshComparison result;
  for (std::size_t id = 0; id < static_cast<std::size_t>(ours.nmesh); ++id) {
    const MeshSets mine = mesh_sets(ours, id);
    const MeshSets other = mesh_sets(theirs, id);
    ++result.meshes;
    result.hulls += !other.hull_vertices.empty();
    result.polygons += static_cast<int>(other.polygons.size());
    result.broken += mine.hull_vertices != other.hull_vertices;
    result.other_faces += different(mine.hull_faces, other.hull_faces);
    std::set<MeshSets::Path> my_paths, their_paths;
    for (const auto& [path, normal] : mine.polygons) {
      my_paths.insert(path);
      if (const auto found = other.polygons.find(path); found != other.polygons.end()) {
        for (std::size_t k = 0; k < 3; ++k) {
          result.worst_normal =
              std::max(result.worst_normal, std::fabs(normal[k] - found->second[k]));
        }
      }
    }
    for (const auto& [path, normal] : other.polygons) {
      their_paths.insert(path);
    }
    const int other_polygons = different(my_paths, their_paths);
    result.other_polygons += other_polygons;
    result.broken += other_polygons == 0 && mine.around != other.around;
    // neighbours are those of the triangles, whatever these are
    std::set<std::array<int, 2>> edges;
    for (const MeshSets::Path& face : mine.hull_faces) {
      for (std::size_t k = 0; k < 3; ++k) {
        edges.insert({face[k], face[(k + 1) % 3]});
        edges.insert({face[(k + 1) % 3], face[k]});
      }
    }
    result.broken += edges != mine.hull_edges;
  }
  // a coordinate that would be 0 is round-off in double precision, on either side
  double largest = 0.0;
  for (const double x : ours.mesh_vert) {
    largest = std::max(largest, std::fabs(x));
  }
  for (std::size_t i = 0; i < ours.mesh_vert.size(); ++i) {
    const double mine = ours.mesh_vert[i];
    const double other = static_cast<double>(theirs.mesh_vert[i]);
    ++result.vertices;
    result.other_vertices += mine != other && std::fabs(mine - other) > 1e-12 * largest;
  }
  return result;
}

}  // namespace swept::test
