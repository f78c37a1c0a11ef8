// SPDX-License-Identifier: Apache-2.0
// Quaternions of Twofolds: what a pose is computed in, so that rounding of the configuration's
// reals enters a rotation only once, at the end.
//
// Sums and products of Twofolds are wrong by a few u^2 of the numbers that enter them, where u is
// half a unit in the last place of a real; the sine and the cosine by half a u (math/trig.h).
#pragma once

#include "kernels/math/trig.h"
#include "kernels/math/vec.h"

namespace swept::SWEPT_NS {

SWEPT_FN Twofold<real> add(Twofold<real> a, Twofold<real> b) {
  const Twofold<real> sum = two_sum(a.hi, b.hi);
  return fast_two_sum(sum.hi, sum.lo + (a.lo + b.lo));
}

SWEPT_FN Twofold<real> negative(Twofold<real> a) {
  return {-a.hi, -a.lo};
}

SWEPT_FN Twofold<real> multiply(Twofold<real> a, Twofold<real> b) {
  const Twofold<real> product = two_product(a.hi, b.hi);
  return fast_two_sum(product.hi, fma(a.hi, b.lo, fma(a.lo, b.hi, product.lo)));
}

SWEPT_FN Twofold<real> multiply(real a, Twofold<real> b) {
  const Twofold<real> product = two_product(a, b.hi);
  return fast_two_sum(product.hi, fma(a, b.lo, product.lo));
}

struct TwofoldQuat {
  Twofold<real> w, x, y, z;
};

struct TwofoldVec3 {
  Twofold<real> x, y, z;
};

/// Hamilton product: the rotation b, then a.
SWEPT_FN TwofoldQuat operator*(const TwofoldQuat& a, const TwofoldQuat& b) {
  const auto sum = [](Twofold<real> p, Twofold<real> q, Twofold<real> r, Twofold<real> s) {
    return add(add(p, q), add(r, s));
  };
  return {
      sum(multiply(a.w, b.w), negative(multiply(a.x, b.x)), negative(multiply(a.y, b.y)),
          negative(multiply(a.z, b.z))),
      sum(multiply(a.w, b.x), multiply(a.x, b.w), multiply(a.y, b.z), negative(multiply(a.z, b.y))),
      sum(multiply(a.w, b.y), negative(multiply(a.x, b.z)), multiply(a.y, b.w), multiply(a.z, b.x)),
      sum(multiply(a.w, b.z), multiply(a.x, b.y), negative(multiply(a.y, b.x)),
          multiply(a.z, b.w))};
}

SWEPT_FN TwofoldQuat conjugate(const TwofoldQuat& q) {
  return {q.w, negative(q.x), negative(q.y), negative(q.z)};
}

/// The matrix of a quaternion whose length is nearly 1, each entry rounded once. What the length is
/// off by is divided out.
SWEPT_FN Mat3<real> matrix(const TwofoldQuat& q) {
  const Twofold<real> xx = multiply(q.x, q.x), yy = multiply(q.y, q.y), zz = multiply(q.z, q.z);
  const Twofold<real> xy = multiply(q.x, q.y), xz = multiply(q.x, q.z), yz = multiply(q.y, q.z);
  const Twofold<real> wx = multiply(q.w, q.x), wy = multiply(q.w, q.y), wz = multiply(q.w, q.z);
  // 2 / |q|^2 = 2 - 2 (|q|^2 - 1) + ...
  const Twofold<real> square = add(add(xx, yy), add(zz, multiply(q.w, q.w)));
  const real excess = add(square, {-1_r, 0_r}).hi;
  const Twofold<real> two = fast_two_sum(2_r, -2_r * excess);
  const auto diagonal = [&two](Twofold<real> a, Twofold<real> b) {
    return add({1_r, 0_r}, negative(multiply(two, add(a, b)))).hi;
  };
  const auto sum = [&two](Twofold<real> a, Twofold<real> b) { return multiply(two, add(a, b)).hi; };
  return {diagonal(yy, zz),      sum(xy, negative(wz)), sum(xz, wy),
          sum(xy, wz),           diagonal(xx, zz),      sum(yz, negative(wx)),
          sum(xz, negative(wy)), sum(yz, wx),           diagonal(xx, yy)};
}

/// Sine and cosine of an angle that is not negative.
SWEPT_FN SinCos<real> sin_cos(Twofold<real> angle) {
  ReducedAngle<real> reduced = reduce_quadrants(angle.hi);
  reduced.rest = two_sum(reduced.rest.hi, reduced.rest.lo + angle.lo);
  SinCos<real> both = sin_cos_unsigned(reduced);
  const uint_of<real> sine = sign_of_quadrant<real>(reduced.quadrant);
  const uint_of<real> cosine = sign_of_quadrant<real>(reduced.quadrant + uint_of<real>(1));
  return {{flip_sign(both.sin.hi, sine), flip_sign(both.sin.lo, sine)},
          {flip_sign(both.cos.hi, cosine), flip_sign(both.cos.lo, cosine)}};
}

/// The turn by an angle that is not negative about a unit axis.
SWEPT_FN TwofoldQuat quaternion_of_turn(const TwofoldVec3& axis, Twofold<real> angle) {
  const SinCos<real> half = sin_cos(multiply(0.5_r, angle));
  return {half.cos, multiply(half.sin, axis.x), multiply(half.sin, axis.y),
          multiply(half.sin, axis.z)};
}

}  // namespace swept::SWEPT_NS
