// SPDX-License-Identifier: Apache-2.0
// Which format a mesh file has, and the checks that all formats share.
#include "host/load/mesh/mesh_file.h"

#include <swept/error.h>

#include "host/load/mesh/mesh_check.h"
#include "host/load/mesh/suffix.h"

#include <cmath>

namespace swept::load_detail {

MeshFormat mesh_format(const std::string& file, const std::string& content_type) {
  if (!content_type.empty()) {
    if (content_type == "model/obj") {
      return MeshFormat::obj;
    }
    if (content_type == "model/stl") {
      return MeshFormat::stl;
    }
    if (content_type == "model/vnd.mujoco.msh") {
      return MeshFormat::msh;
    }
    throw Error(Place{file, 0, {}}, "no mesh has the content type '" + content_type + "'",
                "use model/obj, model/stl or model/vnd.mujoco.msh");
  }
  const std::string suffix = lower_suffix(file);
  if (suffix == ".obj") {
    return MeshFormat::obj;
  }
  if (suffix == ".stl") {
    return MeshFormat::stl;
  }
  if (suffix == ".msh") {
    return MeshFormat::msh;
  }
  throw Error(Place{file, 0, {}}, "no mesh file has the suffix '" + suffix + "'",
              "convert it to .obj, .stl or .msh, or give its content_type");
}

MeshData read_mesh(std::string_view bytes, MeshFormat format, const std::string& file) {
  switch (format) {
    case MeshFormat::obj:
      return read_obj(bytes, file);
    case MeshFormat::stl:
      return read_stl(bytes, file);
    case MeshFormat::msh:
      return read_msh(bytes, file);
  }
  throw Error("there is no such mesh format");
}

MeshData checked_mesh(MeshData mesh, const std::string& file) {
  const Place place{file, 0, {}};
  const std::size_t nvert = mesh.vertex.size() / 3;
  if (nvert < 4) {
    throw Error(place, "the mesh has " + std::to_string(nvert) + " vertices",
                "a mesh needs at least 4");
  }
  for (std::size_t i = 0; i < mesh.vertex.size(); ++i) {
    if (!std::isfinite(mesh.vertex[i])) {
      throw Error(place, "vertex " + std::to_string(i / 3) + " is not finite",
                  "repair the file that made it");
    }
  }
  for (std::size_t i = 0; i < mesh.face.size(); ++i) {
    if (mesh.face[i] < 0 || static_cast<std::size_t>(mesh.face[i]) >= nvert) {
      throw Error(place,
                  "face " + std::to_string(i / 3) + " has vertex " + std::to_string(mesh.face[i]) +
                      ", which does not exist",
                  "there are " + std::to_string(nvert) + " vertices, counted from 0");
    }
  }
  return mesh;
}

}  // namespace swept::load_detail
