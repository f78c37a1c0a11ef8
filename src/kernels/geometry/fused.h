// SPDX-License-Identifier: Apache-2.0
// Products of vectors of three whose sums are fused: a dot product takes three
// instructions, where contraction is off and products and sums apart take five.
// The searches of this folder are bound by the number of instructions: on
// random boxes GJK became a quarter faster.
#pragma once

#include "kernels/math/vec.h"

namespace swept::SWEPT_NS {

[[gnu::always_inline]] SWEPT_FN real fused_dot(Vec3<real> a, Vec3<real> b) {
  return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}

/// a * b - c * d, the second product rounded.
[[gnu::always_inline]] SWEPT_FN real fused_difference(real a, real b, real c, real d) {
  return fma(a, b, -(c * d));
}

[[gnu::always_inline]] SWEPT_FN Vec3<real> fused_cross(Vec3<real> a, Vec3<real> b) {
  return {fused_difference(a.y, b.z, a.z, b.y), fused_difference(a.z, b.x, a.x, b.z),
          fused_difference(a.x, b.y, a.y, b.x)};
}

/// m v + shift.
[[gnu::always_inline]] SWEPT_FN Vec3<real> fused_mul(const Mat3<real>& m, Vec3<real> v,
                                                     Vec3<real> shift) {
  return {fma(m.xx, v.x, fma(m.xy, v.y, fma(m.xz, v.z, shift.x))),
          fma(m.yx, v.x, fma(m.yy, v.y, fma(m.yz, v.z, shift.y))),
          fma(m.zx, v.x, fma(m.zy, v.y, fma(m.zz, v.z, shift.z)))};
}

/// The transpose of m times v.
[[gnu::always_inline]] SWEPT_FN Vec3<real> fused_transpose_mul(const Mat3<real>& m, Vec3<real> v) {
  return {fma(m.xx, v.x, fma(m.yx, v.y, m.zx * v.z)), fma(m.xy, v.x, fma(m.yy, v.y, m.zy * v.z)),
          fma(m.xz, v.x, fma(m.yz, v.y, m.zz * v.z))};
}

/// a + s b.
[[gnu::always_inline]] SWEPT_FN Vec3<real> fused_add(Vec3<real> a, real s, Vec3<real> b) {
  return {fma(s, b.x, a.x), fma(s, b.y, a.y), fma(s, b.z, a.z)};
}

}  // namespace swept::SWEPT_NS
