// SPDX-License-Identifier: Apache-2.0
// The passes of the scene compiler, in the order in which compile() runs them. Each fills the
// arrays that its name says and reads those filled before.
#pragma once

#include "host/compile/scene.h"

namespace swept::compiler {

// ---- on the Spec --------------------------------------------------------------------------------

/// compiler discardvisual, first part: remove those geoms of discard_visual() that have no part in
/// the inertia of a body, so that their meshes need not be read.
void discard_idle(Spec& spec);

/// compiler discardvisual: remove geoms that cannot collide and that nothing refers to. Bodies that
/// lose one keep their inertia by an explicit inertial.
/// Throws Error if inertiafromgeom="true" and a geom with mass would go.
void discard_visual(Spec& spec, const Assets& assets);

/// compiler fusestatic: merge bodies without joints, to which nothing refers, into their parents.
void fuse_static(Spec& spec, const Assets& assets);

/// Reads and compiles the assets, gives geoms of meshes and height fields their places, and does the
/// above where the scene's compiler element asks for it. Returns the assets that are left, in the
/// order of the Spec.
/// Throws Error as compile_assets() and place_geoms() do.
Assets rewrite(Spec* spec);

// ---- from the scene -----------------------------------------------------------------------------

/// Sizes of the scene, names, options, custom data.
void fill_sizes(const Scene& scene, Model& model);
void fill_names(const Scene& scene, Model& model);
void fill_options(const Scene& scene, Model& model);
void fill_custom(const Scene& scene, Model& model);
void fill_speculative(const Scene& scene, Model& model);

/// Bodies and the tree: poses, ids of roots and welds, levels, children.
void fill_bodies(const Scene& scene, Model& model);

/// Joints and dofs, qpos0, qpos_spring, trees, and the sparsity of M.
void fill_joints(const Scene& scene, Model& model);
void fill_dof_tree(Model& model);

/// Geoms, sites, cameras, lights; bits and margins of bodies.
void fill_geoms(const Scene& scene, Model& model);
void fill_sites(const Scene& scene, Model& model);

/// Tendons and their joints.
void fill_tendons(const Scene& scene, Model& model);

/// Actuators and their targets.
void fill_actuators(const Scene& scene, Model& model);

/// Predefined pairs and excluded body pairs, sorted by signature.
void fill_pairs(const Scene& scene, Model& model);

/// Meshes that collide as they are: geom_surface, mesh_closed, the faces around their vertices.
/// Throws Error for names that are no geoms of meshes, faces that are inside out, and height fields
/// that would meet such a mesh.
void fill_surfaces(const Scene& scene, Model& model);

/// Keyframes, completed with defaults.
void fill_keyframes(const Scene& scene, Model& model);

// ---- from the model -----------------------------------------------------------------------------

/// Which frames coincide: body_sameframe, geom_sameframe, site_sameframe.
void fill_same_frames(Model& model);

/// Which bodies may be simple, by their place in the tree and the scene's wish: body_simple is 1.
void allow_simple(const Scene& scene, Model& model);

/// Which of those are, by their frames and joints: body_simple, dof_simplenum.
void fill_simple(Model& model);

/// All geom pairs that may collide, in the order of contacts, or what finds them; see candidates.h.
void fill_candidates(Model& model);

}  // namespace swept::compiler
