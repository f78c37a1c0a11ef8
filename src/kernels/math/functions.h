// SPDX-License-Identifier: Apache-2.0
// The elementary functions of the kernels, for one environment (real) and for a pack, with the same
// bits in every lane.
//
// They are our own because neither the standard library nor its packs promise the same bits on two
// devices. All are branch-free but for sin, cos and tan of huge angles. Zeros, infinities, NaN and
// denormals are as in annex F of C99; nothing sets errno. The largest errors in units in the last
// place, in f32 and f64 alike:
//
//   sin, cos 0.76    tan 0.90    exp 0.80    log 0.51    pow 0.80    atan2 0.80    asin, acos 0.65
#pragma once

#include "kernels/math/exp_log.h"
#include "kernels/math/inverse_trig.h"
#include "kernels/math/trig.h"

namespace swept::SWEPT_NS {

/// Sine, cosine and tangent of an angle in rad, over the whole range.
SWEPT_FN real sin(real x) {
  return sin_of(x);
}
SWEPT_FN real cos(real x) {
  return cos_of(x);
}
SWEPT_FN real tan(real x) {
  return tan_of(x);
}
/// Both at the price of one.
SWEPT_FN void sincos(real x, real* s, real* c) {
  sincos_of(x, s, c);
}

/// e^x and the natural logarithm.
SWEPT_FN real exp(real x) {
  return exp_of(Twofold<real>{x, 0});
}
SWEPT_FN real log(real x) {
  return log_of(x);
}
/// x^y; NaN for a negative x and a y that is no integer.
SWEPT_FN real pow(real x, real y) {
  return pow_of(x, y);
}

/// Angle of the point (x, y) in rad, in [-pi, pi].
SWEPT_FN real atan2(real y, real x) {
  return atan2_of(y, x);
}
/// In [-pi/2, pi/2] and [0, pi]; NaN beyond |x| = 1.
SWEPT_FN real asin(real x) {
  return asin_of(x);
}
SWEPT_FN real acos(real x) {
  return acos_of(x);
}

// Where a pack is not a real it has overloads of its own: not templates, so that they win over
// those of the standard library's packs.
#ifdef SWEPT_PACKS
SWEPT_FN pack sin(pack x) {
  return sin_of(x);
}
SWEPT_FN pack cos(pack x) {
  return cos_of(x);
}
SWEPT_FN pack tan(pack x) {
  return tan_of(x);
}
SWEPT_FN void sincos(pack x, pack* s, pack* c) {
  sincos_of(x, s, c);
}
SWEPT_FN pack exp(pack x) {
  return exp_of(Twofold<pack>{x, pack(0)});
}
SWEPT_FN pack log(pack x) {
  return log_of(x);
}
SWEPT_FN pack pow(pack x, pack y) {
  return pow_of(x, y);
}
SWEPT_FN pack atan2(pack y, pack x) {
  return atan2_of(y, x);
}
SWEPT_FN pack asin(pack x) {
  return asin_of(x);
}
SWEPT_FN pack acos(pack x) {
  return acos_of(x);
}
#endif

}  // namespace swept::SWEPT_NS
