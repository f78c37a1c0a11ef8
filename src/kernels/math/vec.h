// SPDX-License-Identifier: Apache-2.0
// Vectors of three, quaternions and 3 x 3 matrices over a value type V (pack or real).
//
// A quaternion (w, x, y, z) maps body to world: v_world = rotate(q, v_body). Matrices are
// row-major; their columns are the body's axes in world coordinates.
#pragma once

#include "kernels/base/data.h"

namespace swept::SWEPT_NS {

template <class V>
struct Vec3 {
  V x, y, z;

  SWEPT_FN friend Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  SWEPT_FN friend Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  SWEPT_FN friend Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
  SWEPT_FN friend Vec3 operator*(Vec3 a, V s) { return {a.x * s, a.y * s, a.z * s}; }
  SWEPT_FN friend Vec3 operator*(V s, Vec3 a) { return {a.x * s, a.y * s, a.z * s}; }
};

template <class V>
struct Quat {
  V w, x, y, z;
};

template <class V>
struct Mat3 {
  V xx, xy, xz, yx, yy, yz, zx, zy, zz;
};

template <class V>
SWEPT_FN V dot(Vec3<V> a, Vec3<V> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class V>
SWEPT_FN Vec3<V> cross(Vec3<V> a, Vec3<V> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class V>
SWEPT_FN V norm(Vec3<V> a) {
  return sqrt(dot(a, a));
}

template <class V>
SWEPT_FN Vec3<V> select(mask_t<V> m, Vec3<V> a, Vec3<V> b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}

template <class V>
SWEPT_FN Vec3<V> zero3() {
  return {V(0), V(0), V(0)};
}

/// Hamilton product: the rotation b, then a.
template <class V>
SWEPT_FN Quat<V> operator*(Quat<V> a, Quat<V> b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

template <class V>
SWEPT_FN Quat<V> conjugate(Quat<V> q) {
  return {q.w, -q.x, -q.y, -q.z};
}

template <class V>
SWEPT_FN Mat3<V> select(mask_t<V> m, Mat3<V> a, Mat3<V> b) {
  return {select(m, a.xx, b.xx), select(m, a.xy, b.xy), select(m, a.xz, b.xz),
          select(m, a.yx, b.yx), select(m, a.yy, b.yy), select(m, a.yz, b.yz),
          select(m, a.zx, b.zx), select(m, a.zy, b.zy), select(m, a.zz, b.zz)};
}
template <class V>
SWEPT_FN Quat<V> select(mask_t<V> m, Quat<V> a, Quat<V> b) {
  return {select(m, a.w, b.w), select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}

/// q / |q|; the identity if |q| < 1e-15.
template <class V>
SWEPT_FN Quat<V> normalize(Quat<V> q) {
  const V length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  const mask_t<V> tiny = length < V(1e-15_r);
  const V scale = V(1_r) / select(tiny, V(1_r), length);
  return select(tiny, Quat<V>{V(1_r), V(0_r), V(0_r), V(0_r)},
                Quat<V>{q.w * scale, q.x * scale, q.y * scale, q.z * scale});
}

/// a / |a|; (1, 0, 0) if |a| < 1e-15.
template <class V>
SWEPT_FN Vec3<V> normalize(Vec3<V> a) {
  const V length = norm(a);
  const mask_t<V> tiny = length < V(1e-15_r);
  const V scale = V(1_r) / select(tiny, V(1_r), length);
  return select(tiny, Vec3<V>{V(1_r), V(0_r), V(0_r)}, a * scale);
}

/// The matrix of a unit quaternion.
template <class V>
SWEPT_FN Mat3<V> matrix(Quat<V> q) {
  const V ww = q.w * q.w, xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const V wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z, xy = q.x * q.y, xz = q.x * q.z,
          yz = q.y * q.z;
  const V two = V(2_r);
  return {ww + xx - yy - zz, two * (xy - wz), two * (xz + wy), two * (xy + wz),  ww - xx + yy - zz,
          two * (yz - wx),   two * (xz - wy), two * (yz + wx), ww - xx - yy + zz};
}

template <class V>
SWEPT_FN Vec3<V> operator*(Mat3<V> m, Vec3<V> v) {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.yx * v.x + m.yy * v.y + m.yz * v.z,
          m.zx * v.x + m.zy * v.y + m.zz * v.z};
}

/// The transpose of m times v.
template <class V>
SWEPT_FN Vec3<V> transpose_mul(Mat3<V> m, Vec3<V> v) {
  return {m.xx * v.x + m.yx * v.y + m.zx * v.z, m.xy * v.x + m.yy * v.y + m.zy * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}

template <class V>
SWEPT_FN Vec3<V> column_x(Mat3<V> m) {
  return {m.xx, m.yx, m.zx};
}
template <class V>
SWEPT_FN Vec3<V> column_y(Mat3<V> m) {
  return {m.xy, m.yy, m.zy};
}
template <class V>
SWEPT_FN Vec3<V> column_z(Mat3<V> m) {
  return {m.xz, m.yz, m.zz};
}

/// v turned by the unit quaternion q.
template <class V>
SWEPT_FN Vec3<V> rotate(Quat<V> q, Vec3<V> v) {
  return matrix(q) * v;
}

// ---- fields -------------------------------------------------------------------------------------
// Three, four or nine numbers from consecutive places, given the first: vec3(d.xpos(3 * body)),
// quat(d.xquat(4 * body)).
template <class V>
SWEPT_FN Vec3<V> vec3(Ref<V> r) {
  return {load<V>(r.p), load<V>(r.p + W), load<V>(r.p + 2 * W)};
}
template <class V>
SWEPT_FN Quat<V> quat(Ref<V> r) {
  return {load<V>(r.p), load<V>(r.p + W), load<V>(r.p + 2 * W), load<V>(r.p + 3 * W)};
}
template <class V>
SWEPT_FN Mat3<V> mat3(Ref<V> r) {
  return {load<V>(r.p),         load<V>(r.p + W),     load<V>(r.p + 2 * W),
          load<V>(r.p + 3 * W), load<V>(r.p + 4 * W), load<V>(r.p + 5 * W),
          load<V>(r.p + 6 * W), load<V>(r.p + 7 * W), load<V>(r.p + 8 * W)};
}
template <class V>
SWEPT_FN void put(Ref<V> r, Vec3<V> a) {
  store(r.p, a.x);
  store(r.p + W, a.y);
  store(r.p + 2 * W, a.z);
}
template <class V>
SWEPT_FN void put(Ref<V> r, Quat<V> q) {
  store(r.p, q.w);
  store(r.p + W, q.x);
  store(r.p + 2 * W, q.y);
  store(r.p + 3 * W, q.z);
}
template <class V>
SWEPT_FN void put(Ref<V> r, Mat3<V> m) {
  const V rows[9] = {m.xx, m.xy, m.xz, m.yx, m.yy, m.yz, m.zx, m.zy, m.zz};
  for (int i = 0; i < 9; ++i) {
    store(r.p + i * W, rows[i]);
  }
}

}  // namespace swept::SWEPT_NS
