// SPDX-License-Identifier: Apache-2.0
// Bodies: validation, measures and the tree; the bound on the speed of a body's points.
#include <swept/ccd/body.h>
#include <swept/error.h>

#include "ccd/speed.h"
#include "ccd/tree.h"
#include "ccd/vec.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace swept::ccd {

using namespace detail;

namespace {

template <int D>
void check_mesh(std::span<const double> vertices, std::span<const int> facets, double thickness) {
  const char* const shape = D == 2 ? "segments" : "triangles";
  if (vertices.size() % D != 0 || facets.size() % D != 0) {
    throw Error("the arrays of a body have " + std::to_string(vertices.size()) +
                    " coordinates and " + std::to_string(facets.size()) + " corners",
                "both must be multiples of " + std::to_string(D));
  }
  if (facets.empty()) {
    throw Error(std::string("a body has no ") + shape, "give at least one");
  }
  constexpr std::size_t most_facets = std::size_t(1) << 30;
  if (facets.size() / D > most_facets) {
    throw Error(std::string("a body has too many ") + shape, "give at most 2^30");
  }
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (!(std::abs(vertices[i]) <= 1e50)) {
      throw Error("vertex " + std::to_string(i / D) + " of a body is not finite or above 1e50",
                  "give finite coordinates");
    }
  }
  const auto count = static_cast<long long>(vertices.size() / D);
  for (std::size_t i = 0; i < facets.size(); ++i) {
    if (facets[i] < 0 || facets[i] >= count) {
      throw Error("facet " + std::to_string(i / D) + " of a body names vertex " +
                      std::to_string(facets[i]) + " of " + std::to_string(count),
                  "numbers start at 0");
    }
  }
  if (!(thickness >= 0 && thickness <= 1e50)) {
    throw Error("the thickness of a body is " + std::to_string(thickness),
                "give a finite number that is not negative");
  }
}

}  // namespace

template <int D>
Body<D>::Body(std::span<const double> vertices, std::span<const int> facets, double thickness)
    : thickness_(thickness) {
  check_mesh<D>(vertices, facets, thickness);
  auto tree = std::make_shared<Tree<D>>(build_tree<D>(vertices, facets));
  diagonal_ = 2 * norm(tree->nodes[0].half);
  for (const Facet<D>& facet : tree->corners) {
    for (const Vector<D>& x : facet) {
      radius_ = std::max(radius_, norm(x));
    }
  }
  tree_ = std::move(tree);
}

template <int D>
int Body<D>::facets() const {
  return static_cast<int>(tree_->facet.size());
}

template <int D>
double motion_bound(const Body<D>& body, const Motion<D>& motion) {
  if (motion.angle() == 0) {
    return speed_of(motion, 0.0);
  }
  const double radius = largest_over<D>(
      body.tree(), [&](const Vector<D>& x) { return turn_radius<D>(motion, x); },
      [&](const Vector<D>& center, const Vector<D>& half) {
        return turn_radius_bound<D>(motion, center, half);
      });
  return speed_of(motion, radius);
}

template <int D>
double motion_bound(std::span<const double> vertices, const Motion<D>& motion) {
  if (vertices.size() % D != 0) {
    throw Error(std::to_string(vertices.size()) + " coordinates of vertices",
                "give a multiple of " + std::to_string(D));
  }
  double radius = 0;
  for (std::size_t i = 0; i < vertices.size(); i += D) {
    Vector<D> x{};
    std::copy_n(vertices.begin() + static_cast<std::ptrdiff_t>(i), D, x.begin());
    radius = std::max(radius, turn_radius<D>(motion, x));
  }
  return speed_of(motion, motion.angle() == 0 ? 0 : radius);
}

template class Body<2>;
template class Body<3>;
template double motion_bound(const Body<2>&, const Motion<2>&);
template double motion_bound(const Body<3>&, const Motion<3>&);
template double motion_bound(std::span<const double>, const Motion<2>&);
template double motion_bound(std::span<const double>, const Motion<3>&);

}  // namespace swept::ccd
