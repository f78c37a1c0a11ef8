// SPDX-License-Identifier: Apache-2.0
// The bounding test of a candidate pair: spheres of radius geom_rbound around the geoms' centres, a
// plane being a half space.
//
//   two geoms         |x1 - x2| <= r1 + r2 + margin + gap
//   plane and geom    (x2 - x1) . n <= r2 + margin + gap
#pragma once

#include "kernels/math/vec.h"

namespace swept::SWEPT_NS {

/// The two distances of a candidate pair [m].
template <class V>
struct Reach {
  V margin;  ///< contacts push below it
  V detect;  ///< contacts are listed below it: margin + gap
};

/// Those of a predefined pair, or the sums of the geoms'.
template <class V>
SWEPT_FN Reach<V> candidate_reach(const ModelAt<V>& m, int candidate) {
  const int pair = m.candidate_pairid(candidate);
  if (pair >= 0) {
    const V margin = m.pair_margin(pair);
    return {margin, margin + m.pair_gap(pair)};
  }
  const int g1 = m.candidate_geom1(candidate), g2 = m.candidate_geom2(candidate);
  const V margin = m.geom_margin(g1) + m.geom_margin(g2);
  return {margin, margin + (m.geom_gap(g1) + m.geom_gap(g2))};
}

/// Whether geom 1 of a candidate of this kind is a plane.
SWEPT_FN bool has_plane(int kind) {
  return kind == collide_plane_sphere || kind == collide_plane_capsule || kind == collide_plane_box;
}

/// The lanes where the bounds of a candidate pair touch. A NaN touches nothing.
template <class V>
SWEPT_FN mask_t<V> bounds_touch(const ModelAt<V>& m, const DataAt<V>& d, int candidate) {
  const int g1 = m.candidate_geom1(candidate), g2 = m.candidate_geom2(candidate);
  const V detect = candidate_reach(m, candidate).detect;
  const Vec3<V> apart = vec3(d.geom_xpos(3 * g2)) - vec3(d.geom_xpos(3 * g1));
  if (has_plane(m.candidate_kind(candidate))) {
    const Vec3<V> n = {d.geom_xmat(9 * g1 + 2), d.geom_xmat(9 * g1 + 5), d.geom_xmat(9 * g1 + 8)};
    return dot(apart, n) <= detect + m.geom_rbound(g2);
  }
  const V bound = detect + m.geom_rbound(g1) + m.geom_rbound(g2);
  return dot(apart, apart) <= bound * bound;
}

}  // namespace swept::SWEPT_NS
