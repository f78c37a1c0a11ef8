// SPDX-License-Identifier: Apache-2.0
// Finding and reading the files of assets.
#include "host/load/mesh/asset_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <system_error>

namespace swept::load_detail {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t max_file_size = std::uintmax_t{1} << 32;

/// Scenes that were written elsewhere have backslashes between folders.
std::string with_slashes(std::string name) {
  std::replace(name.begin(), name.end(), '\\', '/');
  return name;
}

/// A failure to read a file, at the asset that names it.
Error at_asset(const Error& error, const Place& place) {
  if (place.file.empty() && place.element.empty()) {
    return error;
  }
  std::string problem = error.file();
  problem += error.line() > 0 ? ":" + std::to_string(error.line()) + ": " : ": ";
  return Error(place, problem + error.problem(), error.remedy());
}

/// The entry of a cache; what is not there yet is read.
template <class Cache, class Format, class Read>
const auto& cached(Cache* cache, const fs::path& path, Format format, const Read& read) {
  std::error_code code;
  fs::path canonical = fs::weakly_canonical(path, code);
  const typename Cache::key_type key{code ? path : std::move(canonical), format};
  const auto found = cache->find(key);
  if (found != cache->end()) {
    return found->second;
  }
  return cache->emplace(key, read(read_asset_bytes(path), format, path.string())).first->second;
}

}  // namespace

fs::path resolve_asset(const AssetFolders& folders, AssetKind kind, const std::string& name) {
  fs::path path = with_slashes(name);
  if (folders.strippath) {
    path = path.filename();
  }
  const std::string& folder = kind == AssetKind::texture ? folders.texturedir : folders.meshdir;
  // an absolute path replaces what stands before it
  return (folders.scene / with_slashes(folder) / path).lexically_normal();
}

std::string asset_stem(const std::string& name) {
  return fs::path(with_slashes(name)).stem().string();
}

std::string read_asset_bytes(const fs::path& path) {
  const Place place{path.string(), 0, {}};
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) {
    throw Error(place, "there is no such file",
                "paths are relative to the scene's folder and to meshdir");
  }
  if (!fs::is_regular_file(status)) {
    throw Error(place, fs::is_directory(status) ? "is a folder" : "is not a regular file",
                "name a mesh or height-field file");
  }
  const std::uintmax_t size = fs::file_size(path, code);
  if (code || size > max_file_size) {
    throw Error(place, code ? "cannot be read: " + code.message() : "is larger than 4 GiB",
                "simplify the mesh");
  }
  std::ifstream stream(path, std::ios::binary);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (!stream.read(bytes.data(), static_cast<std::streamsize>(size))) {
    throw Error(place, "cannot be read", "check its permissions");
  }
  return bytes;
}

const MeshData& AssetFiles::mesh(const fs::path& path, const std::string& content_type,
                                 const Place& place) {
  try {
    return cached(&meshes_, path, mesh_format(path.string(), content_type), read_mesh);
  } catch (const Error& error) {
    throw at_asset(error, place);
  }
}

const HFieldData& AssetFiles::hfield(const fs::path& path, const std::string& content_type,
                                     const Place& place) {
  try {
    return cached(&hfields_, path, hfield_format(path.string(), content_type), read_hfield);
  } catch (const Error& error) {
    throw at_asset(error, place);
  }
}

}  // namespace swept::load_detail
