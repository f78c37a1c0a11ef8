// SPDX-License-Identifier: Apache-2.0
// Bodies and their tree.
#include "host/compile/passes.h"

#include <numeric>

namespace swept::compiler {
namespace {

/// Bodies sorted by depth, and where each depth starts.
void fill_levels(const Scene& scene, Model& model) {
  for (const BodyEntry& entry : scene.bodies) {
    ++model.level_bodyadr[at(entry.depth) + 1];
  }
  std::partial_sum(model.level_bodyadr.begin(), model.level_bodyadr.end(),
                   model.level_bodyadr.begin());
  std::vector<int> next = model.level_bodyadr;
  for (int b = 0; b < model.nbody; ++b) {
    const int slot = next[at(scene.bodies[at(b)].depth)]++;
    model.level_bodyid[at(slot)] = b;
  }
}

/// Sizes of subtrees, and the list of children of every body.
void fill_children(Model& model) {
  for (int b = model.nbody - 1; b >= 0; --b) {
    ++model.body_subtreenum[at(b)];
    if (b > 0) {
      const std::size_t parent = at(model.body_parentid[at(b)]);
      model.body_subtreenum[parent] += model.body_subtreenum[at(b)];
      ++model.body_childnum[parent];
    }
  }
  int adr = 0;
  for (int b = 0; b < model.nbody; ++b) {
    model.body_childadr[at(b)] = adr;
    adr += model.body_childnum[at(b)];
  }
  std::vector<int> next = model.body_childadr;
  for (int b = 1; b < model.nbody; ++b) {
    model.body_childid[at(next[at(model.body_parentid[at(b)])]++)] = b;
  }
  model.body_childid.back() = -1;
}

/// Number a mocap body, which hangs on the world and has no joints.
void fill_mocap(const Scene& scene, int b, int* next, Model& model) {
  const Body& body = *scene.bodies[at(b)].body;
  model.body_mocapid[at(b)] = -1;
  if (!body.mocap) {
    return;
  }
  if (scene.bodies[at(b)].parent != 0 || b == 0) {
    throw scene.error("body", body, "a mocap body must be a child of the world",
                      "move it into worldbody, or take mocap away");
  }
  if (!body.joints.empty()) {
    throw scene.error("body", body, "a mocap body has joints",
                      "its pose is an input: take the joints or mocap away");
  }
  model.body_mocapid[at(b)] = *next;
  model.mocap_bodyid[at((*next)++)] = b;
}

}  // namespace

void fill_bodies(const Scene& scene, Model& model) {
  int mocap = 0;
  for (int b = 0; b < model.nbody; ++b) {
    const BodyEntry& entry = scene.bodies[at(b)];
    const Body& body = *entry.body;
    fill_mocap(scene, b, &mocap, model);
    model.body_parentid[at(b)] = entry.parent;
    model.body_rootid[at(b)] = entry.depth <= 1 ? b : model.body_rootid[at(entry.parent)];
    model.body_weldid[at(b)] = b == 0 || !body.joints.empty() || body.mocap
                                   ? b
                                   : model.body_weldid[at(entry.parent)];

    // pose, mass; the world has neither
    const bool is_world = b == 0;
    set_row(model.body_pos, b, is_world ? Vec3{} : body.pos);
    set_row(model.body_quat, b, is_world ? identity_quat : normalized(body.quat));
    set_row(model.body_ipos, b, entry.inertia.frame.pos);
    set_row(model.body_iquat, b, entry.inertia.frame.quat);
    set_row(model.body_inertia, b, entry.inertia.moments);
    model.body_mass[at(b)] = entry.inertia.mass;
    model.body_gravcomp[at(b)] = is_world ? 0.0 : body.gravcomp;
  }
  fill_levels(scene, model);
  fill_children(model);
}

}  // namespace swept::compiler
