// SPDX-License-Identifier: Apache-2.0
// Descent of h(n) = max of n . w over D by nearest points: for faces of EPA that cannot be divided.
//
// Let q = (h(n) + d) n be a place outside of D in the direction n, with d > 0. The direction n' from
// its nearest point of D has the largest m . q - h(m) of all unit vectors m, its distance. So
//
//   n' . q - h(n')  >=  n . q - h(n)  =  d
//   h(n')  <=  (n . n') (h(n) + d) - d  <=  h(n)
//
// and h falls until n' = n, where h(n) n lies in D: that is a minimum, round or with any kinks. (It is
// the proximal point method.) A step costs one run of GJK. Where h hardly changes, as around a ball
// that holds a small shape, steps are short; so they are doubled while h falls, which costs one
// support each.
#pragma once

#include "kernels/geometry/gjk.h"
#include "kernels/geometry/known_depth.h"

namespace swept::SWEPT_NS {

/// How far outside of the cores the place is, over their size: d.
constexpr real outside_way = 0.02_r;
/// Steps of one descent by nearest points, and how often one is doubled.
constexpr int nearest_steps = 16;
constexpr int nearest_doublings = 12;

/// Go on from n along the step that has led from n to `found`, in steps twice as long each, while h
/// falls.
SWEPT_FN DepthAlong go_on(CorePair* pair, Vec3<real> n, DepthAlong found) {
  Vec3<real> step = found.normal - n;
  for (int i = 0; i < nearest_doublings; ++i) {
    step = 2_r * step;
    const Vec3<real> next = unit(n + step);
    const real h = fused_dot(next, support(pair, next).w);
    if (!(h < found.depth)) {
      break;
    }
    found = {h, next};
  }
  return found;
}

/// The end of the descent from a direction and its h.
///   least   [m] falls of h by less than this end it
[[gnu::noinline]] SWEPT_FN DepthAlong descend(CorePair* pair, DepthAlong from, real size,
                                              real least) {
  Simplex s;
  for (int i = 0; i < nearest_steps; ++i) {
    const GjkResult g = gjk_from(pair, from.normal * (from.depth + outside_way * size), &s);
    if (g.end == GjkEnd::overlap) {
      break;
    }
    const real h = fused_dot(g.normal, support(pair, g.normal).w);
    if (!(h < from.depth)) {
      break;
    }
    const DepthAlong end = go_on(pair, from.normal, {h, g.normal});
    const bool arrived = from.depth - end.depth <= least;
    from = end;
    if (arrived) {
      break;
    }
  }
  return from;
}

}  // namespace swept::SWEPT_NS
