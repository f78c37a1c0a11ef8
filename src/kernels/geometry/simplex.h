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
  real weight[4];  ///< of the vertices, in the nearest point
  int count = 0;
};

/// A choice of up to three vertices of a simplex by number (ascending), with weights.
struct Subsimplex {
  Vec3<real> v;  ///< sum of weight * vertex
  real square;   ///< |v|^2
  int count;
  int index[3];
  real weight[3];
};

/// The nearest point of the segment from vertex p (number ip) to vertex q.
SWEPT_FN Subsimplex nearest_on_segment(Vec3<real> p, Vec3<real> q, int ip, int iq) {
  const Vec3<real> e = q - p;
  const real length = dot(e, e), along = -dot(p, e);
  if (!(along < length)) {
    return {q, dot(q, q), 1, {iq, 0, 0}, {1_r, 0_r, 0_r}};
  }
  if (!(along > 0_r)) {
    return {p, dot(p, p), 1, {ip, 0, 0}, {1_r, 0_r, 0_r}};
  }
  // projected twice: on a long segment close by, the rounding of the first would turn v along it
  const real inverse = 1_r / length, t = along * inverse;
  const Vec3<real> near = p + t * e;
  const Vec3<real> v = near - e * (dot(near, e) * inverse);
  return {v, dot(v, v), 2, {ip, iq, 0}, {1_r - t, t, 0_r}};
}

/// Squared sine of an angle above which the normal of a triangle is good to nearly all digits.
constexpr real sound_triangle = 1e-3_r;

/// The nearest point of a triangle, or of one of its two edges with vertex c.
SWEPT_FN Subsimplex nearest_on_triangle(Vec3<real> a, Vec3<real> b, Vec3<real> c, int ia, int ib,
                                        int ic) {
  const Vec3<real> e1 = b - a, e2 = c - a;
  const Vec3<real> n = cross(e1, e2);
  const real square = dot(n, n);
  if (square > 0_r) {
    const real wb = dot(n, cross(e2, a)) / square, wc = dot(n, cross(a, e1)) / square;
    const real wa = 1_r - wb - wc;
    if (wa > 0_r && wb > 0_r && wc > 0_r) {
      const bool sound = square > sound_triangle * dot(e1, e1) * dot(e2, e2);
      const Vec3<real> v = sound ? n * (dot(n, a) / square) : a + wb * e1 + wc * e2;
      return {v, dot(v, v), 3, {ia, ib, ic}, {wa, wb, wc}};
    }
  }
  const Subsimplex ac = nearest_on_segment(a, c, ia, ic), bc = nearest_on_segment(b, c, ib, ic);
  return ac.square < bc.square ? ac : bc;
}

/// Whether the origin lies on the other side of the plane of (d, p, q) than r; `flat` if r lies in
/// it.
struct Side {
  bool beyond, flat;
};
SWEPT_FN Side side_of_origin(Vec3<real> p, Vec3<real> q, Vec3<real> r, Vec3<real> d) {
  const Vec3<real> n = cross(p - d, q - d);
  const real inner = dot(n, r - d), outer = -dot(n, d);
  // the height of r over the plane, against the rounding of coordinates
  const real size = dot(d, d) + dot(r, r);
  const bool flat = inner * inner <= 64_r * epsilon * epsilon * size * dot(n, n);
  return {inner > 0_r ? outer < 0_r : outer > 0_r, flat};
}

/// The nearest point of a tetrahedron; count 0 if the origin lies inside.
SWEPT_FN Subsimplex nearest_on_tetrahedron(const Vertex* s) {
  const Vec3<real> a = s[0].w, b = s[1].w, c = s[2].w, d = s[3].w;
  const Side bc = side_of_origin(b, c, a, d), ca = side_of_origin(c, a, b, d),
             ab = side_of_origin(a, b, c, d);
  const bool flat = bc.flat || ca.flat || ab.flat;
  Subsimplex best = {{0_r, 0_r, 0_r}, 0_r, 0, {0, 0, 0}, {0_r, 0_r, 0_r}};
  if (bc.beyond || flat) {
    best = nearest_on_triangle(b, c, d, 1, 2, 3);
  }
  if (ca.beyond || flat) {
    const Subsimplex other = nearest_on_triangle(a, c, d, 0, 2, 3);
    best = best.count == 0 || other.square < best.square ? other : best;
  }
  if (ab.beyond || flat) {
    const Subsimplex other = nearest_on_triangle(a, b, d, 0, 1, 3);
    best = best.count == 0 || other.square < best.square ? other : best;
  }
  return best;
}

/// The nearest point of a simplex whose newest vertex is the last; count 0 if the origin lies
/// inside a tetrahedron.
SWEPT_FN Subsimplex nearest_on(const Simplex& s) {
  switch (s.count) {
    case 1:
      return {s.vertex[0].w, dot(s.vertex[0].w, s.vertex[0].w), 1, {0, 0, 0}, {1_r, 0_r, 0_r}};
    case 2:
      return nearest_on_segment(s.vertex[0].w, s.vertex[1].w, 0, 1);
    case 3:
      return nearest_on_triangle(s.vertex[0].w, s.vertex[1].w, s.vertex[2].w, 0, 1, 2);
    default:
      return nearest_on_tetrahedron(s.vertex);
  }
}

/// Keep the vertices of a subsimplex only, with their weights. Its numbers ascend, so the vertices
/// move forward and the newest remains the last.
SWEPT_FN void keep(Simplex* s, const Subsimplex& sub) {
  s->count = sub.count;
  for (int i = 0; i < sub.count; ++i) {
    if (sub.index[i] != i) {
      s->vertex[i] = s->vertex[sub.index[i]];
    }
    s->weight[i] = sub.weight[i];
  }
}

}  // namespace swept::SWEPT_NS
