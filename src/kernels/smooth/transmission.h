// SPDX-License-Identifier: Apache-2.0
// Fixed tendons and transmissions: lengths, velocities and the dofs that they pull.
//
// A fixed tendon's length is the sum of coefficient times joint position. An actuator's length is
// its target's length times gear: the position of a slide or hinge, the rotation vector of a ball,
// nothing for a free joint, the length of a tendon. Its moment on dofs depends on the model alone:
// gear, or gear times the tendon's coefficients.
#pragma once

#include "kernels/math/quaternion.h"
#include "kernels/smooth/access.h"

namespace swept::SWEPT_NS {

/// Call f(dof, coefficient) for each dof of a fixed tendon, in order.
template <class V, class F>
SWEPT_FN void for_each_tendon_dof(const ModelAt<V>& m, int tendon, const F& f) {
  for (int w = m.tendon_adr(tendon), end = w + m.tendon_num(tendon); w < end; ++w) {
    f(m.jnt_dofadr(m.wrap_objid(w)), m.wrap_prm(w));
  }
}

/// Call f(dof, moment) for each dof that actuator u pulls, in order; moment is force on the dof per
/// force of the actuator.
template <class V, class F>
SWEPT_FN void for_each_moment(const ModelAt<V>& m, int u, const F& f) {
  const int target = m.actuator_trnid(2 * u);
  if (m.actuator_trntype(u) == transmission_tendon) {
    const V gear = m.actuator_gear(6 * u);
    for_each_tendon_dof(m, target, [&](int dof, V coefficient) { f(dof, coefficient * gear); });
    return;
  }
  const int type = m.jnt_type(target), dof = m.jnt_dofadr(target);
  const int n = type == joint_free ? 6 : (type == joint_ball ? 3 : 1);
  for (int k = 0; k < n; ++k) {
    f(dof + k, m.actuator_gear(6 * u + k));
  }
}

/// Sum of gear^2 value(u) over the actuators that lend damping or armature to a joint or tendon;
/// `attached` is its jnt_actuatorid or tendon_actuatorid.
template <class V, class F>
SWEPT_FN V attached_sum(const ModelAt<V>& m, int attached, int trntype, int target,
                        const F& value) {
  V sum = V(0_r);
  if (attached == -1) {
    return sum;
  }
  const int first = attached >= 0 ? attached : 0, end = attached >= 0 ? attached + 1 : m->nu;
  for (int u = first; u < end; ++u) {
    if (m.actuator_trntype(u) == trntype && m.actuator_trnid(2 * u) == target) {
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
    return dot(quat_to_vel(normalize(quat(d.qpos(adr)))), param3(m, m->actuator_gear, 6 * u));
  }
  return d.qpos(adr) * m.actuator_gear(6 * u);
}

/// In: qpos. Out, visible to all lanes: ten_length, actuator_length.
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
    const bool tendon = m.actuator_trntype(u) == transmission_tendon;
    d.actuator_length(u) =
        tendon ? d.ten_length(target) * m.actuator_gear(6 * u) : joint_length(m, d, target, u);
  }
  g.sync();
}

/// In: qvel. Out: ten_velocity, actuator_velocity (zero where actuation is disabled).
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
      for_each_moment(m, u,
                      [&](int dof, V moment) { velocity = fma(moment, V(d.qvel(dof)), velocity); });
    }
    d.actuator_velocity(u) = velocity;
  }
}

}  // namespace swept::SWEPT_NS
