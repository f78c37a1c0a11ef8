// SPDX-License-Identifier: Apache-2.0
// The signed distance of a height field and a convex shape: the smallest over its prisms, two below
// every cell, each from the base up to a triangle of the surface.
//
// Only cells within reach of the shape are looked at, the one below its centre first: what is found
// there bounds the others. A prism whose box is farther from the shape's bounding sphere than the
// best so far is skipped.
#pragma once

#include "kernels/geometry/distance.h"
#include "kernels/query/grid.h"

namespace swept::SWEPT_NS {

/// A height field and the bounding sphere of the other shape, in the frame of the field.
struct FieldProbe {
  const Shape& field;
  Vec3<real> center;  ///< [m]
  real radius;        ///< [m]

  SWEPT_FN Grid grid() const { return {field.hfield}; }

  /// Six corners of a prism below a cell, base first; half 0: the triangle (r, c), (r+1, c+1),
  /// (r+1, c); half 1: (r, c), (r, c+1), (r+1, c+1).
  SWEPT_FN void corners(int row, int col, int half, real* out) const {
    const int rows[3] = {row, half == 0 ? row + 1 : row, row + 1};
    const int cols[3] = {col, col + 1, half == 0 ? col : col + 1};
    for (int k = 0; k < 6; ++k) {
      const Vec3<real> top = grid().corner(rows[k % 3], cols[k % 3]);
      out[3 * k] = top.x;
      out[3 * k + 1] = top.y;
      out[3 * k + 2] = k < 3 ? -field.hfield.size[3] : top.z;
    }
  }

  /// A bound from below on the distance [m] of the shape from a prism.
  SWEPT_FN real bound(const real* corner) const {
    const real at[3] = {center.x, center.y, center.z};
    real square = 0;
    for (int k = 0; k < 3; ++k) {
      real low = corner[k], high = corner[k];
      for (int i = 1; i < 6; ++i) {
        low = min(low, corner[3 * i + k]);
        high = max(high, corner[3 * i + k]);
      }
      const real off = max(max(real(low - at[k]), real(at[k] - high)), 0_r);
      square += off * off;
    }
    return sqrt(square) - radius;
  }

  /// Look at both prisms below a cell; `nearest` becomes theirs where they are nearer, strictly.
  SWEPT_FN void measure(int row, int col, const Shape& other, Nearest* nearest) const {
    for (int half = 0; half < 2; ++half) {
      real corner[18];
      corners(row, col, half, corner);
      if (!(bound(corner) < nearest->dist)) {
        continue;
      }
      Shape prism = {shape_points, field.pos, field.mat, field.size};
      prism.mesh.vert = corner;
      prism.mesh.vertnum = 6;
      Nearest found;
      if (convex_distance(prism, other, nearest->dist, &found) < nearest->dist) {
        *nearest = found;
      }
    }
  }
};

/// The signed distance [m] of a height field and a convex shape that is no plane.
///   rbound   [m] radius of the other shape around its centre
///   cutoff   [m] distances of at least this much are not computed: returns cutoff, and the points
///            mean nothing
SWEPT_FN real hfield_distance(const Shape& field, const Shape& other, real rbound, real cutoff,
                              Nearest* nearest) {
  const HfieldShape& h = field.hfield;
  nearest->dist = cutoff;
  const Vec3<real> center = transpose_mul(field.mat, other.pos - field.pos);
  const FieldProbe probe = {field, center, rbound};
  if (h.nrow < 2 || h.ncol < 2 || !is_finite(dot(center, center))) {
    return cutoff;
  }
  const Grid grid = {h};
  const int row = grid.row(grid.place_y(center.y)), col = grid.column(grid.place_x(center.x));
  probe.measure(row, col, other, nearest);

  // all others that may be as near, a cell more on each side against rounding
  const real reach = rbound + max(nearest->dist, 0_r);
  const int first_row = grid.row(grid.place_y(center.y - reach) - 1_r);
  const int last_row = grid.row(grid.place_y(center.y + reach) + 1_r);
  const int first_col = grid.column(grid.place_x(center.x - reach) - 1_r);
  const int last_col = grid.column(grid.place_x(center.x + reach) + 1_r);
  for (int r = first_row; r <= last_row; ++r) {
    for (int c = first_col; c <= last_col; ++c) {
      if (r != row || c != col) {
        probe.measure(r, c, other, nearest);
      }
    }
  }
  return nearest->dist;
}

}  // namespace swept::SWEPT_NS
