// SPDX-License-Identifier: Apache-2.0
// A face of a surface as a convex shape of three points, which has one polygon: the side that pushes.
#pragma once

#include "kernels/geometry/surface.h"

namespace swept::SWEPT_NS {

/// The arrays of the shape; it stays as long as they do.
struct FaceShape {
  real vert[9];
  real normal[3];
  int polyvertadr = 0, polyvertnum = 3;
  int polyvert[3] = {0, 1, 2};
  int polymapadr[3] = {0, 0, 0}, polymapnum[3] = {1, 1, 1};
  int polymap = 0;

  /// Of a face in the frame of a mesh.
  SWEPT_FN explicit FaceShape(const SurfaceFace& face) {
    for (int k = 0; k < 3; ++k) {
      vert[3 * k] = face.corner[k].x;
      vert[3 * k + 1] = face.corner[k].y;
      vert[3 * k + 2] = face.corner[k].z;
    }
    normal[0] = face.normal.x;
    normal[1] = face.normal.y;
    normal[2] = face.normal.z;
  }
  FaceShape(const FaceShape&) = delete;
  FaceShape& operator=(const FaceShape&) = delete;

  /// The shape, where the mesh stands.
  SWEPT_FN Shape at(Vec3<real> pos, const Mat3<real>& mat) const {
    Shape s = {shape_points, pos, mat, zero3<real>()};
    s.mesh.vert = vert;
    s.mesh.vertnum = 3;
    s.mesh.polynum = 1;
    s.mesh.polyvertadr = &polyvertadr;
    s.mesh.polyvertnum = &polyvertnum;
    s.mesh.polyvert = polyvert;
    s.mesh.polynormal = normal;
    s.mesh.polymapadr = polymapadr;
    s.mesh.polymapnum = polymapnum;
    s.mesh.polymap = &polymap;
    return s;
  }
};

/// A face seen from its other side.
SWEPT_FN SurfaceFace turned_over(const SurfaceFace& f) {
  return {
      {f.vertex[0], f.vertex[2], f.vertex[1]}, {f.corner[0], f.corner[2], f.corner[1]}, -f.normal};
}

}  // namespace swept::SWEPT_NS
