// SPDX-License-Identifier: Apache-2.0
// The inverses of the trigonometric functions over a value type V.
//
//   atan2  with a = min(|x|, |y|), b = max: atan(a / b), above tan(pi/8) as
//          pi/4 + atan((a - b) / (a + b)); the quotient as a Twofold;
//          atan t = t + t z A(z), z = t^2; then the octant
//   asin   up to 1/2: t + t z I(z), z = t^2;
//          above: pi/2 - 2 asin(sqrt((1 - |x|) / 2)), the square root as a Twofold
//   acos   likewise
//
// A and I are minimax polynomials. Constants of pi are Twofolds.
#pragma once

#include "kernels/math/reduce.h"

namespace swept::SWEPT_NS {

/// (atan t - t) / t^3 of z = t^2 for |t| <= tan(pi/8).
template <class V>
SWEPT_FN V atan_polynomial(V z) {
  if constexpr (is_f32) {
    return polynomial(z, -0x1.55554ap-2_r, 0x1.9991e8p-3_r, -0x1.23ba42p-3_r, 0x1.b22eccp-4_r,
                      -0x1.f31d68p-5_r);
  } else {
    return polynomial(z, -0x1.555555555553dp-2_r, 0x1.999999999589ap-3_r, -0x1.24924922af561p-3_r,
                      0x1.c71c70e6ffa1cp-4_r, -0x1.745cf8f9e2b11p-4_r, 0x1.3b111b3ad1e59p-4_r,
                      -0x1.10ebd081f08f8p-4_r, 0x1.df10a823d9f1fp-5_r, -0x1.9cd8c1a9e5d46p-5_r,
                      0x1.37e48ab19cc89p-5_r, -0x1.258a09a098f41p-6_r);
  }
}

/// (asin t - t) / t^3 of z = t^2 for |t| <= 1/2.
template <class V>
SWEPT_FN V asin_polynomial(V z) {
  if constexpr (is_f32) {
    return polynomial(z, 0x1.55554cp-3_r, 0x1.3338aap-4_r, 0x1.6ca7dcp-5_r, 0x1.04cd0cp-5_r,
                      0x1.d589f0p-7_r, 0x1.349e4ap-5_r);
  } else {
    return polynomial(z, 0x1.5555555555578p-3_r, 0x1.333333332df20p-4_r, 0x1.6db6db722ad4bp-5_r,
                      0x1.f1c71a8bd2c86p-6_r, 0x1.6e8bdfe0de864p-6_r, 0x1.1c49de636dc34p-6_r,
                      0x1.ca213b8fe4283p-7_r, 0x1.7577d1759933ep-7_r, 0x1.61894a98f8976p-7_r,
                      0x1.e17039b929ecbp-9_r, 0x1.64fbd2ea038f5p-6_r, -0x1.59ee01156a5a0p-6_r,
                      0x1.0be1cdd244b63p-5_r);
  }
}

/// atan2 of magnitudes 0 <= a <= b with 0 < b, both finite: atan(a / b).
template <class V>
SWEPT_FN Twofold<V> atan_of_ratio(V a, V b) {
  // away from the ends of the exponents, so that sums and remainders are exact enough
  constexpr real far = is_f32 ? first_of_integers * 128_r
                              : first_of_integers * first_of_integers * first_of_integers;
  constexpr real large = largest_real / far;
  constexpr real small = smallest_normal * far * far;
  const V scale = select(b > V(large), V(1_r / far), select(b < V(small), V(far), V(1_r)));
  const V p = a * scale;
  const V q = b * scale;

  // numerator and denominator
  constexpr real tan_eighth = 0x1.a827999fcef32p-2_r;
  const mask_t<V> wide = p > q * V(tan_eighth);
  const Twofold<V> difference = fast_two_sum(-q, p);
  const Twofold<V> sum = fast_two_sum(q, p);
  const V top = select(wide, difference.hi, p);
  const V top_lo = select(wide, difference.lo, V(0_r));
  const V bottom = select(wide, sum.hi, q);
  const V bottom_lo = select(wide, sum.lo, V(0_r));

  // t + t_lo = top / bottom, whose arc tangent has the slope 1 / (1 + t^2)
  const V t = top / bottom;
  const V z = t * t;
  const V t_lo = ((fma(-t, bottom, top) + fma(-t, bottom_lo, top_lo)) / bottom) * (V(1_r) - z);
  const V tail = fma(t * z, atan_polynomial(z), t_lo);
  const V offset = select(wide, V(0.5_r * half_pi_1), V(0_r));
  const V offset_lo = select(wide, V(0.5_r * half_pi_2), V(0_r));
  const Twofold<V> main = two_sum(offset, t);
  return fast_two_sum(main.hi, main.lo + (offset_lo + tail));
}

template <class V>
SWEPT_FN V atan2_of(V y, V x) {
  const V ay = magnitude(y);
  const V ax = magnitude(x);
  const mask_t<V> steep = ay > ax;
  const V low = select(steep, ax, ay);
  const V high = select(steep, ay, ax);

  // infinity over infinity counts as one, anything else over infinity as zero, and zero over zero
  // as zero
  const mask_t<V> endless = high > V(largest_real);
  const V a = select(endless, select(low > V(largest_real), V(1_r), V(0_r)), low);
  const V b = select(endless || high == V(0_r), V(1_r), high);
  const Twofold<V> first = atan_of_ratio(a, b);

  // reflections: angle = base -+ first; base is a multiple of pi/2
  const mask_t<V> left = of_bits<V>(sign_of(x) | bits_of(V(1_r))) < V(0_r);
  const V quarters = select(steep, V(1_r), select(left, V(2_r), V(0_r)));
  // minus in the second and in the fourth octant: steep and right, or flat and left
  const V turn = select(steep, select(left, V(1_r), V(-1_r)), select(left, V(-1_r), V(1_r)));
  const Twofold<V> sum = fast_two_sum(quarters * V(half_pi_1), turn * first.hi);
  const V angle = sum.hi + (sum.lo + fma(turn, first.lo, quarters * V(half_pi_2)));
  return select(x == x && y == y, flip_sign(angle, sign_of(y)), x + y);
}

/// What asin and acos share: asin(t) for t = |x|, or t = sqrt((1 - |x|) / 2) where |x| is above a
/// half.
template <class V>
struct AsinParts {
  mask_t<V> outer;  ///< |x| > 1/2
  V t;
  V tail;  ///< asin(t) = t + tail
};

template <class V>
SWEPT_FN AsinParts<V> asin_parts(V a) {
  const mask_t<V> outer = a > V(0.5_r);
  // |x| above 1 gives the square root of a negative number: NaN
  const V folded = (V(1_r) - a) * V(0.5_r);
  const V root = sqrt(folded);
  const V z = select(outer, folded, a * a);
  const V t = select(outer, root, a);
  const V root_error = fma(-root, root, folded) / select(root == V(0_r), V(1_r), V(2_r) * root);
  const V t_lo = select(outer, root_error, V(0_r));
  return {outer, t, fma(t * z, asin_polynomial(z), t_lo)};
}

template <class V>
SWEPT_FN V asin_of(V x) {
  const AsinParts<V> p = asin_parts(magnitude(x));
  const Twofold<V> rest = fast_two_sum(V(half_pi_1), V(-2_r) * p.t);
  const V outer = rest.hi + (rest.lo + fma(V(-2_r), p.tail, V(half_pi_2)));
  return flip_sign(select(p.outer, outer, p.t + p.tail), sign_of(x));
}

template <class V>
SWEPT_FN V acos_of(V x) {
  const AsinParts<V> p = asin_parts(magnitude(x));
  // pi/2 -+ asin|x| inside; 2 asin(t) or pi - 2 asin(t) outside
  const mask_t<V> negative = x < V(0_r);
  const V base = select(p.outer, select(negative, V(2_r), V(0_r)), V(1_r));
  const V factor = select(p.outer, V(2_r), V(1_r)) * select(negative == p.outer, V(-1_r), V(1_r));
  const Twofold<V> sum = two_sum(base * V(half_pi_1), factor * p.t);
  return sum.hi + (sum.lo + fma(factor, p.tail, base * V(half_pi_2)));
}

}  // namespace swept::SWEPT_NS
