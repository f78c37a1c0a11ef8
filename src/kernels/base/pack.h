// SPDX-License-Identifier: Apache-2.0
// pack: environments side by side.
//
//              CPU                                          CUDA
//   pack       the SIMD vector of the instruction set       real: the thread is the lane
//   W          its number of lanes                          8: a 32-byte sector of f32
//
// SWEPT_ONE_LANE makes the CPU compile as CUDA does, for tests of what neighbouring lanes do.
//
// Stages whose control flow depends on the model alone are templates over the value type V, which
// is `pack`, or `real` for one environment. Both give the same bits: lanes never mix,
// floating-point contraction is off in every configuration, and fma() is written where it is
// wanted. Choices that depend on data are select(mask, a, b), never a branch.
#pragma once

#include "kernels/base/touch.h"

#if !defined(__CUDACC__) && !defined(SWEPT_ONE_LANE)
/// Defined where a pack is not a real.
#define SWEPT_PACKS 1
#endif

#ifdef __CUDACC__
#include <cuda_runtime.h>
#else
#include <immintrin.h>

#include <cmath>
#include <experimental/simd>
#endif

namespace swept::SWEPT_NS {

#ifndef SWEPT_PACKS

using pack = real;
constexpr int W = 8;

template <class V>
using mask_t = bool;

#else

namespace stdx = std::experimental;

using pack = stdx::native_simd<real>;
constexpr int W = static_cast<int>(pack::size());

template <class V>
struct MaskOf {
  using type = typename V::mask_type;
};
template <>
struct MaskOf<real> {
  using type = bool;
};
/// The type of a comparison of two V.
template <class V>
using mask_t = typename MaskOf<V>::type;

#endif

// ---- one environment ----------------------------------------------------------------------------

SWEPT_FN real select(bool m, real a, real b) {
  return m ? a : b;
}
SWEPT_FN bool any_of(bool m) {
  return m;
}
SWEPT_FN bool all_of(bool m) {
  return m;
}
SWEPT_FN bool none_of(bool m) {
  return !m;
}
SWEPT_FN real min(real a, real b) {
  return b < a ? b : a;
}
SWEPT_FN real max(real a, real b) {
  return a < b ? b : a;
}
SWEPT_FN real abs(real a) {
  return a < 0 ? -a : (a == 0 ? real(0) : a);
}

#ifdef __CUDACC__
SWEPT_FN real sqrt(real a) {
  if constexpr (sizeof(real) == 4) {
    return ::sqrtf(a);
  } else {
    return ::sqrt(a);
  }
}
SWEPT_FN real fma(real a, real b, real c) {
  if constexpr (sizeof(real) == 4) {
    return ::fmaf(a, b, c);
  } else {
    return ::fma(a, b, c);
  }
}
SWEPT_FN bool is_finite(real a) {
  return a - a == 0;
}
#else
SWEPT_FN real sqrt(real a) {
  return std::sqrt(a);
}
SWEPT_FN real fma(real a, real b, real c) {
  return std::fma(a, b, c);
}
SWEPT_FN bool is_finite(real a) {
  return a - a == 0;
}
#endif

#ifdef SWEPT_PACKS
// ---- packs --------------------------------------------------------------------------------------

using pack_mask = mask_t<pack>;

/// Functions of a few instructions; GCC takes many of them for too long to be inlined.
#define SWEPT_PACK_FN [[gnu::always_inline]] inline

/// m ? a : b, lane by lane; both sides are evaluated.
SWEPT_PACK_FN pack select(pack_mask m, pack a, pack b) {
  stdx::where(m, b) = a;
  return b;
}
SWEPT_PACK_FN bool any_of(pack_mask m) {
  return stdx::any_of(m);
}
SWEPT_PACK_FN bool all_of(pack_mask m) {
  return stdx::all_of(m);
}
SWEPT_PACK_FN bool none_of(pack_mask m) {
  return stdx::none_of(m);
}
SWEPT_PACK_FN pack min(pack a, pack b) {
  return select(b < a, b, a);
}
SWEPT_PACK_FN pack max(pack a, pack b) {
  return select(a < b, b, a);
}
SWEPT_PACK_FN pack abs(pack a) {
  return select(a < 0, -a, select(a == 0, pack(0), a));
}
/// The library's sqrt of a 512-bit pack makes GCC 12 warn of an uninitialised value; the masked
/// instruction does not.
SWEPT_PACK_FN pack sqrt(pack a) {
#if defined(__AVX512F__)
  if constexpr (sizeof(real) == 4) {
    return __builtin_bit_cast(pack, _mm512_maskz_sqrt_ps(0xffff, __builtin_bit_cast(__m512, a)));
  } else {
    return __builtin_bit_cast(pack, _mm512_maskz_sqrt_pd(0xff, __builtin_bit_cast(__m512d, a)));
  }
#else
  return stdx::sqrt(a);
#endif
}
/// The instruction set's own a b + c in one rounding; the library's fma on packs falls apart into
/// scalars in many places.
#ifdef __AVX512F__
SWEPT_PACK_FN __m512 fused(__m512 a, __m512 b, __m512 c) {
  return _mm512_fmadd_ps(a, b, c);
}
SWEPT_PACK_FN __m512d fused(__m512d a, __m512d b, __m512d c) {
  return _mm512_fmadd_pd(a, b, c);
}
#else
SWEPT_PACK_FN __m256 fused(__m256 a, __m256 b, __m256 c) {
  return _mm256_fmadd_ps(a, b, c);
}
SWEPT_PACK_FN __m256d fused(__m256d a, __m256d b, __m256d c) {
  return _mm256_fmadd_pd(a, b, c);
}
#endif
SWEPT_PACK_FN pack fma(pack a, pack b, pack c) {
  using lanes [[gnu::vector_size(W * sizeof(real))]] = real;
  return pack(fused(static_cast<lanes>(a), static_cast<lanes>(b), static_cast<lanes>(c)));
}
SWEPT_PACK_FN pack_mask is_finite(pack a) {
  return a - a == 0;
}
#endif

/// Clamp x to [lo, hi]; a NaN stays a NaN.
template <class V>
SWEPT_FN V clamp(V x, V lo, V hi) {
  return min(max(x, lo), hi);
}
#ifdef SWEPT_PACKS
/// The library has a clamp for packs that loses a NaN; this one is no template, so it wins.
SWEPT_FN pack clamp(pack x, pack lo, pack hi) {
  return min(max(x, lo), hi);
}
#endif

// ---- lanes --------------------------------------------------------------------------------------

/// Number of environments that one value of type V holds.
template <class V>
constexpr int lanes_of = 1;
#ifdef SWEPT_PACKS
template <>
inline constexpr int lanes_of<pack> = W;
#endif

/// Lane l of a value.
SWEPT_FN real lane(real a, int) {
  return a;
}
SWEPT_FN bool lane(bool m, int) {
  return m;
}
#ifdef SWEPT_PACKS
SWEPT_FN real lane(pack a, int l) {
  return a[static_cast<std::size_t>(l)];
}
SWEPT_FN bool lane(pack_mask m, int l) {
  return m[static_cast<std::size_t>(l)];
}
#endif

/// Load a value whose first lane stands at p / store it. Packs are aligned to their size.
template <class V>
SWEPT_FN V load(const real* p) {
  if constexpr (lanes_of<V> == 1) {
    return element(p);
  }
#ifdef SWEPT_PACKS
  else {
    return V(p, stdx::vector_aligned);
  }
#endif
}
SWEPT_FN void store(real* p, real a) {
  element(p) = a;
}
#ifdef SWEPT_PACKS
SWEPT_FN void store(real* p, pack a) {
  a.copy_to(p, stdx::vector_aligned);
}
#endif

}  // namespace swept::SWEPT_NS
