// SPDX-License-Identifier: Apache-2.0
// What is read of an OBJ file, line by line and checked: vertices, faces, and where objects and
// groups begin. The rest (normals, texture coordinates, colours, materials, smoothing, free-form
// curves) has no effect on physics.
#pragma once

#include <string>
#include <string_view>

namespace swept::load_detail {

/// Most corners of one face; cutting it into triangles takes time with their square.
inline constexpr int max_face_corners = 512;

/// The lines of an OBJ file that are read, in plain form and in the same places:
///   v x y z        coordinates are decimal numbers
///   f i j k …      vertices that exist, counted from 1
///   l 1  p 1       that there are lines or points; their vertices exist
///   o x  g x       without their names
/// All other lines are left empty. Throws Error, with file and line, for a line that is not so.
std::string plain_obj(std::string_view text, const std::string& file);

}  // namespace swept::load_detail
