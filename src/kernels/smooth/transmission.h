// SPDX-License-Identifier: Apache-2.0
// Fixed tendons and transmissions: lengths, velocities and the dofs that they pull.
//
// A fixed tendon's length is the sum of coefficient times joint position. An actuator's length is
// its target's length times gear: the position of a slide or hinge, the rotation vector of a ball,
// nothing for a free joint, the length of a tendon; sites have a file of their own. Its moment is
// the force on a dof per unit of its own: gear, or gear times the tendon's coefficients. For a joint
// "in parent" the axes of a ball's gear, and of a free joint's turns, are those of the parent, so
// that the joint's rotation takes the gear into the axes of the dofs.
#pragma once

#include "kernels/math/quaternion.h"
#include "kernels/smooth/site_transmission.h"

namespace swept::SWEPT_NS {

/// Call f(dof, coefficient) for each dof of a fixed tendon, in order.
template <class V, class F>
SWEPT_FN void for_each_tendon_dof(const ModelAt<V>& m, int tendon, const F& f) {
  for (int w = m.tendon_adr(tendon), end = w + m.tendon_num(tendon); w < end; ++w) {
    f(m.jnt_dofadr(m.wrap_objid(w)), m.wrap_prm(w));
  }
}

/// Whether actuator u acts on a joint, whichever axes its gear is in.
template <class V>
SWEPT_FN bool acts_on_joint(const ModelAt<V>& m, int u) {
  const int type = m.actuator_trntype(u);
  return type == transmission_joint || type == transmission_jointinparent;
}

/// Three numbers of the gear of actuator u from `first` on, turned from the parent's axes into those
/// of the dofs of a ball, or of the turns of a free joint, if that is where they are.
template <class V>
SWEPT_FN Vec3<V> turned_gear(const ModelAt<V>& m, const DataAt<V>& d, int u, int first) {
  const Vec3<V> gear = param3(m, m->actuator_gear, 6 * u + first);
  const int joint = m.actuator_trnid(2 * u), type = m.jnt_type(joint);
  const bool turns = type == joint_ball || (type == joint_free && first == 3);
  if (m.actuator_trntype(u) != transmission_jointinparent || !turns) {
    return gear;
  }
  const int adr = m.jnt_qposadr(joint) + (type == joint_free ? 3 : 0);
  return rotate(conjugate(normalize(quat(d.qpos(adr)))), gear);
}

/// Call f(dof, moment) for each dof that actuator u pulls: those of a joint or tendon in their
/// order, those of sites as for_each_site_moment says. A dof may come twice (a tendon that names a
/// joint twice). Moment is force on the dof per force of the actuator; with it
///
///   actuator_velocity = sum moment qvel      qfrc_actuator += moment actuator_force
///
/// In: qpos; for sites also cdof, subtree_com and the sites' frames.
template <class V, class F>
SWEPT_FN void for_each_moment(const ModelAt<V>& m, const DataAt<V>& d, int u, const F& f) {
  const int target = m.actuator_trnid(2 * u);
  if (m.actuator_trntype(u) == transmission_site) {
    for_each_site_moment(m, d, u, f);
    return;
  }
  if (m.actuator_trntype(u) == transmission_tendon) {
    const V gear = m.actuator_gear(6 * u);
    for_each_tendon_dof(m, target, [&](int dof, V coefficient) { f(dof, coefficient * gear); });
    return;
  }
  const int type = m.jnt_type(target), dof = m.jnt_dofadr(target);
  if (type != joint_free && type != joint_ball) {
    f(dof, m.actuator_gear(6 * u));
    return;
  }
  for (int first = 0; first < (type == joint_free ? 6 : 3); first += 3) {
    const Vec3<V> gear = turned_gear(m, d, u, first);
    f(dof + first, gear.x);
    f(dof + first + 1, gear.y);
    f(dof + first + 2, gear.z);
  }
}

/// Sum of gear^2 value(u) over the actuators that lend damping or armature to a joint or tendon;
/// `attached` is its jnt_actuatorid or tendon_actuatorid, trntype transmission_joint or
/// transmission_tendon.
template <class V, class F>
SWEPT_FN V attached_sum(const ModelAt<V>& m, int attached, int trntype, int target,
                        const F& value) {
  V sum = V(0_r);
  if (attached == -1) {
    return sum;
  }
  const int first = attached >= 0 ? attached : 0, end = attached >= 0 ? attached + 1 : m->nu;
  for (int u = first; u < end; ++u) {
    const bool fits =
        trntype == transmission_joint ? acts_on_joint(m, u) : m.actuator_trntype(u) == trntype;
    if (fits && m.actuator_trnid(2 * u) == target) {
      const V gear = m.actuator_gear(6 * u);
      sum += gear * gear * value(u);
    }
  }
  return sum;
}

/// Length of a joint as an actuator sees it, times gear.
template <class V>
SWEPT_FN V joint_length(const ModelAt<V>& m, const DataAt<V>& d, int joint, int u) {
  const int type = m.jnt_type(joint), adr = m.jnt_qposadr(joint);
  if (type == joint_free) {
    return V(0_r);
  }
  if (type == joint_ball) {
    return dot(quat_to_vel(normalize(quat(d.qpos(adr)))), turned_gear(m, d, u, 0));
  }
  return d.qpos(adr) * m.actuator_gear(6 * u);
}

/// In: qpos; for sites also the frames of bodies and sites. Out, visible to all lanes: ten_length,
/// actuator_length.
template <class V>
SWEPT_FN void transmission(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  for (int i = g.lane(); i < m->ntendon; i += g.size()) {
    V length = V(0_r);
    for (int w = m.tendon_adr(i), end = w + m.tendon_num(i); w < end; ++w) {
      length = fma(m.wrap_prm(w), V(d.qpos(m.jnt_qposadr(m.wrap_objid(w)))), length);
    }
    d.ten_length(i) = length;
  }
  g.sync();
  for (int u = g.lane(); u < m->nu; u += g.size()) {
    const int target = m.actuator_trnid(2 * u);
    switch (m.actuator_trntype(u)) {
      case transmission_tendon:
        d.actuator_length(u) = d.ten_length(target) * m.actuator_gear(6 * u);
        break;
      case transmission_site:
        d.actuator_length(u) = site_length(m, d, u);
        break;
      default:
        d.actuator_length(u) = joint_length(m, d, target, u);
    }
  }
  g.sync();
}

/// In: qvel, qpos; for sites also cdof and the sites' frames. Out: ten_velocity, actuator_velocity
/// (zero where actuation is disabled).
template <class V>
SWEPT_FN void transmission_velocity(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  for (int i = g.lane(); i < m->ntendon; i += g.size()) {
    V velocity = V(0_r);
    for_each_tendon_dof(m, i, [&](int dof, V coefficient) {
      velocity = fma(coefficient, V(d.qvel(dof)), velocity);
    });
    d.ten_velocity(i) = velocity;
  }
  const bool disabled = (m->opt.disableflags & disable_actuation) != 0;
  for (int u = g.lane(); u < m->nu; u += g.size()) {
    V velocity = V(0_r);
    if (!disabled) {
      for_each_moment(m, d, u,
                      [&](int dof, V moment) { velocity = fma(moment, V(d.qvel(dof)), velocity); });
    }
    d.actuator_velocity(u) = velocity;
  }
}

}  // namespace swept::SWEPT_NS
