// SPDX-License-Identifier: Apache-2.0
// The trees of bodies: every node's box and slab hold its facets, and slabs of smooth surfaces get
// thinner with the square of their size.
#include "ccd/tree.h"

#include "ccd/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace swept::test {
namespace {

using namespace ccd::detail;
using ccd::Vector;

// the slots of a node's facets, [first, last), in preorder
template <int D>
std::pair<int, int> slots_of(const Tree<D>& tree, int node) {
  if (tree.nodes[node].leaf()) {
    return {tree.nodes[node].slot(), tree.nodes[node].slot() + 1};
  }
  return {slots_of(tree, node + 1).first, slots_of(tree, tree.nodes[node].second).second};
}

// how far a node's corners go from its center along a direction
template <int D>
double farthest(const Tree<D>& tree, int node, const Vector<D>& n) {
  const auto [first, last] = slots_of(tree, node);
  double most = -std::numeric_limits<double>::infinity();
  for (int slot = first; slot < last; ++slot) {
    for (const Vector<D>& x : tree.corners[slot]) {
      most = std::max(most, dot(n, x - tree.nodes[node].center));
    }
  }
  return most;
}

template <int D>
void check_reach(const Shape<D>& shape, Random& random) {
  const Tree<D> tree = build_tree<D>(shape.vertices, shape.facets);
  // every facet once, with its own corners
  const int facets = static_cast<int>(shape.facets.size()) / D;
  ASSERT_EQ(slots_of(tree, 0), std::pair(0, facets));
  std::vector<int> seen(facets);
  for (int slot = 0; slot < facets; ++slot) {
    const int facet = tree.facet[slot];
    ++seen[facet];
    for (int k = 0; k < D * D; ++k) {
      EXPECT_EQ(tree.corners[slot][k / D][k % D],
                shape.vertices[shape.facets[facet * D + k / D] * D + k % D]);
    }
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), facets);
  for (int i = 0; i < static_cast<int>(tree.nodes.size()); ++i) {
    const Node<D>& node = tree.nodes[i];
    // rounding of the dot products here
    const double room = 1e-15 * (norm(node.center) + norm(node.half));
    for (int k = 0; k < 20; ++k) {
      // any direction, the node's own, and such as lean from it a little
      Vector<D> n = random_direction<D>(random);
      if (k % 2 == 0) {
        n = unit(node.normal + std::pow(10, uniform(random, -9, 0)) * n);
      }
      n = k % 4 < 2 ? n : -n;
      EXPECT_LE(farthest<D>(tree, i, n), node.reach(n) + room) << "node " << i;
    }
    EXPECT_LE(farthest<D>(tree, i, node.normal), node.middle + node.thickness + room);
    EXPECT_LE(farthest<D>(tree, i, -node.normal), node.thickness - node.middle + room);
  }
}

TEST(Tree, NodesHoldTheirFacetsInEveryDirection) {
  Random random(1);
  for (int i = 0; i < 60; ++i) {
    check_reach<3>(random_shape(random, 60, i), random);
    check_reach<3>(soup(1 + i, 1, std::pow(10, uniform(random, -12, 0)), random), random);
    check_reach<2>(noisy_polygon(40, 0.3, i), random);
    check_reach<2>(segments(1 + i, 1, std::pow(10, uniform(random, -12, 0)), random), random);
  }
  // far from the origin, in a line, in a point
  check_reach<3>(noisy_sphere(60, 0.1, 3).placed({1e6, -1e6, 1e6}), random);
  check_reach<3>({{0, 0, 0, 1, 2, 3, 2, 4, 6, 3, 6, 9}, {0, 1, 2, 1, 2, 3}}, random);
  check_reach<3>({{1, 2, 3}, {0, 0, 0, 0, 0, 0}}, random);
  check_reach<2>({{1, 2}, {0, 0, 0, 0}}, random);
}

// a piece of the unit sphere (circle) of radius r is r^2 / 2 deep, so half of that from its middle
TEST(Tree, SlabsOfSmoothSurfacesThinWithTheSquareOfTheirSize) {
  const Shape<3> sphere = noisy_sphere(20000, 0, 1);
  const auto tree = build_tree<3>(sphere.vertices, sphere.facets);
  const Shape<2> circle = noisy_polygon(2000, 0, 1);
  const auto ring = build_tree<2>(circle.vertices, circle.facets);
  int small = 0;
  const auto check = [&small](const auto& node) {
    if (node.radius < 0.3) {
      ++small;
      // 2: pieces that are longer than wide lean a little
      EXPECT_LE(node.thickness, 2 * node.radius * node.radius / 4 + 1e-14);
    }
  };
  for (const auto& node : tree.nodes) {
    check(node);
  }
  for (const auto& node : ring.nodes) {
    check(node);
  }
  EXPECT_GT(small, 20000);
}

}  // namespace
}  // namespace swept::test
