// SPDX-License-Identifier: Apache-2.0
// What a collider takes and gives: geoms in the world, contacts.
#pragma once

#include "kernels/math/vec.h"

namespace swept::SWEPT_NS {

/// A half space below a plane.
template <class V>
struct Plane {
  Vec3<V> pos;     ///< [m] a point of it
  Vec3<V> normal;  ///< out of it
};

template <class V>
struct Sphere {
  Vec3<V> pos;   ///< [m] centre
  Vec3<V> axis;  ///< z axis of the geom
  V radius;      ///< [m]
};

/// All points within the radius of the segment pos +- axis * half.
template <class V>
struct Capsule {
  Vec3<V> pos;   ///< [m] centre
  Vec3<V> axis;  ///< unit vector
  V radius;      ///< [m]
  V half;        ///< [m] half length of the segment
};

template <class V>
struct Box {
  Vec3<V> pos;   ///< [m] centre
  Mat3<V> mat;   ///< columns are its axes
  Vec3<V> half;  ///< [m] half sizes
};

template <class V>
struct Ellipsoid {
  Vec3<V> pos;    ///< [m] centre
  Mat3<V> mat;    ///< columns are its axes
  Vec3<V> radii;  ///< [m] semi-axes
};

/// All points within the radius of the z axis, between the two ends.
template <class V>
struct Cylinder {
  Vec3<V> pos;  ///< [m] centre
  Mat3<V> mat;  ///< columns are its axes
  V radius;     ///< [m]
  V half;       ///< [m] half length
};

/// One contact in the lanes where hit is set; elsewhere its numbers mean nothing.
template <class V>
struct Hit {
  mask_t<V> hit;
  V dist;           ///< [m] negative: penetration
  Vec3<V> pos;      ///< [m] midway between the surfaces
  Vec3<V> normal;   ///< from shape 1 to shape 2
  Vec3<V> tangent;  ///< first tangent, zero: any
};

/// Up to N contacts of one pair. The contacts of a lane are those with hit set, in this order.
template <class V, int N>
struct Hits {
  Hit<V> at[N];
};

}  // namespace swept::SWEPT_NS
