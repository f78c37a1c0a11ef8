// SPDX-License-Identifier: Apache-2.0
// The depth of a shape B in the wall of a cylinder A that it lies inside of, by a proof in two
// dimensions.
//
// Let r and l be the cylinder's radius and half length, and B + c the other core seen from it,
// reaching from -e- to e+ along the axis. A direction n at the angle t above the horizontal
// direction m has
//
//   h(n) >= cos t (r + g(m)) + |sin t| (l - e)
//           e = max(e-, e+),  g(m) = max of m . p over B + c
//
// (take the point of B + c that is furthest along m). The right side is concave in t between 0 and 90
// degrees, so if H = r + min g is at most l - e, the depth is H. The minimum of g is the depth of the
// origin in the projection of B + c on a disk: the polygon of support points grows at the edge that is
// nearest to the origin, as in EPA. The polytopes of EPA itself meet here a ring of nearly equal faces,
// and fill up.
#pragma once

#include "kernels/geometry/simplex.h"

namespace swept::SWEPT_NS {

/// What is known of the depth in a wall.
struct WallDepth {
  bool proven;        ///< it is the depth of the cores
  real depth;         ///< [m]
  Vec3<real> normal;  ///< from core 1 to core 2, in the frame of core 1
};

/// Points of the polygon.
constexpr int wall_corners = 48;
/// What the bounds may differ by, over the depth, if the polygon is full: round shapes.
constexpr real wall_slack = sizeof(real) == 4 ? 1e-5_r : 1e-7_r;
/// A difference this small, over the radius, of bounds of H ends the search.
constexpr real wall_gap = 8_r * epsilon;

/// The depth in the wall of core `which` (1 or 2), a cylinder.
SWEPT_FN WallDepth depth_in_wall(CorePair* pair, int which) {
  WallDepth none = {false, 0_r, {1_r, 0_r, 0_r}};
  const Core& cylinder = which == 1 ? pair->core1 : pair->core2;
  const real r = cylinder.size.x, l = cylinder.size.z;
  const Vec3<real> axis = which == 1 ? Vec3<real>{0_r, 0_r, 1_r} : column_z(pair->turn);
  const Vec3<real> x = which == 1 ? Vec3<real>{1_r, 0_r, 0_r} : column_x(pair->turn);
  const Vec3<real> y = which == 1 ? Vec3<real>{0_r, 1_r, 0_r} : column_y(pair->turn);

  // the other core's reach along the axis
  const Vertex up = support(pair, axis), down = support(pair, -axis);
  const real e = max(fused_dot(axis, up.w), -fused_dot(axis, down.w)) - l;
  const real room = l - e;
  if (!(room > 0_r)) {
    return none;
  }

  // a corner of the projection of the other core, furthest along the direction (u, v)
  struct Corner2 {
    real u, v;
  };
  const auto corner = [&](real u, real v) {
    const real inverse = 1_r / sqrt(fma(u, u, v * v));
    const Vec3<real> n = (x * u + y * v) * inverse;
    const Vertex w = support(pair, n);
    // of the difference the cylinder has r n and +- l axis
    const real wu = fused_dot(w.w, x), wv = fused_dot(w.w, y);
    return Corner2{wu - r * u * inverse, wv - r * v * inverse};
  };
  Corner2 p[wall_corners];
  int count = 0;
  constexpr real start[3][2] = {
      {1_r, 0_r}, {-0.5_r, 0.8660254037844386_r}, {-0.5_r, -0.8660254037844386_r}};
  for (int i = 0; i < 3; ++i) {
    p[count++] = corner(start[i][0], start[i][1]);
  }
  while (true) {
    // the edge nearest to the origin; the first polygon may not hold it yet
    int nearest = 0;
    real least = 3e38_r, nu = 1_r, nv = 0_r;
    for (int i = 0; i < count; ++i) {
      const Corner2 a = p[i], b = p[i + 1 < count ? i + 1 : 0];
      const real du = b.v - a.v, dv = a.u - b.u;
      const real length = sqrt(fma(du, du, dv * dv));
      if (!(length > 0_r)) {
        continue;
      }
      const real offset = fma(du, a.u, dv * a.v) / length;
      nearest = offset < least ? i : nearest;
      nu = offset < least ? du / length : nu;
      nv = offset < least ? dv / length : nv;
      least = min(offset, least);
    }
    if (least > 1e38_r || r + least > room) {
      return none;
    }
    const Corner2 w = corner(nu, nv);
    const real reach = fma(nu, w.u, nv * w.v);
    if (!(reach >= 0_r)) {
      return none;
    }
    if (reach - least <= wall_gap * (r + reach) || count == wall_corners) {
      const real depth = r + reach;
      return {depth <= room && reach - least <= wall_slack * depth, depth, x * nu + y * nv};
    }
    for (int i = count; i > nearest + 1; --i) {
      p[i] = p[i - 1];
    }
    p[nearest + 1] = w;
    ++count;
  }
}

}  // namespace swept::SWEPT_NS
