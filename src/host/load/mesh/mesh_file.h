// SPDX-License-Identifier: Apache-2.0
// Mesh files: Wavefront OBJ, STL (binary and text) and MuJoCo's MSH become vertices and triangles,
// as single precision numbers, exactly as the file has them: scale, hull and inertia come later.
//
// OBJ    all vertices of the file, and the faces of its first object only; triangles, and quads,
//        of which (0 1 2 3) becomes (0 1 2) and (0 2 3). Nothing is merged.
// STL    vertices with the same bits are one vertex, in the order in which they first stand;
//        the file's normals are not used. Binary: an 80-byte header, an int32 number of
//        triangles and 50 bytes for each, nothing more. Text: solid … endsolid.
// MSH    int32 numbers of vertices, normals, texture coordinates and faces; float32 vertices (3),
//        normals (3), texture coordinates (2); int32 faces (3). Nothing more.
//
// Numbers are little-endian. Normals and texture coordinates have no effect on physics and are not
// kept, but their amounts are checked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace swept::load_detail {

/// A mesh as a file has it. Faces are within [0, number of vertices), coordinates are finite. A
/// file may hold vertices alone; then there are no faces, and the hull is meant.
struct MeshData {
  std::vector<float> vertex;  ///< [nvert, 3] in the file's unit
  std::vector<int> face;      ///< [nface, 3] numbers of vertices, counter-clockwise from outside
};

enum class MeshFormat { obj, stl, msh };

/// Most vertices and most faces of one mesh; larger files are refused before they are read.
inline constexpr int max_mesh_vertices = 1 << 26;
inline constexpr int max_mesh_faces = 1 << 26;

/// Most faces in the text of an OBJ file; reading takes 250 bytes for each.
inline constexpr int max_obj_faces = 1 << 24;

/// The format of a file: by its content type ("model/obj", "model/stl", "model/vnd.mujoco.msh"),
/// or, if that is empty, by the suffix of its name in either case. Throws Error for any other.
MeshFormat mesh_format(const std::string& file, const std::string& content_type);

/// Reads a mesh from the bytes of a file.
///   file   its name, for messages
/// Throws Error, with the file's name, for whatever is not in the format.
MeshData read_mesh(std::string_view bytes, MeshFormat format, const std::string& file);

/// The same, for each format.
MeshData read_obj(std::string_view bytes, const std::string& file);
MeshData read_stl(std::string_view bytes, const std::string& file);
MeshData read_msh(std::string_view bytes, const std::string& file);

}  // namespace swept::load_detail
