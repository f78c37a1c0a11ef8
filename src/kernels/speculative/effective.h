// SPDX-License-Identifier: Apache-2.0
// What the row of a speculative contact asks for: (1 - t) of the closing speed goes, so that the rest
// of it carries the geoms onto the contact at the end of the step.
//
// In metres per step, with a_ref = -B vel - K I (dist - margin), impedance I and its limit dw of
// solimp, b0 = dw h B and k0 = dw^2 h^2 K, a row that no other force disturbs gives
//
//   I h a_ref h = (I / dw) b0 v + (I / dw)^2 k0 delta          delta = margin - dist
//
// The spring pulls back (delta < 0) where the damper alone would take away too much.
//
//   parity   one delta for all points of a pair, as if I = dw, from the speed of the advancement
//   robust   the impedance of these rows is the highest there is, so that parallel rows do not add
//            up; each asks for the closing speed that it has itself, and never for more; the
//            reference is formed from that and not from delta, which is left for the users. Rows that
//            have to keep their solimp take the delta at whose impedance the equation holds.
#pragma once

#include "kernels/constrain/impedance.h"
#include "kernels/speculative/advance.h"

namespace swept::SWEPT_NS {

/// Spring and damper of a contact over one step, without their impedance.
struct StepSpring {
  real b0;  ///< 1
  real k0;  ///< 1
};

/// Which update of the velocity a row meets.
enum class SpeculativeUpdate { explicit_, discrete };

/// Stiffness below which there is none.
constexpr real no_stiffness = 1e-15_r;
/// The least effective distance [m] of a contact without stiffness.
constexpr real least_delta = 1e-4_r;

/// b0 and k0 of a contact.
///   solref   both positive: time constant and damping ratio; none: -stiffness, -damping; else the
///            default is taken
///   safe     time constants are raised to two steps (not in the discrete update)
///   dw       limit of the impedance: solimp[1], clamped
SWEPT_FN StepSpring step_spring(SolRef solref, real h, bool safe, SpeculativeUpdate update,
                                real dw) {
  const bool discrete = update == SpeculativeUpdate::discrete;
  const SolRef r = checked_solref(solref, {0.02_r, 1_r}, h, safe && !discrete);
  if (!(r.first > 0_r)) {
    return {-r.second * h, -r.first * h * h};
  }
  StepSpring spring = {2_r * h / r.first, h * h / (r.first * r.first * r.second * r.second)};
  if (discrete && safe && spring.k0 > dw) {
    spring.b0 = spring.b0 * sqrt(dw / spring.k0);
    spring.k0 = dw;
    const real most = 0.9999_r * (1_r - dw) / (1e-4_r * dw) - 2_r;
    spring.b0 = min(spring.b0, dw * max(0_r, most));
  }
  return spring;
}

/// The delta of all points of a pair, as the official library has it.
///   t, speed   time of impact; v_n [m per step]
///   width      solimp[2]
SWEPT_FN real parity_delta(const StepSpring& spring, SpeculativeUpdate update, real t, real speed,
                           real width) {
  if (!(spring.k0 > no_stiffness)) {
    return max(least_delta, width);
  }
  const real rest = update == SpeculativeUpdate::discrete ? 1_r - t - t * (spring.b0 + spring.k0)
                                                          : 1_r - t - spring.b0;
  return rest / spring.k0 * speed;
}

// ---- robust -----------------------------------------------------------------------------------------

/// The impedance of speculative rows.
constexpr real speculative_impedance = 0.9999_r;

/// What a row is to do.
struct RowAim {
  real arrest;     ///< [m per step] closing speed to be taken away; 0: no row
  real impedance;  ///< 1
  real aref;       ///< [m/s^2] reference acceleration of the normal row, opening is positive
  real dist;       ///< [m] that gives this reference with the contact's spring and damper
};

/// The part of a closing speed that has to go if the impact is at t.
///   speed   [m per step] the row's own; not positive: nothing
SWEPT_FN real wanted_arrest(real t, real speed) {
  return clamp(real((1_r - t) * speed), 0_r, max(speed, 0_r));
}

/// Aim of a row of impedance `speculative_impedance`.
///   t       time of impact of this point
///   speed   [m per step] the row's own closing speed
SWEPT_FN RowAim robust_aim(const StepSpring& spring, real dw, real t, real speed, real h,
                           real margin, real width) {
  const real arrest = wanted_arrest(t, speed), impedance = speculative_impedance;
  RowAim aim = {arrest, impedance, arrest / (impedance * h * h), margin};
  const real part = impedance / dw;
  aim.dist = spring.k0 > no_stiffness
                 ? margin - (arrest - part * spring.b0 * speed) / (part * part * spring.k0)
                 : margin - max(least_delta, width);
  return aim;
}

/// What a row of impedance imp(|delta|) takes away [m per step].
SWEPT_FN real arrest_of(const StepSpring& spring, const SolImp& imp, real speed, real delta) {
  const real part = impedance(imp, delta) / imp.dw;
  return part * (spring.b0 * speed + part * spring.k0 * delta);
}

/// The delta at which a row that keeps its solimp takes away `arrest`. The impedance is at its limit
/// beyond the width, where the answer is explicit; within, it is bracketed and halved.
SWEPT_FN real delta_at_impedance(const StepSpring& spring, const SolImp& imp, real speed,
                                 real arrest) {
  if (!(spring.k0 > no_stiffness)) {
    return max(least_delta, imp.width);
  }
  const real far = (arrest - spring.b0 * speed) / spring.k0;
  // solimp may be any curve; where it is level, or beyond it
  if (imp.d0 == imp.dw || imp.width <= tiny_row || abs(far) >= imp.width) {
    const real part = impedance(imp, far) / imp.dw;
    return (arrest / part - spring.b0 * speed) / (part * spring.k0);
  }
  real low = -imp.width, high = imp.width;
  const auto excess = [&](real delta) { return arrest_of(spring, imp, speed, delta) - arrest; };
  // the ends give too little and too much, or the answer lies beyond, where it is explicit
  while (excess(high) < 0_r && high < 1e6_r * imp.width) {
    high = 2_r * high;
  }
  while (excess(low) > 0_r && low > -1e6_r * imp.width) {
    low = 2_r * low;
  }
  for (int i = 0; i < 60 && low < high; ++i) {
    const real middle = 0.5_r * (low + high);
    const bool more = excess(middle) < 0_r;
    low = more ? middle : low;
    high = more ? high : middle;
  }
  return 0.5_r * (low + high);
}

}  // namespace swept::SWEPT_NS
