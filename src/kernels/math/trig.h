// SPDX-License-Identifier: Apache-2.0
// Sine, cosine and tangent over a value type V. After the reduction to |r| <= pi/4 (reduce.h), with
// z = r^2,
//
//   sin r = r + r z S(z)        cos r = 1 - z/2 + z^2 C(z)
//
// S and C are minimax polynomials; the low part of r enters to first order. Both come as Twofolds,
// which the tangent divides.
#pragma once

#include "kernels/math/reduce.h"

namespace swept::SWEPT_NS {

template <class V>
struct SinCos {
  Twofold<V> sin, cos;
};

/// Sine and cosine of the rest of a reduction.
template <class V>
SWEPT_FN SinCos<V> sin_cos_of_rest(Twofold<V> r) {
  const V z = r.hi * r.hi;
  const V half_z = V(0.5_r) * z;
  V s, c;
  if constexpr (is_f32) {
    s = polynomial(z, -0x1.555546p-3_r, 0x1.11076ap-7_r, -0x1.994c22p-13_r);
    c = polynomial(z, 0x1.55554ap-5_r, -0x1.6c0c1ap-10_r, 0x1.99e0f2p-16_r);
  } else {
    s = polynomial(z, -0x1.5555555555548p-3_r, 0x1.111111110f70ap-7_r, -0x1.a01a019be0e1ep-13_r,
                   0x1.71de354b91a0dp-19_r, -0x1.ae5e426238ccap-26_r, 0x1.5d884852374fcp-33_r);
    c = polynomial(z, 0x1.555555555554bp-5_r, -0x1.6c16c16c14ff9p-10_r, 0x1.a01a019c8981bp-16_r,
                   -0x1.27e4f7eb6c89ep-22_r, 0x1.1ee9d64935c70p-29_r, -0x1.8fa2ffde55ce2p-37_r);
  }

  const V tail_sin = fma(z * r.hi, s, fma(-half_z, r.lo, r.lo));
  // 1 - z/2 with the error of z and of the difference
  const V z_error = fma(r.hi, r.hi, -z);
  const V head = V(1_r) - half_z;
  const V head_error = (V(1_r) - head) - half_z;
  const V tail_cos = fma(z * z, c, head_error - fma(r.hi, r.lo, V(0.5_r) * z_error));
  return {fast_two_sum(r.hi, tail_sin), fast_two_sum(head, tail_cos)};
}

/// Sine and cosine of |x|, up to their signs: exchanged in odd quadrants.
template <class V>
SWEPT_FN SinCos<V> sin_cos_unsigned(ReducedAngle<V> r) {
  const SinCos<V> s = sin_cos_of_rest(r.rest);
  // the lowest bit of the quadrant, as the highest bit of an exponent, makes a two
  const mask_t<V> odd =
      of_bits<V>((r.quadrant & uint_of<V>(1)) << (8 * sizeof(real) - 2)) != V(0_r);
  return {{select(odd, s.cos.hi, s.sin.hi), select(odd, s.cos.lo, s.sin.lo)},
          {select(odd, s.sin.hi, s.cos.hi), select(odd, s.sin.lo, s.cos.lo)}};
}

/// The second bit of the quadrant, as a sign.
template <class V>
SWEPT_FN uint_of<V> sign_of_quadrant(uint_of<V> quadrant) {
  return (quadrant & uint_of<V>(2)) << (8 * sizeof(real) - 2);
}

template <class V>
SWEPT_FN void sincos_of(V x, V* s, V* c) {
  const ReducedAngle<V> r = reduce_quadrants(x);
  const SinCos<V> both = sin_cos_unsigned(r);
  *s = flip_sign(both.sin.hi, sign_of_quadrant<V>(r.quadrant) ^ sign_of(x));
  *c = flip_sign(both.cos.hi, sign_of_quadrant<V>(r.quadrant + uint_of<V>(1)));
}

template <class V>
SWEPT_FN V sin_of(V x) {
  const ReducedAngle<V> r = reduce_quadrants(x);
  return flip_sign(sin_cos_unsigned(r).sin.hi, sign_of_quadrant<V>(r.quadrant) ^ sign_of(x));
}

template <class V>
SWEPT_FN V cos_of(V x) {
  const ReducedAngle<V> r = reduce_quadrants(x);
  return flip_sign(sin_cos_unsigned(r).cos.hi, sign_of_quadrant<V>(r.quadrant + uint_of<V>(1)));
}

template <class V>
SWEPT_FN V tan_of(V x) {
  const ReducedAngle<V> r = reduce_quadrants(x);
  const SinCos<V> both = sin_cos_unsigned(r);
  // (s + s') / (c + c') = q + (s - q c + s' - q c') / c
  const V scale = V(1_r) / both.cos.hi;
  const V q = both.sin.hi * scale;
  const V error = fma(-q, both.cos.hi, both.sin.hi) + fma(-q, both.cos.lo, both.sin.lo);
  const uint_of<V> sign =
      sign_of_quadrant<V>(r.quadrant) ^ sign_of_quadrant<V>(r.quadrant + uint_of<V>(1));
  return flip_sign(fma(error, scale, q), sign ^ sign_of(x));
}

}  // namespace swept::SWEPT_NS
