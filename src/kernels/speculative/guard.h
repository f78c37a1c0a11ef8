// SPDX-License-Identifier: Apache-2.0
// How far two geoms may go on the motion that is really to be made, before they are deeper in each
// other than they may be: a certificate, and where and when it ends.
//
// The signed distance of two convex geoms is at least the clearance across any unit vector n: how far
// apart their supporting planes are, which is negative where they overlap. So a plane certifies geoms
// that touch or overlap as it does others; along n the closing is bounded as closing.h and turning.h
// say, from the velocities at the time of the look and the growth of the pair's motion. n is the normal
// of the nearest points, of the overlap if there is one.
//
//   floor   what the signed distance must not fall below
//             geoms further apart than the margin        the margin
//             geoms nearer (by 1e-4 e, so that none      -e / 2, with e the thickness of the pair
//             that slides at the margin ends at once),
//             or less deep than e / 2
//             geoms deeper than that                     where they are: they may not get deeper
//           all lowered by a part of e, if wanted: at e / 2 by all of it, from 0.74 e on by nothing,
//           so that steps which end at floors in a row do not add up.
//   slow    pairs that travel so little that they cannot get deeper than e (depth.h) are left to the
//           discrete contacts, which are soft.
//   band    0.5 % of what they are above the floor at first, or of e (meeting_band), and no less than 8
//           times what rounding may do to a clearance, up to e / 8 for the motion's part: within it the search ends if the nearest points
//           close, with a last step that goes all the way to the floor. If they
//           open, while others close, it goes on, down to the floor less the band.
//
// What is promised: the signed distance is not below floor - band before the time that is returned. e
// is the smallest half size of both geoms. What passes through the other has to be, on the way, about 2 e
// deep: a ball of radius e fits into each sphere, capsule, ellipsoid, cylinder or box, and one of
// half of it into most hulls. (Not so where only corners or edges meet: there they slip round.)
#pragma once

#include "kernels/speculative/advance.h"
#include "kernels/speculative/arc_pair.h"
#include "kernels/speculative/depth.h"

namespace swept::SWEPT_NS {

struct GuardSettings {
  real margin = 0_r;           ///< [m] of the pair, without the gap
  real ease = 0_r;             ///< part of the thickness that floors are lowered by, from 0 to 1/4
  int cap = 64;                ///< rounds of a pair
  real travel = no_thickness;  ///< [m] no two points of the geoms come closer by more in the step
};

/// How far a pair has come. `end` means
///   active    more rounds are wanted
///   none      safe: the floor is kept during the whole step, or the pair is slow
///   hit       certified up to t < 1, where they are at the floor and close
///   capped    rounds used up; certified up to t
///   invalid   a number is not finite
struct GuardState : AdvanceState {
  real floor = 0_r;  ///< [m]; set with the first round
};

/// Parts of the thickness: how deep geoms may get in a step, and where floors are no longer lowered.
constexpr real guard_depth = 0.5_r, guard_lowest = 0.74_r;

// ---- does it have to be looked at? ------------------------------------------------------------------

/// How far a geom gets at most.
struct ArcReach {
  real travel;     ///< [m] no point of it gets further from where it is now
  Vec3<real> way;  ///< [m] its centre goes along this, as it does now,
  real off;        ///< [m] and is never further from that
  real turn;       ///< [rad] it turns no further

  SWEPT_FN StepMotion<real> motion() const { return {way, {turn, 0_r, 0_r}, travel}; }
};

/// Joints that work against each other, as in a leg on a foot that stands, add up in the bound of the
/// travel, and not in what the geom does now; from there it comes off by half of its growth.
template <class Velocity>
SWEPT_FN ArcReach arc_reach(const ArcScene<Velocity>& scene, ArcChain chain, Vec3<real> origin,
                            const ArcGeom& geom) {
  const ArcBounds bounds = arc_bounds(scene, chain, origin, geom);
  const ArcPose now = arc_pose(scene, chain, origin, geom.pos, geom.mat, 0_r);
  const real speed = norm(now.velocity) + norm(now.omega) * geom.radius();
  ArcGeom centre = geom;
  centre.extent.kind = CoreKind::point;
  return {min(bounds.travel, real(speed + 0.5_r * bounds.growth)), now.velocity,
          0.5_r * arc_bounds(scene, chain, origin, centre).growth, bounds.turn};
}

/// Sine of two ways below which they count as parallel.
constexpr real parallel_ways = 1e-3_r;

/// How near a point on the way of one centre comes to one on the way of the other at least [m], at
/// whatever times: trees may move different parts of a step. The least of
/// |apart + p2 way2 - p1 way1| over p1, p2 in [0, 1] is inside, or on one of the four sides; of ways
/// that are nearly parallel the sides tell it but for the sine times the shorter way. 0 if a number is
/// not finite.
SWEPT_FN real ways_apart(Vec3<real> apart, Vec3<real> way1, Vec3<real> way2) {
  const real a = dot(way1, way1), b = dot(way1, way2), c = dot(way2, way2);
  const real u = dot(way1, apart), v = dot(way2, apart), det = a * c - b * b;
  const auto at = [&](real p1, real p2) { return norm(apart + way2 * p2 - way1 * p1); };
  const auto part = [](real over, real under) {
    return under > 0_r ? clamp(over / under, 0_r, 1_r) : 0_r;
  };
  real least = min(min(at(0_r, part(-v, c)), at(1_r, part(b - v, c))),
                   min(at(part(u, a), 0_r), at(part(u + b, a), 1_r)));
  if (det > parallel_ways * parallel_ways * a * c) {
    least = min(least, at(part(u * c - b * v, det), part(b * u - a * v, det)));
  }
  return is_finite(a + c) ? least - parallel_ways * sqrt(min(a, c)) : 0_r;
}

/// Whether a pair has to be guarded in this step: the travels of its geoms, seen from the last body
/// that both hang on, add up to more than it may travel and be slow, and they may come within the
/// margin.
///   slow     part of the thickness, as depth.h has it for the deepest pair
///   travel   receives what the two may travel together [m]; null: not wanted
template <class Velocity>
SWEPT_FN bool guard_needed(const ArcScene<Velocity>& scene, int geom1, int geom2, real margin,
                           real slow = 1_r, real* travel = nullptr) {
  const ModelAt<real>& m = scene.m;
  const ArcChains chains = arc_chains(m, geom1, geom2);
  const Vec3<real> origin = vec3(scene.d.geom_xpos(3 * geom1));
  const ArcGeom one = arc_geom(m, scene.d, origin, geom1),
                two = arc_geom(m, scene.d, origin, geom2);
  const ArcReach reach1 = arc_reach(scene, chains.one, origin, one),
                 reach2 = arc_reach(scene, chains.two, origin, two);
  const real all = reach1.travel + reach2.travel;
  if (travel != nullptr) {
    *travel = all;
  }
  if (!is_fast(all, slow * pair_thickness(m, geom1, geom2))) {
    return false;
  }
  const real bound1 = m.geom_rbound(geom1), bound2 = m.geom_rbound(geom2);
  const real off = reach1.off + reach2.off, size = norm(two.pos) + bound1 + bound2;
  if (m.geom_type(geom1) == geom_plane) {
    const Vec3<real> n = column_z(one.mat);
    return swept_ball_meets_plane(dot(n, two.pos), dot(n, reach2.way), margin + bound2 + off);
  }
  // as far as they may travel, along their ways, along the axes of their boxes
  const real near = margin + bound1 + bound2 + sweep_rounding * (size + all);
  return !(norm(two.pos) > near + all) &&
         !(ways_apart(two.pos, reach1.way, reach2.way) > near + off) &&
         swept_boxes_meet(m, scene.d, geom1, reach1.motion(), geom2, reach2.motion(),
                          real(margin + off));
}

// ---- looks ------------------------------------------------------------------------------------------

/// Look at geoms whose cores overlap: the direction in which they are least deep.
[[gnu::noinline]] SWEPT_FN Separation look_inside(Looker* view) {
  CorePair* const cores = &view->cores;
  Simplex simplex;
  DistanceWork work;
  const CoreNearest nearest = core_nearest(cores, 3e38_r, &simplex, &work, nullptr);
  const Vec3<real> n = nearest.normal;
  const real radii = cores->core1.radius + cores->core2.radius;
  const real clear = -fused_dot(n, support(cores, n).w) - radii;
  const Vec3<real> turned_normal = view->at.mat1 * n;
  Separation seen;
  seen.distance = nearest.dist * view->length;
  seen.clearance = min(seen.distance, clear * view->length);
  // one step of Newton's makes it a unit vector to rounding
  seen.normal = turned_normal * (1.5_r - 0.5_r * fused_dot(turned_normal, turned_normal));
  seen.arm1 = view->at.mat1 * (view->length * (nearest.a + cores->core1.radius * n));
  seen.arm2 = seen.arm1 + seen.distance * seen.normal - view->at.pos2;
  seen.overlap = false;
  return seen;
}

/// Look at the pair where it is, apart or overlapping.
SWEPT_FN Separation look_signed(Looker* view, Vec3<real> before, WarmCorners* warm) {
  const Separation seen = look(view, before, warm);
  return seen.overlap ? look_inside(view) : seen;
}

// ---- rounds -----------------------------------------------------------------------------------------

/// What rounding may do to a clearance of geoms that do not move [m].
template <class Pair>
SWEPT_FN real still_error(const Pair& pair) {
  return 4_r * epsilon *
         (norm(pair.shape2.pos) + pair.bound1 + pair.bound2 + norm(pair.shape2.size));
}

/// The floor [m] of a pair that starts with this clearance.
SWEPT_FN real guard_floor(const GuardSettings& settings, real thickness, real clearance,
                          real error) {
  const real near = settings.margin + max(least_band * thickness, 8_r * error);
  const real highest = clearance <= near ? -guard_depth * thickness : settings.margin;
  const real floor = min(highest, clearance);
  const real left = (guard_lowest * thickness + floor) / (guard_lowest - guard_depth);
  return floor - settings.ease * clamp(left, 0_r, thickness);
}

/// One round.
template <class Pair, class Limits>
SWEPT_FN AdvanceEnd guard_round(const Pair& pair, const GuardSettings& settings, Looker* view,
                                const Limits& limits, GuardState* s) {
  const Separation seen = look_signed(view, s->normal, &s->warm);
  keep_look(seen, s);
  const real error = clearance_error(pair, limits);
  const real thickness = pair.thickness < no_thickness ? pair.thickness : 0_r;
  if (s->rounds == 0) {
    s->first = seen.distance;
    s->floor = guard_floor(settings, thickness, seen.clearance, error);
    if (thickness > 0_r && settings.travel < thickness * slow_part(-seen.clearance / thickness)) {
      return AdvanceEnd::none;
    }
  }
  // where a velocity is so large that places on the way are known no better than to the thickness,
  // the search ends before them
  const real widest = max(0.125_r * thickness, 8_r * still_error(pair));
  const real any_band = meeting_band(s->first - s->floor, thickness, error);
  const real band = thickness > 0_r ? min(any_band, widest) : any_band;
  const real room = seen.clearance - s->floor - error;
  ClosingBound bound;
  closing_bound(pair, view, limits, seen.normal, &bound);
  const auto lasts = [&](real clearance) {
    return longest_safe_time(pair, view, limits, s->warm, seen.normal, max(clearance, 0_r), bound,
                             most_steps);
  };
  real step = lasts(room);
  if (s->t + step >= 1_r) {
    return AdvanceEnd::none;
  }
  if (seen.distance - s->floor <= band) {
    const bool closes = closing_rate(view->at.rates, seen.normal, seen.arm1, seen.arm2) > 0_r;
    if (closes || room + band <= error) {
      s->t = s->t + step;
      return AdvanceEnd::hit;
    }
    const real further = lasts(room + band);
    if (s->t + further >= 1_r) {
      return AdvanceEnd::none;
    }
    s->slips += further > step ? 1 : 0;
    step = max(step, further);
  }
  if (s->rounds >= settings.cap || !(s->t + step > s->t)) {
    return AdvanceEnd::capped;
  }
  s->t = s->t + step;
  ++s->rounds;
  return AdvanceEnd::active;
}

/// Go on with a pair for a number of rounds at most.
///   state   new, or as this function left it
template <class Pair>
[[gnu::noinline]] SWEPT_FN void guard_pair(const Pair& pair, const GuardSettings& settings,
                                           int rounds, GuardState* state) {
  if (state->end != AdvanceEnd::active) {
    return;
  }
  const auto limits = motion_limits(pair);
  if (!is_finite(pair, limits) || !is_finite(settings.margin) || !is_finite(settings.ease)) {
    state->end = AdvanceEnd::invalid;
    return;
  }
  Looker view(pair);
  for (int i = 0; i < rounds && state->end == AdvanceEnd::active; ++i) {
    view.move_to(pair, state->t);
    state->end = guard_round(pair, settings, &view, limits, state);
  }
}

/// Go on until it ends.
template <class Pair>
SWEPT_FN GuardState guard_to_end(const Pair& pair, const GuardSettings& settings) {
  GuardState state;
  while (state.end == AdvanceEnd::active) {
    guard_pair(pair, settings, 8, &state);
  }
  return state;
}

}  // namespace swept::SWEPT_NS
