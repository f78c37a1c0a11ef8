// SPDX-License-Identifier: Apache-2.0
// A look at two geoms on their way: how far they are apart at a time, between two bounds, and how
// fast the distance can fall from there on.
//
//   distance    that of GJK's nearest points: never less than the true one
//   clearance   how far apart the geoms' supporting planes across a unit vector n are: never more
//               than the true distance, whatever n is. A search that has stopped early or has lost
//               digits costs time, not truth.
//
// GJK goes on from the corners it ended with at the time before. A plane is a special case: its
// support is exact.
#pragma once

#include "kernels/geometry/distance.h"
#include "kernels/speculative/pair.h"

namespace swept::SWEPT_NS {

/// Corners of the last simplex, each in the frame of its own geom.
struct WarmCorners {
  int count = 0;
  Vec3<real> on1[3], on2[3];
  int id1[3], id2[3];
};

/// What a look saw.
struct Separation {
  real distance;      ///< [m] upper bound; not positive: the cores overlap
  real clearance;     ///< [m] lower bound
  Vec3<real> normal;  ///< unit, from geom 1 to geom 2
  Vec3<real> arm1;    ///< [m] nearest point of geom 1, from its centre
  Vec3<real> arm2;    ///< that of geom 2
  bool overlap;       ///< normal and points mean nothing
};

/// The pair as looks see it.
struct Looker {
  CorePair cores;  ///< core 1 of a plane is a point
  real length;     ///< [m] unit of length of the cores
  bool plane;
  Placing at;  ///< where the geoms are

  template <class Pair>
  SWEPT_FN explicit Looker(const Pair& pair) : plane(pair.shape1.type == geom_plane) {
    Shape first = pair.shape1;
    first.type = plane ? static_cast<int>(geom_sphere) : first.type;
    first.size = plane ? zero3<real>() : first.size;
    cores = pair_of(first, pair.shape2);
    length = plane ? 1_r : unit_of_length(&cores);
    if (length < 1_r || length > 1_r) {
      rescale(&cores, 1_r / length);
    }
    move_to(pair, 0_r);
  }

  template <class Pair>
  SWEPT_FN void move_to(const Pair& pair, real t) {
    at = place_pair(pair, t);
    cores.turn = transpose_mul(at.mat1, at.mat2);
    cores.shift = transpose_mul(at.mat1, at.pos2) * (1_r / length);
  }
};

/// The corners of before, at the new place.
SWEPT_FN void warm_start(const CorePair& cores, const WarmCorners& warm, GjkStart* start) {
  start->overlap = false;
  start->rounds = 0;
  start->scale2 = 0_r;
  start->simplex.count = warm.count;
  for (int i = 0; i < warm.count; ++i) {
    Vertex& v = start->simplex.vertex[i];
    v.a = warm.on1[i];
    v.w = v.a - fused_mul(cores.turn, warm.on2[i], cores.shift);
    v.id1 = warm.id1[i];
    v.id2 = warm.id2[i];
  }
}
SWEPT_FN void keep_corners(const CorePair& cores, const Simplex& s, WarmCorners* warm) {
  warm->count = s.count > 3 ? 0 : s.count;
  for (int i = 0; i < warm->count; ++i) {
    const Vertex& v = s.vertex[i];
    warm->on1[i] = v.a;
    warm->on2[i] = transpose_mul(cores.turn, v.a - v.w - cores.shift);
    warm->id1[i] = v.id1;
    warm->id2[i] = v.id2;
  }
}

/// A plane and a geom: the lowest point.
SWEPT_FN Separation look_at_plane(Looker* view) {
  const Vec3<real> n = column_z(view->at.mat1);
  const Vec3<real> down = -transpose_mul(view->at.mat2, n);
  const Vec3<real> lowest =
      support(&view->cores.core2, down).point + view->cores.core2.radius * down;
  const Vec3<real> arm2 = view->at.mat2 * lowest;
  const real height = dot(view->at.pos2, n) + dot(arm2, n);
  return {height, height, n, view->at.pos2 + arm2 - n * height, arm2, false};
}

/// Where a search ended that lost its direction: the cores touch, to rounding, or have been taken to
/// overlap. They are looked at from outside, along the normal of before, the line of centres and the
/// axes of both.
///   g   receives normal and bounds if they can be found; else it stays
[[gnu::noinline]] SWEPT_FN void look_again(CorePair* cores, Vec3<real> before, GjkResult* g,
                                           Simplex* simplex) {
  bool found = g->end != GjkEnd::overlap;
  for (int i = 0; i < 14 && !(found && g->gap <= proof_gap * g->scale); ++i) {
    const int k = (i - 2) / 2;
    const Vec3<real> unit_axis = {k % 3 == 0 ? 1_r : 0_r, k % 3 == 1 ? 1_r : 0_r,
                                  k % 3 == 2 ? 1_r : 0_r};
    const Vec3<real> axis = k < 3 ? unit_axis : cores->turn * unit_axis;
    const Vec3<real> guess =
        i == 0 ? (found ? g->normal : before) : (i == 1 ? unit(cores->shift) : axis);
    Simplex other;
    const CoreTouch outside =
        look_from_outside(cores, i > 1 && i % 2 == 1 ? -guess : guess, g->scale, &other);
    const bool touching = outside.dist > -proof_gap * g->scale;
    if (!outside.deep && touching && (!found || outside.gap < g->gap)) {
      found = true;
      *simplex = other;
      g->end = GjkEnd::converged;
      g->normal = outside.normal;
      g->gap = outside.gap;
      g->distance = outside.dist + outside.gap;
    }
    // what is left of a search that ended beside the point is not worth more than one more look
    if (found && i > 0) {
      return;
    }
  }
}

/// The cores overlap.
SWEPT_FN Separation overlapping(const Looker& view) {
  const real deep = -(view.cores.core1.radius + view.cores.core2.radius) * view.length;
  return {deep, deep, {1_r, 0_r, 0_r}, zero3<real>(), zero3<real>(), true};
}

/// Look at the pair where it is.
///   before   unit, the normal of the look before, in the world; any at the first
///   warm     corners to go on from; receives the new ones
SWEPT_FN Separation look(Looker* view, Vec3<real> before, WarmCorners* warm) {
  if (view->plane) {
    return look_at_plane(view);
  }
  CorePair* const cores = &view->cores;
  GjkStart start;
  warm_start(*cores, *warm, &start);
  Simplex simplex;
  GjkResult g = gjk(cores, 3e38_r, &simplex, warm->count > 0 ? &start : nullptr);
  if (g.end != GjkEnd::overlap && g.gap > proof_gap * g.scale) {
    tilt_normal(cores, simplex, g.scale, &g.normal, &g.gap);
  }
  if (g.end == GjkEnd::overlap || g.gap > proof_gap * g.scale) {
    look_again(cores, transpose_mul(view->at.mat1, before), &g, &simplex);
  }
  if (g.end == GjkEnd::overlap) {
    warm->count = 0;
    return overlapping(*view);
  }
  keep_corners(*cores, simplex, warm);
  Vec3<real> a = zero3<real>();
  for (int i = 0; i < simplex.count; ++i) {
    a = a + simplex.weight[i] * simplex.vertex[i].a;
  }
  const real radii = cores->core1.radius + cores->core2.radius;
  const real clear = -fused_dot(g.normal, support(cores, g.normal).w);
  const real distance = (g.distance - radii) * view->length;
  // one step of Newton's makes it a unit vector to rounding
  const Vec3<real> turned_normal = view->at.mat1 * g.normal;
  const Vec3<real> normal =
      turned_normal * (1.5_r - 0.5_r * fused_dot(turned_normal, turned_normal));
  Separation seen;
  seen.distance = distance;
  seen.clearance = min(distance, real((clear - radii) * view->length));
  seen.normal = normal;
  seen.arm1 = view->at.mat1 * (view->length * (a + cores->core1.radius * g.normal));
  seen.arm2 = seen.arm1 + distance * normal - view->at.pos2;
  seen.overlap = false;
  return seen;
}

}  // namespace swept::SWEPT_NS
