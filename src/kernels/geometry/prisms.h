// SPDX-License-Identifier: Apache-2.0
// The prisms that a height field is made of, and those under a box.
//
// The grid's cells are cut into two triangles along the diagonal from (row, column) to (row + 1,
// column + 1); each is the top of a prism that reaches down to the base.
//
//   number 2 i       of cell i = row (ncol - 1) + column: (row + 1, column), (row, column),
//                    (row + 1, column + 1)
//   number 2 i + 1   (row, column), (row + 1, column + 1), (row, column + 1)
#pragma once

#include "kernels/geometry/extent.h"
#include "kernels/geometry/support.h"

namespace swept::SWEPT_NS {

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
  /// The highest of its points [m].
  SWEPT_FN real top() const { return max(max(at[3].z, at[4].z), at[5].z); }
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

/// Call visit(prism, number) for the prisms whose cells the box reaches into and whose tops reach up
/// to it, until it returns false. Order: row by row; in a row along the strip of triangles
/// (row + 1, 0), (row, 0), (row + 1, 1), ...
///   box   [m] in the frame of the field
template <class Visit>
SWEPT_FN void visit_prisms(const HfieldShape& f, const BoxExtent& box, const Visit& visit) {
  if (!(box.low.x <= f.size[0] && box.high.x >= -f.size[0] && box.low.y <= f.size[1] &&
        box.high.y >= -f.size[1] && box.low.z <= f.size[2] && box.high.z >= -f.size[3])) {
    return;
  }
  const CellRange columns = cells_under(box.low.x, box.high.x, f.size[0], f.ncol);
  const CellRange rows = cells_under(box.low.y, box.high.y, f.size[1], f.nrow);
  const real dx = 2_r * f.size[0] / static_cast<real>(f.ncol - 1);
  const real dy = 2_r * f.size[1] / static_cast<real>(f.nrow - 1);
  Prism prism = {};
  for (int row = rows.first; row <= rows.last; ++row) {
    int points = 0;
    for (int column = columns.first; column <= columns.last + 1; ++column) {
      for (int side = 1; side >= 0; --side) {
        prism.add({dx * static_cast<real>(column) - f.size[0],
                   dy * static_cast<real>(row + side) - f.size[1], f.height(row + side, column)},
                  -f.size[3]);
        if (++points < 3 || prism.top() < box.low.z) {
          continue;
        }
        const int cell = row * (f.ncol - 1) + column - 1;
        if (!visit(prism, 2 * cell + (side == 0 ? 1 : 0))) {
          return;
        }
      }
    }
  }
}

/// The prism with a number.
SWEPT_FN Prism prism_of(const HfieldShape& f, int number) {
  const int cell = number / 2, row = cell / (f.ncol - 1), column = cell % (f.ncol - 1);
  const real dx = 2_r * f.size[0] / static_cast<real>(f.ncol - 1);
  const real dy = 2_r * f.size[1] / static_cast<real>(f.nrow - 1);
  Prism prism = {};
  // the strip of the cell has four points, of which the prism's are the first or the last three
  const int first = number % 2;
  for (int i = first; i < first + 3; ++i) {
    const int r = row + (i % 2 == 0 ? 1 : 0), c = column + i / 2;
    prism.add({dx * static_cast<real>(c) - f.size[0], dy * static_cast<real>(r) - f.size[1],
               f.height(r, c)},
              -f.size[3]);
  }
  return prism;
}

}  // namespace swept::SWEPT_NS
