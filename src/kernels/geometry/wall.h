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
// degrees, so if H = r + min g lies between 0 and l - e, the depth is H; if not, the direction it was
// found in is still a good one. The minimum of g is the depth of the origin in the projection of B + c
// on a disk: the polygon of support points grows at the edge that is nearest to the origin, as in EPA.
// If the origin lies outside it is less the distance, and the nearest edge is all that is needed, as in
// GJK. The polytopes of EPA itself meet here a ring of nearly equal faces, and fill up.
#pragma once

#include "kernels/geometry/simplex.h"

namespace swept::SWEPT_NS {

/// What is known of the depth in a wall.
struct WallDepth {
  bool proven;        ///< it is the depth of the cores
  real depth;         ///< [m] upper bound of the depth of the cores; no_depth: nothing was found
  Vec3<real> normal;  ///< from core 1 to core 2, in the frame of core 1
};
constexpr real no_depth = 3e38_r;

/// Points of the polygon.
constexpr int wall_corners = 48;
/// What the bounds may differ by, over the depth, if the polygon is full: round shapes.
constexpr real wall_slack = sizeof(real) == 4 ? 1e-5_r : 1e-7_r;
/// A difference this small, over the radius, of bounds of H ends the search.
constexpr real wall_gap = 8_r * epsilon;

/// A cylinder of a pair, and how the other core looks along its axis.
struct Wall {
  CorePair* pair;
  Vec3<real> x, y;  ///< axes across the cylinder's
  real radius;      ///< [m]
  real room;        ///< [m] l - e

  /// A corner of the projection of B + c, furthest along the direction (u, v) of any length.
  struct Corner2 {
    real u, v;
  };
  SWEPT_FN Corner2 corner(real u, real v) const {
    const real inverse = 1_r / sqrt(fma(u, u, v * v));
    const Vec3<real> n = (x * u + y * v) * inverse;
    const Vertex w = support(pair, n);
    // of the difference the cylinder has r n and +- l axis
    const real wu = fused_dot(w.w, x), wv = fused_dot(w.w, y);
    return {wu - radius * u * inverse, wv - radius * v * inverse};
  }

  /// The depth if g lies between `least` and `most` in the direction (u, v), a unit vector.
  SWEPT_FN WallDepth depth(real least, real most, real u, real v) const {
    const real h = radius + most;
    return {h > 0_r && h <= room && most - least <= wall_slack * h, h, x * u + y * v};
  }
};

SWEPT_FN Wall wall_of(CorePair* pair, int which) {
  const Core& cylinder = which == 1 ? pair->core1 : pair->core2;
  const bool first = which == 1;
  const Vec3<real> axis = first ? Vec3<real>{0_r, 0_r, 1_r} : column_z(pair->turn);
  const Vec3<real> x = first ? Vec3<real>{1_r, 0_r, 0_r} : column_x(pair->turn);
  const Vec3<real> y = first ? Vec3<real>{0_r, 1_r, 0_r} : column_y(pair->turn);
  // the other core's reach along the axis
  const Vertex up = support(pair, axis), down = support(pair, -axis);
  const real l = cylinder.size.z;
  const real e = max(fused_dot(axis, up.w), -fused_dot(axis, down.w)) - l;
  return {pair, x, y, cylinder.size.x, l - e};
}

/// The nearest point to the origin of the edge from a to b.
SWEPT_FN Wall::Corner2 foot_on_edge(Wall::Corner2 a, Wall::Corner2 b) {
  const real eu = b.u - a.u, ev = b.v - a.v, square = fma(eu, eu, ev * ev);
  const real along = -fma(a.u, eu, a.v * ev);
  const real t = square > 0_r ? clamp(along / square, 0_r, 1_r) : 0_r;
  return {fma(t, eu, a.u), fma(t, ev, a.v)};
}

/// The depth where the origin lies outside of the projection: beyond the corner a, in the direction
/// (u, v).
SWEPT_FN WallDepth depth_beyond(const Wall& wall, Wall::Corner2 a, real u, real v) {
  using Corner2 = Wall::Corner2;
  Corner2 b = a;
  WallDepth best = wall.depth(-no_depth, fma(u, a.u, v * a.v), u, v);
  for (int i = 0; i < wall_corners; ++i) {
    const Corner2 near = foot_on_edge(a, b);
    const real length = sqrt(fma(near.u, near.u, near.v * near.v));
    if (!(length > 0_r)) {
      break;
    }
    u = -near.u / length;
    v = -near.v / length;
    const Corner2 w = wall.corner(u, v);
    const real most = fma(u, w.u, v * w.v);
    const WallDepth found = wall.depth(-length, most, u, v);
    best = found.depth < best.depth || found.proven ? found : best;
    if (most + length <= wall_gap * (wall.radius + length)) {
      break;
    }
    // the edge at the new corner that is nearer
    const Corner2 fa = foot_on_edge(a, w), fb = foot_on_edge(b, w);
    a = fma(fa.u, fa.u, fa.v * fa.v) < fma(fb.u, fb.u, fb.v * fb.v) ? a : b;
    b = w;
  }
  return best;
}

/// The depth in the wall of core `which` (1 or 2), a cylinder.
///   thorough   look for the best direction also where the depth in the wall cannot be proven
SWEPT_FN WallDepth depth_in_wall(CorePair* pair, int which, bool thorough) {
  using Corner2 = Wall::Corner2;
  const WallDepth none = {false, no_depth, {1_r, 0_r, 0_r}};
  const Wall wall = wall_of(pair, which);
  if (!thorough && !(wall.room > 0_r)) {
    return none;
  }
  Corner2 p[wall_corners];
  int count = 0;
  constexpr real start[3][2] = {
      {1_r, 0_r}, {-0.5_r, 0.8660254037844386_r}, {-0.5_r, -0.8660254037844386_r}};
  for (int i = 0; i < 3; ++i) {
    p[count++] = wall.corner(start[i][0], start[i][1]);
  }
  while (true) {
    // the edge nearest to the origin; the first polygon may not hold it yet
    int nearest = 0;
    real least = no_depth, nu = 1_r, nv = 0_r;
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
    if (least >= no_depth || (!thorough && wall.radius + least > wall.room)) {
      return none;
    }
    const Corner2 w = wall.corner(nu, nv);
    const real reach = fma(nu, w.u, nv * w.v);
    if (!(reach >= 0_r)) {
      return thorough ? depth_beyond(wall, w, nu, nv) : none;
    }
    if (reach - least <= wall_gap * (wall.radius + reach) || count == wall_corners) {
      return wall.depth(least, reach, nu, nv);
    }
    for (int i = count; i > nearest + 1; --i) {
      p[i] = p[i - 1];
    }
    p[nearest + 1] = w;
    ++count;
  }
}

}  // namespace swept::SWEPT_NS
