// SPDX-License-Identifier: Apache-2.0
// Upload of a model: one row of the field table after the other.
#include "kernels/engine/model_upload.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace swept::SWEPT_NS {

bool has_implicit_damping(const Model& model) {
  if ((model.opt.disableflags & (disable_damper | disable_eulerdamp)) != 0) {
    return false;
  }
  const auto nonzero = [](double x) { return x != 0; };
  return std::any_of(model.dof_damping.begin(), model.dof_damping.end(), nonzero) ||
         std::any_of(model.dof_dampingpoly.begin(), model.dof_dampingpoly.end(), nonzero) ||
         std::any_of(model.jnt_actuatorid.begin(), model.jnt_actuatorid.end(),
                     [](int id) { return id != -1; });
}

namespace {

OptionView make_options(const Model& model) {
  OptionView opt;
  opt.tolerance = static_cast<real>(model.opt.tolerance);
  opt.ls_tolerance = static_cast<real>(model.opt.ls_tolerance);
  opt.iterations = model.opt.iterations;
  opt.ls_iterations = model.opt.ls_iterations;
  opt.integrator = model.opt.integrator;
  opt.cone = model.opt.cone;
  opt.disableflags = model.opt.disableflags;
  opt.enableflags = model.opt.enableflags;
  opt.disableactuator = model.opt.disableactuator;
  opt.implicit_damping = has_implicit_damping(model) ? 1 : 0;
  opt.surface_velocity = std::any_of(model.geom_surfacevel.begin(), model.geom_surfacevel.end(),
                                     [](double x) { return x != 0; });
  opt.speculative_mode = model.opt.speculative_mode;
  opt.speculative_cap = model.opt.speculative_cap;
  opt.speculative_iterations = model.opt.speculative_iterations;
  opt.ccd_tolerance = static_cast<real>(model.opt.ccd_tolerance);
  return opt;
}

}  // namespace

Sizes scratch_sizes(const Model& model) {
  Sizes sizes = model;
  const bool whole = model.opt.integrator == integrator_implicit;
  const bool implicit = whole || model.opt.integrator == integrator_implicitfast;
  sizes.nbodyderiv = implicit ? model.nbody : 0;
  sizes.nuderiv = implicit ? model.nu : 0;
  sizes.nvderiv = whole ? model.nv : 0;
  sizes.nMupper = whole ? model.nM : 0;
  const bool speculative = (model.opt.enableflags & enable_speculative) != 0;
  sizes.ngeomswept = speculative ? model.ngeom : 0;
  sizes.nspeculative = speculative ? 1 : 0;
  const bool guarded = speculative && model.opt.speculative_mode == speculative_robust;
  sizes.nbodyswept = guarded ? model.nbody : 0;
  sizes.ntreeswept = guarded ? model.ntree : 0;
  return sizes;
}

UploadedModel upload_model(const Model& model) {
  // gather all arrays behind one another
  std::vector<int> ints;
  std::vector<real> reals;
#define SWEPT_MODEL_INT(name, rows, cols, meaning) \
  ints.insert(ints.end(), model.name.begin(), model.name.end());
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning)                         \
  std::transform(model.name.begin(), model.name.end(), std::back_inserter(reals), \
                 [](double x) { return static_cast<real>(x); });
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL

  UploadedModel uploaded;
  uploaded.ints = Buffer<int>(ints.size());
  uploaded.reals = Buffer<real>(reals.size());
  uploaded.ints.upload(ints.data(), ints.size());
  uploaded.reals.upload(reals.data(), reals.size());

  // point at each array
  static_cast<Sizes&>(uploaded.view) = scratch_sizes(model);
  uploaded.view.opt = make_options(model);
  const int* next_int = uploaded.ints.data();
  const real* next_real = uploaded.reals.data();
#define SWEPT_MODEL_INT(name, rows, cols, meaning) \
  uploaded.view.name = next_int;                   \
  next_int += model.name.size();
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) \
  uploaded.view.name = Param{next_real, 0};               \
  next_real += model.name.size();
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
  return uploaded;
}

}  // namespace swept::SWEPT_NS
