// SPDX-License-Identifier: Apache-2.0
// MuJoCo's binary mesh format: see mesh_file.h for its layout.
#include <swept/error.h>

#include "host/load/mesh/bytes.h"
#include "host/load/mesh/mesh_check.h"

namespace swept::load_detail {

MeshData read_msh(std::string_view bytes, const std::string& file) {
  const Place place{file, 0, {}};
  constexpr std::size_t header = 4 * sizeof(std::int32_t);
  if (bytes.size() < header) {
    throw Error(place,
                "an MSH file begins with four integers, and this one has " +
                    std::to_string(bytes.size()) + " bytes",
                "write it anew");
  }
  const auto count = [bytes](std::size_t i) {
    return std::int64_t{number_at<std::int32_t>(bytes, i * sizeof(std::int32_t))};
  };
  const std::int64_t nvert = count(0);
  const std::int64_t nnormal = count(1);
  const std::int64_t ntexcoord = count(2);
  const std::int64_t nface = count(3);
  const std::string counts = std::to_string(nvert) + " vertices, " + std::to_string(nnormal) +
                             " normals, " + std::to_string(ntexcoord) +
                             " texture coordinates and " + std::to_string(nface) + " faces";

  // amounts that belong together, then the length of the file, before anything is allocated
  if (nvert < 0 || nface < 0 || (nnormal != 0 && nnormal != nvert) ||
      (ntexcoord != 0 && ntexcoord != nvert)) {
    throw Error(place, "the header of the MSH file says " + counts,
                "normals and texture coordinates are as many as vertices, or none; is this "
                "another kind of .msh file?");
  }
  if (nvert > max_mesh_vertices || nface > max_mesh_faces) {
    throw Error(place, "the mesh is too large: " + counts, "simplify it");
  }
  const std::int64_t expected =
      static_cast<std::int64_t>(header) + 4 * (3 * nvert + 3 * nnormal + 2 * ntexcoord + 3 * nface);
  if (static_cast<std::int64_t>(bytes.size()) != expected) {
    throw Error(place,
                "the MSH file has " + std::to_string(bytes.size()) + " bytes, but " + counts +
                    " take " + std::to_string(expected),
                "it is damaged: write it anew");
  }

  MeshData mesh;
  mesh.vertex = numbers_at<float>(bytes, header, static_cast<std::size_t>(3 * nvert));
  const auto faces = static_cast<std::size_t>(3 * nface);
  mesh.face = numbers_at<int>(bytes, bytes.size() - faces * sizeof(std::int32_t), faces);
  return checked_mesh(std::move(mesh), file);
}

}  // namespace swept::load_detail
