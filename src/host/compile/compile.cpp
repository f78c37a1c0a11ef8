// SPDX-License-Identifier: Apache-2.0
// The order of the scene compiler's passes.
#include <swept/compile.h>

#include "host/compile/inertia.h"
#include "host/compile/passes.h"
#include "host/compile/setconst/constants.h"

namespace swept {

Model compile(const Spec& spec) {
  using namespace compiler;

  // rewrite the tree where the scene asks for it
  Spec rewritten = spec;
  Assets assets = rewrite(&rewritten);

  // number the elements
  Scene scene(std::move(rewritten), std::move(assets));
  compute_inertias(scene);
  Model model;
  fill_sizes(scene, model);
  resize_fields(model);

  // copy and resolve
  fill_names(scene, model);
  fill_options(scene, model);
  fill_speculative(scene, model);
  fill_custom(scene, model);
  fill_bodies(scene, model);
  fill_joints(scene, model);
  fill_dof_tree(model);
  fill_geoms(scene, model);
  fill_assets(scene.spec, scene.assets, &model);
  fill_sites(scene, model);
  fill_tendons(scene, model);
  fill_actuators(scene, model);
  fill_pairs(scene, model);
  fill_surfaces(scene, model);
  fill_keyframes(scene, model);

  // derive
  allow_simple(scene, model);
  set_constants(model);
  resolve_constants(scene, RestState(model), model);
  fill_candidates(model);
  resize_fields(model);
  return model;
}

}  // namespace swept
