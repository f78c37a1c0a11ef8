// SPDX-License-Identifier: Apache-2.0
// The bounding test of pairs that may meet within the step: swept spheres, for pairs of which one
// geom is fast (speculative/sweep.h). Where speculative contacts are off, or all geoms slow, nothing
// is tested.
#pragma once

#include "kernels/collide/bounds.h"
#include "kernels/speculative/sweep.h"

namespace swept::SWEPT_NS {

/// Lanes in which some geom may be fast in some pair.
template <class V>
SWEPT_FN mask_t<V> has_fast_geoms(const ModelAt<V>& m, const DataAt<V>& d) {
  if ((m->opt.enableflags & enable_speculative) == 0) {
    return mask_t<V>(false);
  }
  return d.fast_geoms(0).get() > V(0_r);
}

/// Whether geoms of a collider may be followed on their way. The official library leaves out height
/// fields.
template <class V>
SWEPT_FN bool is_followed(const ModelAt<V>& m, int kind) {
  return kind != collide_hfield || m->opt.speculative_mode == speculative_robust;
}

/// Lanes in which a pair is fast and its swept bounds meet. In the mode parity a geom that is slow in
/// the pair counts as one that stays, see filter_way. Numbers that are not finite leave out nothing.
template <class V>
SWEPT_FN mask_t<V> may_meet(const ModelAt<V>& m, const DataAt<V>& d, const GeomPair& pair) {
  const int g1 = pair.geom1, g2 = pair.geom2;
  if (!is_followed(m, pair.kind)) {
    return mask_t<V>(false);
  }
  const V thickness = pair_thickness(m, g1, g2);
  const mask_t<V> fast1 = is_fast<V>(d.geom_travel(g1), thickness),
                  fast2 = is_fast<V>(d.geom_travel(g2), thickness);
  const mask_t<V> fast = (fast1 || fast2) && has_fast_geoms(m, d);
  if (none_of(fast)) {
    return fast;
  }
  const bool parity = m->opt.speculative_mode == speculative_parity;
  const auto way = [&](int geom, mask_t<V> itself) {
    const Vec3<V> dx = vec3(d.geom_dx(3 * geom));
    return parity ? select(itself, dx, zero3<V>()) : dx;
  };
  const Vec3<V> relative = way(g2, fast2) - way(g1, fast1);
  const Vec3<V> apart = vec3(d.geom_xpos(3 * g2)) - vec3(d.geom_xpos(3 * g1));
  const V detect = pair_reach(m, pair).detect;
  if (has_plane(pair.kind)) {
    const Vec3<V> n = {d.geom_xmat(9 * g1 + 2), d.geom_xmat(9 * g1 + 5), d.geom_xmat(9 * g1 + 8)};
    return fast &&
           swept_ball_meets_plane<V>(dot(n, apart), dot(n, relative), m.geom_rbound(g2) + detect);
  }
  const mask_t<V> near =
      fast && swept_balls_meet<V>(apart, relative, m.geom_rbound(g1) + m.geom_rbound(g2) + detect);
  // in the mode parity the balls decide alone
  if (parity || none_of(near)) {
    return near;
  }
  const auto motion = [&](int geom) {
    return StepMotion<V>{vec3(d.geom_dx(3 * geom)), vec3(d.geom_domega(3 * geom)), V(0_r)};
  };
  return near && swept_boxes_meet<V>(m, d, g1, motion(g1), g2, motion(g2), detect);
}

/// Whether a pair is fast on the arcs of the new velocity and may meet there: with geom_travel as
/// speculative/travel.h finds it.
///   slow   part of its thickness that a pair may travel and be slow (speculative/depth.h)
template <class V>
SWEPT_FN mask_t<V> may_meet_on_arcs(const ModelAt<V>& m, const DataAt<V>& d, const GeomPair& pair,
                                    V slow) {
  const int g1 = pair.geom1, g2 = pair.geom2;
  if (!is_followed(m, pair.kind)) {
    return mask_t<V>(false);
  }
  const V travel1 = d.geom_travel(g1), travel2 = d.geom_travel(g2);
  const V thickness = pair_thickness(m, g1, g2);
  const mask_t<V> fast = is_fast<V>(travel1 + travel2, thickness * slow);
  if (none_of(fast)) {
    return fast;
  }
  const Vec3<V> apart = vec3(d.geom_xpos(3 * g2)) - vec3(d.geom_xpos(3 * g1));
  V distance, reach = pair_reach(m, pair).detect + m.geom_rbound(g2) + travel1 + travel2;
  if (has_plane(pair.kind)) {
    const Vec3<V> n = {d.geom_xmat(9 * g1 + 2), d.geom_xmat(9 * g1 + 5), d.geom_xmat(9 * g1 + 8)};
    distance = dot(apart, n);
  } else {
    distance = norm(apart);
    reach = reach + m.geom_rbound(g1);
  }
  const V sure = V(sweep_rounding) * (norm(apart) + reach);
  const mask_t<V> near = fast && !(distance > reach + sure);
  if (has_plane(pair.kind) || none_of(near)) {
    return near;
  }
  const StepMotion<V> none = no_motion<V>();
  return near && swept_boxes_meet<V>(m, d, g1, none, g2, none,
                                     V(pair_reach(m, pair).detect + travel1 + travel2));
}

}  // namespace swept::SWEPT_NS
