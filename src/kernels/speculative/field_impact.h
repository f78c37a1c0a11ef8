// SPDX-License-Identifier: Apache-2.0
// The points in which a convex geom meets a height field.
//
// The prism that is hit first has nearest points with the geom, and a normal. Seen from the field as a
// whole that normal may point into the ground beside the point: across an edge that the ground goes on
// behind, or out of a wall between two prisms. Such a normal would stop what only slides on, so the
// normal of the top (for what comes from below, of the base) takes its place, unless its row would not
// close.
//
// A geom that meets the ground with a face or along a line meets it in other places too: each corner
// of these stands over a triangle, and meets it along that triangle's normal, with a time of its own.
#pragma once

#include "kernels/speculative/field_guard.h"
#include "kernels/speculative/impact.h"

namespace swept::SWEPT_NS {

/// The points of a contact with a prism, from the centres of the field and the geom.
///   at       where these are, then
///   normal   in the world; the geom's point stays
SWEPT_FN ImpactPoints field_points(const Placing& at, Vec3<real> normal, real distance,
                                   Vec3<real> arm2) {
  return {normal, distance, at.pos2 + arm2 - normal * distance, arm2};
}

/// The time at which a point meets the ground.
SWEPT_FN real time_of(const Placing& at, const ImpactPoints& p, const GuardState& s) {
  const real rate = closing_rate(at.rates, p.normal, p.arm1, p.arm2);
  const real way = max(p.distance - s.floor, 0_r);
  return rate > 0_r ? max(s.t, real(s.seen + way / rate)) : 1_r;
}

/// The face or line with which a geom lies along a direction, over the ground.
template <class Pair>
struct FieldFeature {
  const Pair& field;
  const Placing& at;
  Shape body;  ///< then, from the centre of the field
  PlaneFeature feature;
  Vec3<real> round;  ///< [m] from the surface to the corners

  SWEPT_FN FieldFeature(const Pair& field_, const Placing& at_, Vec3<real> n)
      : field(field_), at(at_), body(field_.shape2) {
    body.pos = at.pos2;
    body.mat = at.mat2;
    feature = feature_on_plane(body, n);
    round = feature.line && body.type == geom_capsule ? body.size.x * n : zero3<real>();
  }

  /// Corner i and the ground under it; whether there is any.
  SWEPT_FN bool meets(int i, ImpactPoints* points) const {
    const HfieldShape& f = field.shape1.hfield;
    const Vec3<real> lowest = feature.outline.corner(i) - round;
    const Vec3<real> seen = transpose_mul(at.mat1, lowest);
    const int number = prism_under(f, seen);
    if (number < 0) {
      return false;
    }
    const PrismTop top = top_of(prism_of(f, number));
    *points = field_points(at, at.mat1 * top.normal, top.under(seen), lowest - at.pos2);
    return true;
  }
};

/// Add the corners of the face or line with which a geom lies along n; the earliest of their times, or
/// 1.
template <class Pair>
SWEPT_FN real add_field_corners(const Pair& field, const Placing& at, const GuardState& s,
                                Vec3<real> n, Impact* out) {
  const FieldFeature feature(field, at, n);
  ImpactPoints p;
  int met[max_corners];
  int count = 0;
  for (int i = 0; i < feature.feature.outline.count && count < max_corners; ++i) {
    if (feature.meets(i, &p) && p.distance > s.floor - least_band * field.thickness &&
        time_of(at, p, s) < 1_r) {
      met[count++] = i;
    }
  }
  Quadrilateral q = {{0, 1, 2, 3}, 0_r};
  if (count > 4) {
    const auto corner = [&](int i) { return feature.feature.outline.corner(met[i]); };
    q = large_quadrilateral(corner, count, 0, count - 1);
  }
  real earliest = 1_r;
  for (int k = 0; k < 4 && k < count; ++k) {
    feature.meets(met[q.at[k]], &p);
    const int before = out->count;
    add_robust_point(field, at, p, time_of(at, p, s), out);
    earliest = out->count > before ? min(earliest, time_of(at, p, s)) : earliest;
  }
  return earliest;
}

/// Whether a point of the field's base is met from below.
///   point, n   in the frame of the field
SWEPT_FN bool is_from_below(const HfieldShape& f, Vec3<real> point, Vec3<real> n) {
  return n.z < 0_r && point.z < -f.size[3] * (1_r - same_direction);
}

/// Times of points [steps] that differ by less are those of one impact.
constexpr real same_time = 0.01_r;

/// The contacts of a field and a geom that hits. None: no row would close.
///   number   of the prism that is hit
///   s        as follow_field left it
template <class Pair>
[[gnu::noinline]] SWEPT_FN void field_impact(const Pair& field, int number, const GuardState& s,
                                             ContactCount wanted, Impact* out) {
  const HfieldShape& f = field.shape1.hfield;
  const Placing at = place_pair(field, s.seen);
  const PrismTop top = top_of(prism_of(f, number));
  *out = {};

  // the nearest points, with a normal that points out of the ground
  const ImpactPoints nearest = field_points(at, s.normal, s.distance, s.arm2);
  const Vec3<real> n = transpose_mul(at.mat1, s.normal);
  const Vec3<real> point = transpose_mul(at.mat1, nearest.arm1);
  const bool below = is_from_below(f, point, n);
  ImpactPoints first = nearest;
  bool on_top = is_same_direction(n, top.normal);
  if (!on_top && !is_clear_of_ground(f, point, n)) {
    const Vec3<real> met = transpose_mul(at.mat1, at.pos2 + s.arm2);
    const Vec3<real> down = {0_r, 0_r, -1_r};
    const ImpactPoints turned =
        below ? field_points(at, at.mat1 * down, -f.size[3] - met.z, s.arm2)
              : field_points(at, at.mat1 * top.normal, top.under(met), s.arm2);
    if (closes(row_points(field, at, turned))) {
      first = turned;
      on_top = true;
    }
  }

  real earliest = 1_r;
  if (wanted == ContactCount::several && on_top && !below) {
    earliest = add_field_corners(field, at, s, first.normal, out);
  }
  if (earliest > s.t + same_time) {
    out->count = out->count < max_impact_points ? out->count : max_impact_points - 1;
    add_robust_point(field, at, first, time_of(at, first, s), out);
  }
  if (out->count == 0) {
    // the nearest points themselves, with the certified time
    add_robust_point(field, at, nearest, s.t, out);
  }
}

}  // namespace swept::SWEPT_NS
