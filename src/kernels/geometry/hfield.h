// SPDX-License-Identifier: Apache-2.0
// Contacts of a height field with a convex shape: one for each prism of the field (prisms.h) that is
// nearer than the margin.
//
// Only the cells under the shape's box (in the field's frame, margin included) are looked at, and of
// their prisms those which reach up to the box. The distance to a prism is the true one, whether its
// top or a wall between two prisms is nearest. Order: that of visit_prisms.
#pragma once

#include "kernels/geometry/distance.h"
#include "kernels/geometry/ground.h"

namespace swept::SWEPT_NS {

/// Most contacts of a height field with one shape.
constexpr int max_hfield_contacts = 50;

/// Contacts of a height field (shape a) and a convex shape that are nearer than `detect` [m].
///   out    room for max_hfield_contacts
///   keeps  keeps(prism, nearest): whether the contact with a prism is wanted
template <class Keeps>
SWEPT_FN int hfield_convex(const Shape& a, const Shape& b, real detect, Witness* out,
                           const Keeps& keeps) {
  // the shape's box in the frame of the field
  Shape seen = b;
  seen.pos = transpose_mul(a.mat, b.pos - a.pos);
  seen.mat = transpose_mul(a.mat, b.mat);
  const BoxExtent box = widened(extent_of(seen), detect);
  int n = 0;
  visit_prisms(a.hfield, box, [&](Prism& prism, int) {
    Nearest nearest;
    if (convex_distance(prism.shape(a), b, detect, &nearest) < detect && keeps(prism, nearest)) {
      out[n++] = {nearest.dist, 0.5_r * (nearest.point1 + nearest.point2), nearest.normal};
    }
    return n < max_hfield_contacts;
  });
  return n;
}

/// All of them.
SWEPT_FN int hfield_convex(const Shape& a, const Shape& b, real detect, Witness* out) {
  return hfield_convex(a, b, detect, out, [](const Prism&, const Nearest&) { return true; });
}

/// Those of a shape that is fast: along normals that point out of the ground (ground.h), if there are
/// any.
SWEPT_FN int hfield_fast_convex(const Shape& a, const Shape& b, real detect, Witness* out) {
  const auto keeps = [&](const Prism& prism, const Nearest& nearest) {
    return points_out(a.hfield, top_of(prism), transpose_mul(a.mat, nearest.point1 - a.pos),
                      transpose_mul(a.mat, nearest.normal));
  };
  const int n = hfield_convex(a, b, detect, out, keeps);
  return n > 0 ? n : hfield_convex(a, b, detect, out);
}

}  // namespace swept::SWEPT_NS
