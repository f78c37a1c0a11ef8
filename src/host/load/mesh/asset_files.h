// SPDX-License-Identifier: Apache-2.0
// Where the files of assets are, and reading each of them once.
//
// A name in a scene is resolved like this: strippath takes its folders away; an absolute name is
// taken as it is; any other stands in the directory for its kind (meshdir, for meshes and height
// fields; texturedir), which, unless it is absolute, stands in the folder of the main scene file,
// also for what an included file says. A model that is attached has a main file of its own.
#pragma once

#include "host/load/mesh/hfield_file.h"
#include "host/load/mesh/mesh_file.h"

#include <swept/error.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace swept::load_detail {

/// What a scene says about the files of its assets.
struct AssetFolders {
  std::filesystem::path scene;  ///< folder of the main scene file; empty: the working directory
  std::string meshdir;          ///< compiler/meshdir, else compiler/assetdir; may be empty
  std::string texturedir;       ///< compiler/texturedir, else compiler/assetdir; may be empty
  bool strippath = false;
};

enum class AssetKind { mesh, hfield, texture };

/// The path of the file that an asset names; it need not exist.
///   name   as written in the scene, not empty
std::filesystem::path resolve_asset(const AssetFolders& folders, AssetKind kind,
                                    const std::string& name);

/// The stem of a file name, which is the name of a mesh or height field that has none.
std::string asset_stem(const std::string& name);

/// Reads the files of assets, and keeps what it read: one file is read and parsed once, whatever
/// the number of assets that name it.
class AssetFiles {
 public:
  /// The mesh or height field in a file. Valid as long as this object.
  ///   path           from resolve_asset()
  ///   content_type   of the asset; empty: by the suffix
  ///   place          of the asset in the scene, for messages
  /// Throws Error at that place, with the file's name, if it cannot be read or is not in the format.
  const MeshData& mesh(const std::filesystem::path& path, const std::string& content_type,
                       const Place& place);
  const HFieldData& hfield(const std::filesystem::path& path, const std::string& content_type,
                           const Place& place);

 private:
  using MeshKey = std::pair<std::filesystem::path, MeshFormat>;
  using HFieldKey = std::pair<std::filesystem::path, HFieldFormat>;
  std::map<MeshKey, MeshData> meshes_;
  std::map<HFieldKey, HFieldData> hfields_;
};

/// The bytes of a file of at most 4 GiB. Throws Error with the file's name if there is no such file,
/// or if it is a folder, is larger, or cannot be read.
std::string read_asset_bytes(const std::filesystem::path& path);

}  // namespace swept::load_detail
