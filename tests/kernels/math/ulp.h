// SPDX-License-Identifier: Apache-2.0
// Errors in units in the last place, measured against a wider type: f32 against double, f64 against
// long double, whose own error is below 0.001 units of the narrow one.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>

#include "kernels/base/bits.h"

namespace swept::SWEPT_NS::test {

/// The type that knows better.
using wide = std::conditional_t<is_f32, double, long double>;

/// The real with these bits.
inline real real_of_bits(uint_real b) {
  real x;
  std::memcpy(&x, &b, sizeof x);
  return x;
}

inline uint_real bits_of_real(real x) {
  uint_real b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}

/// Whether two numbers have the same bits; all NaN are the same.
inline bool same(real a, real b) {
  return bits_of_real(a) == bits_of_real(b) || (std::isnan(a) && std::isnan(b));
}

/// A number as far from the largest one as that is from its neighbour stands for infinity.
inline wide finite(real x) {
  const wide beyond = std::ldexp(wide(1), std::numeric_limits<real>::max_exponent);
  return std::isinf(x) ? std::copysign(beyond, wide(x)) : wide(x);
}

/// |got - want| in units in the last place of want; infinite where only one of them is NaN.
inline double ulp_error(real got, wide want) {
  const real rounded = static_cast<real>(want);
  if (std::isnan(got) || std::isnan(rounded)) {
    return std::isnan(got) && std::isnan(rounded) ? 0.0 : std::numeric_limits<double>::infinity();
  }
  if (got == rounded && (std::isinf(got) || got == 0)) {
    return 0;
  }
  int exponent = 0;
  std::frexp(std::isinf(rounded) ? finite(rounded) / 2 : want, &exponent);
  exponent = std::max(exponent, std::numeric_limits<real>::min_exponent);
  const wide unit = std::ldexp(wide(1), exponent - std::numeric_limits<real>::digits);
  const wide target = std::isinf(rounded) ? finite(rounded) : want;
  return static_cast<double>(std::abs(finite(got) - target) / unit);
}

/// Source of arguments.
class Arguments {
 public:
  explicit Arguments(unsigned seed) : engine_(seed) {}

  /// All signs, exponents and mantissas alike; no NaN.
  real any() {
    for (;;) {
      const real x = real_of_bits(static_cast<uint_real>(engine_()));
      if (!std::isnan(x)) {
        return x;
      }
    }
  }
  real between(double lo, double hi) {
    return static_cast<real>(std::uniform_real_distribution<double>(lo, hi)(engine_));
  }
  /// A number within two steps of a multiple of pi/2.
  real near_quarter_turn(long limit) {
    const long n = std::uniform_int_distribution<long>(-limit, limit)(engine_);
    const real x = static_cast<real>(n * std::acos(0.0L));
    const uint_real step =
        static_cast<uint_real>(std::uniform_int_distribution<int>(-2, 2)(engine_));
    return n == 0 ? x : real_of_bits(bits_of_real(x) + step);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace swept::SWEPT_NS::test
