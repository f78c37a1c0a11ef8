// SPDX-License-Identifier: Apache-2.0
// The motion that a step really makes: q(t) = q (+) t h v, t from 0 (now) to 1 (the end of the step),
// for a velocity v that need not be the current one. So Euler, implicit and implicitfast move the
// positions (integrate/advance.h).
//
// All joints go at constant rates, and each moves what hangs on it about an axis, or along one, that
// is fixed in what it hangs on. So with the axes and anchors where they are now,
//
//   pose(t) = E_1(t) E_2(t) ... E_m(t) pose(0),     E_k(t): turn by t theta_k about the axis a_k
//                                                   through o_k, then shift by t s_k
//
// from the root of the chain (1) to the joint next to the geom (m). A hinge has theta = h v; a ball,
// and the turning of a free joint, theta = h |v| about R v, with R the body's axes now; a slide
// s = h v a; a free joint shifts by h v as well. Nothing but current poses is needed, at t = 0 the pose
// is the current one to the last bit, and all places are counted from an origin near by. Joints that
// move both geoms of a pair can be left out: they do not change their distance.
//
// Bounds for all t in [0, 1]. Let y_k be a point of the geom after the joints k+1 ... m, and V, A, U
// bounds of its speed, of its acceleration, and of how far it gets, as long as k does not move. With
// rho_k a bound of the distance of y_k from the axis a_k,
//
//   d/dt   (E_k y)  = E_k y' + theta a x (E_k y - o) + s
//   d2/dt2 (E_k y)  = E_k y'' + 2 theta a x E_k y' + theta^2 a x (a x (E_k y - o))
//
//   A <- A + 2 |theta| V + theta^2 rho     V <- V + |theta| rho + |s|
//   U <- U + min(|theta|, 2) rho + |s|     rho = min(rho now + U, L)
//
// where L, the reach, adds up the distances of neighbouring anchors, which stay, and the shifts: a
// chain gets no further however often it turns. The U of the root bounds the travel.
//
// Along a unit vector n that stays, a vector a x w has no more than |n x a| |w|. The axis a_k is carried
// on by the joints before it, which turn by no more than B_k = sum |theta_i|, i < k; so for all t its
// |n x a| is at most D_k = min(1, |n x a_k| + B_k), and
//
//   n . d2p/dt2 <= sum D_k (2 |theta_k| V + theta_k^2 rho_k)
//   n . dp/dt   <= sum D_k |theta_k| rho_k + min(|s_k|, n . s_k + B_k |s_k|)
//
// What slides along a face that it turns across (a wheel on its side, a door over the floor) so grows
// nothing at all.
#pragma once

#include "kernels/math/quaternion.h"
#include "kernels/speculative/closing.h"

namespace swept::SWEPT_NS {

/// What moves by which velocity.
///   Velocity   functor: velocity(dof) is v of this environment [m/s or rad/s] as a real
template <class Velocity>
struct ArcScene {
  ModelAt<real> m;
  DataAt<real> d;  ///< xaxis, xanchor, xmat, geom_xpos, geom_xmat of the current qpos
  Velocity velocity;
};

/// The joints that move a geom, as dofs: from `last` towards the root until `stop` is met.
struct ArcChain {
  int last;  ///< -1: the world
  int stop;
};

/// The chain of a geom.
SWEPT_FN ArcChain arc_chain(const ModelAt<real>& m, int geom) {
  return {m.body_lastdof(m.geom_bodyid(geom)), -1};
}

/// What a joint does.
struct ArcJoint {
  Vec3<real> axis;    ///< unit, in the world, now
  Vec3<real> anchor;  ///< [m] from the origin, now
  real angle;         ///< [rad per step] theta
  Vec3<real> shift;   ///< [m per step] s
};

template <class Velocity>
SWEPT_FN ArcJoint arc_joint(const ArcScene<Velocity>& scene, Vec3<real> origin, int joint) {
  const ModelAt<real>& m = scene.m;
  const DataAt<real>& d = scene.d;
  const int type = m.jnt_type(joint);
  int dof = m.jnt_dofadr(joint);
  const real h = m.opt_timestep(0);
  ArcJoint j = {vec3(d.xaxis(3 * joint)), vec3(d.xanchor(3 * joint)) - origin, 0_r, zero3<real>()};
  const auto rates = [&](int first) {
    return Vec3<real>{scene.velocity(first), scene.velocity(first + 1), scene.velocity(first + 2)} *
           h;
  };
  if (type == joint_hinge) {
    j.angle = scene.velocity(dof) * h;
    return j;
  }
  if (type == joint_slide) {
    j.shift = j.axis * (scene.velocity(dof) * h);
    return j;
  }
  if (type == joint_free) {
    j.shift = rates(dof);
    dof += 3;
  }
  const Vec3<real> turning = rates(dof);
  j.angle = norm(turning);
  const real scale = j.angle > 0_r ? 1_r / j.angle : 0_r;
  j.axis = mat3(d.xmat(9 * m.jnt_bodyid(joint))) * (turning * scale);
  return j;
}

/// Call visit(joint) for the joints of a chain, from the geom towards the root.
template <class Velocity, class Visit>
SWEPT_FN void visit_joints(const ArcScene<Velocity>& scene, ArcChain chain, Vec3<real> origin,
                           const Visit& visit) {
  const ModelAt<real>& m = scene.m;
  for (int dof = chain.last; dof > chain.stop;) {
    const int joint = m.dof_jntid(dof);
    visit(arc_joint(scene, origin, joint));
    dof = m.dof_parentid(m.jnt_dofadr(joint));
  }
}

// ---- places ---------------------------------------------------------------------------------------

/// A geom on its way.
struct ArcPose {
  Vec3<real> pos;       ///< [m] centre, from the origin
  Mat3<real> mat;       ///< axes
  Vec3<real> velocity;  ///< [m per step] of the centre
  Vec3<real> omega;     ///< [rad per step]
  Vec3<real> drift;     ///< [m] what of its way are shifts
};

/// Where a geom is at the time t, and how it moves then.
///   pos, mat   the geom now; pos from the origin
template <class Velocity>
SWEPT_FN ArcPose arc_pose(const ArcScene<Velocity>& scene, ArcChain chain, Vec3<real> origin,
                          Vec3<real> pos, const Mat3<real>& mat, real t) {
  ArcPose pose = {pos, mat, zero3<real>(), zero3<real>(), zero3<real>()};
  visit_joints(scene, chain, origin, [&](const ArcJoint& j) {
    if (j.angle < 0_r || j.angle > 0_r) {
      if (t > 0_r) {
        const Mat3<real> turn = matrix(axis_angle_to_quat(j.axis, j.angle * t));
        pose.pos = j.anchor + turn * (pose.pos - j.anchor);
        pose.mat = turn * pose.mat;
        pose.velocity = turn * pose.velocity;
        pose.omega = turn * pose.omega;
        pose.drift = turn * pose.drift;
      }
      pose.velocity = pose.velocity + cross(j.axis, pose.pos - j.anchor) * j.angle;
      pose.omega = pose.omega + j.axis * j.angle;
    }
    pose.pos = pose.pos + j.shift * t;
    pose.velocity = pose.velocity + j.shift;
    pose.drift = pose.drift + j.shift * t;
  });
  return pose;
}

// ---- bounds ---------------------------------------------------------------------------------------

/// Bounds of the motion of all points of a geom's core, for the whole step.
struct ArcBounds {
  real travel;    ///< [m] none gets further from where it is now
  real speed;     ///< [m per step]
  real growth;    ///< [m per step^2] of the acceleration
  real turn;      ///< [rad] the sum of all |theta|
  int turning;    ///< number of joints with a theta
  real rounding;  ///< [m] lengths that rounding goes with
};

/// The recursion at the top, joint by joint.
struct ArcRecursion {
  real reach;  ///< [m] L, from the anchor of the joint before
  real travel = 0_r, speed = 0_r, growth = 0_r;
  Vec3<real> from;  ///< [m] that anchor, first the centre of the geom

  /// Take one joint more.
  ///   now   [m] rho of the geom now
  ///   returns rho
  SWEPT_FN real add(const ArcJoint& j, real now) {
    reach = reach + norm(from - j.anchor);
    from = j.anchor;
    const real rho = min(now + travel, reach), angle = abs(j.angle), way = norm(j.shift);
    growth = growth + angle * (2_r * speed + angle * rho);
    speed = speed + angle * rho + way;
    travel = travel + min(angle, 2_r) * rho + way;
    reach = reach + way;
    return rho;
  }
};

/// A geom as the bounds see it, now.
struct ArcGeom {
  Vec3<real> pos;  ///< [m] from the origin
  Mat3<real> mat;
  CoreExtent extent;

  /// Upper bound [m] of the distance of the core's points from the axis of a joint.
  SWEPT_FN real off(const ArcJoint& j) const {
    return norm(cross(j.axis, pos - j.anchor)) + extent.about(mat, j.axis);
  }
  SWEPT_FN real radius() const { return extent.kind == CoreKind::point ? 0_r : extent.bound; }
};

/// A geom of an environment.
SWEPT_FN ArcGeom arc_geom(const ModelAt<real>& m, const DataAt<real>& d, Vec3<real> origin,
                          int geom) {
  return {vec3(d.geom_xpos(3 * geom)) - origin, mat3(d.geom_xmat(9 * geom)),
          core_extent(m.geom_type(geom),
                      {m.geom_size(3 * geom), m.geom_size(3 * geom + 1), m.geom_size(3 * geom + 2)},
                      m.geom_rbound(geom))};
}

template <class Velocity>
SWEPT_FN ArcBounds arc_bounds(const ArcScene<Velocity>& scene, ArcChain chain, Vec3<real> origin,
                              const ArcGeom& geom) {
  ArcRecursion r = {geom.radius(), 0_r, 0_r, 0_r, geom.pos};
  ArcBounds b = {0_r, 0_r, 0_r, 0_r, 0, 0_r};
  visit_joints(scene, chain, origin, [&](const ArcJoint& j) {
    r.add(j, j.angle < 0_r || j.angle > 0_r ? geom.off(j) : 0_r);
    b.turn = b.turn + abs(j.angle);
    b.turning += j.angle < 0_r || j.angle > 0_r ? 1 : 0;
    b.rounding = b.rounding + norm(j.anchor) + r.reach;
  });
  b.travel = r.travel;
  b.speed = r.speed;
  b.growth = r.growth;
  return b;
}

/// No point of a geom gets further than this from where it is now [m]: what a box or a sphere around
/// it has to be widened by to hold it during the step.
template <class Velocity>
SWEPT_FN real arc_travel(const ArcScene<Velocity>& scene, int geom) {
  const Vec3<real> origin = vec3(scene.d.geom_xpos(3 * geom));
  return arc_bounds(scene, arc_chain(scene.m, geom), origin,
                    arc_geom(scene.m, scene.d, origin, geom))
      .travel;
}

/// Bounds along a unit vector n that stays, for the whole step.
///   bounds   of the geom
///   returns any_time [m per step] of n . dp/dt and growth [m per step^2] of n . d2p/dt2
template <class Velocity>
SWEPT_FN AlongLimits arc_limits_along(const ArcScene<Velocity>& scene, ArcChain chain,
                                      Vec3<real> origin, const ArcGeom& geom,
                                      const ArcBounds& bounds, Vec3<real> n) {
  ArcRecursion r = {geom.radius(), 0_r, 0_r, 0_r, geom.pos};
  AlongLimits most = {0_r, 0_r};
  // what the joints before turn is what is left of the sum, but for rounding
  const real rounded = bounds.turning > 1 ? 4_r * epsilon * bounds.turn : 0_r;
  real left = bounds.turn;
  visit_joints(scene, chain, origin, [&](const ArcJoint& j) {
    const real angle = abs(j.angle), way = norm(j.shift);
    const real speed = r.speed;
    left = left - angle;
    const real before = max(0_r, left) + rounded * static_cast<real>(bounds.turning);
    if (angle > 0_r) {
      const real rho = r.add(j, geom.off(j));
      const real across = min(1_r, norm(cross(n, j.axis)) + before) * angle;
      most.growth = most.growth + across * (2_r * speed + angle * rho);
      most.any_time = most.any_time + across * rho;
    } else {
      r.add(j, 0_r);
    }
    most.any_time = most.any_time + min(way, dot(n, j.shift) + before * way);
  });
  return most;
}

}  // namespace swept::SWEPT_NS
