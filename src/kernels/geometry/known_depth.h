// SPDX-License-Identifier: Apache-2.0
// Upper bounds of the depth of two cores that need no polytope: along the axes of cylinders and
// boxes and the normals of polygons, where the support function h has its sharpest minima, and in
// the walls of cylinders, where a proof in two dimensions holds.
#pragma once

#include "kernels/geometry/polytope.h"
#include "kernels/geometry/wall.h"

namespace swept::SWEPT_NS {

/// An upper bound of the depth, along a direction.
struct DepthAlong {
  real depth;         ///< [m]
  Vec3<real> normal;  ///< from core 1 to core 2
};

/// The least upper bound of the depth along the axes of cylinders and boxes: minima that a descent
/// may miss, because h has kinks there.
SWEPT_FN DepthAlong depth_along_axes(CorePair* pair) {
  DepthAlong best = {no_key, {1_r, 0_r, 0_r}};
  for (int i = 0; i < 12; ++i) {
    const int k = i % 3;
    const CoreKind kind = i % 6 < 3 ? pair->core1.kind : pair->core2.kind;
    if (kind != CoreKind::box && (kind != CoreKind::cylinder || k != 2)) {
      continue;
    }
    const real sign = i < 6 ? 1_r : -1_r;
    const Vec3<real> unit = {k == 0 ? sign : 0_r, k == 1 ? sign : 0_r, k == 2 ? sign : 0_r};
    const Vec3<real> axis = i % 6 < 3 ? unit : pair->turn * unit;
    const real h = fused_dot(axis, support(pair, axis).w);
    best = h < best.depth ? DepthAlong{h, axis} : best;
  }
  return best;
}

/// The least upper bound of the depth along the normals of a hull's polygons: minima at the corners
/// of kinks, which a polytope that is full has not reached.
SWEPT_FN DepthAlong depth_along_polygons(CorePair* pair, int which) {
  const Core& core = which == 1 ? pair->core1 : pair->core2;
  DepthAlong best = {no_key, {1_r, 0_r, 0_r}};
  for (int i = 0; core.hull.numvert > 0 && i < core.hull.polynum; ++i) {
    const real* const p = core.hull.polynormal + 3 * i * core.hull.polynormal_stride;
    const Vec3<real> local = {element(p), element(p + core.hull.polynormal_stride),
                              element(p + 2 * core.hull.polynormal_stride)};
    const Vec3<real> n = which == 1 ? local : pair->turn * -local;
    const real h = fused_dot(n, support(pair, n).w);
    best = h < best.depth ? DepthAlong{h, n} : best;
  }
  return best;
}

/// The depth in the wall of a core that is a cylinder no thicker than `most` [m], if it can be
/// proven; no_key if not.
SWEPT_FN DepthAlong depth_in_walls(CorePair* pair, real most) {
  for (int which = 1; which <= 2; ++which) {
    const Core& core = which == 1 ? pair->core1 : pair->core2;
    if (core.kind == CoreKind::cylinder && core.size.x <= most) {
      const WallDepth wall = depth_in_wall(pair, which);
      if (wall.proven) {
        return {wall.depth, wall.normal};
      }
    }
  }
  return {no_key, {1_r, 0_r, 0_r}};
}

}  // namespace swept::SWEPT_NS
