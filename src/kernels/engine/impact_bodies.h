// SPDX-License-Identifier: Apache-2.0
// The trees of bodies in the device's memory.
#pragma once

#include "kernels/base/buffer.h"
#include "kernels/ccd/pair.h"
#include "kernels/engine/impact_engine.h"

#include <vector>

namespace swept::SWEPT_NS {

/// A power of two above a length: 2^exponent of it; 0 for 0.
int exponent_above(double length);

/// All trees of a batch. Corners are in units of their body, 2^exponent, a power of two above its
/// radius, and rounded to reals; boxes hold the rounded corners.
class ImpactBodies {
 public:
  explicit ImpactBodies(std::span<const ccd::ImpactTree> trees);

  const BodyView* views() const { return views_.data(); }
  double radius(int tree) const { return radius_[static_cast<std::size_t>(tree)]; }
  int exponent(int tree) const { return exponent_[static_cast<std::size_t>(tree)]; }

 private:
  Buffer<BoxNode> nodes_;
  Buffer<Facet3> facets_;
  Buffer<BodyView> views_;
  std::vector<double> radius_;
  std::vector<int> exponent_;
};

}  // namespace swept::SWEPT_NS
