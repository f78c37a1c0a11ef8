// SPDX-License-Identifier: Apache-2.0
// From the points that meet at the time of impact to the row that is written now.
//
// A point x(t) of a geom stands now at x(0) = c + R(0) R(t)^T (x(t) - c(t)). The normal n is that of
// the impact; it is not turned back.
//
//   robust   each body feels the contact at its own point: the row is n . (J2(x2(0)) - J1(x1(0))), and
//            its speed is that of the two points now. What makes a sphere or capsule round does not
//            turn back: its surface is met along n from the core, now as then, so that a contact
//            without friction spins nothing about an axis of symmetry. A late turning may have
//            moved the lever out of the normal's sight: if the row sees less than half of the speed
//            at the impact, both points take the levers that they have at the impact (where the
//            points are then, less the translations of their bodies); then it sees all of it, also
//            after more than a quarter of a turn about one axis. A row that closes nowhere is no row.
//   parity   both bodies feel it at w1 x1(0) + w2 x2(0), with w the geoms' shares of the travel.
#pragma once

#include "kernels/speculative/advance.h"

namespace swept::SWEPT_NS {

/// Two points that meet: at the time of a look, from the centres of their geoms.
struct ImpactPoints {
  Vec3<real> normal;      ///< unit, from geom 1 to geom 2
  real distance;          ///< [m] along it, when looked at
  Vec3<real> arm1, arm2;  ///< [m]
};

/// Where a row acts now, and what it sees.
struct RowPoints {
  Vec3<real> arm1, arm2;  ///< [m] from the centres of the geoms
  real speed;             ///< [m per step] at which it closes
  bool at_impact;         ///< the levers are those of the impact
};

/// Below this part of the speed at the impact a row takes the levers of the impact.
constexpr real least_sight = 0.5_r;

/// The points of an impact, turned back to now.
///   at   where the geoms were when looked at
template <class Pair>
SWEPT_FN RowPoints points_now(const Pair& pair, const Placing& at, const ImpactPoints& p) {
  const Vec3<real> arm1 = arm_now(pair.shape1.mat, at.mat1, p.arm1);
  const Vec3<real> arm2 = arm_now(pair.shape2.mat, at.mat2, p.arm2);
  return {arm1, arm2, closing_rate(rates_of(pair), p.normal, arm1, arm2), false};
}

/// The radius of the ball at whose surface a sphere or capsule is met [m].
SWEPT_FN real round_part(const Shape& s) {
  return s.type == geom_sphere || s.type == geom_capsule ? s.size.x : 0_r;
}

/// The same, with the round part of a shape still along the normal.
template <class Pair>
SWEPT_FN RowPoints levers_now(const Pair& pair, const Placing& at, const ImpactPoints& p) {
  const Vec3<real> round1 = p.normal * round_part(pair.shape1),
                   round2 = p.normal * round_part(pair.shape2);
  const Vec3<real> arm1 = arm_now(pair.shape1.mat, at.mat1, p.arm1 - round1) + round1;
  const Vec3<real> arm2 = arm_now(pair.shape2.mat, at.mat2, p.arm2 + round2) - round2;
  return {arm1, arm2, closing_rate(rates_of(pair), p.normal, arm1, arm2), false};
}

/// The points of a row that sees the impact.
template <class Pair>
SWEPT_FN RowPoints row_points(const Pair& pair, const Placing& at, const ImpactPoints& p) {
  const RowPoints now = levers_now(pair, at, p);
  const real then = closing_rate(at.rates, p.normal, p.arm1, p.arm2);
  if (now.speed < least_sight * then) {
    const Vec3<real> arm1 = at.swing1 + p.arm1, arm2 = at.swing2 + p.arm2;
    const real speed = closing_rate(rates_of(pair), p.normal, arm1, arm2);
    return speed > now.speed ? RowPoints{arm1, arm2, speed, true} : now;
  }
  return now;
}

/// Whether a row takes anything away.
SWEPT_FN bool closes(const RowPoints& row) {
  return row.speed > 0_r;
}

/// The points in the world [m].
template <class Pair>
SWEPT_FN Vec3<real> world_point1(const Pair& pair, Vec3<real> arm1) {
  return pair.origin + arm1;
}
template <class Pair>
SWEPT_FN Vec3<real> world_point2(const Pair& pair, Vec3<real> arm2) {
  return pair.origin + (pair.shape2.pos + arm2);
}

/// The one point of both bodies in the mode `parity` [m], world.
SWEPT_FN Vec3<real> shared_point(const SweptPair& pair, const RowPoints& row) {
  const real travel = pair.motion1.travel + pair.motion2.travel;
  const real w1 = travel > 0_r ? pair.motion1.travel / travel : 0.5_r;
  return pair.origin + (w1 * row.arm1 + (1_r - w1) * (pair.shape2.pos + row.arm2));
}

}  // namespace swept::SWEPT_NS
