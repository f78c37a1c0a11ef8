// SPDX-License-Identifier: Apache-2.0
// launch: run a kernel over the packs or over the environments of a tile.
//
// A kernel is a trivially copyable functor. Its name is what the profile prints.
//
//   struct Kinematics {
//     const Tile* t;
//     SWEPT_FN void operator()(const Group auto g, int block, int lane) const { ... pack code ... }
//   };
//   launch_packs<4>("kinematics", ctx, nblocks, Kinematics{tile});
//
//   launch_packs<N>   the functor sees (group, block, lane) and works on V = pack: on the CPU a
//                     whole block (lane 0), on CUDA the environment of one lane. N lanes of a group
//                     share it on CUDA; they stand W threads apart, so that neighbouring threads
//                     are neighbouring environments (N <= 4).
//   launch_envs<N>    the functor sees (group, env) and works on V = real; N <= 32 neighbouring
//                     threads share an environment on CUDA.
//
// No kernel allocates, prints or launches.
#pragma once

#include <type_traits>

#include "kernels/base/context.h"
#include "kernels/base/group.h"
#include "kernels/base/pack.h"

namespace swept::SWEPT_NS {

#ifdef __CUDACC__

constexpr int threads_per_block = 128;

template <int N, class Kernel>
__global__ void __launch_bounds__(threads_per_block)
    packs_kernel(const __grid_constant__ Kernel kernel, int nblocks) {
  const long long thread = static_cast<long long>(blockIdx.x) * threads_per_block + threadIdx.x;
  const int block = static_cast<int>(thread / (W * N));
  if (block < nblocks) {
    kernel(TileGroup<N, W>{}, block, static_cast<int>(thread % W));
  }
}

template <int N, class Kernel>
__global__ void __launch_bounds__(threads_per_block)
    envs_kernel(const __grid_constant__ Kernel kernel, int nenv) {
  const long long thread = static_cast<long long>(blockIdx.x) * threads_per_block + threadIdx.x;
  const int env = static_cast<int>(thread / N);
  if (env < nenv) {
    kernel(TileGroup<N, 1>{}, env);
  }
}

inline unsigned grid_size(long long threads) {
  return static_cast<unsigned>((threads + threads_per_block - 1) / threads_per_block);
}

#endif

/// Run kernel(group, block, lane) for every block of W environments.
template <int N = 1, class Kernel>
void launch_packs(const char* name, const Context& ctx, int nblocks, const Kernel& kernel) {
  static_assert(std::is_trivially_copyable_v<Kernel>,
                "a kernel is passed to the device byte by byte");
  static_assert(N == 1 || N == 2 || N == 4, "W lanes of N environments' groups share a warp");
  const Timed timed(ctx, name);
#ifdef __CUDACC__
  if (nblocks > 0) {  // an empty grid is an error
    packs_kernel<N>
        <<<grid_size(static_cast<long long>(nblocks) * W * N), threads_per_block, 0, ctx.stream>>>(
            kernel, nblocks);
    check(cudaGetLastError());
  }
#else
  for (int block = 0; block < nblocks; ++block) {
    kernel(Serial{}, block, 0);
  }
#endif
}

/// Run kernel(group, env) for every environment.
template <int N = 1, class Kernel>
void launch_envs(const char* name, const Context& ctx, int nenv, const Kernel& kernel) {
  static_assert(std::is_trivially_copyable_v<Kernel>,
                "a kernel is passed to the device byte by byte");
  static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0, "a group is a power of two inside a warp");
  const Timed timed(ctx, name);
#ifdef __CUDACC__
  if (nenv > 0) {
    envs_kernel<N>
        <<<grid_size(static_cast<long long>(nenv) * N), threads_per_block, 0, ctx.stream>>>(kernel,
                                                                                            nenv);
    check(cudaGetLastError());
  }
#else
  for (int env = 0; env < nenv; ++env) {
    kernel(Serial{}, env);
  }
#endif
}

}  // namespace swept::SWEPT_NS
