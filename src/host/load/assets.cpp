// SPDX-License-Identifier: Apache-2.0
#include "host/load/assets.h"

#include "host/load/grammar.h"
#include "host/load/mesh/asset_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace swept::load_detail {
namespace {

namespace fs = std::filesystem;

/// An asset without a name has that of its file, without folders and suffix.
void name_after_file(const Trail& element, const std::string& file, Item* item) {
  if (item->name.empty()) {
    item->name = asset_stem(file);
  }
  if (item->name.empty()) {
    element.fail("the " + element.element.tag + " has no name", "geoms refer to it by its name");
  }
}

}  // namespace

std::string asset_path(const Trail& element, const CompilerSettings& compiler,
                       const std::string& file) {
  const std::vector<std::string>& files = element.document.files;
  const AssetFolders folders{fs::path(files.front()).parent_path(), compiler.meshdir,
                             compiler.texturedir, compiler.strippath};
  const fs::path path = resolve_asset(folders, AssetKind::mesh, file);

  // what an included file names may also stand beside that file
  const std::string& standing = files[static_cast<std::size_t>(element.element.file)];
  const AssetFolders beside{fs::path(standing).parent_path(), {}, {}, compiler.strippath};
  const fs::path second = resolve_asset(beside, AssetKind::mesh, file);
  std::error_code code;
  const fs::path found = !fs::exists(path, code) && fs::exists(second, code) ? second : path;
  const fs::path absolute = fs::absolute(found, code);
  return (code ? found : absolute).string();
}

void read_folders(const Element& element, CompilerSettings* compiler) {
  // one folder for both kinds, unless the same element also names them singly
  if (const std::string* const folder = element.find("assetdir")) {
    compiler->meshdir = *folder;
    compiler->texturedir = *folder;
  }
  store_attributes(element, grammar().rule("compiler"), compiler);
}

void anchor_assets(Document* document) {
  CompilerSettings compiler;
  for (Element& section : document->root.children) {
    if (section.tag == "compiler") {
      read_folders(section, &compiler);
      std::erase_if(section.attributes,
                    [](const Attribute& attribute) { return attribute.name == "strippath"; });
    }
  }
  for (Element& section : document->root.children) {
    if (section.tag != "asset") {
      continue;
    }
    for (Element& asset : section.children) {
      if (asset.tag != "mesh" && asset.tag != "hfield") {
        continue;
      }
      for (Attribute& attribute : asset.attributes) {
        if (attribute.name == "file" && !attribute.text.empty()) {
          attribute.text = asset_path(Trail{*document, asset}, compiler, attribute.text);
        }
      }
    }
  }
}

void read_mesh_element(const Trail& element, const CompilerSettings& compiler, Mesh* mesh) {
  store_attributes(element.element, grammar().rule("mesh"), mesh);
  name_after_file(element, mesh->file, mesh);
  constexpr int fewest = 4;
  if (mesh->maxhullvert != -1 && mesh->maxhullvert < fewest) {
    element.fail("maxhullvert is " + std::to_string(mesh->maxhullvert),
                 "a hull has at least 4 vertices; -1 sets no limit");
  }
  const bool builtin = element.element.find("builtin") != nullptr;
  if (builtin && mesh->builtin == MeshBuiltin::none) {
    element.fail("builtin=\"none\" makes no mesh", "name a shape, or give 'vertex' or 'file'");
  }
  if (builtin && element.element.find("params") == nullptr) {
    element.fail("a builtin mesh has no params", "give the numbers that its shape needs");
  }
  if (!mesh->file.empty()) {
    mesh->file = asset_path(element, compiler, mesh->file);
  }
}

void read_hfield_element(const Trail& element, const CompilerSettings& compiler, HField* hfield) {
  store_attributes(element.element, grammar().rule("hfield"), hfield);
  name_after_file(element, hfield->file, hfield);
  for (const double size : hfield->size) {
    if (!(size > 0.0)) {
      element.fail("size has a number that is not positive",
                   "it is half x, half y, elevation and depth of the base");
    }
  }
  if (!hfield->file.empty()) {
    if (hfield->nrow != 0 || hfield->ncol != 0 || !hfield->elevation.empty()) {
      element.fail("the elevations are in a file and nrow, ncol or elevation is given",
                   "give the file alone");
    }
    hfield->file = asset_path(element, compiler, hfield->file);
    return;
  }
  if (hfield->nrow < 2 || hfield->ncol < 2) {
    element.fail("the field has " + std::to_string(hfield->nrow) + " rows and " +
                     std::to_string(hfield->ncol) + " columns",
                 "give 'file', or nrow and ncol of at least 2");
  }
  const auto nrow = static_cast<std::size_t>(hfield->nrow);
  const auto ncol = static_cast<std::size_t>(hfield->ncol);
  constexpr std::size_t most = std::size_t{1} << 28;
  if (nrow > most / ncol) {
    element.fail("the field has more than " + std::to_string(most) + " elevations",
                 "use a coarser grid");
  }
  if (hfield->elevation.empty()) {
    return;
  }
  if (hfield->elevation.size() != nrow * ncol) {
    element.fail("elevation has " + std::to_string(hfield->elevation.size()) +
                     " numbers, nrow times ncol is " + std::to_string(nrow * ncol),
                 "give one number for each");
  }
  // the first row as written is the one of the highest y
  const auto at = [hfield, ncol](std::size_t row) {
    return hfield->elevation.begin() + static_cast<std::ptrdiff_t>(row * ncol);
  };
  for (std::size_t row = 0; row < nrow / 2; ++row) {
    std::swap_ranges(at(row), at(row + 1), at(nrow - 1 - row));
  }
}

}  // namespace swept::load_detail
