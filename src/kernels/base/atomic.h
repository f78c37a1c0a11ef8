// SPDX-License-Identifier: Apache-2.0
// The one atomic operation of the layer: a maximum of integers, whose result depends on no order.
#pragma once

#include "kernels/base/real.h"

namespace swept::SWEPT_NS {

/// *p = max(*p, x). On CUDA many threads may call it for the same place; on the CPU a tile belongs
/// to one thread, and a plain maximum is enough.
SWEPT_FN void atomic_max(int* p, int x) {
  // the read saves most of the atomics: the place only grows
  if (x > *p) {
#ifdef __CUDACC__
    atomicMax(p, x);
#else
    *p = x;
#endif
  }
}

}  // namespace swept::SWEPT_NS
