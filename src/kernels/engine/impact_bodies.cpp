// SPDX-License-Identifier: Apache-2.0
// Rounding bodies to the configuration's reals, and building the boxes again around what they are
// then.
#include "kernels/engine/impact_bodies.h"

#include <algorithm>
#include <cmath>

namespace swept::SWEPT_NS {

namespace {

/// The corners of a box along the axes.
struct Bounds {
  real low[3], high[3];
};

/// The box between two reals: its middle, and half sides that reach both, rounded up.
void set_side(real low, real high, real* center, real* half) {
  *center = real(0.5) * low + real(0.5) * high;
  const real longer = std::max(high - *center, *center - low);
  *half = longer > 0 ? std::nextafter(longer, real(2)) : real(0);
}

BoxNode node_of(const Bounds& b, int second) {
  BoxNode node;
  set_side(b.low[0], b.high[0], &node.center.x, &node.half.x);
  set_side(b.low[1], b.high[1], &node.center.y, &node.half.y);
  set_side(b.low[2], b.high[2], &node.center.z, &node.half.z);
  node.second = second;
  return node;
}

Bounds bounds_of(const Facet3& facet) {
  const real first[3] = {facet.v[0].x, facet.v[0].y, facet.v[0].z};
  Bounds b;
  for (int k = 0; k < 3; ++k) {
    b.low[k] = b.high[k] = first[k];
  }
  for (const Vec3<real>& v : facet.v) {
    const real x[3] = {v.x, v.y, v.z};
    for (int k = 0; k < 3; ++k) {
      b.low[k] = std::min(b.low[k], x[k]);
      b.high[k] = std::max(b.high[k], x[k]);
    }
  }
  return b;
}

Bounds both(const Bounds& one, const Bounds& two) {
  Bounds b = one;
  for (int k = 0; k < 3; ++k) {
    b.low[k] = std::min(b.low[k], two.low[k]);
    b.high[k] = std::max(b.high[k], two.high[k]);
  }
  return b;
}

std::vector<Facet3> rounded_facets(const ccd::ImpactTree& tree, int exponent) {
  std::vector<Facet3> facets(tree.corners.size() / 9);
  const auto number = [&](std::size_t i) {
    return static_cast<real>(std::ldexp(tree.corners[i], -exponent));
  };
  for (std::size_t f = 0; f < facets.size(); ++f) {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t at = 9 * f + 3 * c;
      facets[f].v[c] = {number(at), number(at + 1), number(at + 2)};
    }
  }
  return facets;
}

std::vector<BoxNode> boxes(const ccd::ImpactTree& tree, const std::vector<Facet3>& facets) {
  std::vector<BoxNode> nodes(tree.second.size());
  std::vector<Bounds> bounds(nodes.size());
  // both children stand behind their parent
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const int second = tree.second[i];
    bounds[i] = second < 0 ? bounds_of(facets[static_cast<std::size_t>(-1 - second)])
                           : both(bounds[i + 1], bounds[static_cast<std::size_t>(second)]);
    nodes[i] = node_of(bounds[i], second);
  }
  return nodes;
}

}  // namespace

int exponent_above(double length) {
  int exponent = 0;
  std::frexp(length, &exponent);
  return exponent;
}

ImpactBodies::ImpactBodies(std::span<const ccd::ImpactTree> trees) {
  std::size_t node_count = 0, facet_count = 0;
  for (const ccd::ImpactTree& tree : trees) {
    node_count += tree.second.size();
    facet_count += tree.corners.size() / 9;
  }
  nodes_ = Buffer<BoxNode>(node_count);
  facets_ = Buffer<Facet3>(facet_count);
  std::vector<BodyView> views;
  std::size_t node = 0, facet = 0;
  for (const ccd::ImpactTree& tree : trees) {
    radius_.push_back(tree.radius);
    exponent_.push_back(exponent_above(tree.radius));
    const std::vector<Facet3> facets = rounded_facets(tree, exponent_.back());
    const std::vector<BoxNode> nodes = boxes(tree, facets);
    nodes_.upload(nodes.data(), nodes.size(), node);
    facets_.upload(facets.data(), facets.size(), facet);
    views.push_back({nodes_.data() + node, facets_.data() + facet});
    node += nodes.size();
    facet += facets.size();
  }
  views_ = Buffer<BodyView>(views.size());
  views_.upload(views.data(), views.size());
}

}  // namespace swept::SWEPT_NS
