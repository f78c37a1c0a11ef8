// SPDX-License-Identifier: Apache-2.0
// Two geoms on the arcs that their joints let them go (arc.h), as a pair that can be looked at on its
// way (pair.h).
//
// Joints that move both geoms are left out: all is seen from the last body that both hang on, as if it
// stood still. The distance is the same, and two links of a robot that flies or tumbles are no faster
// than they are to each other.
#pragma once

#include "kernels/speculative/arc.h"
#include "kernels/speculative/turning.h"

namespace swept::SWEPT_NS {

/// Two geoms, where they stand now and what moves them.
template <class Velocity>
struct ArcPair {
  Shape shape1, shape2;  ///< now; positions from `origin`
  real bound1, bound2;   ///< [m] radii of bounding spheres, 0: plane
  real thickness;        ///< [m] smallest half size of the geoms, see followed_thickness
  Vec3<real> origin;     ///< [m] in the world: centre 1 now
  ArcScene<Velocity> scene;
  ArcChain chain1, chain2;
};

/// The chains of two geoms, up to the last joint that moves both.
struct ArcChains {
  ArcChain one, two;
};
SWEPT_FN ArcChains arc_chains(const ModelAt<real>& m, int geom1, int geom2) {
  const ArcChain one = arc_chain(m, geom1), two = arc_chain(m, geom2);
  int dof1 = one.last, dof2 = two.last;
  // a dof comes after those that move it
  while (dof1 != dof2) {
    int& later = dof1 > dof2 ? dof1 : dof2;
    later = m.dof_parentid(m.jnt_dofadr(m.dof_jntid(later)));
  }
  return {{one.last, dof1}, {two.last, dof1}};
}

/// Two geoms of an environment. In: qpos's kinematics.
template <class Velocity>
SWEPT_FN ArcPair<Velocity> arc_pair_of(const ArcScene<Velocity>& scene, int geom1, int geom2) {
  const ModelAt<real>& m = scene.m;
  const ArcChains chains = arc_chains(m, geom1, geom2);
  ArcPair<Velocity> pair = {shape_of(m, scene.d, geom1),
                            shape_of(m, scene.d, geom2),
                            m.geom_rbound(geom1),
                            m.geom_rbound(geom2),
                            followed_thickness(m, geom1, geom2),
                            vec3(scene.d.geom_xpos(3 * geom1)),
                            scene,
                            chains.one,
                            chains.two};
  pair.shape1.pos = zero3<real>();
  pair.shape2.pos = pair.shape2.pos - pair.origin;
  return pair;
}

/// Where a geom of a pair is at a time; the turning of a ball about its centre moves nothing.
template <class Velocity>
SWEPT_FN ArcPose pose_of(const ArcPair<Velocity>& pair, ArcChain chain, const Shape& shape,
                         real t) {
  ArcPose pose = arc_pose(pair.scene, chain, pair.origin, shape.pos, shape.mat, t);
  if (shape.type == geom_sphere) {
    pose.mat = shape.mat;
    pose.omega = zero3<real>();
  }
  return pose;
}

template <class Velocity>
SWEPT_FN Placing place_pair(const ArcPair<Velocity>& pair, real t) {
  const Shape &s1 = pair.shape1, &s2 = pair.shape2;
  const ArcPose one = pose_of(pair, pair.chain1, s1, t), two = pose_of(pair, pair.chain2, s2, t);
  return {one.mat,
          two.mat,
          two.pos - one.pos,
          {two.velocity - one.velocity, one.omega, two.omega},
          one.pos,
          one.pos - one.drift,
          two.pos - s2.pos - two.drift};
}

/// How the bodies of the geoms move now; balls turn as well.
template <class Velocity>
SWEPT_FN PairRates rates_of(const ArcPair<Velocity>& pair) {
  const Shape &s1 = pair.shape1, &s2 = pair.shape2;
  const ArcPose one = arc_pose(pair.scene, pair.chain1, pair.origin, s1.pos, s1.mat, 0_r),
                two = arc_pose(pair.scene, pair.chain2, pair.origin, s2.pos, s2.mat, 0_r);
  return {two.velocity - one.velocity, one.omega, two.omega};
}

/// What is known of both for the whole step.
struct ArcPairLimits {
  ArcGeom geom1, geom2;
  ArcBounds one, two;
};
template <class Velocity>
SWEPT_FN ArcPairLimits motion_limits(const ArcPair<Velocity>& pair) {
  const Shape &s1 = pair.shape1, &s2 = pair.shape2;
  ArcPairLimits most;
  most.geom1 = {s1.pos, s1.mat, core_extent(s1.type, s1.size, pair.bound1)};
  most.geom2 = {s2.pos, s2.mat, core_extent(s2.type, s2.size, pair.bound2)};
  most.one = arc_bounds(pair.scene, pair.chain1, pair.origin, most.geom1);
  most.two = arc_bounds(pair.scene, pair.chain2, pair.origin, most.geom2);
  return most;
}

/// What rounding may do to a clearance [m].
template <class Velocity>
SWEPT_FN real clearance_error(const ArcPair<Velocity>& pair, const ArcPairLimits& limits) {
  const real size = norm(pair.shape2.pos) + limits.one.speed + limits.two.speed + pair.bound1 +
                    pair.bound2 + norm(pair.shape2.size);
  return 4_r * epsilon * (size + limits.one.rounding + limits.two.rounding);
}

template <class Velocity>
SWEPT_FN AlongLimits limits_along(const ArcPair<Velocity>& pair, const ArcPairLimits& limits,
                                  const PairRates&, Vec3<real> n) {
  const AlongLimits one = arc_limits_along(pair.scene, pair.chain1, pair.origin, limits.geom1,
                                           limits.one, n),
                    two = arc_limits_along(pair.scene, pair.chain2, pair.origin, limits.geom2,
                                           limits.two, -n);
  return {one.any_time + two.any_time, one.growth + two.growth};
}

template <class Velocity>
SWEPT_FN AnywhereLimits limits_anywhere(const ArcPair<Velocity>& pair, const ArcPairLimits& limits,
                                        const Placing& at) {
  const PairRates& rates = at.rates;
  const real growth = limits.one.growth + limits.two.growth;
  // what it is now, and what can become of it
  const real now =
      norm(rates.way) + norm(rates.omega1) * pair.bound1 + norm(rates.omega2) * pair.bound2;
  const real fastest = min(limits.one.speed + limits.two.speed, now + growth);
  return {norm(at.pos2) + fastest + pair.bound1 + pair.bound2, fastest, growth};
}

/// No two points of the geoms come closer by more than this [m].
template <class Velocity>
SWEPT_FN real travel_of(const ArcPair<Velocity>& pair) {
  const ArcPairLimits most = motion_limits(pair);
  return most.one.travel + most.two.travel;
}

/// Whether all numbers that decide about the pair are finite.
template <class Velocity>
SWEPT_FN bool is_finite(const ArcPair<Velocity>& pair, const ArcPairLimits& limits) {
  const auto sum = [](Vec3<real> a) { return a.x + a.y + a.z; };
  const auto trace = [&](const Mat3<real>& a) {
    return sum(column_x(a)) + sum(column_y(a)) + sum(column_z(a));
  };
  const real numbers[] = {sum(pair.origin),
                          sum(pair.shape2.pos),
                          trace(pair.shape1.mat),
                          trace(pair.shape2.mat),
                          pair.bound1,
                          pair.bound2,
                          pair.thickness,
                          limits.one.speed * limits.one.speed,
                          limits.two.speed * limits.two.speed,
                          limits.one.growth + limits.two.growth,
                          limits.one.turn + limits.two.turn,
                          limits.one.rounding + limits.two.rounding};
  bool finite = true;
  for (const real x : numbers) {
    finite = finite && swept::SWEPT_NS::is_finite(x);
  }
  return finite;
}

}  // namespace swept::SWEPT_NS
