// SPDX-License-Identifier: Apache-2.0
// Packs whose lanes are parts of one thing (vertices, faces) and not environments: which lanes a
// mask has, which is the least, runs of numbers at any address, and `four`, a value of four lanes
// at most. On CUDA all have one.
#pragma once

#include <cstdint>

#include "kernels/base/pack.h"

namespace swept::SWEPT_NS {

/// The lanes of a mask: lane l is bit l.
SWEPT_FN unsigned lanes_in(bool m) {
  return m ? 1u : 0u;
}

/// How many bits are set.
SWEPT_FN int bit_count(std::uint64_t bits) {
#ifdef SWEPT_PACKS
  return __builtin_popcountll(bits);
#else
  int count = 0;
  for (; bits != 0; bits &= bits - 1) {
    ++count;
  }
  return count;
#endif
}

// ---- four lanes ---------------------------------------------------------------------------------

#ifdef SWEPT_PACKS
/// Few lanes, for things that come in fours to eights: a pack of 16 would be filled with more than
/// there is.
using four = stdx::simd<real, stdx::simd_abi::deduce_t<real, 4>>;
constexpr int four_lanes = 4;

[[gnu::always_inline]] SWEPT_FN __m128 fused_four(__m128 a, __m128 b, __m128 c) {
  return _mm_fmadd_ps(a, b, c);
}
[[gnu::always_inline]] SWEPT_FN __m256d fused_four(__m256d a, __m256d b, __m256d c) {
  return _mm256_fmadd_pd(a, b, c);
}
/// a b + c in one rounding.
[[gnu::always_inline]] SWEPT_FN four fused(four a, four b, four c) {
  using lanes [[gnu::vector_size(four_lanes * sizeof(real))]] = real;
  return four(fused_four(static_cast<lanes>(a), static_cast<lanes>(b), static_cast<lanes>(c)));
}
/// m ? a : b, without a call.
template <class T, class Abi>
[[gnu::always_inline]] SWEPT_FN stdx::simd<T, Abi> choose(stdx::simd_mask<T, Abi> m,
                                                          stdx::simd<T, Abi> a,
                                                          stdx::simd<T, Abi> b) {
  stdx::where(m, b) = a;
  return b;
}
[[gnu::always_inline]] SWEPT_FN four root(four a) {
  return stdx::sqrt(a);
}
/// The values of(0), of(1), ...
template <class Of>
[[gnu::always_inline]] SWEPT_FN four gather(const Of& of) {
  return four([&](auto l) { return of(static_cast<int>(l)); });
}
/// Lane l.
[[gnu::always_inline]] SWEPT_FN real part(four a, int l) {
  return a[static_cast<std::size_t>(l)];
}
#else
using four = real;
constexpr int four_lanes = 1;

SWEPT_FN real choose(bool m, real a, real b) {
  return m ? a : b;
}
SWEPT_FN four root(four a) {
  return sqrt(a);
}
template <class Of>
SWEPT_FN four gather(const Of& of) {
  return of(0);
}
SWEPT_FN real part(four a, int) {
  return a;
}

SWEPT_FN four fused(four a, four b, four c) {
  return fma(a, b, c);
}
#endif

// ---- packs --------------------------------------------------------------------------------------

#ifndef SWEPT_PACKS
SWEPT_FN pack load_run(const real* p) {
  return element(p);
}
SWEPT_FN real least_lane(real a) {
  return a;
}
SWEPT_FN real most_lane(real a) {
  return a;
}
SWEPT_FN int first_bit(std::uint64_t bits) {
  return bit_count((bits & (~bits + 1)) - 1);
}
#else
template <class M>
[[gnu::always_inline]] SWEPT_FN unsigned lanes_in(M m) {
  if constexpr (sizeof(M) == 1) {
    return __builtin_bit_cast(std::uint8_t, m);
  } else if constexpr (sizeof(M) == 2) {
    return __builtin_bit_cast(std::uint16_t, m);
  } else if constexpr (sizeof(M) == 16) {
    return static_cast<unsigned>(_mm_movemask_ps(__builtin_bit_cast(__m128, m)));
  } else if constexpr (sizeof(real) == 4) {
    return static_cast<unsigned>(_mm256_movemask_ps(__builtin_bit_cast(__m256, m)));
  } else {
    return static_cast<unsigned>(_mm256_movemask_pd(__builtin_bit_cast(__m256d, m)));
  }
}
/// Numbers that stand side by side, at any address.
[[gnu::always_inline]] SWEPT_FN pack load_run(const real* p) {
  return pack(p, stdx::element_aligned);
}
/// The first bit that is set; there is one.
[[gnu::always_inline]] SWEPT_FN int first_bit(std::uint64_t bits) {
  return __builtin_ctzll(bits);
}
/// The smallest and the largest lane.
template <class V>
[[gnu::always_inline]] SWEPT_FN real least_lane(V a) {
  return stdx::hmin(a);
}
template <class V>
[[gnu::always_inline]] SWEPT_FN real most_lane(V a) {
  return stdx::hmax(a);
}
#endif

}  // namespace swept::SWEPT_NS
