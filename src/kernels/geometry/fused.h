// SPDX-License-Identifier: Apache-2.0
// Products of vectors of three whose sums are fused: a dot product takes three instructions, where
// contraction is off and products and sums apart take five. The searches of this folder are bound
// by the number of instructions: on random boxes GJK became a quarter faster.
#pragma once

#include "kernels/math/vec.h"

namespace swept::SWEPT_NS {

template <class V>
[[gnu::always_inline]] SWEPT_FN V fused_dot(Vec3<V> a, Vec3<V> b) {
  return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}

/// a * b - c * d, the second product rounded.
template <class V>
[[gnu::always_inline]] SWEPT_FN V fused_difference(V a, V b, V c, V d) {
  return fma(a, b, -(c * d));
}

template <class V>
[[gnu::always_inline]] SWEPT_FN Vec3<V> fused_cross(Vec3<V> a, Vec3<V> b) {
  return {fused_difference(a.y, b.z, a.z, b.y), fused_difference(a.z, b.x, a.x, b.z),
          fused_difference(a.x, b.y, a.y, b.x)};
}

/// m v + shift.
template <class V>
[[gnu::always_inline]] SWEPT_FN Vec3<V> fused_mul(const Mat3<V>& m, Vec3<V> v, Vec3<V> shift) {
  return {fma(m.xx, v.x, fma(m.xy, v.y, fma(m.xz, v.z, shift.x))),
          fma(m.yx, v.x, fma(m.yy, v.y, fma(m.yz, v.z, shift.y))),
          fma(m.zx, v.x, fma(m.zy, v.y, fma(m.zz, v.z, shift.z)))};
}

/// The transpose of m times v.
template <class V>
[[gnu::always_inline]] SWEPT_FN Vec3<V> fused_transpose_mul(const Mat3<V>& m, Vec3<V> v) {
  return {fma(m.xx, v.x, fma(m.yx, v.y, m.zx * v.z)), fma(m.xy, v.x, fma(m.yy, v.y, m.zy * v.z)),
          fma(m.xz, v.x, fma(m.yz, v.y, m.zz * v.z))};
}

/// a + s b.
template <class V>
[[gnu::always_inline]] SWEPT_FN Vec3<V> fused_add(Vec3<V> a, V s, Vec3<V> b) {
  return {fma(s, b.x, a.x), fma(s, b.y, a.y), fma(s, b.z, a.z)};
}

}  // namespace swept::SWEPT_NS
