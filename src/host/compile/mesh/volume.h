// SPDX-License-Identifier: Apache-2.0
// Volume or area, centre of mass and inertia of a mesh of unit density.
//
// Each face (D, E, F) of area a, unit normal n and centroid g makes a pyramid with the centroid c
// of the whole surface as its tip: volume v = a (g - c).n / 3, centre 3/4 g + 1/4 c. The inertia is
// taken about the centre of mass, where the tips then are: products
//   P_jk = sum v/20 (2 (D_j D_k + E_j E_k + F_j F_k) + D_j E_k + D_k E_j + D_j F_k + ...)
// A shell has its areas in place of volumes, and 12 in place of 20.
#pragma once

#include "host/compile/frames.h"

#include <string>
#include <vector>

namespace swept::compiler {

struct MassProperties {
  double content = 0.0;  ///< volume [m^3], of a shell its area [m^2]
  Vec3 centre{};         ///< of mass [m]
  Mat3 inertia{};        ///< about it, of unit density
};

/// Measures a mesh.
///   face   what the surface is made of: the mesh's own faces, or those of its hull (convex)
///   all    the mesh's own faces, whose centroid is the tip
///   problem   out: why the mesh has no inertia, and a remedy after a ';'; empty if it has
MassProperties measure(const std::vector<Vec3>& vertices, const std::vector<int>& face,
                       const std::vector<int>& all, MeshInertia kind, std::string* problem);

}  // namespace swept::compiler
