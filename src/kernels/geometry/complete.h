// SPDX-License-Identifier: Apache-2.0
// A tetrahedron for EPA to start from: a simplex of any number of vertices and of any shape,
// completed by vertices of the difference D away from it. If there are none, D is flat.
#pragma once

#include "kernels/geometry/gjk.h"
#include "kernels/geometry/polytope.h"

namespace swept::SWEPT_NS {

/// A difference thinner than this, over its size, is flat.
constexpr real flat_height = 16_r * epsilon;

/// A unit vector across a (not zero).
SWEPT_FN Vec3<real> any_across(Vec3<real> a) {
  const real x = abs(a.x), y = abs(a.y), z = abs(a.z);
  const Vec3<real> other = {x <= y && x <= z ? 1_r : 0_r, y < x && y <= z ? 1_r : 0_r,
                            z < x && z < y ? 1_r : 0_r};
  return unit(fused_cross(a, other));
}

/// From one vertex to two: the vertex furthest from it among six directions. 0: D is a point.
SWEPT_FN real second_vertex(CorePair* pair, Vertex* v) {
  real best = 0_r;
  for (int i = 0; i < 6; ++i) {
    const real sign = i % 2 == 0 ? 1_r : -1_r;
    const Vertex w =
        support(pair, {i / 2 == 0 ? sign : 0_r, i / 2 == 1 ? sign : 0_r, i / 2 == 2 ? sign : 0_r});
    const Vec3<real> e = w.w - v[0].w;
    if (fused_dot(e, e) > best) {
      best = fused_dot(e, e);
      v[1] = w;
    }
  }
  return sqrt(best);
}

/// From two vertices to three: the vertex furthest from their line. Its distance; 0: D is a line.
SWEPT_FN real third_vertex(CorePair* pair, Vertex* v) {
  const Vec3<real> axis = unit(v[1].w - v[0].w);
  const Vec3<real> x = any_across(axis), y = fused_cross(axis, x);
  constexpr real turn[3][2] = {
      {1_r, 0_r}, {-0.5_r, 0.8660254037844386_r}, {-0.5_r, -0.8660254037844386_r}};
  real best = 0_r;
  for (int i = 0; i < 6; ++i) {
    const real sign = i < 3 ? 1_r : -1_r;
    const Vec3<real> dir = x * (sign * turn[i % 3][0]) + y * (sign * turn[i % 3][1]);
    const Vertex w = support(pair, dir);
    const Vec3<real> off = fused_cross(axis, w.w - v[0].w);
    if (fused_dot(off, off) > best) {
      best = fused_dot(off, off);
      v[2] = w;
    }
  }
  return sqrt(best);
}

/// From three vertices to four: the vertex furthest from their plane. Its height; 0: D is flat.
SWEPT_FN real fourth_vertex(CorePair* pair, Vertex* v, Vec3<real>* normal) {
  const Vec3<real> e = v[1].w - v[0].w;
  const Vec3<real> n = unit(fused_cross(e, across_of(v[2].w - v[0].w, e)));
  *normal = n;
  const Vertex above = support(pair, n), below = support(pair, -n);
  const real up = fused_dot(n, above.w - v[0].w), down = fused_dot(n, v[0].w - below.w);
  v[3] = up > down ? above : below;
  return max(up, down);
}

/// Complete a simplex that holds the origin to a tetrahedron with volume that holds it as well.
/// False: D is flat, and `normal` is across it.
SWEPT_FN bool complete_simplex(CorePair* pair, const Simplex& s, real scale, Polytope* p,
                               Vec3<real>* normal) {
  Vertex* const v = p->vertex;
  const real thin = flat_height * scale;
  for (int i = 0; i < s.count; ++i) {
    v[i] = s.vertex[i];
  }
  if (s.count == 4 && start_tetrahedron(p)) {
    return true;
  }
  int count = s.count > 3 ? 3 : s.count;

  // vertices that lie on the others are as good as missing
  if (count == 3) {
    const Vec3<real> e1 = v[1].w - v[0].w, e2 = v[2].w - v[0].w, e3 = v[2].w - v[1].w;
    const Vec3<real> n = fused_cross(e1, e2);
    const real longest = max(max(fused_dot(e1, e1), fused_dot(e2, e2)), fused_dot(e3, e3));
    if (!(fused_dot(n, n) > thin * thin * longest)) {
      if (fused_dot(e2, e2) > fused_dot(e1, e1) && fused_dot(e2, e2) >= fused_dot(e3, e3)) {
        v[1] = v[2];
      } else if (fused_dot(e3, e3) > fused_dot(e1, e1)) {
        v[0] = v[2];
      }
      count = 2;
    }
  }
  if (count == 2) {
    const Vec3<real> e = v[1].w - v[0].w;
    count = fused_dot(e, e) > thin * thin ? 2 : 1;
  }

  const Vec3<real> apart = pair->shift;
  if (count == 1) {
    if (!(second_vertex(pair, v) > thin)) {
      *normal = fused_dot(apart, apart) > 0_r ? unit(apart) : Vec3<real>{1_r, 0_r, 0_r};
      return false;
    }
    count = 2;
  }
  if (count == 2) {
    if (!(third_vertex(pair, v) > thin)) {
      *normal = any_across(v[1].w - v[0].w);
      return false;
    }
  }
  return fourth_vertex(pair, v, normal) > thin && start_tetrahedron(p);
}

}  // namespace swept::SWEPT_NS
