// SPDX-License-Identifier: Apache-2.0
// Random bodies as the shapes that colliders take, one per value V, and a collider by its kind.
#pragma once

#include <vector>

#include "kernels/collide/capsule.h"
#include "kernels/collide/capsule_box.h"
#include "kernels/collide/plane.h"
#include "kernels/collide/random_shapes.h"
#include "kernels/collide/round.h"
#include "kernels/collide/sphere.h"

namespace swept::SWEPT_NS {

/// V from one number per lane: lanes_of<V> of them from couples[first] on.
template <class V, class F>
V gather(const F& number, int first) {
  alignas(64) real values[lanes_of<V>];
  for (int l = 0; l < lanes_of<V>; ++l) {
    values[l] = static_cast<real>(number(first + l));
  }
  return load<V>(values);
}

/// The geoms a (which = 0) or b of couples first .. as shapes.
template <class V>
struct Gathered {
  const std::vector<swept::test::Couple>& couples;
  int which, first;

  const swept::test::Body& body(int i) const {
    const swept::test::Couple& c = couples[static_cast<std::size_t>(i)];
    return which == 0 ? c.a : c.b;
  }
  V pos(std::size_t k) const {
    return gather<V>([&](int i) { return body(i).pos[k]; }, first);
  }
  V mat(std::size_t k) const {
    return gather<V>([&](int i) { return body(i).mat[k]; }, first);
  }
  V size(std::size_t k) const {
    return gather<V>([&](int i) { return body(i).size[k]; }, first);
  }
  Vec3<V> place() const { return {pos(0), pos(1), pos(2)}; }
  Mat3<V> turn() const {
    return {mat(0), mat(1), mat(2), mat(3), mat(4), mat(5), mat(6), mat(7), mat(8)};
  }
  Vec3<V> axis() const { return {mat(2), mat(5), mat(8)}; }

  operator Plane<V>() const { return {place(), axis()}; }
  operator Sphere<V>() const { return {place(), axis(), size(0)}; }
  operator Capsule<V>() const { return {place(), axis(), size(0), size(1)}; }
  operator Ellipsoid<V>() const { return {place(), turn(), {size(0), size(1), size(2)}}; }
  operator Cylinder<V>() const { return {place(), turn(), size(0), size(1)}; }
  operator Box<V>() const { return {place(), turn(), {size(0), size(1), size(2)}}; }
};

/// The contacts of couples first .. first + lanes_of<V> - 1, all of one kind; a kind with fewer
/// than 8 leaves the rest without hits.
template <class V>
Hits<V, 8> collide_couples(int kind, const std::vector<swept::test::Couple>& couples, int first) {
  const Gathered<V> a{couples, 0, first}, b{couples, 1, first};
  const V margin = gather<V>(
      [&](int i) {
        const swept::test::Couple& c = couples[static_cast<std::size_t>(i)];
        return c.margin + c.gap;
      },
      first);
  Hits<V, 8> all = {};
  const auto keep = [&](const auto& hits) {
    std::size_t i = 0;
    for (const Hit<V>& hit : hits.at) {
      all.at[i++] = hit;
    }
  };
  switch (kind) {
    case collide_plane_sphere:
      keep(plane_sphere<V>(a, b, margin));
      break;
    case collide_plane_capsule:
      keep(plane_capsule<V>(a, b, margin));
      break;
    case collide_plane_box:
      keep(plane_box<V>(a, b, margin));
      break;
    case collide_sphere_sphere:
      keep(sphere_sphere<V>(a, b, margin));
      break;
    case collide_sphere_capsule:
      keep(sphere_capsule<V>(a, b, margin));
      break;
    case collide_sphere_box:
      keep(sphere_box<V>(a, b, margin));
      break;
    case collide_plane_ellipsoid:
      keep(plane_ellipsoid<V>(a, b, margin));
      break;
    case collide_plane_cylinder:
      keep(plane_cylinder<V>(a, b, margin));
      break;
    case collide_sphere_cylinder:
      keep(sphere_cylinder<V>(a, b, margin));
      break;
    case collide_capsule_box:
      keep(capsule_box<V>(a, b, margin));
      break;
    default:
      keep(capsule_capsule<V>(a, b, margin));
      break;
  }
  return all;
}

/// The contacts of one couple, and their number.
inline Hits<real, 8> collide_one(int kind, const swept::test::Couple& c) {
  return collide_couples<real>(kind, {c}, 0);
}
inline int count(const Hits<real, 8>& hits) {
  int n = 0;
  for (const Hit<real>& hit : hits.at) {
    n += hit.hit ? 1 : 0;
  }
  return n;
}

}  // namespace swept::SWEPT_NS
