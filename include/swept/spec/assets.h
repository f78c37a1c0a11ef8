// SPDX-License-Identifier: Apache-2.0
// Spec: meshes, height fields, textures and materials.
#pragma once

#include <swept/spec/item.h>

#include <array>
#include <string>
#include <vector>

namespace swept {

/// `asset/mesh`. The vertices come from one of: a file, the element itself, a builtin shape.
struct Mesh : Item {
  std::string file;          ///< path, meshdir included; absolute if a file named it
  std::string content_type;  ///< format of the file; empty: by its suffix
  Vec3 scale{1.0, 1.0, 1.0};
  MeshInertia inertia = MeshInertia::legacy;
  int maxhullvert = -1;  ///< most vertices of the hull, at least 4; -1: no limit
  bool smoothnormal = false;
  Vec3 refpos{0.0, 0.0, 0.0};    ///< taken from the vertices [m]
  Quat refquat = identity_quat;  ///< whose inverse then turns them
  std::vector<float> vertex;     ///< 3 each
  std::vector<float> normal;     ///< 3 each; rendering only
  std::vector<float> texcoord;   ///< 2 each; rendering only
  std::vector<int> face;         ///< 3 vertices each; none: the faces of the convex hull
  MeshBuiltin builtin = MeshBuiltin::none;
  std::vector<double> params;  ///< of the builtin shape
  std::string material;
};

/// `asset/hfield`. The elevations come from a file or from the element itself.
struct HField : Item {
  std::string file;              ///< path, meshdir included; absolute if a file named it
  std::string content_type;      ///< format of the file; empty: by its suffix
  int nrow = 0;                  ///< rows, along y; 0: the file says
  int ncol = 0;                  ///< columns, along x
  std::array<double, 4> size{};  ///< half x, half y, elevation of the highest point, base [m]
  std::vector<float> elevation;  ///< nrow x ncol from the lowest y on, in any unit; none: flat
};

/// `asset/texture`: only its name, kind and file are kept.
struct Texture : Item {
  std::string type = "cube";
  std::string file;
};

/// `asset/material`.
struct Material : Item {
  std::string texture;
  Rgba rgba{1.0, 1.0, 1.0, 1.0};
};

}  // namespace swept
