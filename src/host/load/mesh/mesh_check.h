// SPDX-License-Identifier: Apache-2.0
// What every mesh file must fulfil, whatever its format.
#pragma once

#include "host/load/mesh/mesh_file.h"

namespace swept::load_detail {

/// Returns the mesh if it has at least 4 vertices, all of them finite, and faces whose vertices
/// exist. Throws Error, with the file's name, if not.
MeshData checked_mesh(MeshData mesh, const std::string& file);

}  // namespace swept::load_detail
