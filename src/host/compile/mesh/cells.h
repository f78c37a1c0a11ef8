// SPDX-License-Identifier: Apache-2.0
// Directions of a large hull, in cells of a cube around it: for each the vertices among which the
// furthest one along any direction of the cell is, and the furthest one along its middle.
//
// A vertex is the furthest along the directions of its normal cone: those n with n . (v - u) >= 0
// for all its neighbours u. In a cell, which is a square of the plane x = +-1, y = +-1 or z = +-1,
// each neighbour cuts the square by a line, so whether the cone meets the cell is whether something
// is left of the square (Sutherland and Hodgman 1974). The cones that meet a cell are connected
// across edges of the hull, so they are found from one of them through neighbours.
#pragma once

#include "host/compile/mesh/hull.h"

#include <vector>

namespace swept::compiler {

/// The cells of one hull, in the layout of the model's arrays (swept/hull.h).
struct HullCells {
  int side = 0;           ///< cells along a side of the cube; 0: the hull needs none
  std::vector<int> seed;  ///< [cell] hull vertex that is furthest along its middle
  std::vector<int> cell;  ///< [cell] as cell_code; -1: too many vertices
  std::vector<int>
      block_id;  ///< [block, hull_block] hull vertices; a cell's last block repeats its first
};

/// Sorts the vertices of a hull into cells.
///   vertex   [n, 3] of the mesh
HullCells make_cells(const std::vector<float>& vertex, const Hull& hull);

}  // namespace swept::compiler
