// SPDX-License-Identifier: Apache-2.0
// Which faces of a mesh that collides as it is another geom may meet during a step.
//
// Two boxes along the axes of the mesh hold all that can be met, and so does what they have in common:
//
//   travel   the geom's box now, larger by what points of the two may come closer
//   way      the box around the way of the geom's centre, as seen from the mesh's: straight, but for what
//            accelerations bend it by and what the mesh turns under it; larger by the geom's radius
//
// For a bullet the second is a narrow one, for what swings about the mesh the first is.
#pragma once

#include "kernels/geometry/surface_contact.h"
#include "kernels/speculative/guard.h"

namespace swept::SWEPT_NS {

/// What is known of the way of two geoms for the whole step.
struct WayBounds {
  real travel;  ///< [m] no two points come closer by more
  real bend;    ///< [m] the centres, seen from each other, get no further from a straight line
  real turn1, turn2;  ///< [rad] the geoms turn by no more
};
SWEPT_FN WayBounds way_bounds(const SweptPair& pair) {
  return {travel_of(pair), 0_r, norm(pair.motion1.domega), norm(pair.motion2.domega)};
}
template <class Velocity>
SWEPT_FN WayBounds way_bounds(const ArcPair<Velocity>& pair) {
  const ArcPairLimits most = motion_limits(pair);
  return {most.one.travel + most.two.travel, 0.5_r * (most.one.growth + most.two.growth),
          most.one.turn, most.two.turn};
}

/// What of two boxes is in both.
SWEPT_FN BoxExtent common_box(const BoxExtent& a, const BoxExtent& b) {
  return {{max(a.low.x, b.low.x), max(a.low.y, b.low.y), max(a.low.z, b.low.z)},
          {min(a.high.x, b.high.x), min(a.high.y, b.high.y), min(a.high.z, b.high.z)}};
}

/// The box in the frame of the mesh that holds all that a pair may meet of it.
///   second   the mesh is geom 2
///   body     box of the other geom now, in the frame of the mesh
///   margin   [m] of the pair
template <class Pair>
SWEPT_FN BoxExtent faces_in_reach(const Pair& pair, bool second, const BoxExtent& body,
                                  real margin) {
  const WayBounds most = way_bounds(pair);
  const Placing now = place_pair(pair, 0_r);
  const Mat3<real>& mat = second ? now.mat2 : now.mat1;
  const real sign = second ? -1_r : 1_r;
  // the centre of the other geom from that of the mesh
  const Vec3<real> from = transpose_mul(mat, now.pos2) * sign,
                   to = from + transpose_mul(mat, now.rates.way) * sign;
  const real far = max(norm(from), norm(to)) + most.bend;
  const real sure = margin + sweep_rounding * (far + pair.bound1 + pair.bound2 + most.travel);
  const real turning = min(second ? most.turn2 : most.turn1, 2_r) * far;
  const real radius = second ? pair.bound1 : pair.bound2;
  const BoxExtent way = {{min(from.x, to.x), min(from.y, to.y), min(from.z, to.z)},
                         {max(from.x, to.x), max(from.y, to.y), max(from.z, to.z)}};
  return common_box(widened(body, most.travel + sure),
                    widened(way, radius + most.bend + turning + sure));
}

}  // namespace swept::SWEPT_NS
