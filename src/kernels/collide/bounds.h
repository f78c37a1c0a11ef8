// SPDX-License-Identifier: Apache-2.0
// The bounding test of a pair of geoms: spheres of radius geom_rbound around the geoms' centres, a
// plane being a half space.
//
//   two geoms         |x1 - x2| <= r1 + r2 + margin + gap
//   plane and geom    (x2 - x1) . n <= r2 + margin + gap
#pragma once

#include "kernels/collide/pairs.h"
#include "kernels/math/vec.h"

namespace swept::SWEPT_NS {

/// The two distances of a pair [m].
template <class V>
struct Reach {
  V margin;  ///< contacts push below it
  V detect;  ///< contacts are listed below it: margin + gap
};

/// Those of a predefined pair, or the sums of the geoms'.
template <class V>
SWEPT_FN Reach<V> pair_reach(const ModelAt<V>& m, const GeomPair& pair) {
  if (pair.pairid >= 0) {
    const V margin = m.pair_margin(pair.pairid);
    return {margin, margin + m.pair_gap(pair.pairid)};
  }
  const V margin = m.geom_margin(pair.geom1) + m.geom_margin(pair.geom2);
  return {margin, margin + (m.geom_gap(pair.geom1) + m.geom_gap(pair.geom2))};
}

/// Whether geom 1 of a pair of this kind is a plane.
SWEPT_FN bool has_plane(int kind) {
  return kind == collide_plane_sphere || kind == collide_plane_capsule ||
         kind == collide_plane_box || kind == collide_plane_ellipsoid ||
         kind == collide_plane_cylinder || kind == collide_plane_mesh;
}

/// The lanes where the bounds of a pair touch. A NaN touches nothing.
template <class V>
SWEPT_FN mask_t<V> bounds_touch(const ModelAt<V>& m, const DataAt<V>& d, const GeomPair& pair) {
  const int g1 = pair.geom1, g2 = pair.geom2;
  const V detect = pair_reach(m, pair).detect;
  const Vec3<V> apart = vec3(d.geom_xpos(3 * g2)) - vec3(d.geom_xpos(3 * g1));
  if (has_plane(pair.kind)) {
    const Vec3<V> n = {d.geom_xmat(9 * g1 + 2), d.geom_xmat(9 * g1 + 5), d.geom_xmat(9 * g1 + 8)};
    return dot(apart, n) <= detect + m.geom_rbound(g2);
  }
  const V bound = detect + m.geom_rbound(g1) + m.geom_rbound(g2);
  return dot(apart, apart) <= bound * bound;
}

}  // namespace swept::SWEPT_NS
