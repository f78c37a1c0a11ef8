// SPDX-License-Identifier: Apache-2.0
// Contacts of a plane with an ellipsoid and with a cylinder, and of a sphere with a cylinder.
//
// plane, ellipsoid   n the plane's normal, S the diagonal matrix of the semi-axes, all in the
//                    ellipsoid's frame: its lowest point is x = -S^2 n / |S n|.
// plane, cylinder    a is the axis, turned towards the plane; v the steepest descent within the
//                    discs, of length r (the x axis where the cylinder stands upright). In this
//                    order: the lowest point of the lower disc, c + h a + v; that of the upper one,
//                    c - h a + v; the two points of the lower rim which with the first make an
//                    equilateral triangle, c + h a - v / 2 +- w. Without the first there are none.
// sphere, cylinder   the sphere's centre lies beside the wall, over an end, or beyond a rim; one
//                    inside the cylinder leaves through the nearer of end and wall.
#pragma once

#include "kernels/collide/plane.h"
#include "kernels/collide/sphere.h"
#include "kernels/math/frame.h"

namespace swept::SWEPT_NS {

/// Half the square root of three.
constexpr real half_sqrt3 = 0.86602540378443864676_r;

/// Plane and ellipsoid: one contact.
///   margin   [m] contacts are found up to this distance (margin + gap of the pair)
template <class V>
SWEPT_FN Hits<V, 1> plane_ellipsoid(const Plane<V>& plane, const Ellipsoid<V>& e, V margin) {
  const Vec3<V> n = transpose_mul(e.mat, plane.normal);

  // the lowest point from the centre
  const Vec3<V> stretched = {e.radii.x * n.x, e.radii.y * n.y, e.radii.z * n.z};
  const V scale = V(-1_r) / max(norm(stretched), V(1e-15_r));
  const Vec3<V> lowest =
      e.mat * Vec3<V>{e.radii.x * stretched.x * scale, e.radii.y * stretched.y * scale,
                      e.radii.z * stretched.z * scale};
  const Vec3<V> point = e.pos + lowest;
  const V dist = dot(point - plane.pos, plane.normal);
  return {
      {{dist <= margin, dist, point - plane.normal * (V(0.5_r) * dist), plane.normal, zero3<V>()}}};
}

/// Plane and cylinder: up to four contacts, on the rims.
template <class V>
SWEPT_FN Hits<V, 4> plane_cylinder(const Plane<V>& plane, const Cylinder<V>& c, V margin) {
  const Vec3<V> n = plane.normal;
  const V upward = dot(n, column_z(c.mat));
  const V turn = select(upward > V(0_r), V(-1_r), V(1_r));
  const Vec3<V> axis = column_z(c.mat) * turn;
  const V slope = upward * turn;  // n . axis, not positive

  // v; an upright cylinder has no steepest descent and takes its x axis
  const Vec3<V> down = axis * slope - n;
  const V square = dot(down, down);
  const mask_t<V> upright = square < V(parallel_square);
  const V scale = c.radius / sqrt(select(upright, V(1_r), square));
  const Vec3<V> v = select<V>(upright, column_x(c.mat) * c.radius, down * scale);

  // heights: of the centre, and what axis and v add to it
  const V height = dot(c.pos - plane.pos, n);
  const V along = slope * c.half, across = dot(v, n);
  const Vec3<V> half = axis * c.half;
  const V third = height + along - V(0.5_r) * across;
  const Vec3<V> side = normalize(cross(v, axis)) * (c.radius * V(half_sqrt3));

  const mask_t<V> first = height + along + across <= margin;
  const auto contact = [&](mask_t<V> hit, V dist, Vec3<V> at) {
    return Hit<V>{first && hit, dist, c.pos + at - n * (V(0.5_r) * dist), n, zero3<V>()};
  };
  const V lower = height + along + across, upper = height - along + across;
  const Vec3<V> back = half - v * V(0.5_r);
  return {contact(first, lower, half + v), contact(upper <= margin, upper, v - half),
          contact(third <= margin, third, back + side),
          contact(third <= margin, third, back - side)};
}

/// Sphere and cylinder: one contact.
template <class V>
SWEPT_FN Hits<V, 1> sphere_cylinder(const Sphere<V>& sphere, const Cylinder<V>& c, V margin) {
  const Vec3<V> axis = column_z(c.mat);
  const Vec3<V> d = sphere.pos - c.pos;
  const V along = dot(axis, d);
  const Vec3<V> radial = d - axis * along;
  const V square = dot(radial, radial);

  // which part of the surface; inside the nearer one
  const mask_t<V> within_ends = abs(along) < c.half;
  const mask_t<V> within_wall = square < c.radius * c.radius;
  const mask_t<V> end_first = c.half - abs(along) < c.radius - sqrt(square);
  const mask_t<V> wall = within_ends && !(within_wall && end_first);
  const mask_t<V> end = within_wall && !wall;

  // the wall is a ball around a point of the axis, the rim a point
  const V side = select(along > V(0_r), V(1_r), V(-1_r));
  const V distance = sqrt(square);
  const Vec3<V> outward = radial * (c.radius / max(distance, V(1e-15_r)));
  const Vec3<V> rim = c.pos + axis * (side * c.half) + outward;
  const Vec3<V> place = select<V>(wall, c.pos + axis * along, rim);
  const V radius = select(wall, c.radius, V(0_r));
  Hit<V> contact =
      ball_ball(sphere.pos, sphere.radius, place - sphere.pos, radius, sphere.axis, axis, margin);

  // the end is a plane
  if (any_of(end)) {
    const Plane<V> plane = {c.pos + axis * (side * c.half), axis * side};
    const Hit<V> flat = plane_ball(plane, sphere.pos, sphere.radius, zero3<V>(), margin);
    contact.hit = (end && flat.hit) || (!end && contact.hit);
    contact.dist = select(end, flat.dist, contact.dist);
    contact.pos = select<V>(end, flat.pos, contact.pos);
    contact.normal = select<V>(end, -flat.normal, contact.normal);
  }
  return {{contact}};
}

}  // namespace swept::SWEPT_NS
