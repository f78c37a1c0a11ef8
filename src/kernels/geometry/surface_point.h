// SPDX-License-Identifier: Apache-2.0
// The point of a surface that is nearest to a given one, and on which side of it that lies.
#pragma once

#include "kernels/geometry/surface.h"

namespace swept::SWEPT_NS {

/// The point of a triangle that is nearest to a point, and what it is on.
struct TrianglePoint {
  Vec3<real> point;
  int count;  ///< 1: a corner, 2: an edge, 3: the face itself
  int at[2];  ///< numbers of the corners that it is on
};

/// The region of the triangle is told from the signs of its barycentric parts (Ericson, Real-Time
/// Collision Detection, 5.1.5).
SWEPT_FN TrianglePoint nearest_on_face(const SurfaceFace& face, Vec3<real> p) {
  const Vec3<real> a = face.corner[0], b = face.corner[1], c = face.corner[2];
  const Vec3<real> ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const real d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp),
             d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d1 <= 0_r && d2 <= 0_r) {
    return {a, 1, {0, 0}};
  }
  if (d3 >= 0_r && d4 <= d3) {
    return {b, 1, {1, 1}};
  }
  if (d6 >= 0_r && d5 <= d6) {
    return {c, 1, {2, 2}};
  }
  const real vc = d1 * d4 - d3 * d2;
  if (vc <= 0_r && d1 >= 0_r && d3 <= 0_r) {
    return {a + ab * (d1 / (d1 - d3)), 2, {0, 1}};
  }
  const real vb = d5 * d2 - d1 * d6;
  if (vb <= 0_r && d2 >= 0_r && d6 <= 0_r) {
    return {a + ac * (d2 / (d2 - d6)), 2, {0, 2}};
  }
  const real va = d3 * d6 - d5 * d4;
  if (va <= 0_r && d4 - d3 >= 0_r && d5 - d6 >= 0_r) {
    return {b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), 2, {1, 2}};
  }
  const real sum = va + vb + vc;
  return {a + ab * (vb / sum) + ac * (vc / sum), 3, {0, 0}};
}

/// The nearest point of a surface.
struct SurfacePoint {
  int face = -1;      ///< -1: the surface has no faces
  real square = 0_r;  ///< [m^2] of the distance
  Vec3<real> point = {};
  Vec3<real> normal = {};  ///< of the face, unit
  bool inside = false;     ///< the surface is closed, and the point it was asked for lies inside
};

/// The square of the distance [m^2] of a point from a box.
SWEPT_FN real square_from_box(const BoxExtent& box, Vec3<real> p) {
  const auto off = [](real low, real high, real x) { return max(max(low - x, x - high), 0_r); };
  const Vec3<real> d = {off(box.low.x, box.high.x, p.x), off(box.low.y, box.high.y, p.y),
                        off(box.low.z, box.high.z, p.z)};
  return dot(d, d);
}

/// The nearest point of a surface to p [m, frame of the mesh].
[[gnu::noinline]] SWEPT_FN SurfacePoint nearest_on_surface(const Surface& s, Vec3<real> p) {
  SurfacePoint best;
  TrianglePoint on = {};
  best.square = 3e38_r;
  visit_faces(
      s, [&](const BoxExtent& box) { return square_from_box(box, p) < best.square; },
      [&](int i) {
        const SurfaceFace face = s.face(i);
        if (!(dot(face.normal, face.normal) > 0_r)) {
          return;
        }
        const TrianglePoint here = nearest_on_face(face, p);
        const Vec3<real> off = p - here.point;
        if (dot(off, off) < best.square) {
          best = {i, dot(off, off), here.point, face.normal, false};
          on = here;
        }
      });
  if (best.face < 0 || !s.closed) {
    return best;
  }
  const SurfaceFace face = s.face(best.face);
  const Vec3<real> none = zero3<real>();
  Vec3<real> out = face.normal;
  if (on.count == 1) {
    out = around_corner(s, face.vertex[on.at[0]], none).normal;
  } else if (on.count == 2) {
    out = around_edge(s, face.vertex[on.at[0]], face.vertex[on.at[1]], none).normal;
  }
  best.inside = dot(p - best.point, out) < 0_r;
  return best;
}

}  // namespace swept::SWEPT_NS
