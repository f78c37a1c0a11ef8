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

/// The least upper bound of the depth in the walls of cores that are cylinders.
///   most     [m] thicker cylinders are left out, and what cannot be proven; no_key: all is looked at
///   proven   receives whether it is the depth
SWEPT_FN DepthAlong depth_in_walls(CorePair* pair, real most, bool* proven) {
  DepthAlong best = {no_key, {1_r, 0_r, 0_r}};
  *proven = false;
  for (int which = 1; which <= 2 && !*proven; ++which) {
    const Core& core = which == 1 ? pair->core1 : pair->core2;
    if (core.kind == CoreKind::cylinder && core.size.x <= most) {
      const WallDepth wall = depth_in_wall(pair, which, most >= no_key);
      *proven = wall.proven;
      best = wall.proven || wall.depth < best.depth ? DepthAlong{wall.depth, wall.normal} : best;
    }
  }
  return best;
}

}  // namespace swept::SWEPT_NS
