// SPDX-License-Identifier: Apache-2.0
// The convex hull of a mesh's vertices, by qhull, with the neighbours of each vertex.
#pragma once

#include "host/compile/frames.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace swept::compiler {

/// A hull of triangles. Its vertices are some of the mesh's.
struct Hull {
  std::vector<int> vertex;    ///< number of each hull vertex in the mesh
  std::vector<int> edge_adr;  ///< of each hull vertex: where its neighbours start in `edge`
  std::vector<int> edge;      ///< hull vertices, each list ends with -1
  std::vector<int> face;      ///< vertices of the mesh, 3 each, counter-clockwise from outside

  bool empty() const { return vertex.empty(); }

  /// As mesh_graph has it: number of vertices and faces, edge_adr, vertex, edge, face.
  std::vector<int> graph() const;
};

/// Tests of a point against a plane that the hull of a mesh may take: a sphere of any size takes
/// about 100 per vertex; a prism, as many as the square of its corners, is refused beyond 30,000 of
/// them, where the hull takes minutes.
std::uint64_t hull_tests(std::size_t npoint);

/// Computes the hull of at least 4 points.
///   maxhullvert   most vertices, at least 4; -1: no limit
///   most_tests    work after which it gives up
///   problem       out: what is wrong with the points; empty if the hull is there
Hull convex_hull(const std::vector<Vec3>& points, int maxhullvert, std::uint64_t most_tests,
                 std::string* problem);

}  // namespace swept::compiler
