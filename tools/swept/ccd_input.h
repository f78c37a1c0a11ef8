// SPDX-License-Identifier: Apache-2.0
// The files of `swept ccd`: bodies and their motions.
//
// Bodies in space: Wavefront OBJ, with all of its objects, polygons as fans of triangles, in double
// precision; STL and MSH as scenes read them. Bodies in the plane: OBJ with lines (v x y, l 1 2 3
// …).
//
// Motions are one JSON object with a member for each body that does not rest at the identity pose:
//   {"a": {"from": {"position": [0, 0, 1], "quaternion": [1, 0, 0, 0]},
//          "to":   {"position": [0, 0, -1]}},
//    "b": {"from": {"rotation": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
//          "velocity": [1, 0, 0], "angular_velocity": [0, 0, 3], "duration": 0.01,
//          "thickness": 0.001}}
// A pose has a position and a quaternion (w, x, y, z) or a matrix of rows; in the plane two
// numbers, and "angle" in radians or the matrix. A body moves to a pose or with a velocity, or
// stays.
#pragma once

#include <swept/ccd.h>

#include <string>

namespace swept::cli {

/// The mesh or polyline in a file. Throws Error, with its name, for what cannot be read.
template <int D>
ccd::Body<D> read_ccd_body(const std::string& path, double thickness);

/// Both motions, and how thick the bodies are.
template <int D>
struct CcdMotions {
  ccd::Motion<D> a, b;
  double thickness_a = 0, thickness_b = 0;
};

/// The motions in a JSON file; an empty path: both rest. Throws Error, with the file's name, for
/// what is not in the format.
template <int D>
CcdMotions<D> read_ccd_motions(const std::string& path);

}  // namespace swept::cli
