// SPDX-License-Identifier: Apache-2.0
// The point of a simplex nearest to the origin, for GJK.
//
// A simplex has 1 to 4 vertices, the newest last. GJK knows that the nearest point lies on a
// subsimplex with the newest vertex, so only those are tried. Where the signs of areas or volumes
// leave more than one candidate, or are lost in rounding, each candidate is projected on and the
// shortest projection wins: a wrong sign then costs time and not the answer.
//
//   segment    t = -p . e / |e|^2 from p along e
//   triangle   with n = e1 x e2 the weights of b and c are n . (e2 x a) / |n|^2 and
//              n . (a x e1) / |n|^2: products of an edge and a vertex, so a small triangle far from
//              the origin loses |a| / |e| digits and not their square
#pragma once

#include "kernels/geometry/support.h"

namespace swept::SWEPT_NS {

/// Rounding of one operation.
constexpr real epsilon = sizeof(real) == 4 ? 1.1920929e-7_r : 2.220446049250313e-16_r;

/// The nearest point of a simplex.
struct Simplex {
  Vertex vertex[4];
  real weight[4] = {};  ///< of the vertices, in the nearest point
  int count = 0;
};

/// A choice of up to three vertices of a simplex, newest last, with weights. No arrays: it lives in
/// registers.
struct Subsimplex {
  Vec3<real> v;  ///< sum of weight * vertex
  real square;   ///< |v|^2
  int count;     ///< 0: none
  int i0, i1, i2;
  real w0, w1, w2;
};

/// The nearest point of a segment: p + t (q - p).
struct SegmentFoot {
  Vec3<real> v;
  real square;  ///< |v|^2
  real t;       ///< 0 at p, 1 at q
};
[[gnu::always_inline]] SWEPT_FN SegmentFoot foot_on_segment(Vec3<real> p, Vec3<real> q) {
  const Vec3<real> e = q - p;
  const real length = fused_dot(e, e), along = -fused_dot(p, e);
  if (!(along < length)) {
    return {q, fused_dot(q, q), 1_r};
  }
  if (!(along > 0_r)) {
    return {p, fused_dot(p, p), 0_r};
  }
  // projected twice: on a long segment close by, the rounding of the first would turn v along it
  const real inverse = 1_r / length, t = along * inverse;
  const Vec3<real> near = p + t * e;
  const Vec3<real> v = near - e * (fused_dot(near, e) * inverse);
  return {v, fused_dot(v, v), t};
}

/// The vertices that a foot on the segment from ip to iq needs.
[[gnu::always_inline]] SWEPT_FN Subsimplex of_segment(const SegmentFoot& f, int ip, int iq) {
  const bool inside = f.t > 0_r && f.t < 1_r;
  const int first = inside || !(f.t > 0_r) ? ip : iq;
  return {f.v, f.square, inside ? 2 : 1, first, iq, iq, inside ? 1_r - f.t : 1_r, f.t, 0_r};
}

/// Squared sine of an angle above which the normal of a triangle is good to nearly all digits.
constexpr real sound_triangle = 1e-3_r;

/// What vector o has across vector e, to rounding of itself.
[[gnu::always_inline]] SWEPT_FN Vec3<real> across_of(Vec3<real> o, Vec3<real> e) {
  const real square = fused_dot(e, e), inverse = square > 0_r ? 1_r / square : 0_r;
  const Vec3<real> first = o - (fused_dot(o, e) * inverse) * e;
  return first - (fused_dot(first, e) * inverse) * e;
}

/// Make v, a point a + wb e1 + wc e2 of a sliver near the origin's foot on its plane, this foot.
/// The normal of a sliver has lost the digits by which its edges differ; v has not: what is left in
/// it of the longer edge, and of the other one across that, comes off to rounding of v itself.
struct SliverFoot {
  Vec3<real> v;
  real wb, wc;
};
SWEPT_FN SliverFoot foot_on_sliver(SliverFoot f, Vec3<real> e1, Vec3<real> e2) {
  const real l1 = fused_dot(e1, e1), l2 = fused_dot(e2, e2);
  const bool first = l1 >= l2;
  const Vec3<real> e = first ? e1 : e2, o = first ? e2 : e1;
  const real inverse = 1_r / (first ? l1 : l2), c = fused_dot(o, e) * inverse;
  const Vec3<real> across = across_of(o, e);
  const real square = fused_dot(across, across);
  const real inverse_across = square > 0_r ? 1_r / square : 0_r;
  real we = 0_r, wo = 0_r;
  for (int i = 0; i < 2; ++i) {
    const real t = fused_dot(f.v, e) * inverse;
    f.v = f.v - t * e;
    const real u = fused_dot(f.v, across) * inverse_across;
    f.v = f.v - u * across;
    we = we - t + u * c;
    wo = wo - u;
  }
  f.wb = f.wb + (first ? we : wo);
  f.wc = f.wc + (first ? wo : we);
  return f;
}

/// The nearest point of a triangle, or of one of its two edges with vertex c.
[[gnu::always_inline]] SWEPT_FN Subsimplex nearest_on_triangle(Vec3<real> a, Vec3<real> b,
                                                               Vec3<real> c, int ia, int ib,
                                                               int ic) {
  const Vec3<real> e1 = b - a, e2 = c - a;
  const Vec3<real> n = fused_cross(e1, e2);
  const real square = fused_dot(n, n);
  if (square > 0_r) {
    const real inverse = 1_r / square;
    const real wb = fused_dot(n, fused_cross(e2, a)) * inverse,
               wc = fused_dot(n, fused_cross(a, e1)) * inverse;
    const real wa = 1_r - wb - wc;
    if (wa > 0_r && wb > 0_r && wc > 0_r) {
      if (square > sound_triangle * fused_dot(e1, e1) * fused_dot(e2, e2)) {
        const Vec3<real> v = n * (fused_dot(n, a) * inverse);
        return {v, fused_dot(v, v), 3, ia, ib, ic, wa, wb, wc};
      }
      const SliverFoot f = foot_on_sliver({a + wb * e1 + wc * e2, wb, wc}, e1, e2);
      if (f.wb > 0_r && f.wc > 0_r && f.wb + f.wc < 1_r) {
        return {f.v, fused_dot(f.v, f.v), 3, ia, ib, ic, 1_r - f.wb - f.wc, f.wb, f.wc};
      }
    }
  }
  const SegmentFoot ac = foot_on_segment(a, c), bc = foot_on_segment(b, c);
  const bool first = ac.square < bc.square;
  const SegmentFoot foot = {
      {first ? ac.v.x : bc.v.x, first ? ac.v.y : bc.v.y, first ? ac.v.z : bc.v.z},
      first ? ac.square : bc.square,
      first ? ac.t : bc.t};
  return of_segment(foot, first ? ia : ib, ic);
}

/// Whether the origin lies on the other side of the plane of (d, p, q) than r; `flat` if r lies in
/// it.
struct Side {
  bool beyond, flat;
};
[[gnu::always_inline]] SWEPT_FN Side side_of_origin(Vec3<real> p, Vec3<real> q, Vec3<real> r,
                                                    Vec3<real> d) {
  const Vec3<real> n = fused_cross(p - d, q - d);
  const real inner = fused_dot(n, r - d), outer = -fused_dot(n, d);
  // the height of r over the plane, against the rounding of coordinates
  const real size = fused_dot(d, d) + fused_dot(r, r);
  const bool flat = inner * inner <= 64_r * epsilon * epsilon * size * fused_dot(n, n);
  return {inner > 0_r ? outer < 0_r : outer > 0_r, flat};
}

/// The faces of a tetrahedron at its newest vertex d that the origin may lie beyond: bit 0 (a, b,
/// d), bit 1 (a, c, d), bit 2 (b, c, d). 0: it lies inside.
[[gnu::always_inline]] SWEPT_FN int faces_to_try(Vec3<real> a, Vec3<real> b, Vec3<real> c,
                                                 Vec3<real> d) {
  const Side ab = side_of_origin(a, b, c, d), ca = side_of_origin(c, a, b, d),
             bc = side_of_origin(b, c, a, d);
  const int beyond = (ab.beyond ? 1 : 0) | (ca.beyond ? 2 : 0) | (bc.beyond ? 4 : 0);
  return ab.flat || ca.flat || bc.flat ? 7 : beyond;
}

/// The nearest point of count vertices p[i0], p[i1], ...; count 0 if the origin lies inside a
/// tetrahedron. The newest vertex is p[newest].
[[gnu::always_inline]] SWEPT_FN Subsimplex nearest_on(const Vertex* p, int count, int i0, int i1,
                                                      int i2, int newest) {
  if (count == 1) {
    const Vec3<real> w = p[newest].w;
    return {w, fused_dot(w, w), 1, newest, newest, newest, 1_r, 0_r, 0_r};
  }
  if (count == 2) {
    return of_segment(foot_on_segment(p[i0].w, p[newest].w), i0, newest);
  }
  int tries = count == 3 ? 1 : faces_to_try(p[i0].w, p[i1].w, p[i2].w, p[newest].w);
  Subsimplex best = {{0_r, 0_r, 0_r}, 0_r, 0, i0, i1, i2, 0_r, 0_r, 0_r};
  while (tries != 0) {
    const int first = (tries & 3) != 0 ? i0 : i1, second = (tries & 1) != 0 ? i1 : i2;
    const Subsimplex other =
        nearest_on_triangle(p[first].w, p[second].w, p[newest].w, first, second, newest);
    if (best.count == 0 || other.square < best.square) {
      best = other;
    }
    tries &= tries - 1;
  }
  return best;
}

}  // namespace swept::SWEPT_NS
