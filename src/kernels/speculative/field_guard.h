// SPDX-License-Identifier: Apache-2.0
// How far a convex geom may go over a height field before it is deeper in it than it may be.
//
// The solid below the field is that of its prisms, so the geom is kept out of it to a floor (guard.h)
// if it is kept out of each prism to that floor. The floor is one for the pair, from the prism that is
// nearest or deepest at the beginning: who slides on the field touches it, may get e / 2 deep, and does
// not feel the walls between the prisms, which it is at most as deep in as in the field. e is the
// smallest half size of the geom alone: a ball of half of it never gets its centre into a prism,
// however thin that is.
//
// The step is cut into windows in which the geom goes about its own length, and these are taken in
// the order of time. In a window only prisms count that the geom can come to (field_pair.h), so the
// work goes with the length of the way, not with the size of the field, and the first window with a
// hit is the last. Each of its prisms is followed by itself up to the earliest hit so far.
//
// A prism is left alone across three planes, of which that which lasts longest counts: that of its
// nearest points, as in guard.h, with those that turn, and that of its top. The last one lasts as long
// as a geom glides over even ground or lands on it, where an edge of the prism ahead would be nearest:
// so an edge that the ground goes on behind is never hit before the ground is. The band in which the
// search ends is the least one (1e-4 e), since an edge that the geom passes within the band counts as
// hit.
#pragma once

#include "kernels/speculative/field_pair.h"
#include "kernels/speculative/guard.h"

namespace swept::SWEPT_NS {

struct FieldSettings {
  real margin = 0_r;      ///< [m] of the pair, without the gap
  real ease = 0_r;        ///< as GuardSettings
  int cap = 64;           ///< rounds of a prism in a window
  bool discrete = false;  ///< only what discrete contacts push counts as touching at first
};

/// Most windows of a step.
constexpr int most_windows = 512;
/// A window is at least as long as so many cells are wide.
constexpr real least_window_cells = 4_r;

/// The number of windows of a step.
///   way   [m] no point of the geom goes further, seen from the field
SWEPT_FN int windows_of(const HfieldShape& f, real bound, real way) {
  const real width =
      min(f.size[0] / static_cast<real>(f.ncol - 1), f.size[1] / static_cast<real>(f.nrow - 1)) *
      2_r;
  const real number = way / max(2_r * bound, least_window_cells * width);
  return number < static_cast<real>(most_windows - 1) ? 1 + static_cast<int>(number) : most_windows;
}

/// The height of the geom over the plane of a prism's top [m], at the time of the looker. The plane goes
/// through the centre of the prism's frame.
///   normal   of the top
SWEPT_FN real height_over(Looker* view, Vec3<real> normal) {
  CorePair* const cores = &view->cores;
  const Vec3<real> down = -transpose_mul(cores->turn, normal);
  const Vec3<real> lowest = support(&cores->core2, down).point;
  const real height = fused_dot(normal, cores->shift) + fused_dot(normal, cores->turn * lowest) -
                      cores->core2.radius;
  return height * view->length;
}

/// One round of a prism.
///   until   what comes later does not matter
template <class Pair, class Limits>
SWEPT_FN AdvanceEnd prism_round(const Pair& pair, const FieldPrism& prism,
                                const FieldSettings& settings, real until, Looker* view,
                                const Limits& limits, GuardState* s) {
  const real error = clearance_error(pair, limits);
  const auto lasts = [&](const WarmCorners& warm, Vec3<real> n, real clearance) {
    ClosingBound bound;
    closing_bound(pair, view, limits, n, &bound);
    return longest_safe_time(pair, view, limits, warm, n, max(clearance, 0_r), bound, most_steps);
  };
  const real over = height_over(view, prism.top.normal) - s->floor - error;
  const real above = over > 0_r ? lasts({}, view->at.mat1 * prism.top.normal, over) : 0_r;
  if (s->t + above >= until) {
    return AdvanceEnd::none;
  }
  const Separation seen = look_signed(view, s->normal, &s->warm);
  keep_look(seen, s);
  const real band = max(least_band * pair.thickness, 8_r * error);
  const real room = seen.clearance - s->floor - error;
  real step = max(above, lasts(s->warm, seen.normal, room));
  if (s->t + step >= until) {
    return AdvanceEnd::none;
  }
  if (seen.distance - s->floor <= band) {
    const bool closes = closing_rate(view->at.rates, seen.normal, seen.arm1, seen.arm2) > 0_r;
    if (closes || room + band <= error) {
      s->t = s->t + step;
      return AdvanceEnd::hit;
    }
    const real further = lasts(s->warm, seen.normal, room + band);
    if (s->t + further >= until) {
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

/// Follow the geom and one prism from s->t on.
template <class Pair>
[[gnu::noinline]] SWEPT_FN void follow_prism(const Pair& field, const FieldPrism& prism,
                                             const FieldSettings& settings, real until,
                                             GuardState* s) {
  const Pair pair = prism_pair(field, prism);
  const auto limits = motion_limits(pair);
  Looker view(pair);
  while (s->end == AdvanceEnd::active) {
    view.move_to(pair, s->t);
    s->end = prism_round(pair, prism, settings, until, &view, limits, s);
  }
}

/// The least clearance of the prisms that the geom is nearer to than `within` [m] now, or `within`.
template <class Pair>
[[gnu::noinline]] SWEPT_FN real clearance_now(const Pair& field, const Placing& at, real within) {
  real least = within;
  visit_reached(field, at, {zero3<real>(), 0_r}, within, [&](const FieldPrism& prism, int) {
    Looker view(prism_pair(field, prism));
    WarmCorners warm;
    least = min(least, look_signed(&view, {0_r, 0_r, 1_r}, &warm).clearance);
    return true;
  });
  return least;
}

/// So many times what rounding may do to a clearance the floor is lowered by, and is at least below
/// where the geom is: what glides at the floor does not get to it.
constexpr real floor_slack = 4_r;

/// Who is deeper in the field than this part of its thickness is not followed.
constexpr real field_overlap = 0.75_r;

/// The floor of the pair, from where it stands now. Whether it may be followed.
template <class Pair>
SWEPT_FN bool set_field_floor(const Pair& field, const FieldSettings& settings, real error,
                              GuardState* s) {
  const real thickness = field.thickness;
  const real near = settings.discrete ? settings.margin - 2_r * error
                                      : settings.margin + max(least_band * thickness, 8_r * error);
  const real now = clearance_now(field, place_pair(field, 0_r), near + (2_r + floor_slack) * error);
  const GuardSettings as_pair = {settings.margin, settings.ease, settings.cap};
  const real floor = guard_floor(as_pair, thickness, now < near ? now : no_thickness, error);
  s->floor = min(floor, now) - floor_slack * error;
  return !(now < -field_overlap * thickness - 2_r * error);
}

/// Go on with a pair for one window.
///   field    the field and the geom; thickness that of the geom
///   state    new, or as this function left it; `rounds` counts windows
///   number   receives the prism of a hit; its normal and points are from the prism's own centre
template <class Pair>
[[gnu::noinline]] SWEPT_FN void follow_field(const Pair& field, const FieldSettings& settings,
                                             GuardState* state, int* number) {
  if (state->end != AdvanceEnd::active) {
    return;
  }
  const auto limits = motion_limits(field);
  if (!is_finite(field, limits) || !is_finite(settings.margin) || !is_finite(settings.ease)) {
    state->end = AdvanceEnd::invalid;
    return;
  }
  const real error = clearance_error(field, limits);
  if (state->rounds == 0 && !set_field_floor(field, settings, error, state)) {
    state->end = AdvanceEnd::overlap;
    return;
  }
  const int windows = windows_of(field.shape1.hfield, field.bound2, whole_way(field, limits));
  const int rounds = state->rounds + 1;
  const real end = rounds < windows ? static_cast<real>(rounds) / static_cast<real>(windows) : 1_r;
  const Placing at = place_pair(field, state->t);
  const FieldWay way = field_way(field, limits, at, end - state->t);
  real until = end;
  GuardState hit;
  const auto follow = [&](const FieldPrism& prism, int which) {
    GuardState one;
    one.t = state->t;
    one.seen = state->t;
    one.floor = state->floor;
    one.normal = {0_r, 0_r, 1_r};
    follow_prism(field, prism, settings, until, &one);
    if (is_hit(one.end)) {
      until = one.t;
      hit = one;
      *number = which;
    }
    return until > state->t;
  };
  visit_reached(field, at, way, state->floor + error, follow);
  if (is_hit(hit.end)) {
    *state = hit;
  } else {
    state->t = end;
    state->end = end < 1_r ? AdvanceEnd::active : AdvanceEnd::none;
  }
  state->rounds = rounds;
}

}  // namespace swept::SWEPT_NS
