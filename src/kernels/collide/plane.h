// SPDX-License-Identifier: Apache-2.0
// Contacts of a plane of normal n with a sphere, a capsule and a box.
//
// A point at signed distance d over the plane, with a sphere of radius r around it, is in contact
// if d <= margin + r. Then dist = d - r and the contact lies midway between the plane and the
// sphere's lowest point. A capsule is its two end spheres, + end first; a box its corners.
#pragma once

#include "kernels/collide/contact.h"

namespace swept::SWEPT_NS {

/// Plane and the sphere of radius r around a centre.
template <class V>
SWEPT_FN Hit<V> plane_ball(const Plane<V>& plane, Vec3<V> center, V r, Vec3<V> tangent, V margin) {
  const V height = dot(center - plane.pos, plane.normal);
  const V dist = height - r;
  return {height <= margin + r, dist, center - plane.normal * (r + V(0.5_r) * dist), plane.normal,
          tangent};
}

/// Plane and sphere: one contact.
///   margin   [m] contacts are found up to this distance (margin + gap of the pair)
template <class V>
SWEPT_FN Hits<V, 1> plane_sphere(const Plane<V>& plane, const Sphere<V>& sphere, V margin) {
  return {plane_ball(plane, sphere.pos, sphere.radius, zero3<V>(), margin)};
}

/// Plane and capsule: a contact at the + end of its axis, one at the - end; the first tangent is
/// the axis.
template <class V>
SWEPT_FN Hits<V, 2> plane_capsule(const Plane<V>& plane, const Capsule<V>& capsule, V margin) {
  const Vec3<V> half = capsule.axis * capsule.half;
  return {plane_ball(plane, capsule.pos + half, capsule.radius, capsule.axis, margin),
          plane_ball(plane, capsule.pos - half, capsule.radius, capsule.axis, margin)};
}

/// Plane and box: the corners within the margin that are not above the box's centre, at most four,
/// in the order of their numbers; bits 0, 1, 2 of a corner's number say whether it lies at + x, +
/// y, + z.
template <class V>
SWEPT_FN Hits<V, 8> plane_box(const Plane<V>& plane, const Box<V>& box, V margin) {
  const Vec3<V> n = plane.normal;
  const V height = dot(box.pos - plane.pos, n);
  const Vec3<V> x = column_x(box.mat) * box.half.x, y = column_y(box.mat) * box.half.y,
                z = column_z(box.mat) * box.half.z;

  Hits<V, 8> hits;
  V taken(0_r);
  for (int i = 0; i < 8; ++i) {
    // the corner from the centre, and its height over the centre
    const Vec3<V> sx = (i & 1) != 0 ? x : -x, sy = (i & 2) != 0 ? y : -y,
                  sz = (i & 4) != 0 ? z : -z;
    const Vec3<V> corner = sx + sy + sz;
    const V over = dot(n, corner);
    const V dist = height + over;
    const mask_t<V> hit = dist <= margin && over <= V(0_r) && taken < V(4_r);
    taken = select(hit, V(taken + V(1_r)), taken);
    hits.at[i] = {hit, dist, box.pos + corner - n * (V(0.5_r) * dist), n, zero3<V>()};
  }
  return hits;
}

}  // namespace swept::SWEPT_NS
