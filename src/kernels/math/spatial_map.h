// SPDX-License-Identifier: Apache-2.0
// Linear maps from motions to forces, such as the derivative of the force on a body with respect to
// its velocity: four 3 x 3 blocks
//
//   torque = tw w + tv v        force = fw w + fv v
//
// and the products of 3 x 3 matrices that they are made of. [a] is the matrix of a x.
// In memory a map is 36 numbers: the blocks in this order, each by rows.
#pragma once

#include "kernels/math/spatial.h"

namespace swept::SWEPT_NS {

// ---- 3 x 3 matrices -----------------------------------------------------------------------------

template <class V>
SWEPT_FN Mat3<V> operator+(Mat3<V> a, Mat3<V> b) {
  return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yx + b.yx, a.yy + b.yy,
          a.yz + b.yz, a.zx + b.zx, a.zy + b.zy, a.zz + b.zz};
}
template <class V>
SWEPT_FN Mat3<V> operator-(Mat3<V> a, Mat3<V> b) {
  return {a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yx - b.yx, a.yy - b.yy,
          a.yz - b.yz, a.zx - b.zx, a.zy - b.zy, a.zz - b.zz};
}
template <class V>
SWEPT_FN Mat3<V> operator*(Mat3<V> a, V s) {
  return {a.xx * s, a.xy * s, a.xz * s, a.yx * s, a.yy * s, a.yz * s, a.zx * s, a.zy * s, a.zz * s};
}
template <class V>
SWEPT_FN Mat3<V> transpose(Mat3<V> a) {
  return {a.xx, a.yx, a.zx, a.xy, a.yy, a.zy, a.xz, a.yz, a.zz};
}
template <class V>
SWEPT_FN Mat3<V> from_columns(Vec3<V> x, Vec3<V> y, Vec3<V> z) {
  return {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
}
template <class V>
SWEPT_FN Mat3<V> operator*(Mat3<V> a, Mat3<V> b) {
  return from_columns(a * column_x(b), a * column_y(b), a * column_z(b));
}

/// diag(a)
template <class V>
SWEPT_FN Mat3<V> diagonal(Vec3<V> a) {
  const V zero = V(0_r);
  return {a.x, zero, zero, zero, a.y, zero, zero, zero, a.z};
}
template <class V>
SWEPT_FN Mat3<V> zero33() {
  return diagonal(zero3<V>());
}
/// [a], with [a] b = a x b
template <class V>
SWEPT_FN Mat3<V> skew(Vec3<V> a) {
  const V zero = V(0_r);
  return {zero, -a.z, a.y, a.z, zero, -a.x, -a.y, a.x, zero};
}
/// a b^T
template <class V>
SWEPT_FN Mat3<V> outer(Vec3<V> a, Vec3<V> b) {
  return from_columns(a * b.x, a * b.y, a * b.z);
}
/// The element-wise product of vectors.
template <class V>
SWEPT_FN Vec3<V> times(Vec3<V> a, Vec3<V> b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

/// The inertia about the origin as a matrix.
template <class V>
SWEPT_FN Mat3<V> rotational(Inertia<V> a) {
  return {a.xx, a.xy, a.xz, a.xy, a.yy, a.yz, a.xz, a.yz, a.zz};
}

// ---- maps ---------------------------------------------------------------------------------------

template <class V>
struct SpatialMap {
  Mat3<V> tw, tv, fw, fv;

  SWEPT_FN friend SpatialMap operator+(const SpatialMap& a, const SpatialMap& b) {
    return {a.tw + b.tw, a.tv + b.tv, a.fw + b.fw, a.fv + b.fv};
  }
  SWEPT_FN friend Force<V> operator*(const SpatialMap& a, Motion<V> x) {
    return {a.tw * x.w + a.tv * x.v, a.fw * x.w + a.fv * x.v};
  }
};

template <class V>
SWEPT_FN SpatialMap<V> zero_map() {
  return {zero33<V>(), zero33<V>(), zero33<V>(), zero33<V>()};
}

/// The transposed map of a motion: dot(y, a x) = dot(x, transpose_mul(a, y)).
template <class V>
SWEPT_FN Force<V> transpose_mul(const SpatialMap<V>& a, Motion<V> y) {
  return {transpose_mul(a.tw, y.w) + transpose_mul(a.fw, y.v),
          transpose_mul(a.tv, y.w) + transpose_mul(a.fv, y.v)};
}

template <class V>
SWEPT_FN SpatialMap<V> operator*(const SpatialMap<V>& a, V s) {
  return {a.tw * s, a.tv * s, a.fw * s, a.fv * s};
}

/// A map between vectors along the columns of r, as one between vectors in the axes in which r is
/// given: r a r^T, block by block.
template <class V>
SWEPT_FN SpatialMap<V> turn(Mat3<V> r, const SpatialMap<V>& a) {
  const Mat3<V> back = transpose(r);
  return {r * (a.tw * back), r * (a.tv * back), r * (a.fw * back), r * (a.fv * back)};
}

/// A map between motions and forces at a point, as one about the origin; `lever` goes from there to
/// the point.
template <class V>
SWEPT_FN SpatialMap<V> move(Vec3<V> lever, const SpatialMap<V>& a) {
  const Mat3<V> cross = skew(lever);
  const Mat3<V> tw = a.tw - a.tv * cross, fw = a.fw - a.fv * cross;
  return {tw + cross * fw, a.tv + cross * a.fv, fw, a.fv};
}

// ---- fields -------------------------------------------------------------------------------------

template <class V>
SWEPT_FN SpatialMap<V> spatial_map(Ref<V> r) {
  return {mat3(r), mat3(Ref<V>(r.p + 9 * W)), mat3(Ref<V>(r.p + 18 * W)),
          mat3(Ref<V>(r.p + 27 * W))};
}
template <class V>
SWEPT_FN void put(Ref<V> r, const SpatialMap<V>& a) {
  put(r, a.tw);
  put(Ref<V>(r.p + 9 * W), a.tv);
  put(Ref<V>(r.p + 18 * W), a.fw);
  put(Ref<V>(r.p + 27 * W), a.fv);
}

}  // namespace swept::SWEPT_NS
