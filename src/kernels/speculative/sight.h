// SPDX-License-Identifier: Apache-2.0
// Whether something stands between two geoms that are to meet: a speculative contact behind an
// obstacle must not stop a body that the obstacle will stop.
//
// Three segments belong to each point of a contact, with all geoms where they are now: the way of
// the point of geom 1, that of the point of geom 2, and from the one to the other at the impact,
// seen from the geom that travels further. Both ends are drawn in by 1e-5 of the length.
//
// A geom occludes a segment of geom g with partner p if it may collide with g, is welded neither to
// g nor (but for the world) to p, and is not within margin of g now: a body that lies on a table
// does not hide what it will meet. In the mode `robust` a geom that can move occludes only if its own
// pair with g has a contact in this step, since it may leave; the caller knows that.
#pragma once

#include "kernels/collide/bounds.h"
#include "kernels/collide/filter.h"
#include "kernels/collide/surface_pair.h"
#include "kernels/query/ray.h"
#include "kernels/speculative/impact.h"

namespace swept::SWEPT_NS {

/// A segment in the world [m], and whose it is.
struct SightSegment {
  Vec3<real> from, to;
  int geom, partner;
};

constexpr int sight_segments = 3;
/// How much of a segment is left out at each end.
constexpr real sight_inset = 1e-5_r;

/// Segment i of a point of the contact of geom1 and geom2.
///   travel1, travel2   [m] of the geoms
SWEPT_FN SightSegment sight_segment(int i, const SpeculativePoint& p, int geom1, int geom2,
                                    real travel1, real travel2) {
  if (i == 0) {
    return {p.way1.from, p.way1.to, geom1, geom2};
  }
  if (i == 1) {
    return {p.way2.from, p.way2.to, geom2, geom1};
  }
  if (travel2 > travel1) {
    return {p.way2.to, p.way1.to, geom2, geom1};
  }
  return {p.way1.to, p.way2.to, geom1, geom2};
}

/// Whether a segment has a length: what stands has no way.
SWEPT_FN bool has_length(const SightSegment& s) {
  const Vec3<real> along = s.to - s.from;
  return dot(along, along) > 0_r;
}

/// Whether the ball around a geom reaches to a segment; a plane has none.
SWEPT_FN bool is_near(const ModelAt<real>& m, const DataAt<real>& d, int geom,
                      const SightSegment& s) {
  const Vec3<real> along = s.to - s.from, away = vec3(d.geom_xpos(3 * geom)) - s.from;
  const real part = clamp(dot(away, along) / dot(along, along), 0_r, 1_r);
  const real reach = m.geom_rbound(geom) * (1_r + sweep_rounding) + sweep_rounding * norm(away);
  const Vec3<real> off = away - along * part;
  return m.geom_type(geom) == geom_plane || !(dot(off, off) > reach * reach);
}

/// Whether a geom of this type can stand in the way.
SWEPT_FN bool is_opaque(int type) {
  return type != geom_hfield && type <= geom_mesh;
}

/// Whether a geom can occlude the segments of geom g with partner p, wherever all are.
SWEPT_FN bool may_occlude(const ModelAt<real>& m, int geom, int g, int p) {
  const int body = m.geom_bodyid(geom), of_g = m.geom_bodyid(g);
  const int weld = m.body_weldid(body), weld_p = m.body_weldid(m.geom_bodyid(p));
  if (geom == g || geom == p || !is_opaque(m.geom_type(geom)) || (weld == weld_p && weld != 0)) {
    return false;
  }
  const int low = body < of_g ? geom : g, high = body < of_g ? g : geom;
  const int body1 = body < of_g ? body : of_g, body2 = body < of_g ? of_g : body;
  return bodies_may_collide(m, body1, body2) &&
         (geoms_may_collide(m, low, high) || is_predefined(m, low, high));
}

/// Whether a segment meets the surface of a geom where it is now.
SWEPT_FN bool segment_meets(const ModelAt<real>& m, const DataAt<real>& d, int geom,
                            Vec3<real> from, Vec3<real> to) {
  const Vec3<real> along = to - from;
  const real length = norm(along);
  if (!(length > 0_r) || !is_finite(length)) {
    return false;
  }
  const real inset = sight_inset * length;
  const Vec3<real> u = along * (1_r / length);
  RayHit hit;
  return meet_geom(&hit, m, d, geom, {from + u * inset, u}) && hit.at <= length - 2_r * inset;
}

/// Whether geom o is within the margin of its pair with g now. A touch is a touch, whatever rounding
/// makes of it.
SWEPT_FN bool is_within_margin(const ModelAt<real>& m, const DataAt<real>& d, int o, int g) {
  const bool first = m.geom_type(o) == geom_plane;
  const int geom1 = first ? o : g, geom2 = first ? g : o;
  if (!is_opaque(m.geom_type(g)) || m.geom_type(geom2) == geom_plane) {
    return false;
  }
  if (m.geom_type(geom1) != geom_plane && (m.geom_surface(o) != 0 || m.geom_surface(g) != 0)) {
    const bool swapped = m.geom_type(o) > m.geom_type(g);
    const GeomPair geoms = {swapped ? g : o, swapped ? o : g, -1, collide_surface};
    const real within = m.geom_margin(o) + m.geom_margin(g);
    const real rounding = 16_r * epsilon * (m.geom_rbound(o) + m.geom_rbound(g));
    Witness found[ContactSet::most];
    return surface_contacts(m, d, geoms, within + rounding, ContactCount::one, found) > 0;
  }
  const SweptPair pair =
      swept_pair(shape_of(m, d, geom1), no_motion<real>(), m.geom_rbound(geom1),
                 shape_of(m, d, geom2), no_motion<real>(), m.geom_rbound(geom2), 0_r);
  Looker view(pair);
  WarmCorners warm;
  const Separation now = look(&view, {1_r, 0_r, 0_r}, &warm);
  const real margin = m.geom_margin(o) + m.geom_margin(g);
  return now.overlap || now.distance <= margin + clearance_error(pair);
}

/// Whether a geom that may occlude a segment does so.
SWEPT_FN bool occludes(const ModelAt<real>& m, const DataAt<real>& d, int geom,
                       const SightSegment& segment) {
  return segment_meets(m, d, geom, segment.from, segment.to) &&
         !is_within_margin(m, d, geom, segment.geom);
}

/// The geoms of an environment that may occlude something: all of them, or a list of the few.
struct Occluders {
  static constexpr int most = 64;
  int count = 0;  ///< above `most`: those that are not wanted are still among them
  int geom[most];

  /// Those of all geoms for which wanted(geom).
  template <class Wanted>
  SWEPT_FN Occluders(const ModelAt<real>& m, const Wanted& wanted) {
    for (int o = 0; o < m->ngeom && count <= most; ++o) {
      if (wanted(o)) {
        if (count < most) {
          geom[count] = o;
        }
        ++count;
      }
    }
  }
};

/// Whether any of the occluders occludes a point of the contact of two geoms.
///   wanted   as the occluders were made
SWEPT_FN bool is_occluded(const ModelAt<real>& m, const DataAt<real>& d, int geom1, int geom2,
                          const SweptPair& pair, const SpeculativePoint& p,
                          const Occluders& occluders, const auto& wanted) {
  const bool all = occluders.count > Occluders::most;
  for (int i = 0; i < sight_segments; ++i) {
    const SightSegment segment =
        sight_segment(i, p, geom1, geom2, pair.motion1.travel, pair.motion2.travel);
    for (int k = 0, n = all ? m->ngeom : occluders.count; k < n && has_length(segment); ++k) {
      const int o = all ? k : occluders.geom[k];
      if ((!all || wanted(o)) && is_near(m, d, o, segment) &&
          may_occlude(m, o, segment.geom, segment.partner) && occludes(m, d, o, segment)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace swept::SWEPT_NS
