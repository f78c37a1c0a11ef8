// SPDX-License-Identifier: Apache-2.0
// The features of two shapes at their nearest points: the corners that span them.
//
// One corner: a vertex (or a point of a curved surface), two: an edge, three: a face. They are the
// points of the final simplex of GJK, or of the nearest face of EPA, each corner named once.
#pragma once

#include "kernels/geometry/shape.h"

namespace swept::SWEPT_NS {

/// Corners of one shape.
///   id   mesh and shape_points: the vertex; box: bit k is set where coordinate k is positive;
///        capsule and cylinder: 1 on the side of positive z, else 0 (corners of a cylinder that
///        share an id are different points of its rim); sphere and ellipsoid: 0
struct Feature {
  int count = 0;
  int id[3] = {0, 0, 0};
  Vec3<real> point[3] = {};  ///< [m] in the frame of the shape; a sphere's centre, a capsule's end
};

/// Those of both.
struct Features {
  Feature of1, of2;
};

}  // namespace swept::SWEPT_NS
