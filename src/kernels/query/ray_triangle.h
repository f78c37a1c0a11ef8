// SPDX-License-Identifier: Apache-2.0
// Where a ray meets a triangle, from either side.
//
// The corners are seen along the ray: (x, y) across it, z along it. With the edge functions
//   e_0 = x_1 y_2 - x_2 y_1  (and cyclic)
// the ray passes through the triangle where all three have one sign, at z = sum e_i z_i / sum e_i.
// The edge function of an edge that two triangles share is the same number with the other sign in
// each, so no ray slips through between them, and z lies between those of the corners however thin
// the triangle is.
#pragma once

#include "kernels/query/ray_shapes.h"

namespace swept::SWEPT_NS {

/// Two unit vectors across a ray.
struct RayFrame {
  Vec3<real> x, y;
};

SWEPT_FN RayFrame frame_across(Vec3<real> u) {
  // cross with the axis that u is least along
  const Vec3<real> size = {abs(u.x), abs(u.y), abs(u.z)};
  const bool x_least = size.x <= size.y && size.x <= size.z;
  const bool y_least = size.y <= size.z;
  const Vec3<real> axis = {x_least ? 1_r : 0_r, !x_least && y_least ? 1_r : 0_r,
                           !x_least && !y_least ? 1_r : 0_r};
  const Vec3<real> x = normalize(cross(u, axis));
  return {x, cross(u, x)};
}

/// Three corners; counterclockwise seen from outside.
struct Triangle {
  Vec3<real> a, b, c;
};

/// Make `hit` the triangle's where the ray meets it nearer than there, strictly.
SWEPT_FN void meet_triangle(RayHit* hit, const Ray& ray, const RayFrame& across,
                            const Triangle& t) {
  const Vec3<real> a = t.a - ray.p, b = t.b - ray.p, c = t.c - ray.p;
  const real ax = dot(a, across.x), ay = dot(a, across.y);
  const real bx = dot(b, across.x), by = dot(b, across.y);
  const real cx = dot(c, across.x), cy = dot(c, across.y);
  const real ea = bx * cy - cx * by, eb = cx * ay - ax * cy, ec = ax * by - bx * ay;
  const bool through = (ea >= 0 && eb >= 0 && ec >= 0) || (ea <= 0 && eb <= 0 && ec <= 0);
  const real sum = ea + eb + ec;
  if (!through || sum == 0) {
    return;
  }
  const real s = (ea * dot(a, ray.u) + eb * dot(b, ray.u) + ec * dot(c, ray.u)) / sum;
  if (s >= ray.first && s < hit->at) {
    hit->at = s;
    hit->normal = normalize(cross(t.b - t.a, t.c - t.a));
  }
}

}  // namespace swept::SWEPT_NS
