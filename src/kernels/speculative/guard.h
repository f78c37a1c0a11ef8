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
//             geoms deeper than that, up to 3/4 e        where they are: they may not get deeper
//           all lowered by a part of e, if wanted: at e / 2 by all of it, at 0.74 e by nothing, so
//           that steps which end at floors in a row do not add up. Those deeper than 3/4 e are an
//           `overlap`, left to the discrete contacts.
//   band    0.5 % of what they are above the floor at first, or of e (meeting_band), and no less than 8
//           times what rounding may do to a clearance: within it the search ends if the nearest points
//           close, with a last step that goes all the way to the floor. If they
//           open, while others close, it goes on, down to the floor less the band.
//
// What is promised: the signed distance is not below floor - band before the time that is returned. e
// is the smallest half size of both geoms. What passes through the other has to be, on the way, about e
// deep or more: a ball of radius e fits into a sphere, capsule, ellipsoid, cylinder or box, and one of
// half of it into most hulls. (Not so where only corners or edges meet: there they slip round.)
#pragma once

#include "kernels/speculative/advance.h"
#include "kernels/speculative/arc_pair.h"

namespace swept::SWEPT_NS {

struct GuardSettings {
  real margin = 0_r;  ///< [m] of the pair, without the gap
  real ease = 0_r;    ///< part of the thickness that floors are lowered by, from 0 to 1/4
  int cap = 64;       ///< rounds of a pair
};

/// How far a pair has come. `end` means
///   active    more rounds are wanted
///   none      safe: the floor is kept during the whole step
///   hit       certified up to t < 1, where they are at the floor and close
///   capped    rounds used up; certified up to t
///   overlap   too deep from the beginning
///   invalid   a number is not finite
struct GuardState : AdvanceState {
  real floor = 0_r;  ///< [m]; set with the first round
};

/// Parts of the thickness: how deep geoms may get in a step, and how deep they may be at first.
constexpr real guard_depth = 0.5_r;
constexpr real guard_overlap = 0.75_r;
/// The lowest floor: above guard_overlap by more than a band.
constexpr real guard_lowest = 0.74_r;

// ---- does it have to be looked at? ------------------------------------------------------------------

/// How far the points of a geom get from where they are now at most [m]: joints that work against each
/// other, as in a leg on a foot that stands, add up in the bound of the travel, and not in what it
/// does now; from there it comes off by half of its growth.
template <class Velocity>
SWEPT_FN real arc_travel(const ArcScene<Velocity>& scene, ArcChain chain, Vec3<real> origin,
                         const ArcGeom& geom) {
  const ArcBounds bounds = arc_bounds(scene, chain, origin, geom);
  const ArcPose now = arc_pose(scene, chain, origin, geom.pos, geom.mat, 0_r);
  const real speed = norm(now.velocity) + norm(now.omega) * geom.radius();
  return min(bounds.travel, real(speed + 0.5_r * bounds.growth));
}

/// Whether a pair has to be guarded in this step: the travels of its geoms, seen from the last body
/// that both hang on, add up to the thickness of the pair, and they may come within the margin. Others
/// get deeper by less than the thickness, which from 3/4 of it leads to no other side: the geoms
/// together are at least twice as thick.
///   travel   receives what the two may travel together [m]; null: not wanted
template <class Velocity>
SWEPT_FN bool guard_needed(const ArcScene<Velocity>& scene, int geom1, int geom2, real margin,
                           real* travel = nullptr) {
  const ModelAt<real>& m = scene.m;
  const ArcChains chains = arc_chains(m, geom1, geom2);
  const Vec3<real> origin = vec3(scene.d.geom_xpos(3 * geom1));
  const ArcGeom one = arc_geom(m, scene.d, origin, geom1),
                two = arc_geom(m, scene.d, origin, geom2);
  const real travel1 = arc_travel(scene, chains.one, origin, one),
             travel2 = arc_travel(scene, chains.two, origin, two);
  if (travel != nullptr) {
    *travel = travel1 + travel2;
  }
  const real thickness = pair_thickness(m, geom1, geom2);
  if (!is_fast(travel1 + travel2, thickness)) {
    return false;
  }
  const real bound1 = m.geom_rbound(geom1), bound2 = m.geom_rbound(geom2);
  const real apart = m.geom_type(geom1) == geom_plane ? dot(column_z(one.mat), two.pos) - bound2
                                                      : norm(two.pos) - bound1 - bound2;
  const real reach = (travel1 + travel2) * (1_r + sweep_rounding) + margin;
  return !(apart - sweep_rounding * (norm(two.pos) + bound1 + bound2) > reach);
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
    if (seen.clearance < -guard_overlap * thickness - 2_r * error) {
      return AdvanceEnd::overlap;
    }
  }
  const real band = meeting_band(s->first - s->floor, thickness, error);
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
SWEPT_FN void guard_pair(const Pair& pair, const GuardSettings& settings, int rounds,
                         GuardState* state) {
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
