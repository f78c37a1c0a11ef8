// SPDX-License-Identifier: Apache-2.0
// Wavefront OBJ by tinyobjloader, as in the official reader: it knows where the first object ends,
// cuts a quad along its shorter diagonal and a larger polygon ear by ear. What it gets has been
// checked before.
#define TINYOBJLOADER_IMPLEMENTATION
#include <tiny_obj_loader.h>

#include <swept/error.h>

#include "host/load/mesh/mesh_check.h"
#include "host/load/mesh/obj_lines.h"

#include <istream>
#include <streambuf>
#include <utility>

namespace swept::load_detail {
namespace {

/// A stream's view of text.
class TextBuffer : public std::streambuf {
 public:
  explicit TextBuffer(std::string& text) {
    setg(text.data(), text.data(), text.data() + text.size());
  }
};

}  // namespace

MeshData read_obj(std::string_view bytes, const std::string& file) {
  std::string text = plain_obj(bytes, file);
  TextBuffer buffer(text);
  std::istream stream(&buffer);
  tinyobj::attrib_t attributes;
  std::vector<tinyobj::shape_t> shapes;
  std::vector<tinyobj::material_t> materials;
  std::string warnings;
  std::string errors;
  const bool triangulate = true;
  const bool colours = false;
  if (!tinyobj::LoadObj(&attributes, &shapes, &materials, &warnings, &errors, &stream, nullptr,
                        triangulate, colours)) {
    throw Error(Place{file, 0, {}}, "the OBJ file cannot be read: " + errors, "write it anew");
  }

  MeshData mesh;
  mesh.vertex = std::move(attributes.vertices);
  if (!shapes.empty()) {
    const tinyobj::shape_t& first = shapes.front();
    if (first.mesh.indices.empty()) {
      throw Error(Place{file, 0, {}}, "the first object of the OBJ file has no faces",
                  "put the object with the faces first");
    }
    mesh.face.reserve(first.mesh.indices.size());
    for (const tinyobj::index_t& index : first.mesh.indices) {
      mesh.face.push_back(index.vertex_index);
    }
  }
  return checked_mesh(std::move(mesh), file);
}

}  // namespace swept::load_detail
