// SPDX-License-Identifier: Apache-2.0
// A mesh asset compiled: transformed, weighed, and turned so that its centre of mass is the origin
// and its principal axes are the axes.
#pragma once

#include "host/compile/frames.h"
#include "host/compile/mesh/builtin.h"
#include "host/compile/mesh/cells.h"
#include "host/compile/mesh/face_tree.h"
#include "host/compile/mesh/hull.h"
#include "host/compile/mesh/polygons.h"

#include <swept/spec.h>

#include <vector>

namespace swept::compiler {

struct CompiledMesh {
  std::vector<float> vertex;         ///< [nvert, 3] [m]
  std::vector<int> face;             ///< [nface, 3]
  Hull hull;                         ///< empty if nothing needs it
  HullCells cells;                   ///< of the hull, if it is large
  Polygons polygons;                 ///< of the hull
  std::vector<Vec3> polygon_normal;  ///< unit, outwards
  FaceTree tree;                     ///< over the faces
  Pose frame;                        ///< of the mesh's axes in the asset's own, after its scale
  double content = 0.0;              ///< volume [m^3]; area [m^2] of a shell
  Vec3 box{};   ///< half sizes of the box with the same inertia and content [m]
  Vec3 low{};   ///< lower corner of the vertices' box [m]
  Vec3 high{};  ///< upper corner
};

/// Compiles a mesh.
///   spec      the scene, for messages
///   content   as the file, the element or the builtin shape gives it
///   hull      whether the convex hull is needed; it also is for inertia="convex" and where there
///             are no faces
/// Throws Error for a mesh that has no hull (where it is needed) or no inertia: flat, inside out,
/// empty; and for indices that do not exist or coordinates that are not finite.
CompiledMesh compile_mesh(const Spec& spec, const Mesh& mesh, MeshContent content, bool hull);

}  // namespace swept::compiler
