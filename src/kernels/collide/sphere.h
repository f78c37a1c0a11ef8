// SPDX-License-Identifier: Apache-2.0
// Contacts of a sphere with a sphere, a capsule and a box.
//
// Two balls with centres c1, c2, d = c2 - c1 are in contact if |d| <= margin + r1 + r2; the normal
// is d / |d|, dist = |d| - r1 - r2, and the contact lies midway, at c1 + n (r1 + dist / 2). Where
// the centres coincide the normal is the cross product of the shapes' z axes, and (1, 0, 0) if
// these are parallel. A capsule is the ball around the point of its segment that is nearest to the
// sphere's centre.
#pragma once

#include "kernels/collide/contact.h"

namespace swept::SWEPT_NS {

/// Ball of radius r1 around c1, and ball of radius r2 around c1 + d.
///   z1, z2   z axes of the shapes they belong to
template <class V>
SWEPT_FN Hit<V> ball_ball(Vec3<V> c1, V r1, Vec3<V> d, V r2, Vec3<V> z1, Vec3<V> z2, V margin) {
  const V square = dot(d, d);
  const V reach = margin + r1 + r2;
  Hit<V> contact = {};
  contact.hit = square <= reach * reach;
  if (none_of(contact.hit)) {
    return contact;
  }
  const V length = sqrt(square);
  const mask_t<V> coincident = length < V(1e-15_r);
  contact.dist = length - r1 - r2;
  contact.normal = d * (V(1_r) / select(coincident, V(1_r), length));
  if (any_of(coincident)) {
    contact.normal = select<V>(coincident, normalize(cross(z1, z2)), contact.normal);
  }
  contact.pos = c1 + contact.normal * (r1 + V(0.5_r) * contact.dist);
  return contact;
}

/// Sphere and sphere: one contact.
///   margin   [m] contacts are found up to this distance (margin + gap of the pair)
template <class V>
SWEPT_FN Hits<V, 1> sphere_sphere(const Sphere<V>& s1, const Sphere<V>& s2, V margin) {
  return {ball_ball(s1.pos, s1.radius, s2.pos - s1.pos, s2.radius, s1.axis, s2.axis, margin)};
}

/// Sphere and capsule: one contact.
template <class V>
SWEPT_FN Hits<V, 1> sphere_capsule(const Sphere<V>& sphere, const Capsule<V>& capsule, V margin) {
  const Vec3<V> d = capsule.pos - sphere.pos;
  const V along = clamp(V(-dot(capsule.axis, d)), V(-capsule.half), capsule.half);
  return {ball_ball(sphere.pos, sphere.radius, d + capsule.axis * along, capsule.radius,
                    sphere.axis, capsule.axis, margin)};
}

/// The face of a box that is nearest to a point inside.
template <class V>
struct NearestFace {
  V depth;         ///< [m] distance of the point from it
  Vec3<V> inward;  ///< its normal in the box's frame, pointing into the box
};

/// The nearest of the faces -x, +x, -y, +y, -z, +z; of equal ones the first.
///   p, half   [m] point in the box's frame, half sizes
template <class V>
SWEPT_FN NearestFace<V> nearest_face(Vec3<V> p, Vec3<V> half) {
  const V depth[6] = {abs(V(-half.x - p.x)), abs(V(half.x - p.x)),  abs(V(-half.y - p.y)),
                      abs(V(half.y - p.y)),  abs(V(-half.z - p.z)), abs(V(half.z - p.z))};
  const V zero(0_r);
  NearestFace<V> face = {depth[0], {V(1_r), zero, zero}};
  for (int i = 1; i < 6; ++i) {
    const V sign((i & 1) != 0 ? -1_r : 1_r);
    const Vec3<V> inward = {i / 2 == 0 ? sign : zero, i / 2 == 1 ? sign : zero,
                            i / 2 == 2 ? sign : zero};
    const mask_t<V> nearer = depth[i] < face.depth;
    face = {select(nearer, depth[i], face.depth), select<V>(nearer, inward, face.inward)};
  }
  return face;
}

/// Sphere and box: one contact. A centre outside the box is pushed away from the nearest point of
/// the box, a centre inside through the nearest face.
template <class V>
SWEPT_FN Hits<V, 1> sphere_box(const Sphere<V>& sphere, const Box<V>& box, V margin) {
  const V r = sphere.radius;
  const Vec3<V> half = box.half;

  // all in the frame of the box
  const Vec3<V> center = transpose_mul(box.mat, sphere.pos - box.pos);
  const Vec3<V> nearest = {clamp(center.x, V(-half.x), half.x), clamp(center.y, V(-half.y), half.y),
                           clamp(center.z, V(-half.z), half.z)};
  const Vec3<V> d = nearest - center;
  const V length = norm(d);
  Hit<V> contact = {};
  contact.hit = length - r <= margin;
  if (none_of(contact.hit)) {
    return {{contact}};
  }

  // outside: midway between the nearest point of the box and the deepest of the sphere
  const Vec3<V> toward = normalize(d);
  contact.dist = length - r;
  Vec3<V> pos = V(0.5_r) * (nearest + (center + toward * r));
  Vec3<V> normal = toward;

  // inside: through the nearest face
  const mask_t<V> inside = length <= V(1e-15_r);
  if (any_of(inside)) {
    const NearestFace<V> face = nearest_face(center, half);
    contact.dist = select(inside, V(-face.depth - r), contact.dist);
    pos = select<V>(inside, center + face.inward * (V(0.5_r) * (r - face.depth)), pos);
    normal = select<V>(inside, face.inward, normal);
  }
  contact.pos = box.pos + box.mat * pos;
  contact.normal = box.mat * normal;
  return {{contact}};
}

}  // namespace swept::SWEPT_NS
