// SPDX-License-Identifier: Apache-2.0
// The flat sides of a convex hull, from its triangles: what contacts with several points are
// clipped to.
#pragma once

#include "host/compile/frames.h"

#include <vector>

namespace swept::compiler {

/// Polygons, each a list of vertices of the mesh, counter-clockwise from outside.
using Polygons = std::vector<std::vector<int>>;

/// Joins triangles of a hull whose normals are alike. Normals are alike if their azimuth and their
/// polar angle round to the same multiples of 0.01 rad; triangles of such a group that hang together
/// by edges become one polygon. Triangles without area are left out.
///   face   of the hull, 3 vertices each
Polygons join_triangles(const std::vector<Vec3>& vertices, const std::vector<int>& face);

/// The unit normal of a polygon: the sum of the cross products of its edges (Newell's method).
Vec3 polygon_normal(const std::vector<Vec3>& vertices, const std::vector<int>& polygon);

}  // namespace swept::compiler
