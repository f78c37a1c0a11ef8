// SPDX-License-Identifier: Apache-2.0
// A balanced tree of boxes over the faces of a mesh, for rays and contacts: one face to
// a leaf.
#pragma once

#include "host/compile/frames.h"

#include <array>
#include <vector>

namespace swept::compiler {

/// Nodes in the order parent, left subtree, right subtree. Node 0 is the root.
struct FaceTree {
  std::vector<std::array<int, 2>> child;    ///< -1 -1: a leaf
  std::vector<int> face;                    ///< of a leaf; -1: no leaf
  std::vector<int> next;                    ///< first node behind those below this one
  std::vector<std::array<double, 6>> aabb;  ///< centre and half sizes [m]
};

/// Builds the tree. The faces of a node are split in two halves by the centres of their boxes along
/// the longest side of the box around these centres, equal ones by their numbers. Boxes are wide
/// enough to hold their faces after they were rounded to single precision.
FaceTree face_tree(const std::vector<float>& vertex, const std::vector<int>& face);

}  // namespace swept::compiler
