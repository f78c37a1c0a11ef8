// SPDX-License-Identifier: Apache-2.0
// The scalar of this configuration, its literal, and the two function markers of the device layer.
//
// Everything under src/kernels lives in namespace swept::SWEPT_NS and is compiled once per
// configuration (backend x precision). The build defines
//   SWEPT_NS    name of the configuration, for example cpu_v3_f32
//   SWEPT_REAL  float or double
#pragma once

#if !defined(SWEPT_NS) || !defined(SWEPT_REAL)
#error "kernel headers need SWEPT_NS and SWEPT_REAL; they are set by swept_add_backend() in cmake/"
#endif

#ifdef __CUDACC__
/// A device function. It is not also a host function: a call of a host function is then an error,
/// not a warning.
#define SWEPT_FN __device__ inline
/// A constexpr helper used on both sides.
#define SWEPT_HD __host__ __device__
#else
#define SWEPT_FN inline
#define SWEPT_HD
#endif

namespace swept::SWEPT_NS {

using real = SWEPT_REAL;

/// A literal in the precision of the configuration: 0.5_r.
SWEPT_HD consteval real operator""_r(long double x) {
  return static_cast<real>(x);
}
SWEPT_HD consteval real operator""_r(unsigned long long x) {
  return static_cast<real>(x);
}

}  // namespace swept::SWEPT_NS
