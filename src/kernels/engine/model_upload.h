// SPDX-License-Identifier: Apache-2.0
// The model on the device: every array of the field table in one of two buffers, and the view that
// points into them.
#pragma once

#include <swept/model.h>

#include "kernels/base/buffer.h"
#include "kernels/base/data.h"

namespace swept::SWEPT_NS {

/// Owns the device's copy of a model.
struct UploadedModel {
  Buffer<int> ints;
  Buffer<real> reals;
  ModelView view;
};

/// Does Euler's step solve with M + h diag(b): some dof has damping of its own or of an actuator,
/// and neither `damper` nor `eulerdamp` is disabled.
bool has_implicit_damping(const Model& model);

/// The sizes of a model, with those of the scratch that its integrator needs.
Sizes scratch_sizes(const Model& model);

/// Convert a model to the precision of this configuration and copy it to the device.
UploadedModel upload_model(const Model& model);

}  // namespace swept::SWEPT_NS
