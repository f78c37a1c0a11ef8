// SPDX-License-Identifier: Apache-2.0
// A binary tree of boxes and slabs over the facets of a body, in plain arrays.
//
// The boxes are along the axes of the body's frame; the bound on the distance of two of them uses
// the axes of both bodies (boxes.h). Nodes stand in preorder: the first child of node i is i + 1,
// the second is `second`, and a node's descendants are the nodes up to its end. A leaf has one
// facet, and facets stand in the order of the leaves, so that a descent needs a short stack of
// numbers only.
//
// A surface seen from near is flat, and seldom along the axes: a box of side h around a piece that
// leans is a length of about h too thick, a slab across the piece's own normal one of about h^2 for
// a curved surface. With boxes alone the number of pairs of nodes nearer than two smooth bodies are
// grows as their facets do; with slabs it hardly grows. So a node has both (reach()).
//
//   0 ──┬── 1 ──┬── 2 (facet 0)
//       │       └── 3 (facet 1)
//       └── 4 (facet 2)
#pragma once

#include "ccd/rounding.h"
#include "ccd/vec.h"

#include <swept/ccd/motion.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace swept::ccd::detail {

/// The corners of a facet.
template <int D>
using Facet = std::array<Vector<D>, D>;

template <int D>
struct Node {
  Vector<D> center;  ///< the box is center +- half
  Vector<D> half;
  Vector<D> normal;  ///< m, the direction in which the facets are thinnest: a unit vector, or zero
  double middle;     ///< the slab is |m (x - center) - middle| <= thickness
  double thickness;
  double radius;  ///< no corner is farther from the line through the center along m
  int second;     ///< the second child; -1 - slot for the leaf of the facet in that slot

  bool leaf() const { return second < 0; }
  int slot() const { return -1 - second; }

  /// How far the facets reach from the center along a unit vector, at most: the box, or the slab's
  /// part (n m) middle + |n m| thickness and that of the disc across it, |n x m| radius.
  double reach(const Vector<D>& n) const {
    double of_box = 0;
    for (int i = 0; i < D; ++i) {
      of_box += std::abs(n[i]) * half[i];
    }
    // n is of unit length to 24 u and m to 4 u, so the square below is wrong by less than 100 u
    const double along = dot(n, normal);
    const double across = std::sqrt(std::max(0.0, 1 - along * along) + 128 * unit_roundoff);
    return std::min(of_box, along * middle + std::abs(along) * thickness + across * radius);
  }
};

template <int D>
struct Tree {
  std::vector<Node<D>> nodes;     ///< [2 m - 1]
  std::vector<Facet<D>> corners;  ///< [m] by slot
  std::vector<int> facet;         ///< [m] the facet's number in the input, by slot
};

/// A depth that no tree exceeds: every split halves the facets, of which there are less than 2^31.
inline constexpr int max_depth = 32;

/// The tree of facets, split at the median of their middles along the longest axis; facets with
/// equal middles keep their order. At least one facet, all numbers of vertices in range.
template <int D>
Tree<D> build_tree(std::span<const double> vertices, std::span<const int> facets);

/// The largest value of a convex function over all corners of a tree.
///   value(x)                of a point
///   bound(center, half)     at least the value of every point of the box
template <int D, class Value, class BoxBound>
double largest_over(const Tree<D>& tree, const Value& value, const BoxBound& bound) {
  double best = -std::numeric_limits<double>::infinity();
  std::array<int, max_depth + 1> stack;
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const int i = stack[--size];
    const Node<D>& node = tree.nodes[i];
    if (node.leaf()) {
      for (const Vector<D>& x : tree.corners[node.slot()]) {
        best = std::max(best, value(x));
      }
      continue;
    }
    if (!(bound(node.center, node.half) > best)) {
      continue;
    }
    // the more promising child first
    const Node<D>&one = tree.nodes[i + 1], &two = tree.nodes[node.second];
    const bool swap = bound(one.center, one.half) > bound(two.center, two.half);
    stack[size++] = swap ? node.second : i + 1;
    stack[size++] = swap ? i + 1 : node.second;
  }
  return best;
}

}  // namespace swept::ccd::detail
