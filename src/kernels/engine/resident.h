// SPDX-License-Identifier: Apache-2.0
// Fields that are always there: the state, the model, and the measures of the last step.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <swept/batch.h>

#include "kernels/base/tile.h"
#include "kernels/engine/measures.h"

namespace swept::SWEPT_NS {

/// Where a field of that name stands in a batch of nenv environments; data is null and the shape 0
/// if there is none.
FieldInfo resident_field(std::string_view name, int nenv, const StateView& state,
                         const ModelView& model, const MeasuresView& measures);

/// Their names.
std::vector<std::string> resident_names();

}  // namespace swept::SWEPT_NS
