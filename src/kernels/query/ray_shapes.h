// SPDX-License-Identifier: Apache-2.0
// Where a ray meets a plane, a sphere, a capsule, an ellipsoid, a cylinder or a box.
//
// A convex shape cuts an interval [in, out] out of the line p + s u. It is the intersection of the
// intervals of its parts (a box: three slabs; a cylinder: a slab and an endless tube) or, for a
// capsule, the hull of those of its tube and its two balls. The hit is `in` where that is not
// behind the ray's first point, else `out`: a ray that starts inside meets the surface from within.
// No ray slips through between two faces, because no face is tested by itself. The normal points
// out of the shape either way. A plane is seen from above only.
//
// |q + s w| <= r is solved from the point nearest to the centre, s0 = -q.w / |w|^2, with the half
// chord sqrt((r^2 - |q + s0 w|^2) / |w|^2): nothing large is subtracted from anything large. A half
// chord below 3e-8 r counts as a miss, as does everything that is not a number.
#pragma once

#include <swept/types.h>

#include "kernels/math/vec.h"

namespace swept::SWEPT_NS {

/// Farther than any hit.
constexpr real ray_miss = 1e30_r;

/// Points p + s u in the frame of a geom, those with s >= first.
struct Ray {
  Vec3<real> p;  ///< [m]
  Vec3<real> u;  ///< unit vector
  real first;    ///< [m]
};

/// Where a ray meets a surface.
struct RayHit {
  real at = ray_miss;             ///< [m] s of the point; ray_miss: nowhere
  Vec3<real> normal = {0, 0, 0};  ///< unit vector out of the shape, in the frame of the ray
};

/// Part of a line; empty if in > out.
struct Interval {
  real in, out;
};

SWEPT_FN Interval whole_line() {
  return {-ray_miss, ray_miss};
}
SWEPT_FN Interval no_part() {
  return {ray_miss, -ray_miss};
}
SWEPT_FN bool is_empty(Interval a) {
  return !(a.in <= a.out);
}

/// Where |p + s u| <= half.
SWEPT_FN Interval slab(real p, real u, real half) {
  if (!(abs(u) > 1e-15_r)) {
    return abs(p) <= half ? whole_line() : no_part();
  }
  const real inverse = 1_r / u;
  const real a = (-half - p) * inverse, b = (half - p) * inverse;
  return {min(a, b), max(a, b)};
}

/// Where |q + s w| <= r.
SWEPT_FN Interval ball(Vec3<real> q, Vec3<real> w, real r) {
  const real square = dot(w, w);
  if (!(square > 1e-30_r)) {
    return dot(q, q) <= r * r ? whole_line() : no_part();
  }
  const real middle = -dot(q, w) / square;
  const Vec3<real> nearest = q + w * middle;
  const real room = r * r - dot(nearest, nearest);
  if (!(room > 1e-15_r * r * r)) {
    return no_part();
  }
  const real half = sqrt(room / square);
  return {middle - half, middle + half};
}

/// The end of an interval that a ray meets: 0 `in`, 1 `out`, -1 none.
SWEPT_FN int end_met(Interval a, real first) {
  if (is_empty(a)) {
    return -1;
  }
  return a.in >= first && a.in < ray_miss ? 0 : (a.out >= first && a.out < ray_miss ? 1 : -1);
}

/// -1 or 1.
SWEPT_FN real side_of(real x) {
  return x < 0 ? -1_r : 1_r;
}

/// The plane z = 0, limited to |x| <= size.x and |y| <= size.y where these are positive.
SWEPT_FN RayHit ray_plane(const Ray& ray, Vec3<real> size) {
  RayHit hit;
  if (!(ray.u.z <= -1e-15_r)) {
    return hit;
  }
  const real s = -ray.p.z / ray.u.z;
  const real x = ray.p.x + s * ray.u.x, y = ray.p.y + s * ray.u.y;
  if (s >= ray.first && (size.x <= 0 || abs(x) <= size.x) && (size.y <= 0 || abs(y) <= size.y)) {
    hit.at = s;
    hit.normal = {0, 0, 1_r};
  }
  return hit;
}

/// A ball with semi-axes `radii`.
SWEPT_FN RayHit ray_ellipsoid(const Ray& ray, Vec3<real> radii) {
  // where every radius is 1
  const Vec3<real> scale = {1_r / radii.x, 1_r / radii.y, 1_r / radii.z};
  const auto scaled = [scale](Vec3<real> a) {
    return Vec3<real>{a.x * scale.x, a.y * scale.y, a.z * scale.z};
  };
  const Vec3<real> q = scaled(ray.p), w = scaled(ray.u);
  const Interval part = ball(q, w, 1_r);
  const int end = end_met(part, ray.first);
  RayHit hit;
  if (end >= 0) {
    hit.at = end == 0 ? part.in : part.out;
    // the gradient of the squared norm; scaled so that it does not overflow
    const real largest = max(radii.x, max(radii.y, radii.z));
    hit.normal = normalize(scaled((q + w * hit.at) * largest));
  }
  return hit;
}

SWEPT_FN RayHit ray_sphere(const Ray& ray, real radius) {
  const Interval part = ball(ray.p, ray.u, radius);
  const int end = end_met(part, ray.first);
  RayHit hit;
  if (end >= 0) {
    hit.at = end == 0 ? part.in : part.out;
    hit.normal = normalize(ray.p + ray.u * hit.at);
  }
  return hit;
}

/// The endless tube around the z axis.
SWEPT_FN Interval tube(const Ray& ray, real radius) {
  return ball({ray.p.x, ray.p.y, 0}, {ray.u.x, ray.u.y, 0}, radius);
}

SWEPT_FN Interval common_part(Interval a, Interval b) {
  return {max(a.in, b.in), min(a.out, b.out)};
}

/// All points within `radius` of the z axis between -half and half.
SWEPT_FN RayHit ray_capsule(const Ray& ray, real radius, real half) {
  Interval part = common_part(tube(ray, radius), slab(ray.p.z, ray.u.z, half));
  for (int side = -1; side <= 1; side += 2) {
    const Vec3<real> end = {0, 0, static_cast<real>(side) * half};
    const Interval cap = ball(ray.p - end, ray.u, radius);
    if (is_empty(part)) {
      part = cap;
    } else if (!is_empty(cap)) {
      part = {min(part.in, cap.in), max(part.out, cap.out)};
    }
  }
  const int end = end_met(part, ray.first);
  RayHit hit;
  if (end >= 0) {
    hit.at = end == 0 ? part.in : part.out;
    const Vec3<real> point = ray.p + ray.u * hit.at;
    hit.normal = normalize(point - Vec3<real>{0, 0, clamp(point.z, real(-half), half)});
  }
  return hit;
}

/// All points within `radius` of the z axis with |z| <= half.
SWEPT_FN RayHit ray_cylinder(const Ray& ray, real radius, real half) {
  const Interval side = tube(ray, radius), flats = slab(ray.p.z, ray.u.z, half);
  const Interval part = is_empty(side) || is_empty(flats) ? no_part() : common_part(side, flats);
  const int end = end_met(part, ray.first);
  RayHit hit;
  if (end >= 0) {
    hit.at = end == 0 ? part.in : part.out;
    const bool flat = end == 0 ? flats.in >= side.in : flats.out <= side.out;
    const real up = end == 0 ? -side_of(ray.u.z) : side_of(ray.u.z);
    const Vec3<real> point = ray.p + ray.u * hit.at;
    hit.normal = flat ? Vec3<real>{0, 0, up} : normalize(Vec3<real>{point.x, point.y, 0});
  }
  return hit;
}

SWEPT_FN RayHit ray_box(const Ray& ray, Vec3<real> half) {
  const Interval x = slab(ray.p.x, ray.u.x, half.x), y = slab(ray.p.y, ray.u.y, half.y),
                 z = slab(ray.p.z, ray.u.z, half.z);
  RayHit hit;
  if (is_empty(x) || is_empty(y) || is_empty(z)) {
    return hit;
  }
  const Interval part = common_part(x, common_part(y, z));
  const int end = end_met(part, ray.first);
  if (end < 0) {
    return hit;
  }
  hit.at = end == 0 ? part.in : part.out;
  // the face is the one of the slab that ends there
  const real out = end == 0 ? -1_r : 1_r;
  if ((end == 0 ? x.in : x.out) == hit.at) {
    hit.normal = {out * side_of(ray.u.x), 0, 0};
  } else if ((end == 0 ? y.in : y.out) == hit.at) {
    hit.normal = {0, out * side_of(ray.u.y), 0};
  } else {
    hit.normal = {0, 0, out * side_of(ray.u.z)};
  }
  return hit;
}

SWEPT_FN RayHit ray_any_shape(int type, const Ray& ray, Vec3<real> size) {
  switch (type) {
    case geom_plane:
      return ray_plane(ray, size);
    case geom_sphere:
      return ray_sphere(ray, size.x);
    case geom_capsule:
      return ray_capsule(ray, size.x, size.y);
    case geom_ellipsoid:
      return ray_ellipsoid(ray, size);
    case geom_cylinder:
      return ray_cylinder(ray, size.x, size.y);
    case geom_box:
      return ray_box(ray, size);
    default:
      return {};
  }
}

/// One of the shapes above; a mesh or a height field is not among them. Numbers that make no sense
/// give a miss.
///   type, size   GeomType, and sizes as in geom_size
SWEPT_FN RayHit ray_shape(int type, const Ray& ray, Vec3<real> size) {
  const RayHit hit = ray_any_shape(type, ray, size);
  return is_finite(hit.at) && is_finite(dot(hit.normal, hit.normal)) ? hit : RayHit{};
}

}  // namespace swept::SWEPT_NS
