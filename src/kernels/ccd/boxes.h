// SPDX-License-Identifier: Apache-2.0
// Boxes of two bodies' trees: the gaps between them, and the largest radius of their points about
// an axis.
#pragma once

#include "kernels/ccd/pair.h"

namespace swept::SWEPT_NS {

/// The gaps of two boxes along the axes of both bodies: negative where they overlap.
struct BoxGaps {
  Vec3<real> along_b;   ///< along b's axes
  Vec3<real> along_a;   ///< along a's
  Vec3<real> offset_b;  ///< middle of a's box less that of b's, in b's frame
  Vec3<real> offset_a;  ///< the same in a's frame
};

SWEPT_FN BoxGaps gaps_of(const PlacedPair& placed, const BoxNode& a, const BoxNode& b) {
  BoxGaps g;
  g.offset_b = placed(a.center) - b.center;
  g.offset_a = transpose_mul(placed.rotation, g.offset_b);
  g.along_b = abs(g.offset_b) - b.half - placed.size * a.half;
  g.along_a = abs(g.offset_a) - a.half - transpose_mul(placed.size, b.half);
  return g;
}

/// The squared length of the positive components.
SWEPT_FN real positive_square(Vec3<real> v) {
  const Vec3<real> p = {max(v.x, 0_r), max(v.y, 0_r), max(v.z, 0_r)};
  return dot(p, p);
}

/// A bound from below on the distance of what is in the boxes: each box is inside the box along the
/// other's axes that is used, whose distance is the length of the positive gaps.
///   error   what rounding may add, taken off
SWEPT_FN real distance_bound(const BoxGaps& g, real error) {
  return sqrt(max(positive_square(g.along_a), positive_square(g.along_b))) - error;
}

/// At least the radius of every point of a box about an axis through the body's origin: component
/// by component of k x x, which are linear in x.
SWEPT_FN real radius_bound(Vec3<real> k, const BoxNode& box) {
  const Vec3<real> middle = abs(cross(k, box.center)), size = abs(k);
  return norm(Vec3<real>{middle.x + size.y * box.half.z + size.z * box.half.y,
                         middle.y + size.z * box.half.x + size.x * box.half.z,
                         middle.z + size.x * box.half.y + size.y * box.half.x});
}

/// The largest radius of a body's corners about an axis, in the body's unit. Boxes that cannot have
/// it are left out; rounding may leave out one that has it by a few u of the body's radius.
SWEPT_FN real largest_radius(const BodyView& body, Vec3<real> k) {
  real best = 0;
  int stack[max_tree_depth + 1];
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const int i = stack[--size];
    const BoxNode& node = body.nodes[i];
    if (node.leaf()) {
      const Facet3& f = body.facets[node.slot()];
      for (int c = 0; c < 3; ++c) {
        best = max(best, norm(cross(k, f.v[c])));
      }
      continue;
    }
    if (!(radius_bound(k, node) > best)) {
      continue;
    }
    // the more promising child first
    const bool swap = radius_bound(k, body.nodes[i + 1]) > radius_bound(k, body.nodes[node.second]);
    stack[size++] = swap ? node.second : i + 1;
    stack[size++] = swap ? i + 1 : node.second;
  }
  return best;
}

}  // namespace swept::SWEPT_NS
