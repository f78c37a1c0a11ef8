// SPDX-License-Identifier: Apache-2.0
// The vertex of a convex hull that lies furthest in a direction.
//
// Vertices stand in blocks and are searched by packs whose lanes are vertices: 12 to 24 ns for 80
// vertices, where a walk took 65. Of equal vertices the first wins, whatever the width of a pack.
// (On CUDA a pack is one vertex.) Of a small hull all blocks are searched, of a large one those of
// the cell of a cube that the direction points to: they have all vertices that are the furthest
// along a direction of the cell, about a dozen however large the hull.
//
// Where a cell has too many, and on hulls without blocks, we walk along the edges of the hull to
// the neighbour that lies furthest until none lies further: a vertex of a convex polytope without
// better neighbours is the best. The walk starts from the better of the last vertex found and the
// furthest one along the middle of the cell.
#pragma once

#include "kernels/base/bits.h"
#include "kernels/geometry/fused.h"
#include "kernels/geometry/lanes.h"
#include "kernels/geometry/shape.h"

namespace swept::SWEPT_NS {

/// Hulls without blocks up to this number of vertices are searched one by one.
constexpr int exhaustive_vertices = 24;
/// Of a block with so few they are searched one by one, too: 4 ns and not 5 with four.
constexpr int few_in_block = 8;

/// The vertices of a hull. Local ones are numbered from 0, as in mesh_graph.
struct Hull {
  const real* vert;  ///< [m] of the mesh, as MeshShape
  int vert_stride;
  int numvert;            ///< vertices of the hull; 0: the shape has none
  const int* edgeadr;     ///< first neighbour of local vertex i
  const int* globalid;    ///< vertex of the mesh; null: the same
  const int* neighbours;  ///< local vertices, each list ends with -1
  const int* seed;        ///< as MeshShape
  const int* cell;        ///< as MeshShape
  int seednum;
  const real* blocks;  ///< mesh_hullvert; null: there are none
  const int* blockid;  ///< mesh_hullid
  int polynum;         ///< as MeshShape
  const real* polynormal;
  int polynormal_stride;
  int warm;  ///< local vertex that a walk found last; -1: none

  SWEPT_FN int global(int local) const {
    return globalid == nullptr ? local : element(globalid + local);
  }
  SWEPT_FN Vec3<real> vertex(int local) const {
    const real* const p = vert + 3 * global(local) * vert_stride;
    return {element(p), element(p + vert_stride), element(p + 2 * vert_stride)};
  }
};

/// A vertex of a mesh.
struct HullVertex {
  Vec3<real> point;  ///< [m] in the frame of the mesh
  int id;            ///< in the mesh
};

/// The smallest at + lane among the lanes whose value is the largest, which is no NaN.
SWEPT_FN int first_of_most(real, uint_real at) {
  return static_cast<int>(at);
}
#ifdef SWEPT_PACKS
[[gnu::always_inline]] SWEPT_FN int first_of_most(pack value, uint_of<pack> at) {
  alignas(sizeof(pack)) uint_real place[W];
  at.copy_to(place, stdx::vector_aligned);
  unsigned lanes = lanes_in(value == pack(most_lane(value)));
  unsigned l = static_cast<unsigned>(first_bit(lanes | 1u << W));
  unsigned first = static_cast<unsigned>(place[l % W]) + l;
  // lanes that are equal
  for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1) {
    l = static_cast<unsigned>(first_bit(lanes));
    const unsigned other = static_cast<unsigned>(place[l]) + l;
    first = other < first ? other : first;
  }
  return static_cast<int>(first);
}
#endif

/// The first of the furthest vertices of some blocks, in packs of them.
///   first, count   of the blocks
[[gnu::always_inline]] SWEPT_FN HullVertex furthest_in_blocks(const Hull& hull, int first,
                                                              int count, Vec3<real> dir) {
  constexpr int step = lanes_of<pack>;
  const pack x = pack(dir.x), y = pack(dir.y), z = pack(dir.z);
  pack most = pack(-3e38_r);
  // the number of the vertex in lane 0 of the best pack; its bits are chosen as those of a real
  uint_of<pack> at = uint_of<pack>(0u), here = uint_of<pack>(0u);
  const real* const blocks = hull.blocks + static_cast<long long>(first) * (3 * hull_block);
  const real* block = blocks;
  for (int i = 0; i < count; ++i, block += 3 * hull_block) {
    for (int k = 0; k < hull_block; k += step) {
      const real* const p = block + k;
      const pack reach =
          fma(load_run(p), x, fma(load_run(p + hull_block), y, load_run(p + 2 * hull_block) * z));
      const mask_t<pack> further = reach > most;
      at = bits_of(choose(further, of_bits<pack>(here), of_bits<pack>(at)));
      most = choose(further, reach, most);
      here += uint_of<pack>(static_cast<unsigned>(step));
    }
  }
  const unsigned i = static_cast<unsigned>(first_of_most(most, at));
  constexpr unsigned size = hull_block;
  const real* const p = blocks + (i / size * (3 * size) + i % size);
  return {{element(p), element(p + hull_block), element(p + 2 * hull_block)},
          element(hull.blockid + static_cast<long long>(first) * hull_block + i)};
}

/// The first of the furthest vertices, one after the other.
SWEPT_FN int furthest_one_by_one(const Hull& hull, Vec3<real> dir) {
  int best = 0;
  real most = fused_dot(hull.vertex(0), dir);
  for (int i = 1; i < hull.numvert; ++i) {
    const real x = fused_dot(hull.vertex(i), dir);
    best = x > most ? i : best;
    most = x > most ? x : most;
  }
  return best;
}

/// The cell of a cube's surface, of n x n cells a side, that a direction points to.
SWEPT_FN int cube_cell(Vec3<real> dir, int n) {
  const real x = abs(dir.x), y = abs(dir.y), z = abs(dir.z);
  const int axis = x >= y && x >= z ? 0 : (y >= z ? 1 : 2);
  const real top = axis == 0 ? dir.x : (axis == 1 ? dir.y : dir.z);
  const real u = axis == 0 ? dir.y : dir.x, v = axis == 2 ? dir.y : dir.z;
  const real half = 0.5_r * static_cast<real>(n);
  const real scale = half / max(abs(top), 1e-30_r);
  const int last = n - 1;
  const int i = static_cast<int>(clamp(fma(u, scale, half), 0_r, static_cast<real>(last)));
  const int j = static_cast<int>(clamp(fma(v, scale, half), 0_r, static_cast<real>(last)));
  return ((2 * axis + (top > 0_r ? 1 : 0)) * n + i) * n + j;
}

/// A vertex to start from.
///   cell   of the direction; -1: the hull has none
SWEPT_FN int start_of_walk(const Hull& hull, Vec3<real> dir, int cell) {
  if (cell >= 0) {
    const int seed = element(hull.seed + cell);
    if (hull.warm < 0) {
      return seed;
    }
    const real x = fused_dot(hull.vertex(seed), dir), y = fused_dot(hull.vertex(hull.warm), dir);
    return y > x ? hull.warm : seed;
  }
  if (hull.warm >= 0) {
    return hull.warm;
  }
  // s samples leave sqrt(n / s) steps: both are few for s about the cube root of n
  int samples = 16;
  while (samples * samples * samples < hull.numvert) {
    samples *= 2;
  }
  int best = 0;
  real most = fused_dot(hull.vertex(0), dir);
  for (int i = hull.numvert / samples; i < hull.numvert; i += hull.numvert / samples) {
    const real x = fused_dot(hull.vertex(i), dir);
    best = x > most ? i : best;
    most = x > most ? x : most;
  }
  return best;
}

/// The local vertex furthest along `dir`, by walking.
SWEPT_FN int walk(Hull* hull, Vec3<real> dir, int cell) {
  int at = start_of_walk(*hull, dir, cell);
  real most = fused_dot(hull->vertex(at), dir);
  for (int from = -1; from != at;) {
    // the best of the neighbours; strictly further each time, so no vertex comes twice
    from = at;
    const int* next = hull->neighbours + element(hull->edgeadr + from);
    for (int local = element(next); local >= 0; local = element(++next)) {
      const real x = fused_dot(hull->vertex(local), dir);
      at = x > most ? local : at;
      most = x > most ? x : most;
    }
  }
  hull->warm = at;
  return at;
}

/// The vertex furthest along `dir` [any length].
[[gnu::always_inline]] SWEPT_FN HullVertex furthest(Hull* hull, Vec3<real> dir) {
  int cell = -1;
  if (hull->blocks != nullptr) {
    if (hull->seednum == 0) {
      if (hull->numvert > few_in_block) {
        return furthest_in_blocks(*hull, 0, (hull->numvert + hull_block - 1) / hull_block, dir);
      }
    } else {
      cell = cube_cell(dir, hull->seednum);
      if (const int code = element(hull->cell + cell); code >= 0) {
        // as cell_first and cell_count, which are not for devices
        return furthest_in_blocks(*hull, code / most_cell_blocks, code % most_cell_blocks + 1, dir);
      }
    }
  }
  const int local =
      hull->numvert > exhaustive_vertices ? walk(hull, dir, cell) : furthest_one_by_one(*hull, dir);
  return {hull->vertex(local), hull->global(local)};
}

}  // namespace swept::SWEPT_NS
