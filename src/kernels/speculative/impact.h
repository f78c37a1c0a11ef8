// SPDX-License-Identifier: Apache-2.0
// The points in which two geoms meet at the time of impact: one, or several where faces, edges or
// axes lie along each other there.
//
// The features of the last look are matched as those of a discrete contact. A plane is a face that
// lies along any: a box or a mesh meets it with the face that points most against it, however it is
// tilted, a cylinder with a disk, or with a line of its wall where it lies, a capsule with both ends
// where it lies.
//
//   parity   all points that are kept share time, speed and effective distance
//   robust   each has its own: t_k = t + (distance_k - margin) / speed_k. Points that do not arrive
//            in this step, or do not close, make no row
#pragma once

#include "kernels/geometry/convex.h"
#include "kernels/geometry/plane_mesh.h"
#include "kernels/speculative/witness.h"

namespace swept::SWEPT_NS {

/// Most points of a pair.
constexpr int max_impact_points = 4;

/// The way of a point of a geom until the impact [m], in the world.
struct PointWay {
  Vec3<real> from, to;
};

/// One contact to be.
struct SpeculativePoint {
  Vec3<real> pos, pos2;  ///< [m] in the world: where body 1 and body 2 feel it
  PointWay way1, way2;   ///< of the points that meet
  Vec3<real> normal;     ///< unit, from geom 1 to geom 2
  real t;                ///< time of impact of this point
  real speed;            ///< [m per step] parity: v_n; robust: the row's own
};

/// The points of a pair.
struct Impact {
  int count = 0;
  int not_closing = 0;  ///< points left out because their rows see no closing
  SpeculativePoint point[max_impact_points];
};

/// The polygon of a shape that points most against n, or its line along the plane.
struct PlaneFeature {
  bool line = false;
  Outline outline;  ///< count 0: the lowest point alone
};
SWEPT_FN PlaneFeature feature_on_plane(const Shape& s, Vec3<real> n) {
  PlaneFeature feature;
  const real upright = dot(column_z(s.mat), n);
  if (s.type == geom_box) {
    const Vec3<real> along = transpose_mul(s.mat, n);
    const real ax = abs(along.x), ay = abs(along.y), az = abs(along.z);
    const int axis = ax >= ay && ax >= az ? 0 : (ay >= az ? 1 : 2);
    const real part = axis == 0 ? along.x : (axis == 1 ? along.y : along.z);
    feature.outline = face_at(s, Feature{}, 2 * axis + (part < 0_r ? 1 : 0)).outline;
  } else if (s.type == geom_capsule || s.type == geom_cylinder) {
    const Line line = line_at(s, Feature{}, 0, -n);
    feature.line = line.there;
    if (line.there) {
      feature.outline = line.outline;
    } else if (s.type == geom_cylinder) {
      feature.outline = face_at(s, Feature{}, upright < 0_r ? 1 : 0).outline;
    }
  } else if (has_polygons(s)) {
    const Vec3<real> local = transpose_mul(s.mat, n);
    const int polygon = polygon_against(s.mesh, furthest_vertex(s, -local), local);
    if (polygon >= 0) {
      const int corners = element(s.mesh.polyvertnum + polygon);
      feature.outline.kind = Outline::Kind::mesh;
      feature.outline.shape = &s;
      feature.outline.face = polygon;
      feature.outline.count = corners < max_corners ? corners : max_corners;
    }
  }
  return feature;
}

/// Points between a plane (shape a) and a shape, no further apart than `detect` [m].
///   out   room for 4
SWEPT_FN int points_on_plane(const Shape& a, const Shape& b, const Nearest& nearest, real detect,
                             Witness* out) {
  const Vec3<real> n = nearest.normal;
  const PlaneFeature feature = feature_on_plane(b, n);
  const real radius = feature.line && b.type == geom_capsule ? b.size.x : 0_r;
  const auto height = [&](int i) { return dot(feature.outline.corner(i) - a.pos, n) - radius; };

  // the corners within reach, and of these four
  int within[max_corners];
  int reached = 0;
  for (int i = 0; i < feature.outline.count; ++i) {
    if (height(i) <= detect) {
      within[reached++] = i;
    }
  }
  Quadrilateral q = {{0, 1, 2, 3}, 0_r};
  if (reached > 4) {
    const auto corner = [&](int i) { return feature.outline.corner(within[i]); };
    q = large_quadrilateral(corner, reached, 0, reached - 1);
  }
  int count = 0;
  for (; count < 4 && count < reached; ++count) {
    const int i = within[q.at[count]];
    const real dist = height(i);
    out[count] = {dist, feature.outline.corner(i) - n * (radius + 0.5_r * dist), n};
  }
  if (count == 0) {
    out[0] = {nearest.dist, 0.5_r * (nearest.point1 + nearest.point2), n};
    count = 1;
  }
  return count;
}

/// The corners of the last look as features of both geoms.
template <class Pair>
SWEPT_FN void features_seen(const Pair& pair, const WarmCorners& warm, Features* features) {
  const Looker view(pair);
  Simplex s;
  s.count = warm.count;
  for (int i = 0; i < warm.count; ++i) {
    Vertex& v = s.vertex[i];
    v.a = warm.on1[i];
    v.w = v.a - fused_mul(view.cores.turn, warm.on2[i], view.cores.shift);
    v.id1 = warm.id1[i];
    v.id2 = warm.id2[i];
  }
  features->of1 = feature_of(view.cores, s, 1, view.length);
  features->of2 = feature_of(view.cores, s, 2, view.length);
}

/// Witnesses at the time of the last look, from the centre that geom 1 has then.
///   out   room for 4
template <class Pair>
SWEPT_FN int impact_witnesses(const Pair& pair, const Placing& at, const AdvanceState& s,
                              real detect, ContactCount wanted, Witness* out) {
  Shape a = pair.shape1, b = pair.shape2;
  a.mat = at.mat1;
  b.mat = at.mat2;
  b.pos = at.pos2;
  const Nearest nearest = {s.distance, s.arm1, at.pos2 + s.arm2, s.normal};
  if (a.type == geom_plane) {
    return points_on_plane(a, b, nearest, detect, out);
  }
  const auto featured = [](const Shape& shape) {
    return has_features(shape.type) || (shape.type == shape_points && has_polygons(shape));
  };
  if (wanted == ContactCount::several && featured(a) && featured(b) && s.warm.count > 0) {
    Features features;
    features_seen(pair, s.warm, &features);
    return multi_contact(a, b, nearest, features, detect, out);
  }
  out[0] = {s.distance, 0.5_r * (nearest.point1 + nearest.point2), s.normal};
  return 1;
}

/// A witness as two points.
SWEPT_FN ImpactPoints impact_points(const Placing& at, const Witness& w) {
  const Vec3<real> half = w.normal * (0.5_r * w.dist);
  return {w.normal, w.dist, w.pos - half, w.pos + half - at.pos2};
}

/// The ways of two points that meet.
///   now   where they are now, from the centres of their geoms
template <class Pair>
SWEPT_FN void put_ways(const Pair& pair, const Placing& at, const ImpactPoints& p,
                       const RowPoints& now, SpeculativePoint* point) {
  const Vec3<real> center1 = pair.origin + at.way1;
  point->way1 = {world_point1(pair, now.arm1), center1 + p.arm1};
  point->way2 = {world_point2(pair, now.arm2), center1 + (at.pos2 + p.arm2)};
}

/// The contacts of a pair that hits, as the official library has them.
SWEPT_FN void parity_impact(const SweptPair& pair, const AdvanceSettings& settings,
                            const AdvanceState& s, ContactCount wanted, Impact* out) {
  const Placing at = place_pair(pair, s.seen);
  const real detect = 2_r * max(s.distance, 0_r) + s.speed * (1_r - s.t) + settings.ccd_tolerance;
  Witness found[max_impact_points];
  out->count = impact_witnesses(pair, at, s, detect, wanted, found);
  for (int i = 0; i < out->count; ++i) {
    const ImpactPoints points = impact_points(at, found[i]);
    const RowPoints now = points_now(pair, at, points);
    const Vec3<real> pos = shared_point(pair, now);
    SpeculativePoint& p = out->point[i];
    p.pos = p.pos2 = pos;
    p.normal = s.normal;
    p.t = s.t;
    p.speed = s.speed;
    put_ways(pair, at, points, now, &p);
  }
}

/// Add a point with its own time, if its row closes and it arrives.
template <class Pair>
SWEPT_FN void add_robust_point(const Pair& pair, const Placing& at, const ImpactPoints& points,
                               real t, Impact* out) {
  const RowPoints row = row_points(pair, at, points);
  if (!closes(row)) {
    ++out->not_closing;
    return;
  }
  if (!(t < 1_r)) {
    return;
  }
  SpeculativePoint& p = out->point[out->count++];
  p.pos = world_point1(pair, row.arm1);
  p.pos2 = world_point2(pair, row.arm2);
  p.normal = points.normal;
  p.t = t;
  p.speed = row.speed;
  put_ways(pair, at, points, points_now(pair, at, points), &p);
}

/// The contacts of a pair that hits, in the mode `robust`. None: no row would close.
///   margin   [m] of the pair
template <class Pair>
[[gnu::noinline]] SWEPT_FN void robust_impact(const Pair& pair, real margin, const AdvanceState& s,
                                              ContactCount wanted, Impact* out) {
  const Placing at = place_pair(pair, s.seen);
  const real travel = travel_of(pair);
  Witness found[max_impact_points];
  const int n = impact_witnesses(pair, at, s, s.distance + travel * (1_r - s.seen), wanted, found);
  *out = {};
  for (int i = 0; i < n; ++i) {
    const ImpactPoints points = impact_points(at, found[i]);
    const real rate = closing_rate(at.rates, points.normal, points.arm1, points.arm2);
    const real way = max(points.distance - margin, 0_r);
    const real t = rate > 0_r ? max(s.t, real(s.seen + way / rate)) : 1_r;
    add_robust_point(pair, at, points, t, out);
  }
  if (out->count == 0) {
    // the nearest points themselves, with the certified time
    add_robust_point(pair, at, {s.normal, s.distance, s.arm1, s.arm2}, s.t, out);
  }
}

/// The contacts of a pair whose advancement ended in a hit. None: no row would close.
///   wanted   ContactCount::one: of pairs without a plane never more than one
SWEPT_FN void impact_of(const SweptPair& pair, const AdvanceSettings& settings,
                        const AdvanceState& s, ContactCount wanted, Impact* out) {
  if (settings.mode == SpeculativeMode::parity) {
    parity_impact(pair, settings, s, wanted, out);
  } else {
    robust_impact(pair, settings.margin, s, wanted, out);
  }
}

}  // namespace swept::SWEPT_NS
