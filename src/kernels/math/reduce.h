// SPDX-License-Identifier: Apache-2.0
// Reduction of an angle to an eighth of a turn: |x| = (quadrant + 4 k) pi/2 + hi + lo with |hi| a
// little above pi/4 at most.
//
//   |x| <= reduce_limit   Cody and Waite: n = |x| 2/pi rounded; |x| - n P1 - n P2 - n P3, where
//                         P1 + P2 + P3 is pi/2 to three times the precision. The first product is
//                         subtracted exactly by fma(), the second by exact sums, so digits survive
//                         next to a multiple of pi/2.
//   larger                Payne and Hanek: |x| = m 2^e with an integer m. Bits of 2/pi whose
//                         product with m 2^e is a multiple of four do not matter; the seven words
//                         after them give the quadrant and 128 bits of the fraction. Integers only,
//                         lane by lane, taken if a lane needs it.
// An infinite angle gives NaN.
#pragma once

#include "kernels/math/exact.h"

namespace swept::SWEPT_NS {

constexpr real half_pi_1 = is_f32 ? 0x1.921fb6p+0_r : 0x1.921fb54442d18p+0_r;
constexpr real half_pi_2 = is_f32 ? -0x1.777a5cp-25_r : 0x1.1a62633145c07p-54_r;
constexpr real half_pi_3 = is_f32 ? -0x1.ee59dap-50_r : -0x1.f1976b7ed8fbcp-110_r;
constexpr real two_over_pi = 0x1.45f306dc9c883p-1_r;

/// The largest angle of the quick way: its number of quadrants is known to a hundredth.
constexpr real reduce_limit = is_f32 ? 0x1p16_r : 0x1p30_r;

template <class V>
struct ReducedAngle {
  Twofold<V> rest;      ///< hi + lo
  uint_of<V> quadrant;  ///< its two lowest bits count
};

/// 32 bits of a number that is stored in 32-bit words, the lowest first, from bit `first` on.
SWEPT_FN std::uint32_t bits_from(const std::uint32_t* words, int first) {
  const int word = first / 32;
  const std::uint64_t both = words[word] | (static_cast<std::uint64_t>(words[word + 1]) << 32);
  return static_cast<std::uint32_t>(both >> (first % 32));
}

/// product = m times the seven words of 2/pi from word `first` on; eleven words, the lowest first,
/// the last two are zero.
SWEPT_FN void multiply_two_over_pi(std::uint64_t m, int first, std::uint32_t* product) {
  // 2/pi after the binary point
  constexpr std::uint32_t words[40] = {
      0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
      0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
      0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b,
      0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
      0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
      0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};
  for (int i = 0; i < 11; ++i) {
    product[i] = 0;
  }
  for (int half = 0; half < 2; ++half) {
    const std::uint64_t factor = static_cast<std::uint32_t>(m >> (32 * half));
    std::uint64_t carry = 0;
    for (int i = 0; i < 7; ++i) {
      carry += factor * words[first + 6 - i] + product[i + half];
      product[i + half] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    product[7 + half] = static_cast<std::uint32_t>(carry);
  }
}

/// The reduction of one finite angle above reduce_limit, by Payne and Hanek.
SWEPT_FN ReducedAngle<real> reduce_huge(real x) {
  const uint_real b = bits_of(x);
  const std::uint64_t m = (b & mantissa_mask) | (uint_real(1) << mantissa_bits);
  const int e = static_cast<int>((b & ~sign_bit) >> mantissa_bits) - exponent_bias - mantissa_bits;
  const int first = e > 2 ? (e - 2) / 32 : 0;
  std::uint32_t product[11];
  multiply_two_over_pi(m, first, product);

  // the binary point of the product stands below bit `point`; a fraction of a half and more counts
  // down from the next quadrant
  const int point = 224 + 32 * first - e;
  std::uint32_t quadrant = bits_from(product, point);
  const bool down = (product[(point - 1) / 32] >> ((point - 1) % 32) & 1u) != 0;
  quadrant += down ? 1u : 0u;

  // the fraction, from its lowest sixteen bits of 128 on; the complement is the negative but for
  // 2^-128
  Twofold<real> sum{0, 0};
  for (int i = 4; i > 0; --i) {
    const std::uint32_t word = bits_from(product, point - 32 * i) ^ (down ? 0xffffffffu : 0u);
    for (int half = 0; half < 2; ++half) {
      const std::uint32_t digits = half == 0 ? word & 0xffffu : word >> 16;
      const Twofold<real> next = two_sum(static_cast<real>(digits), sum.hi);
      sum = {next.hi * 0x1p-16_r, (next.lo + sum.lo) * 0x1p-16_r};
    }
  }

  // quadrants to radians
  const Twofold<real> fraction = fast_two_sum(sum.hi, sum.lo);
  const Twofold<real> angle = two_product(fraction.hi, half_pi_1);
  const real lo = angle.lo + (fraction.hi * half_pi_2 + fraction.lo * half_pi_1);
  const Twofold<real> rest = fast_two_sum(angle.hi, lo);
  return {{down ? -rest.hi : rest.hi, down ? -rest.lo : rest.lo}, quadrant};
}

/// The lanes of x above reduce_limit, one after the other.
template <class V>
SWEPT_FN void reduce_huge_lanes(V x, ReducedAngle<V>* r) {
  if constexpr (lanes_of<V> == 1) {
    *r = reduce_huge(x);
  } else {
    for (int l = 0; l < lanes_of<V>; ++l) {
      const real angle = lane(x, l);
      if (angle > reduce_limit && angle <= largest_real) {
        const ReducedAngle<real> one = reduce_huge(angle);
        const std::size_t at = static_cast<std::size_t>(l);
        r->rest.hi[at] = one.rest.hi;
        r->rest.lo[at] = one.rest.lo;
        r->quadrant[at] = one.quadrant;
      }
    }
  }
}

/// The reduction of |x|; see the top of the file.
template <class V>
SWEPT_FN ReducedAngle<V> reduce_quadrants(V x) {
  const V a = magnitude(x);
  const V shifted = fma(a, V(two_over_pi), V(rounding_shift));
  const V n = shifted - V(rounding_shift);
  const Twofold<V> second = two_product(n, V(half_pi_2));
  const Twofold<V> difference = two_sum(fma(-n, V(half_pi_1), a), -second.hi);
  const V lo = fma(-n, V(half_pi_3), difference.lo - second.lo);
  ReducedAngle<V> r{fast_two_sum(difference.hi, lo), bits_of(shifted)};
  if (any_of(a > V(reduce_limit) && a <= V(largest_real))) {
    reduce_huge_lanes(a, &r);
  }
  return r;
}

}  // namespace swept::SWEPT_NS
