// SPDX-License-Identifier: Apache-2.0
// A rigid body for continuous collision: facets of any shape, and a tree of boxes over them.
//
// Facets are triangles in space and segments in the plane. They may be in any order and of any
// orientation; the surface need not be convex, closed or connected, and facets without area are
// allowed. What collides is the surface: a body inside another that is hollow touches nothing.
#pragma once

#include <swept/ccd/motion.h>

#include <memory>
#include <span>

namespace swept::ccd {

namespace detail {
template <int D>
struct Tree;
}

/// The facets of a body in its own frame. The tree is built once, here; queries build nothing.
/// Copies share it, and it may be used from several threads.
template <int D>
class Body {
 public:
  /// Takes copies of the arrays.
  ///   vertices    [n, D], finite, at most 1e50
  ///   facets      [m, D] numbers of vertices; m > 0
  ///   thickness   how far the true surface lies outside of the facets on either side, at least 0:
  ///               the radius of a shell or of an offset body
  /// Throws Error for an empty mesh, an odd number of numbers, a vertex that does not exist or is
  /// not finite, or a thickness that is negative or not finite. Vertices of no facet do not count.
  Body(std::span<const double> vertices, std::span<const int> facets, double thickness = 0);

  /// Number of facets.
  int facets() const;

  double thickness() const { return thickness_; }

  /// The diagonal of the box of the facets in the body's frame.
  double diagonal() const { return diagonal_; }

  /// The largest distance of a corner from the body's origin.
  double radius() const { return radius_; }

  /// The tree, for the library's own use.
  const detail::Tree<D>& tree() const { return *tree_; }

 private:
  std::shared_ptr<const detail::Tree<D>> tree_;
  double thickness_ = 0;
  double diagonal_ = 0;
  double radius_ = 0;
};

/// A body of triangles in space, and one of segments in the plane.
using Mesh = Body<3>;
using Polyline = Body<2>;

/// The bound mu on the speed of the points of a body. The same number as that of its corners; found
/// in the tree, in less than linear time for most motions.
template <int D>
double motion_bound(const Body<D>& body, const Motion<D>& motion);

}  // namespace swept::ccd
