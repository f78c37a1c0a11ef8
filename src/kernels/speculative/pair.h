// SPDX-License-Identifier: Apache-2.0
// Two geoms on their way through a step.
//
// Coordinates are counted from the centre that geom 1 has now, and at the time t from the centre it
// has then: of the two ways only their difference is in the numbers, so that neither the place in
// the world nor a velocity that both share costs digits. Geom 1 may be a plane, geom 2 not.
//
// How they move is the pair's own: SweptPair goes straight on and turns about the centres of its
// geoms, ArcPair (arc_pair.h) as their joints let them. What looks at a pair on its way is written for
// any type with
//
//   shape1, shape2, bound1, bound2, thickness, origin     as SweptPair has them
//   place_pair(pair, t)                    where the geoms are, and how they move then
//   motion_limits(pair)                    what stays the same during the step, for the next ones
//   clearance_error(pair, limits)          [m] what rounding may do to a clearance
//   is_finite(pair, limits)                whether all numbers that decide are finite
//   limits_along(pair, limits, rates, n)   see closing.h
//   limits_anywhere(pair, limits, at)      see turning.h
#pragma once

#include "kernels/geometry/shape.h"
#include "kernels/geometry/simplex.h"
#include "kernels/math/quaternion.h"
#include "kernels/math/spatial_map.h"
#include "kernels/speculative/sweep.h"

namespace swept::SWEPT_NS {

/// Which of the two behaviours: the one that lets nothing through, or the official library's.
enum class SpeculativeMode : int { robust = 0, parity = 1 };

/// Two geoms, where they stand now and how they move.
struct SweptPair {
  Shape shape1, shape2;  ///< now; positions from `origin`
  StepMotion<real> motion1, motion2;
  real bound1, bound2;  ///< [m] radii of bounding spheres, 0: plane
  real thickness;       ///< [m] smallest half size of the geoms, see followed_thickness
  Vec3<real> origin;    ///< [m] in the world
};

/// The pair of two shapes in the world.
SWEPT_FN SweptPair swept_pair(const Shape& s1, const StepMotion<real>& motion1, real bound1,
                              const Shape& s2, const StepMotion<real>& motion2, real bound2,
                              real thickness) {
  SweptPair pair = {s1, s2, motion1, motion2, bound1, bound2, thickness, s1.pos};
  pair.shape1.pos = zero3<real>();
  pair.shape2.pos = s2.pos - s1.pos;
  return pair;
}

/// Two geoms of an environment.
SWEPT_FN SweptPair swept_pair_of(const ModelAt<real>& m, const DataAt<real>& d, int geom1,
                                 int geom2) {
  return swept_pair(shape_of(m, d, geom1), geom_motion(m, d, geom1), m.geom_rbound(geom1),
                    shape_of(m, d, geom2), geom_motion(m, d, geom2), m.geom_rbound(geom2),
                    followed_thickness(m, geom1, geom2));
}

/// Way of centre 2 less that of centre 1 [m].
SWEPT_FN Vec3<real> relative_way(const SweptPair& pair) {
  return pair.motion2.dx - pair.motion1.dx;
}

/// No two points of the geoms come closer by more than this [m].
SWEPT_FN real travel_of(const SweptPair& pair) {
  return pair.motion1.travel + pair.motion2.travel;
}

/// Whether one of the geoms is fast.
SWEPT_FN bool is_fast(const SweptPair& pair) {
  return is_fast(pair.motion1.travel, pair.thickness) ||
         is_fast(pair.motion2.travel, pair.thickness);
}

/// What a filter of bounding spheres takes for the relative way. The official library's (`parity`)
/// lets geoms stay that are not fast themselves, and so loses pairs of which one is just slow enough.
SWEPT_FN Vec3<real> filter_way(const SweptPair& pair, SpeculativeMode mode) {
  const auto way = [&](const StepMotion<real>& motion) {
    const bool stays = mode == SpeculativeMode::parity && !is_fast(motion.travel, pair.thickness);
    return stays ? zero3<real>() : motion.dx;
  };
  return way(pair.motion2) - way(pair.motion1);
}

/// Whether the bounding spheres of a pair, or the plane and the sphere, may come within reach.
///   detect   [m] margin and gap
SWEPT_FN bool bounds_may_meet(const SweptPair& pair, real detect, SpeculativeMode mode) {
  const Vec3<real> way = filter_way(pair, mode);
  if (pair.shape1.type == geom_plane) {
    const Vec3<real> n = column_z(pair.shape1.mat);
    return swept_ball_meets_plane<real>(dot(n, pair.shape2.pos), dot(n, way), pair.bound2 + detect);
  }
  return swept_balls_meet<real>(pair.shape2.pos, way, pair.bound1 + pair.bound2 + detect);
}

/// Whether all numbers that decide about the pair are finite.
SWEPT_FN bool is_finite(const SweptPair& pair) {
  const auto sum = [](Vec3<real> a) { return a.x + a.y + a.z; };
  const auto trace = [&](const Mat3<real>& a) {
    return sum(column_x(a)) + sum(column_y(a)) + sum(column_z(a));
  };
  const Vec3<real> way = relative_way(pair);
  const real numbers[] = {sum(pair.origin),
                          sum(pair.shape2.pos),
                          dot(way, way),
                          pair.motion1.travel,
                          pair.motion2.travel,
                          dot(pair.motion1.domega, pair.motion1.domega),
                          dot(pair.motion2.domega, pair.motion2.domega),
                          trace(pair.shape1.mat),
                          trace(pair.shape2.mat),
                          pair.bound1,
                          pair.bound2};
  bool finite = true;
  for (const real x : numbers) {
    finite = finite && swept::SWEPT_NS::is_finite(x);
  }
  return finite;
}

/// A matrix of axes, turned by a part of a rotation vector.
///   t   what part; the vector may be several turns long
SWEPT_FN Mat3<real> turned(const Mat3<real>& mat, Vec3<real> domega, real t) {
  const real angle = norm(domega);
  if (!(angle > 0_r)) {
    return mat;
  }
  return matrix(axis_angle_to_quat(domega * (1_r / angle), angle * t)) * mat;
}

/// How two geoms move at a time.
struct PairRates {
  Vec3<real> way;             ///< [m per step] of centre 2 less that of centre 1
  Vec3<real> omega1, omega2;  ///< [rad per step]
};
SWEPT_FN PairRates rates_of(const SweptPair& pair) {
  return {relative_way(pair), pair.motion1.domega, pair.motion2.domega};
}

/// Where the geoms are at a time; positions from centre 1 at that time.
struct Placing {
  Mat3<real> mat1, mat2;
  Vec3<real> pos2;
  PairRates rates;            ///< then
  Vec3<real> way1;            ///< [m] of centre 1 since now
  Vec3<real> swing1, swing2;  ///< [m] ways of the centres that are no translation of the bodies
};
SWEPT_FN Placing place_pair(const SweptPair& pair, real t) {
  return {turned(pair.shape1.mat, pair.motion1.domega, t),
          turned(pair.shape2.mat, pair.motion2.domega, t),
          pair.shape2.pos + relative_way(pair) * t,
          rates_of(pair),
          pair.motion1.dx * t,
          zero3<real>(),
          zero3<real>()};
}

/// What rounding may do to a clearance [m].
SWEPT_FN real clearance_error(const SweptPair& pair) {
  const Vec3<real> apart = pair.shape2.pos, way = relative_way(pair);
  const real size = norm(apart) + norm(way) + pair.bound1 + pair.bound2 + norm(pair.shape2.size);
  return 4_r * epsilon * size;
}

/// A point of a geom, from its centre: turned back from the time t to now.
SWEPT_FN Vec3<real> arm_now(const Mat3<real>& now, const Mat3<real>& then, Vec3<real> arm) {
  return now * transpose_mul(then, arm);
}

/// Velocity [m per step] at which a point of geom 1 and one of geom 2 come closer along n.
///   arm1, arm2   the points from the geoms' centres
SWEPT_FN real closing_rate(const PairRates& rates, Vec3<real> n, Vec3<real> arm1, Vec3<real> arm2) {
  const Vec3<real> turning = cross(rates.omega1, arm1) - cross(rates.omega2, arm2);
  return dot(n, turning - rates.way);
}

}  // namespace swept::SWEPT_NS
