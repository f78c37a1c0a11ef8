// SPDX-License-Identifier: Apache-2.0
// The layout of the model's arrays that speed up searches on convex hulls. Small hulls have their
// vertices in blocks (mesh_hullvert), large ones a vertex to start from for every direction
// (mesh_seed).
#pragma once

namespace swept {

/// Vertices stand in blocks of this number: x of all, y of all, z of all.
constexpr int hull_block = 16;

/// Hulls with more vertices have no blocks but cells.
constexpr int hull_in_blocks = 128;

/// Blocks of a hull of so many vertices.
constexpr int hull_blocks(int numvert) {
  return numvert > hull_in_blocks ? 0 : (numvert + hull_block - 1) / hull_block;
}

/// Cells along a side of the cube of directions of a hull; 0: it has blocks. A cell has about six
/// vertices.
constexpr int hull_cells(int numvert) {
  int n = numvert > hull_in_blocks ? 4 : 0;
  while (n > 0 && n < 64 && 36 * n * n < numvert) {
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

}  // namespace swept
