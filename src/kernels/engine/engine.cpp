// SPDX-License-Identifier: Apache-2.0
// The factory of this configuration's engine, which the backend exports.
#include "kernels/engine/engine.h"

#include "kernels/engine/allowance.h"
#include "kernels/engine/footprint.h"
#include "kernels/engine/kernel_engine.h"

namespace swept::SWEPT_NS {

/// Make an engine of this configuration.
Engine* make_engine(const Model& model, const EngineOptions& options) {
  const OnDevice device(options.device);
  const Footprint footprint(model, options);
  const Capacity start = estimate_capacity(model, options.capacity);
  const std::size_t asked = footprint.held(options.nenv, start, 0);
  const std::size_t left = Allowance(options).left();
  const auto refuse = [&](std::size_t bytes) {
    throw OutOfMemory(bytes, left, footprint.largest(left, start, 0, options.nenv - 1));
  };
  if (asked > left) {
    refuse(asked);
  }
  try {
    return new KernelEngine(model, options);
  } catch (const AllocationFailure&) {
    refuse(asked);
  }
  return nullptr;
}

}  // namespace swept::SWEPT_NS

#if SWEPT_F32
#define SWEPT_FACTORY swept_make_engine_f32
#else
#define SWEPT_FACTORY swept_make_engine_f64
#endif

extern "C" __attribute__((visibility("default"))) swept::Engine* SWEPT_FACTORY(
    const swept::Model& model, const swept::EngineOptions& options);
extern "C" swept::Engine* SWEPT_FACTORY(const swept::Model& model,
                                        const swept::EngineOptions& options) {
  return swept::SWEPT_NS::make_engine(model, options);
}
