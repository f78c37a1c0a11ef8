// SPDX-License-Identifier: Apache-2.0
// Group: the lanes that run one environment (or one pack of environments) together.
//
//   Serial       CPU, one lane; costs nothing
//   TileGroup<N> CUDA, N threads of one warp with a stride between them, so that neighbouring
//                threads are neighbouring environments
//   ThreadGroup  tests, one thread per lane over a barrier; under ThreadSanitizer it finds a
//                missing sync() with file and line
//
// Every lane calls every collective, in the same order, and never inside lane-dependent control
// flow. Every collective is a barrier like sync(). Lanes that stand apart (launch_packs on CUDA)
// wait together with the environments between them: there whether and how often a collective is
// called must not depend on an environment's data either. Loops are
//   for (int i = g.lane(); i < n; i += g.size())
// Sums over lanes depend on size() in their last bits; where the design asks for equal bits the
// loop writes one value per item and one lane adds them in order, or each item gathers from its
// sources.
#pragma once

#include "kernels/base/real.h"

#ifndef __CUDACC__
#include <concepts>
#endif

namespace swept::SWEPT_NS {

#ifndef __CUDACC__
/// What cooperative code may ask of its lanes.
template <class G>
concept Group = requires(const G g, real x, int n, bool p) {
  { g.lane() } -> std::same_as<int>;   // 0 .. size()-1
  { g.size() } -> std::same_as<int>;   // number of lanes
  { g.sync() } -> std::same_as<void>;  // barrier; memory written before it is seen after it
  { g.sum(x) } -> std::same_as<real>;  // same bits on every lane, fixed order
  { g.sum(n) } -> std::same_as<int>;
  { g.max(n) } -> std::same_as<int>;
  { g.any(p) } -> std::same_as<bool>;
  { g.exclusive_scan(n) } -> std::same_as<int>;  // sum of n over the lanes before this one
};
#else
template <class G>
concept Group = requires(const G g) {
  g.lane();
};
#endif

/// One lane.
struct Serial {
  SWEPT_FN constexpr int lane() const { return 0; }
  SWEPT_FN constexpr int size() const { return 1; }
  SWEPT_FN constexpr void sync() const {}
  SWEPT_FN constexpr real sum(real x) const { return x; }
  SWEPT_FN constexpr int sum(int n) const { return n; }
  SWEPT_FN constexpr int max(int n) const { return n; }
  SWEPT_FN constexpr bool any(bool p) const { return p; }
  SWEPT_FN constexpr int exclusive_scan(int) const { return 0; }
};

#ifndef __CUDACC__
static_assert(Group<Serial>);
#else

/// N lanes of one warp; lane k of the group is STRIDE threads after lane k-1. N * STRIDE divides 32
/// or equals it.
template <int N, int STRIDE>
struct TileGroup {
  static_assert(N >= 1 && N * STRIDE <= 32 && 32 % (N * STRIDE) == 0,
                "a group stays inside one warp");

  __device__ int thread() const { return static_cast<int>(threadIdx.x & 31u); }
  __device__ int lane() const { return (thread() / STRIDE) % N; }
  __device__ constexpr int size() const { return N; }
  /// The threads of this warp that stand in the same set of N * STRIDE threads.
  __device__ unsigned mask() const {
    if constexpr (N * STRIDE == 32) {
      return 0xffffffffu;
    } else {
      return ((1u << (N * STRIDE)) - 1u) << (thread() / (N * STRIDE) * (N * STRIDE));
    }
  }
  __device__ void sync() const {
    if constexpr (N > 1) {
      __syncwarp(mask());
    }
  }

  template <class T, class Op>
  __device__ T reduce(T x, Op op) const {
    // a shuffle alone does not order memory
    sync();
    for (int step = N / 2; step > 0; step /= 2) {
      x = op(x, __shfl_xor_sync(mask(), x, static_cast<unsigned>(step * STRIDE)));
    }
    return x;
  }
  __device__ real sum(real x) const {
    return reduce(x, [](real a, real b) { return a + b; });
  }
  __device__ int sum(int n) const {
    return reduce(n, [](int a, int b) { return a + b; });
  }
  __device__ int max(int n) const {
    return reduce(n, [](int a, int b) { return a < b ? b : a; });
  }
  __device__ bool any(bool p) const {
    return reduce(p ? 1 : 0, [](int a, int b) { return a | b; }) != 0;
  }
  __device__ int exclusive_scan(int n) const {
    sync();
    int inclusive = n;
    for (int step = 1; step < N; step *= 2) {
      const int before = __shfl_up_sync(mask(), inclusive, static_cast<unsigned>(step * STRIDE));
      inclusive += lane() >= step ? before : 0;
    }
    return inclusive - n;
  }
};
#endif

}  // namespace swept::SWEPT_NS
