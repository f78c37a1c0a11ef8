// SPDX-License-Identifier: Apache-2.0
// When two geoms first meet in a step: directed conservative advancement, a few rounds at a time.
//
// At each time t the supporting planes across the normal n of the nearest points keep the geoms
// apart, and n . (relative velocity) is bounded over the rest of the step; so t may go on until the
// bound has used up what the geoms are apart beyond a target.
//
//   robust   target = margin, the distance is the certified clearance, the bounds are those of
//            closing.h. It ends near the margin, within 0.5 % of the first gap and of the
//            thickness (meeting_band), with a last step that goes all the way; nothing meets before the time that is
//            returned, and for a translation onto a plane it is the time. At the cap the time so far
//            is kept: never later than the truth, never dropped.
//            Geoms that touch and open at their nearest points, while others close, are let go on
//            by as much as cannot bring them deeper than that band.
//   parity   what the official library does: target 2 % of the first gap above the margin, a band of
//            max(ccd_tolerance, 1 % of the gap), the isotropic bound of the turning, 16 rounds, then
//            an extrapolation or nothing.
//
// The state holds all that a pair has learnt, so that the rounds can be spread over several kernels,
// or a host can go on from the certified time.
#pragma once

#include "kernels/speculative/turning.h"

namespace swept::SWEPT_NS {

struct AdvanceSettings {
  SpeculativeMode mode = SpeculativeMode::robust;
  int cap = 64;                 ///< rounds of a pair; parity has its own, 16
  real margin = 0_r;            ///< [m] of the pair, without the gap
  real ccd_tolerance = 1e-6_r;  ///< [m] parity only
};

constexpr int parity_cap = 16;

enum class AdvanceEnd : int {
  active,    ///< more rounds are wanted
  none,      ///< they do not meet in this step
  hit,       ///< at the time t
  capped,    ///< rounds used up; t is certified (robust) or a guess (parity). Counts as a hit
  overlap,   ///< they overlap from the beginning: a matter of discrete contacts
  no_close,  ///< parity: within reach, but not closing. No contact
  invalid,   ///< a number is not finite. No contact
};

/// How far a pair has come. Lengths in metres, times in steps.
struct AdvanceState {
  AdvanceEnd end = AdvanceEnd::active;
  int rounds = 0;          ///< times that t has gone on
  int slips = 0;           ///< of which as far as the band allows
  real t = 0_r;            ///< nothing meets before it
  real seen = 0_r;         ///< time of the last look, at most t
  real first = 0_r;        ///< distance at the beginning
  real distance = 0_r;     ///< when last looked at
  Vec3<real> normal = {};  ///< from geom 1 to geom 2, then
  Vec3<real> arm1 = {};    ///< nearest points, then, each from the centre of its geom
  Vec3<real> arm2 = {};
  real speed = 0_r;  ///< v_n of the parity's effective distance [m per step]
  WarmCorners warm;
};

/// Whether there is to be a contact.
SWEPT_FN bool is_hit(AdvanceEnd end) {
  return end == AdvanceEnd::hit || end == AdvanceEnd::capped;
}

/// Take over what a look saw.
SWEPT_FN void keep_look(const Separation& seen, AdvanceState* s) {
  s->seen = s->t;
  s->distance = seen.distance;
  s->normal = seen.normal;
  s->arm1 = seen.arm1;
  s->arm2 = seen.arm2;
}

// ---- robust -----------------------------------------------------------------------------------------

/// Longer than a step.
constexpr real most_steps = 2_r;
/// The band within which geoms count as meeting, over the first gap and over the thickness: who
/// passes by further than this has not met. The least one, over the thickness.
constexpr real band_of_gap = 0.005_r, band_of_thickness = 0.005_r;
constexpr real least_band = 1e-4_r;

/// The band of a pair [m].
///   gap     it has at first
///   error   of a clearance
SWEPT_FN real meeting_band(real gap, real thickness, real error) {
  const real largest =
      thickness > 0_r ? min(gap * band_of_gap, thickness * band_of_thickness) : gap * band_of_gap;
  return max(largest, max(least_band * thickness, 8_r * error));
}

/// One round.
SWEPT_FN AdvanceEnd robust_round(const SweptPair& pair, const AdvanceSettings& settings,
                                 Looker* view, const SpinRadii& limits, AdvanceState* s) {
  const Separation seen = look(view, s->normal, &s->warm);
  if (seen.overlap) {
    // after the beginning only rounding or a slip leads here: the time before it stands
    s->t = s->seen;
    return s->rounds == 0 ? AdvanceEnd::overlap : AdvanceEnd::hit;
  }
  keep_look(seen, s);
  const real error = clearance_error(pair);
  const real gap = seen.clearance - settings.margin - error;
  if (s->rounds == 0) {
    s->first = seen.distance;
    if (seen.distance < settings.margin - 2_r * error) {
      return AdvanceEnd::overlap;
    }
  }
  const real thickness = pair.thickness < no_thickness ? pair.thickness : 0_r;
  const real band = meeting_band(s->first - settings.margin, thickness, error);
  ClosingBound bound;
  closing_bound(pair, view, limits, seen.normal, &bound);
  real step =
      longest_safe_time(pair, view, limits, s->warm, seen.normal, max(gap, 0_r), bound, most_steps);
  if (seen.distance - settings.margin <= band && bound.any_time > 0_r) {
    if (closing_rate(view->at.rates, seen.normal, seen.arm1, seen.arm2) > 0_r) {
      s->t = s->t + step;
      return s->t < 1_r ? AdvanceEnd::hit : AdvanceEnd::none;
    }
    const real slip = band / bound.any_time;
    s->slips += slip > step ? 1 : 0;
    step = max(step, slip);
  }
  if (s->t + step >= 1_r) {
    return AdvanceEnd::none;
  }
  if (s->rounds >= settings.cap || !(s->t + step > s->t)) {
    return AdvanceEnd::capped;
  }
  s->t = s->t + step;
  ++s->rounds;
  return AdvanceEnd::active;
}

// ---- parity -----------------------------------------------------------------------------------------

/// Speeds and travels [m per step] below which nothing moves.
constexpr real parity_still = 1e-15_r;

/// The hit of a pair whose witness points close at v: the speed that the effective distance takes.
SWEPT_FN AdvanceEnd parity_hit(AdvanceEnd end, real witness_speed, AdvanceState* s) {
  const real mean = (s->first - s->distance) / max(s->t, parity_still);
  s->speed = max(mean, witness_speed);
  return s->speed > 0_r ? end : AdvanceEnd::no_close;
}

/// One round. The look of round k is that after k advances.
SWEPT_FN AdvanceEnd parity_round(const SweptPair& pair, const AdvanceSettings& settings,
                                 Looker* view, AdvanceState* s) {
  const real travel = pair.motion1.travel + pair.motion2.travel;
  const Separation seen = look(view, s->normal, &s->warm);
  if (s->rounds == 0) {
    if (travel < parity_still || seen.overlap || !(seen.distance > settings.margin) ||
        seen.distance - settings.margin > travel) {
      return AdvanceEnd::none;
    }
    s->first = seen.distance;
  } else if (seen.overlap || seen.distance - settings.margin > (1_r - s->t) * travel) {
    return AdvanceEnd::none;
  }
  keep_look(seen, s);
  const real gap = s->first - settings.margin;
  const real target = settings.margin + 0.02_r * gap;
  const real tolerance = max(settings.ccd_tolerance, 0.01_r * gap);
  const real witness_speed = closing_rate(view->at.rates, seen.normal, seen.arm1, seen.arm2);
  if (s->rounds == parity_cap && seen.distance - target > tolerance) {
    if (!(witness_speed > parity_still) ||
        seen.distance - settings.margin > (1_r - s->t) * witness_speed) {
      return AdvanceEnd::none;
    }
    const AdvanceEnd end = parity_hit(AdvanceEnd::capped, witness_speed, s);
    s->t = s->t + (seen.distance - target) / witness_speed;
    return end;
  }
  if (!(seen.distance - target > tolerance)) {
    return parity_hit(AdvanceEnd::hit, witness_speed, s);
  }
  const real bound = -dot(seen.normal, relative_way(pair)) +
                     norm(pair.motion1.domega) * pair.bound1 +
                     norm(pair.motion2.domega) * pair.bound2;
  if (!(bound > parity_still)) {
    return AdvanceEnd::none;
  }
  s->t = s->t + (seen.distance - target) / bound;
  ++s->rounds;
  return s->t < 1_r ? AdvanceEnd::active : AdvanceEnd::none;
}

// ---- both -------------------------------------------------------------------------------------------

/// Go on with a pair for a number of rounds at most.
///   state   new, or as this function left it
SWEPT_FN void advance_pair(const SweptPair& pair, const AdvanceSettings& settings, int rounds,
                           AdvanceState* state) {
  if (state->end != AdvanceEnd::active) {
    return;
  }
  if (!is_finite(pair) || !is_finite(settings.margin)) {
    state->end = AdvanceEnd::invalid;
    return;
  }
  Looker view(pair);
  const SpinRadii limits = motion_limits(pair);
  for (int i = 0; i < rounds && state->end == AdvanceEnd::active; ++i) {
    view.move_to(pair, state->t);
    state->end = settings.mode == SpeculativeMode::robust
                     ? robust_round(pair, settings, &view, limits, state)
                     : parity_round(pair, settings, &view, state);
  }
}

/// Go on until it ends.
SWEPT_FN AdvanceState advance_to_end(const SweptPair& pair, const AdvanceSettings& settings) {
  AdvanceState state;
  while (state.end == AdvanceEnd::active) {
    advance_pair(pair, settings, 8, &state);
  }
  return state;
}

}  // namespace swept::SWEPT_NS
