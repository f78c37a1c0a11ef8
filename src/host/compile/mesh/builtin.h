// SPDX-License-Identifier: Apache-2.0
// Meshes that are made of a few parameters: round shapes, cones, plates, and the boxes, grids and
// discs that deformable bodies use too.
#pragma once

#include <swept/spec.h>

#include <string>
#include <vector>

namespace swept::compiler {

/// Vertices and faces of a mesh as they are before scale, reference pose and alignment. Without
/// faces, those of the convex hull are meant.
struct MeshContent {
  std::vector<float> vertex;  ///< [nvert, 3]
  std::vector<int> face;      ///< [nface, 3]
  MeshInertia inertia = MeshInertia::legacy;
};

/// Makes a builtin mesh. A shape without volume turns the legacy inertia into that of its shell; a
/// plate always has the inertia of its shell.
///   shape     not none; params: as MJCF has them, see below
///   content   in: inertia as the scene has it; out: everything
/// Returns what is wrong with the parameters, or an empty string.
///
///   sphere        subdivisions (0 to 4) of an icosahedron of radius 1
///   hemisphere    resolution (0 to 10) of a quarter of the equator, radius 1
///   cone          edges (at least 3) of the bottom at z = -1, radius (0 to 1) of the top at z = 1
///   supersphere   resolution (at least 3), exponents east-west and north-south (at least 0)
///   supertorus    resolution (at least 3), minor radius (0 to 1], exponents (above 0) of the
///                 minor and of the major section
///   wedge         resolutions across and up, fields of view [degree] across (0 to 180] and up
///                 (0 to 90], foveal deformation (0 to 1): a patch of the unit sphere
///   plate         resolutions along x and y of the square [-1, 1]^2 at z = -1
///   grid, box, cylinder, ellipsoid
///                 counts (3) and spacings (3) of points, and dimension 2 or 3 (3 if absent). In 3
///                 dimensions the points alone, in 2 a surface: an open box, or a flat grid
///   square, disc  counts (3; the last is 1) and spacings (3) of points
std::string make_builtin(MeshBuiltin shape, const std::vector<double>& params,
                         MeshContent* content);

/// The part of make_builtin() from grid on.
std::string make_lattice(MeshBuiltin shape, const std::vector<double>& params,
                         MeshContent* content);

}  // namespace swept::compiler
