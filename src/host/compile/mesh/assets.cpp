// SPDX-License-Identifier: Apache-2.0
// Which assets a scene needs and where they come from; see the header.
#include "host/compile/mesh/assets.h"

#include "host/load/mesh/asset_files.h"

#include <set>
#include <utility>

namespace swept::compiler {
namespace {

using NameSet = std::set<std::string, std::less<>>;

template <class F>
void for_each_geom(const Body& body, const F& f) {
  for (const Geom& geom : body.geoms) {
    f(geom);
  }
  for (const Body& child : body.bodies) {
    for_each_geom(child, f);
  }
}

template <class Item>
int find_item(const std::vector<Item>& items, const std::string& name) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].name == name) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

/// Names of the meshes whose geoms may collide.
NameSet colliding_meshes(const Spec& spec) {
  NameSet in_pairs;
  for (const Pair& pair : spec.pairs) {
    in_pairs.insert({pair.geom1, pair.geom2});
  }
  in_pairs.erase("");
  NameSet names;
  for_each_geom(spec.worldbody, [&](const Geom& geom) {
    if (geom.type == GeomType::mesh &&
        (geom.contype != 0 || geom.conaffinity != 0 || in_pairs.count(geom.name) > 0)) {
      names.insert(geom.mesh);
    }
  });
  return names;
}

Place place_of(const Spec& spec, const Item& item, const char* kind) {
  const int file = item.source.file;
  const bool known = file >= 0 && static_cast<std::size_t>(file) < spec.files.size();
  return {known ? spec.files[static_cast<std::size_t>(file)] : std::string(), item.source.line,
          std::string(kind) + " '" + item.name + "'"};
}

/// Vertices and faces from where the mesh says they are.
MeshContent content_of(const Spec& spec, const Mesh& mesh, load_detail::AssetFiles* files) {
  const auto fail = [&](const std::string& problem, const std::string& remedy) {
    return spec.error(mesh.source, "mesh '" + mesh.name + "'", problem, remedy);
  };
  MeshContent content{mesh.vertex, mesh.face, mesh.inertia};
  const bool builtin = mesh.builtin != MeshBuiltin::none;
  const int sources = !mesh.file.empty() + builtin + !mesh.vertex.empty();
  if (sources != 1) {
    throw fail(sources == 0 ? "it has no vertices" : "its vertices come from two places",
               "give one of 'file', 'vertex' and 'builtin'");
  }
  if (builtin) {
    if (!mesh.face.empty()) {
      throw fail("a builtin mesh has faces of its own", "remove 'face'");
    }
    const std::string wrong = make_builtin(mesh.builtin, mesh.params, &content);
    if (!wrong.empty()) {
      throw fail("params do not fit: " + wrong, "correct them");
    }
  }
  if (!mesh.file.empty()) {
    const load_detail::MeshData& data =
        files->mesh(mesh.file, mesh.content_type, place_of(spec, mesh, "mesh"));
    if (!data.face.empty() && !mesh.face.empty()) {
      throw fail("its faces are in the file and in the element", "remove 'face'");
    }
    content.vertex = data.vertex;
    if (!data.face.empty()) {
      content.face = data.face;
    }
  }
  return content;
}

CompiledHField hfield_of(const Spec& spec, const HField& hfield, load_detail::AssetFiles* files) {
  if (hfield.file.empty()) {
    return compile_hfield(spec, hfield, hfield.nrow, hfield.ncol, hfield.elevation);
  }
  const load_detail::HFieldData& data =
      files->hfield(hfield.file, hfield.content_type, place_of(spec, hfield, "hfield"));
  return compile_hfield(spec, hfield, data.nrow, data.ncol, data.elevation);
}

/// Removes the meshes that are not among the names, and what was compiled from them.
void keep_named(const NameSet& names, std::vector<Mesh>* items,
                std::vector<CompiledMesh>* compiled) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < items->size(); ++i) {
    if (names.count((*items)[i].name) == 0) {
      continue;
    }
    if (kept != i) {
      (*items)[kept] = std::move((*items)[i]);
      if (compiled != nullptr) {
        (*compiled)[kept] = std::move((*compiled)[i]);
      }
    }
    ++kept;
  }
  items->resize(kept);
  if (compiled != nullptr) {
    compiled->resize(kept);
  }
}

}  // namespace

int find_mesh(const Spec& spec, const std::string& name) {
  return find_item(spec.meshes, name);
}

int find_hfield(const Spec& spec, const std::string& name) {
  return find_item(spec.hfields, name);
}

Assets compile_assets(const Spec& spec) {
  load_detail::AssetFiles files;
  const NameSet colliding = colliding_meshes(spec);
  Assets assets;
  for (const Mesh& mesh : spec.meshes) {
    assets.meshes.push_back(
        compile_mesh(spec, mesh, content_of(spec, mesh, &files), colliding.count(mesh.name) > 0));
  }
  for (const HField& hfield : spec.hfields) {
    assets.hfields.push_back(hfield_of(spec, hfield, &files));
  }
  return assets;
}

void drop_unused_meshes(Spec* spec, Assets* assets) {
  NameSet meshes;
  for_each_geom(spec->worldbody, [&](const Geom& geom) { meshes.insert(geom.mesh); });
  keep_named(meshes, &spec->meshes, assets == nullptr ? nullptr : &assets->meshes);
}

}  // namespace swept::compiler
