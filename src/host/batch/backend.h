// SPDX-License-Identifier: Apache-2.0
// Backends: one shared object per backend, opened at start if this machine can run it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <swept/batch.h>

#include "kernels/engine/engine.h"
#include "kernels/engine/impact_engine.h"

namespace swept {

/// "cpu", or "cuda" with the number of the GPU.
struct Device {
  std::string kind;
  int index = 0;
};

/// Parse "cpu", "cuda", "cuda:2". Throws Error otherwise.
Device parse_device(std::string_view text);

/// Make an engine on the device, on the best backend that this machine can run (SWEPT_ISA=v3 or v4
/// chooses the CPU's). Throws Error with the reason if there is none.
std::unique_ptr<Engine> make_engine(const Model& model, const Device& device, Precision precision,
                                    const EngineOptions& options);

/// The same for times of impact between bodies.
std::unique_ptr<ccd::ImpactEngine> make_impact_engine(std::span<const ccd::ImpactTree> trees,
                                                      const Device& device, Precision precision,
                                                      int workers);

}  // namespace swept
