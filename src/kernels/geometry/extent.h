// SPDX-License-Identifier: Apache-2.0
// The box of a convex shape.
#pragma once

#include "kernels/geometry/support.h"

namespace swept::SWEPT_NS {

/// A box along the axes.
struct BoxExtent {
  Vec3<real> low, high;
};

/// The box of a shape, along the axes of a frame.
///   pose   the shape, as seen from the frame
SWEPT_FN BoxExtent extent_of(const Shape& pose) {
  Core core = core_of(pose);
  const auto reach = [&](Vec3<real> dir) {
    const Corner c = support(&core, transpose_mul(pose.mat, dir));
    return dot(pose.pos + pose.mat * c.point, dir) + core.radius;
  };
  const Vec3<real> x = {1_r, 0_r, 0_r}, y = {0_r, 1_r, 0_r}, z = {0_r, 0_r, 1_r};
  return {{-reach(-x), -reach(-y), -reach(-z)}, {reach(x), reach(y), reach(z)}};
}

/// The box and what is no further from it than this [m].
SWEPT_FN BoxExtent widened(const BoxExtent& box, real by) {
  const Vec3<real> all = {by, by, by};
  return {box.low - all, box.high + all};
}

}  // namespace swept::SWEPT_NS
