// SPDX-License-Identifier: Apache-2.0
// Copies between environments of a batch, inside the device's memory: all sources are read before
// any target is written, so the two lists may overlap.
#pragma once

#include "kernels/base/buffer.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// A list of environments read into memory of its own.
struct StagedStates {
  StateView state;             ///< of the batch
  Sizes sizes;                 ///< shapes of its fields
  const int* env = nullptr;    ///< [count] environments
  real* reals = nullptr;       ///< [count][reals_per_env]
  int* ints = nullptr;         ///< [count][2] status, reset_status
  long long* longs = nullptr;  ///< [count][3] status_step, steps, resets
  int reals_per_env = 0;
};

/// Read the environments of the list; write them.
void stage_states(const Context& ctx, const StagedStates& staged, int count);
void write_states(const Context& ctx, const StagedStates& staged, int count);

}  // namespace swept::SWEPT_NS
