// SPDX-License-Identifier: Apache-2.0
// The layout of the model's arrays that speed up searches on convex hulls. Vertices stand in blocks
// (mesh_hullvert): all of a small hull, or, cell by cell, those of a large one that may be the
// furthest along a direction of the cell (mesh_cell).
#pragma once

namespace swept {

/// Vertices stand in blocks of this number: x of all, y of all, z of all.
constexpr int hull_block = 16;

/// Hulls with more vertices are in cells.
constexpr int hull_in_blocks = 128;

/// A cell has no more blocks than this; where there are more vertices, the hull is walked on from the
/// cell's seed (mesh_seed).
constexpr int most_cell_blocks = 4;

/// Blocks of a small hull of so many vertices; 0: it is large.
constexpr int hull_blocks(int numvert) {
  return numvert > hull_in_blocks ? 0 : (numvert + hull_block - 1) / hull_block;
}

/// Cells along a side of the cube of directions of a hull; 0: it is small. A cell has two to eight
/// vertices of its own, and shares as many again with its neighbours.
constexpr int hull_cells(int numvert) {
  int n = numvert > hull_in_blocks ? 4 : 0;
  while (n > 0 && n < 64 && 48 * n * n < numvert) {
    n *= 2;
  }
  return n;
}

/// Cells of a cube with n x n cells a side: cell (i, j) of side s is number (s n + i) n + j. Side
/// 2 axis + 1 faces the axis, 2 axis its opposite; i counts along the first of the other axes, j
/// along the second, both upwards.
constexpr int hull_directions(int n) {
  return 6 * n * n;
}

/// A cell's blocks as one number: the first of them, counted from the mesh's first, and how many.
constexpr int cell_code(int first, int count) {
  return first * most_cell_blocks + (count - 1);
}
constexpr int cell_first(int code) {
  return code / most_cell_blocks;
}
constexpr int cell_count(int code) {
  return code % most_cell_blocks + 1;
}

}  // namespace swept
