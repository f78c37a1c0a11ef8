// SPDX-License-Identifier: Apache-2.0
// The grid of a height field, in its frame: column c stands at x = c width_x - size[0], row r at
// y = r width_y - size[1].
#pragma once

#include "kernels/geometry/shape.h"

namespace swept::SWEPT_NS {

struct Grid {
  const HfieldShape& h;

  /// Width of a cell [m].
  SWEPT_FN real width_x() const { return 2_r * h.size[0] / static_cast<real>(h.ncol - 1); }
  SWEPT_FN real width_y() const { return 2_r * h.size[1] / static_cast<real>(h.nrow - 1); }

  SWEPT_FN Vec3<real> corner(int row, int col) const {
    return {static_cast<real>(col) * width_x() - h.size[0],
            static_cast<real>(row) * width_y() - h.size[1], h.height(row, col)};
  }

  /// A place in cells.
  SWEPT_FN real place_x(real x) const { return (x + h.size[0]) / width_x(); }
  SWEPT_FN real place_y(real y) const { return (y + h.size[1]) / width_y(); }

  /// The cell, 0 .. n-2, that holds a place on an axis of n grid points, or is nearest to it.
  static SWEPT_FN int cell(real place, int n) {
    const int last = n - 2;
    return place >= static_cast<real>(last) ? last : (place > 0 ? static_cast<int>(place) : 0);
  }
  SWEPT_FN int column(real place) const { return cell(place, h.ncol); }
  SWEPT_FN int row(real place) const { return cell(place, h.nrow); }
};

}  // namespace swept::SWEPT_NS
