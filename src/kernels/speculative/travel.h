// SPDX-License-Identifier: Apache-2.0
// How far geoms travel in the step at a velocity v along the arcs that their joints let them go: bounds
// for all environments of a pack at once, from the root of the trees on. arc.h has the motion.
//
// A body whose parent's origin gets no further than u_p and which turns by no more than theta_p,
// and whose own joints carry its origin x by w and turn it by theta, has
//
//   theta_b = theta_p + theta
//   u_b     = u_p + w + min(theta_p, 2) (|x - x_p| + w)
//
// since the parent's motion is one rigid motion, of whatever the joints have done before. Each of a
// body's joints is taken like a body of its own, in their order; a hinge or a ball carries x by no
// more than min(theta, 2) |x - anchor|. A bound U of the travel of a geom's points follows in the same
// way.
//
// Joints that work against each other, as in a leg on a foot that stands, make U much too large. But U
// bounds the speed as well, as long as no joint turns by more than 2, and the acceleration is at most
// 2 Theta U, Theta being what all joints of the chain turn by (arc.h: sum |theta| (2 V + |theta| rho)
// with V + |theta| rho <= U). So with the velocity v that the geom's points have now at most
//
//   travel <= min(U, v + Theta U)
//
// which is U itself from Theta = 1 on. Where U is so small for all geoms that nothing is fast, v is not
// asked for.
#pragma once

#include "kernels/smooth/access.h"
#include "kernels/speculative/sweep.h"

namespace swept::SWEPT_NS {

/// Bounds of the motion of a frame in a step.
template <class V>
struct FrameTravel {
  V shift;  ///< [m] of its origin
  V turn;   ///< [rad]
};

/// What rotating by an angle moves a point by, over its distance.
template <class V>
SWEPT_FN V chord(V turn) {
  return min(turn, V(2_r));
}

/// The bounds of a body, from those of its parent.
///   velocity   of all dofs [m/s, rad/s]
template <class V>
SWEPT_FN FrameTravel<V> body_travel(const ModelAt<V>& m, const DataAt<V>& d, Slice<V> velocity,
                                    int body) {
  const int parent = m.body_parentid(body);
  const V h = m.opt_timestep(0);
  const Vec3<V> x = vec3(d.xpos(3 * body));
  // the own joints, the last one is next to the body
  V shift(0_r), turn(0_r);
  for (int j = m.body_jntadr(body) + m.body_jntnum(body) - 1; j >= m.body_jntadr(body) && j >= 0;
       --j) {
    const int type = m.jnt_type(j), dof = m.jnt_dofadr(j);
    const V off = norm(x - vec3(d.xanchor(3 * j)));
    if (type == joint_slide) {
      shift = shift + abs(V(velocity(dof))) * h;
      continue;
    }
    V angle;
    if (type == joint_hinge) {
      angle = abs(V(velocity(dof))) * h;
    } else {
      const int first = type == joint_free ? dof + 3 : dof;
      angle = norm(vec3(velocity(first))) * h;
    }
    shift = shift + chord(angle) * (off + shift);
    if (type == joint_free) {
      shift = shift + norm(vec3(velocity(dof))) * h;
    }
    turn = turn + angle;
  }
  const V above = d.body_turn(parent).get();
  const V from_parent = norm(x - vec3(d.xpos(3 * parent))) + shift;
  return {d.body_shift(parent).get() + shift + chord(above) * from_parent, above + turn};
}

/// The velocity of a body, from that of its parent.
template <class V>
SWEPT_FN void put_swing(const ModelAt<V>& m, const DataAt<V>& d, Slice<V> velocity, int body) {
  const int parent = m.body_parentid(body);
  Vec3<V> turning = vec3(d.body_swing(6 * parent)), moving = vec3(d.body_swing(6 * parent + 3));
  for (int k = 0, n = m.body_dofnum(body); k < n; ++k) {
    const int dof = m.body_dofadr(body) + k;
    turning = turning + vec3(d.cdof(6 * dof)) * V(velocity(dof));
    moving = moving + vec3(d.cdof(6 * dof + 3)) * V(velocity(dof));
  }
  put(d.body_swing(6 * body), turning);
  put(d.body_swing(6 * body + 3), moving);
}

/// body_swing of all bodies.
template <class V>
SWEPT_FN void find_swing(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d,
                         Slice<V> velocity) {
  for (int level = 0; level + 1 < m->nlevelp1; ++level) {
    for (int k = m.level_bodyadr(level) + g.lane(); k < m.level_bodyadr(level + 1); k += g.size()) {
      const int body = m.level_bodyid(k);
      if (body == 0) {
        put(d.body_swing(0), zero3<V>());
        put(d.body_swing(3), zero3<V>());
      } else {
        put_swing(m, d, velocity, body);
      }
    }
    g.sync();
  }
}

/// geom_travel and fast_geoms of the environments of one V for a velocity.
///   slow   [m] two geoms that travel less together are slow (depth.h)
template <class V>
SWEPT_FN void find_travel(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d,
                          Slice<V> velocity, V slow) {
  for (int level = 0; level + 1 < m->nlevelp1; ++level) {
    for (int k = m.level_bodyadr(level) + g.lane(); k < m.level_bodyadr(level + 1); k += g.size()) {
      const int body = m.level_bodyid(k);
      const FrameTravel<V> travel =
          body == 0 ? FrameTravel<V>{V(0_r), V(0_r)} : body_travel(m, d, velocity, body);
      d.body_shift(body) = travel.shift;
      d.body_turn(body) = travel.turn;
    }
    g.sync();
  }
  const V least = V(0.5_r) * slow;
  bool fast = false;
  for (int geom = g.lane(); geom < m->ngeom; geom += g.size()) {
    const int body = m.geom_bodyid(geom), type = m.geom_type(geom);
    const V radius = type == geom_sphere ? V(0_r) : m.geom_rbound(geom);
    const V off = norm(vec3(d.geom_xpos(3 * geom)) - vec3(d.xpos(3 * body))) + radius;
    const V turn = d.body_turn(body), all = d.body_shift(body).get() + chord(turn) * off;
    d.geom_travel(geom) = type == geom_plane ? V(0_r) : all;
    fast = fast || any_of(is_fast<V>(d.geom_travel(geom), least));
  }
  // where U says that nothing is fast, nobody asks for more
  if (g.any(fast)) {
    find_swing(g, m, d, velocity);
    for (int geom = g.lane(); geom < m->ngeom; geom += g.size()) {
      const int body = m.geom_bodyid(geom);
      const Vec3<V> turning = vec3(d.body_swing(6 * body)),
                    moving = vec3(d.body_swing(6 * body + 3));
      const V all = d.geom_travel(geom), turn = d.body_turn(body);
      const V now = geom_motion(m, d, geom, turning, moving).travel;
      d.geom_travel(geom) = min(all, V(now + turn * all));
    }
  }
  g.sync();
  if (g.lane() == 0) {
    // what two travel adds up
    mark_fast(m, d, least);
  }
  g.sync();
}

}  // namespace swept::SWEPT_NS
