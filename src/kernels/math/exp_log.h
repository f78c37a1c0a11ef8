// SPDX-License-Identifier: Apache-2.0
// Exponential, logarithm and power over a value type V.
//
//   exp   x = n ln 2 + r with |r| <= ln 2 / 2;   e^x = 2^n (1 + r + r^2 E(r))
//   log   x = 2^k m with m in [sqrt(1/2), sqrt 2);   s = (m - 1) / (m + 1), z = s^2;
//         ln x = k ln 2 + 2 s + s z (2/3 + z L(z))
//   pow   e^(y ln |x|), ln |x| and its product with y to twice the precision; then the rules of
//         C99 (annex F.9.4.4) for zero, infinity and negative x
//
// E and L are minimax polynomials. The logarithm is a Twofold, good to 2^-65 (f32: 2^-36) of
// itself, so that pow's result is good to its last bit.
#pragma once

#include "kernels/math/exact.h"

namespace swept::SWEPT_NS {

constexpr real log2_e = 0x1.71547652b82fep+0_r;
constexpr real ln2_1 = is_f32 ? 0x1.62e430p-1_r : 0x1.62e42fefa39efp-1_r;
constexpr real ln2_2 = is_f32 ? -0x1.05c610p-29_r : 0x1.abc9e3b39803fp-56_r;
/// ln 2 in two pieces, the first so short that its product with an exponent is exact.
constexpr real ln2_short = is_f32 ? 0x1.62e4p-1_r : 0x1.62e42fefa3p-1_r;
constexpr real ln2_rest = is_f32 ? 0x1.7f7d1cp-20_r : 0x1.3de6af278ece6p-42_r;

/// Below the first exp is zero, above the second infinite.
constexpr real exp_lowest = is_f32 ? -105_r : -746_r;
constexpr real exp_highest = is_f32 ? 89_r : 710_r;

/// e^(hi + lo); lo is small beside 1.
template <class V>
SWEPT_FN V exp_of(Twofold<V> x) {
  const V bounded = min(max(x.hi, V(exp_lowest)), V(exp_highest));
  const V n = round_to_integer(bounded * V(log2_e));
  const Twofold<V> r = two_sum(fma(-n, V(ln2_1), bounded), fma(-n, V(ln2_2), x.lo));

  V e;
  if constexpr (is_f32) {
    e = polynomial(r.hi, 0x1.000000p-1_r, 0x1.555490p-3_r, 0x1.555524p-5_r, 0x1.123a98p-7_r,
                   0x1.6d12e0p-10_r);
  } else {
    e = polynomial(r.hi, 0x1.000000000000cp-1_r, 0x1.5555555555556p-3_r, 0x1.555555554fd65p-5_r,
                   0x1.1111111110734p-7_r, 0x1.6c16c1863f2ddp-10_r, 0x1.a01a01a8d5a2dp-13_r,
                   0x1.a01994fb2c777p-16_r, 0x1.71de0ae32e039p-19_r, 0x1.28b1c2583c7a4p-22_r,
                   0x1.af3dad13233c3p-26_r);
  }
  const Twofold<V> head = fast_two_sum(V(1_r), r.hi);
  const V m = head.hi + (head.lo + fma(r.hi * r.hi, e, fma(r.hi, r.lo, r.lo)));

  // 2^n in two halves: neither leaves the exponents of normal numbers
  const V half = round_to_integer(n * V(0.5_r));
  return m * power_of_two(half) * power_of_two(n - half);
}

/// ln a for a positive finite number; else a value without meaning.
template <class V>
SWEPT_FN Twofold<V> log_of_positive(V a) {
  // exponent and mantissa; a denormal is scaled up first
  constexpr real up = is_f32 ? 0x1p32_r : 0x1p64_r;
  constexpr real up_exponent = is_f32 ? 32_r : 64_r;
  constexpr uint_real one = uint_real(exponent_bias) << mantissa_bits;
  constexpr uint_real sqrt_half = is_f32 ? uint_real(0x3f3504f3) : uint_real(0x3fe6a09e667f3bcdull);
  const mask_t<V> denormal = a < V(smallest_normal);
  const uint_of<V> b = bits_of(select(denormal, a * V(up), a));
  const uint_of<V> biased = (b + uint_of<V>(one - sqrt_half)) >> mantissa_bits;
  const V m = of_bits<V>(b - ((biased - uint_of<V>(uint_real(exponent_bias))) << mantissa_bits));
  // an integer in the low bits of 2^mantissa_bits
  constexpr uint_real integers_bits = uint_real(exponent_bias + mantissa_bits) << mantissa_bits;
  constexpr real bias = real(exponent_bias);
  const V k = (of_bits<V>(biased | uint_of<V>(integers_bits)) - V(first_of_integers)) -
              select(denormal, V(bias + up_exponent), V(bias));

  // s + s_lo = (m - 1) / (m + 1)
  const V f = m - V(1_r);
  const Twofold<V> d = fast_two_sum(V(2_r), f);
  const V scale = V(1_r) / d.hi;
  const V s = f * scale;
  const V s_lo = (fma(-s, d.hi, f) - s * d.lo) * scale;

  // p = 2/3 + z L(z), then s (2 + z p), with the low parts
  const Twofold<V> z = two_product(s, s);
  const V z_lo = fma(V(2_r) * s, s_lo, z.lo);
  V l;
  if constexpr (is_f32) {
    l = polynomial(z.hi, 0x1.999998p-2_r, 0x1.2493b6p-2_r, 0x1.c63daap-3_r, 0x1.908378p-3_r);
  } else {
    l = polynomial(z.hi, 0x1.9999999999996p-2_r, 0x1.2492492492f51p-2_r, 0x1.c71c71c5968f7p-3_r,
                   0x1.745d182956be4p-3_r, 0x1.3b1364c9290d8p-3_r, 0x1.11206f35fbb7ep-3_r,
                   0x1.de3d6ecbeab66p-4_r, 0x1.eac5d19fcd9f8p-4_r);
  }
  constexpr real two_thirds_lo = is_f32 ? -0x1.555556p-26_r : 0x1.5555555555555p-55_r;
  const Twofold<V> p = fast_two_sum(V(0x1.5555555555555p-1_r), z.hi * l);
  const V p_lo = p.lo + V(two_thirds_lo);
  const Twofold<V> u = two_product(z.hi, p.hi);
  const V u_lo = u.lo + fma(z.hi, p_lo, z_lo * p.hi);
  const Twofold<V> v = two_product(s, u.hi);
  const V v_lo = v.lo + fma(s, u_lo, s_lo * u.hi);
  const Twofold<V> log_m = fast_two_sum(V(2_r) * s, v.hi);
  const V log_m_lo = log_m.lo + fma(V(2_r), s_lo, v_lo);

  const Twofold<V> sum = fast_two_sum(k * V(ln2_short), log_m.hi);
  return fast_two_sum(sum.hi, sum.lo + fma(k, V(ln2_rest), log_m_lo));
}

template <class V>
SWEPT_FN V log_of(V x) {
  const V finite = log_of_positive(x).hi;
  const V at_end = select(x == V(0_r), V(-infinity), select(x > V(0_r), x, V(quiet_nan)));
  return select(x > V(0_r) && x <= V(largest_real), finite, at_end);
}

/// Where x is an integer; infinity is one, NaN is none.
template <class V>
SWEPT_FN mask_t<V> is_integer(V x) {
  const V a = magnitude(x);
  return a >= V(first_of_integers) || (a + V(first_of_integers)) - V(first_of_integers) == a;
}

template <class V>
SWEPT_FN V pow_of(V x, V y) {
  const V a = magnitude(x);
  const Twofold<V> l = log_of_positive(a);
  const mask_t<V> ordinary = a > V(0_r) && a <= V(largest_real);
  const V l_hi = select(ordinary, l.hi, select(a == V(0_r), V(-infinity), a));
  const V l_lo = select(ordinary, l.lo, V(0_r));

  // y ln a; beyond 1000 the low part has no meaning and no effect
  const V t = y * l_hi;
  const V t_lo = fma(y, l_lo, fma(y, l_hi, -t));
  const V power = exp_of(Twofold<V>{t, select(magnitude(t) < V(1000_r), t_lo, V(0_r))});

  const mask_t<V> odd = is_integer(y) && !is_integer(y * V(0.5_r));
  const V of_one = select(a == V(1_r) && y == y, V(1_r), power);
  const V sign = select(odd, of_bits<V>(sign_of(x)), V(0_r));
  const V of_sign = flip_sign(of_one, bits_of(sign));
  const mask_t<V> complex = x < V(0_r) && a <= V(largest_real) && !is_integer(y);
  const V of_negative = select(complex, V(quiet_nan), of_sign);
  return select(y == V(0_r) || x == V(1_r), V(1_r), of_negative);
}

}  // namespace swept::SWEPT_NS
