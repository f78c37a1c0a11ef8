// SPDX-License-Identifier: Apache-2.0
// Summary of the measures of a step.
#pragma once

#include <swept/batch.h>

#include "kernels/engine/engine.h"

namespace swept {

/// Mean, 95th percentile and maximum of each measure; memory and capacity are left 0.
Report summarize(const EngineReport& measures);

}  // namespace swept
