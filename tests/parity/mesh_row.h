// SPDX-License-Identifier: Apache-2.0
// A row of the tables that tests of meshes print, and how near the two sides have to be.
#pragma once

#include "parity/model_comparer.h"

#include <cstdio>
#include <string>

namespace swept::test {

/// Bounds and poses of mesh geoms agree to the rounding of vertices to single precision; everything
/// else is double against double.
inline constexpr double mesh_tolerance = 1e-9;

inline void print_row(const std::string& name, const Comparison& result,
                      const MeshComparison& meshes) {
  std::printf(
      "%-52s %8zu numbers %8.1e  %3d meshes %3d hulls: other bits %d/%d, faces %d, "
      "polygons %d/%d, normals %.0e  %s\n",
      name.c_str(), result.numbers, result.worst.size, meshes.meshes, meshes.hulls,
      meshes.other_vertices, meshes.vertices, meshes.other_faces, meshes.other_polygons,
      meshes.polygons, meshes.worst_normal, result.worst.where.c_str());
}

}  // namespace swept::test
