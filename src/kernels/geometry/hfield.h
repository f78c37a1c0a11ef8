// SPDX-License-Identifier: Apache-2.0
// Contacts of a height field with a convex shape: one for each prism of the field that is nearer
// than the margin.
//
// The grid's cells are cut into two triangles along the diagonal from (row + 1, column) to (row,
// column + 1); each is the top of a prism that reaches down to the base. Only the cells under the
// shape's box (in the field's frame, margin included) are looked at, and of their prisms those
// which reach up to the box. The distance to a prism is the true one, whether its top or a wall
// between two prisms is nearest.
//
// Order: row by row; in a row along the strip of triangles (row + 1, 0), (row, 0), (row + 1, 1), ...
#pragma once

#include "kernels/geometry/distance.h"
#include "kernels/geometry/extent.h"

namespace swept::SWEPT_NS {

/// Most contacts of a height field with one shape.
constexpr int max_hfield_contacts = 50;

/// Cells of a grid along one axis: cell i lies between points i and i + 1.
struct CellRange {
  int first, last;
};

/// The cells that [low, high] reaches into.
///   half     [m] the grid's points lie from -half to half
///   points   their number
SWEPT_FN CellRange cells_under(real low, real high, real half, int points) {
  const real cells = static_cast<real>(points - 1);
  const real scale = cells / (2_r * half);
  const int first = static_cast<int>(clamp((low + half) * scale, 0_r, cells));
  const real end = clamp((high + half) * scale, 0_r, cells);
  const int whole = static_cast<int>(end);
  return {first, static_cast<real>(whole) < end ? whole : whole - 1};
}

/// The three newest points of a strip of triangles, and the points under them on the base.
struct Prism {
  Vec3<real> at[6];  ///< [m] base, then top
  real vert[18];     ///< the same as a mesh's vertices

  SWEPT_FN void add(Vec3<real> top, real base) {
    for (int k = 0; k < 2; ++k) {
      at[k] = at[k + 1];
      at[k + 3] = at[k + 4];
    }
    at[2] = {top.x, top.y, base};
    at[5] = top;
  }
  /// The hull of the six, in the frame of the field.
  SWEPT_FN Shape shape(const Shape& field) {
    for (int i = 0; i < 6; ++i) {
      vert[3 * i] = at[i].x;
      vert[3 * i + 1] = at[i].y;
      vert[3 * i + 2] = at[i].z;
    }
    Shape s = {shape_points, field.pos, field.mat, zero3<real>()};
    s.mesh.vert = vert;
    s.mesh.vertnum = 6;
    return s;
  }
};

/// Contacts of a height field (shape a) and a convex shape that are nearer than `detect` [m].
///   out   room for max_hfield_contacts
SWEPT_FN int hfield_convex(const Shape& a, const Shape& b, real detect, Witness* out) {
  const HfieldShape& f = a.hfield;

  // the shape's box in the frame of the field
  Shape seen = b;
  seen.pos = transpose_mul(a.mat, b.pos - a.pos);
  seen.mat = transpose_mul(a.mat, b.mat);
  const BoxExtent box = extent_of(seen);
  if (!(box.low.x - detect <= f.size[0] && box.high.x + detect >= -f.size[0] &&
        box.low.y - detect <= f.size[1] && box.high.y + detect >= -f.size[1] &&
        box.low.z - detect <= f.size[2] && box.high.z + detect >= -f.size[3])) {
    return 0;
  }
  const CellRange columns = cells_under(box.low.x - detect, box.high.x + detect, f.size[0], f.ncol);
  const CellRange rows = cells_under(box.low.y - detect, box.high.y + detect, f.size[1], f.nrow);
  const real dx = 2_r * f.size[0] / static_cast<real>(f.ncol - 1);
  const real dy = 2_r * f.size[1] / static_cast<real>(f.nrow - 1);

  int n = 0;
  Prism prism = {};
  for (int row = rows.first; row <= rows.last; ++row) {
    int points = 0;
    for (int column = columns.first; column <= columns.last + 1; ++column) {
      for (int side = 1; side >= 0; --side) {
        prism.add({dx * static_cast<real>(column) - f.size[0],
                   dy * static_cast<real>(row + side) - f.size[1], f.height(row + side, column)},
                  -f.size[3]);
        const real top = max(max(prism.at[3].z, prism.at[4].z), prism.at[5].z);
        if (++points < 3 || top < box.low.z - detect) {
          continue;
        }
        Nearest nearest;
        if (!(convex_distance(prism.shape(a), b, detect, &nearest) < detect)) {
          continue;
        }
        out[n++] = {nearest.dist, 0.5_r * (nearest.point1 + nearest.point2), nearest.normal};
        if (n == max_hfield_contacts) {
          return n;
        }
      }
    }
  }
  return n;
}

}  // namespace swept::SWEPT_NS
