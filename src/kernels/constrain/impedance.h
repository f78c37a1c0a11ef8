// SPDX-License-Identifier: Apache-2.0
// Impedance, regularisation and reference acceleration of a row.
//
// A row with violation x = pos - margin behaves like a spring and damper of its own:
//
//   aref = -B vel - K I x        R = (1 - I) / I * A        I = d0 + y(|x| / width) (dw - d0)
//
// A is the approximate diagonal of J M^-1 J^T; y rises from 0 to 1 as two power curves that meet at
// `midpoint`. solref is (time constant, damping ratio), or (-stiffness, -damping) if not positive;
// solimp is (d0, dw, width, midpoint, power).
#pragma once

#include "kernels/base/data.h"
#include "kernels/math/functions.h"

namespace swept::SWEPT_NS {

/// Smallest regularisation and smallest denominator.
constexpr real tiny_row = 1e-15_r;

/// Two numbers of solref.
struct SolRef {
  real first, second;
};

/// Five numbers of solimp, inside their bounds.
struct SolImp {
  real d0, dw, width, midpoint, power;
};

/// What a violation of a row makes of its parameters.
struct Response {
  real K, B, I;
};

/// A mixed pair of signs is replaced by `fallback`; a time constant below two steps is raised to
/// two steps if `safe`.
SWEPT_FN SolRef checked_solref(SolRef r, SolRef fallback, real timestep, bool safe) {
  if ((r.first > 0) != (r.second > 0)) {
    r = fallback;
  }
  if (safe && r.first > 0) {
    r.first = max(r.first, 2 * timestep);
  }
  return r;
}

/// Clamp solimp; `at(i)` gives its number i.
template <class F>
SWEPT_FN SolImp checked_solimp(const F& at) {
  constexpr real low = 1e-4_r;
  constexpr real high = 0.9999_r;
  return {clamp<real>(at(0), low, high), clamp<real>(at(1), low, high), max(at(2), 0_r),
          clamp<real>(at(3), low, high), max(at(4), 1_r)};
}

/// t^power without the cost of pow() for the usual powers.
SWEPT_FN real power_of(real t, real power) {
  return power == 2 ? t * t : pow(t, power);
}

/// Impedance I at violation x.
SWEPT_FN real impedance(const SolImp& s, real x) {
  if (s.d0 == s.dw || s.width <= tiny_row) {
    return 0.5_r * (s.d0 + s.dw);
  }
  const real t = abs(x) / s.width;
  if (t >= 1) {
    return s.dw;
  }
  if (t <= 0) {
    return s.d0;
  }
  real y = t;
  if (s.power != 1) {
    y = t <= s.midpoint ? power_of(t, s.power) / power_of(s.midpoint, s.power - 1)
                        : 1 - power_of(1 - t, s.power) / power_of(1 - s.midpoint, s.power - 1);
  }
  return s.d0 + y * (s.dw - s.d0);
}

/// Damping B of a reference.
SWEPT_FN real damping(SolRef r, real dw) {
  return r.second > 0 ? 2 / max(tiny_row, dw * r.first) : -r.second / max(tiny_row, dw);
}

/// Stiffness K of a reference.
SWEPT_FN real stiffness(SolRef r, real dw) {
  return r.first > 0 ? 1 / max(tiny_row, dw * dw * r.first * r.first * r.second * r.second)
                     : -r.first / max(tiny_row, dw * dw);
}

/// K, B, I at violation x.
SWEPT_FN Response respond(SolRef r, const SolImp& s, real x) {
  return {stiffness(r, s.dw), damping(r, s.dw), impedance(s, x)};
}

/// R of a row with impedance I and approximate inverse inertia A.
SWEPT_FN real regularisation(real I, real A) {
  return max(tiny_row, (1 - I) / I * A);
}

}  // namespace swept::SWEPT_NS
