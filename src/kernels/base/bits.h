// SPDX-License-Identifier: Apache-2.0
// The bits of a real: its format, and values V seen as unsigned integers of the same size and back.
//
//   sign | exponent, biased | mantissa
//
//   value = (1 + mantissa / 2^mantissa_bits) 2^(exponent - bias)
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/base/pack.h"

namespace swept::SWEPT_NS {

/// Whether the configuration computes in 32 bits.
constexpr bool is_f32 = sizeof(real) == 4;

/// The unsigned integer of the size of a real.
using uint_real = std::conditional_t<is_f32, std::uint32_t, std::uint64_t>;

constexpr int mantissa_bits = is_f32 ? 23 : 52;
constexpr int exponent_bias = is_f32 ? 127 : 1023;
constexpr uint_real sign_bit = uint_real(1) << (8 * sizeof(real) - 1);
constexpr uint_real mantissa_mask = (uint_real(1) << mantissa_bits) - 1;
constexpr real infinity = std::numeric_limits<real>::infinity();
constexpr real quiet_nan = std::numeric_limits<real>::quiet_NaN();
constexpr real largest_real = std::numeric_limits<real>::max();
/// The smallest positive number with a full mantissa.
constexpr real smallest_normal = std::numeric_limits<real>::min();

template <class V>
struct UintOf {
  using type = uint_real;
};
#ifdef SWEPT_PACKS
template <>
struct UintOf<pack> {
  using type = stdx::rebind_simd_t<uint_real, pack>;
};
static_assert(sizeof(UintOf<pack>::type) == sizeof(pack),
              "a pack of integers fills the same register");
#endif

/// The bits of a V: one unsigned integer per lane. It has + - & | ^ << >>, all modulo 2^32 or 2^64.
template <class V>
using uint_of = typename UintOf<V>::type;

/// The bits of a value.
template <class V>
SWEPT_FN uint_of<V> bits_of(V x) {
  return __builtin_bit_cast(uint_of<V>, x);
}

/// The value with these bits.
template <class V>
SWEPT_FN V of_bits(uint_of<V> b) {
  return __builtin_bit_cast(V, b);
}

/// |x|, by its sign bit: also -0 and NaN lose their sign.
template <class V>
SWEPT_FN V magnitude(V x) {
  return of_bits<V>(bits_of(x) & uint_of<V>(~sign_bit));
}

/// The sign bit of x, alone.
template <class V>
SWEPT_FN uint_of<V> sign_of(V x) {
  return bits_of(x) & uint_of<V>(sign_bit);
}

/// x with its sign flipped where `sign` has the sign bit.
template <class V>
SWEPT_FN V flip_sign(V x, uint_of<V> sign) {
  return of_bits<V>(bits_of(x) ^ sign);
}

/// 2^mantissa_bits: from here on all numbers are integers.
constexpr real first_of_integers = static_cast<real>(uint_real(1) << mantissa_bits);

/// Adding it to |x| < 2^(mantissa_bits - 1) rounds x to an integer, which then stands in the low
/// bits in two's complement.
constexpr real rounding_shift = is_f32 ? real(12582912) : real(6755399441055744);

/// The integer nearest to x, of two the even one; |x| < 2^(mantissa_bits - 1).
template <class V>
SWEPT_FN V round_to_integer(V x) {
  return (x + V(rounding_shift)) - V(rounding_shift);
}

/// 2^n for an integer n of the exponents of normal numbers; else a value without meaning.
template <class V>
SWEPT_FN V power_of_two(V n) {
  return of_bits<V>(bits_of(n + V(rounding_shift + real(exponent_bias))) << mantissa_bits);
}

}  // namespace swept::SWEPT_NS
