// SPDX-License-Identifier: Apache-2.0
// Reading the assets that geoms take their shape from. Files are named here and read by the
// compiler, so that one that nothing needs is never opened.
#pragma once

#include "host/load/element.h"

#include <swept/spec.h>

#include <string>

namespace swept::load_detail {

/// Reads a `compiler` element; assetdir names both folders.
void read_folders(const Element& element, CompilerSettings* compiler);

/// The path of a mesh or height-field file: in meshdir (see resolve_asset), or, if it is not there,
/// beside the file in which the element stands. The file need not exist. The result is absolute.
std::string asset_path(const Trail& element, const CompilerSettings& compiler,
                       const std::string& file);

/// Makes the names of mesh and height-field files absolute, and takes strippath away, which has done
/// its work then: a scene that is written elsewhere still finds its files.
void anchor_assets(Document* document);

/// Reads `mesh`.
///   mesh   in: the record of its class
/// Throws Error for what can be seen to be wrong without the file.
void read_mesh_element(const Trail& element, const CompilerSettings& compiler, Mesh* mesh);

/// Reads `hfield`. Rows are written from the highest y down and stored from the lowest y up.
/// Throws Error for what can be seen to be wrong without the file.
void read_hfield_element(const Trail& element, const CompilerSettings& compiler, HField* hfield);

}  // namespace swept::load_detail
