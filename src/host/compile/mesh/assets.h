// SPDX-License-Identifier: Apache-2.0
// The meshes and height fields of a scene: read, compiled, and laid out in a Model.
#pragma once

#include "host/compile/mesh/hfield.h"
#include "host/compile/mesh/mesh.h"

#include <swept/model.h>
#include <swept/spec.h>

#include <string>
#include <vector>

namespace swept::compiler {

/// Compiled assets, in the order of Spec::meshes and Spec::hfields.
struct Assets {
  std::vector<CompiledMesh> meshes;
  std::vector<CompiledHField> hfields;
};

/// The number of a mesh or height field by name; -1 if there is none.
int find_mesh(const Spec& spec, const std::string& name);
int find_hfield(const Spec& spec, const std::string& name);

/// Reads and compiles all assets. Hulls are made for meshes of geoms that may collide.
/// Throws Error for a file that cannot be read and for an asset that cannot be compiled.
Assets compile_assets(const Spec& spec);

/// compiler discardvisual: removes meshes that no geom refers to. Height fields stay.
///   assets   compiled from the spec, or null if they are not yet
void drop_unused_meshes(Spec* spec, Assets* assets);

/// Gives geoms of meshes and height fields their place and size: a mesh's frame is composed into
/// the geom's, a primitive with a mesh is fitted to it. To be called once.
/// Throws Error for a geom whose asset is missing or does not suit its type.
void place_geoms(const Assets& assets, Spec* spec);

/// Numbers of meshes, vertices, faces and so on.
void count_assets(const Assets& assets, Model* model);

/// All mesh_, meshbvh_ and hfield_ arrays. Sizes are there.
void fill_assets(const Spec& spec, const Assets& assets, Model* model);

}  // namespace swept::compiler
