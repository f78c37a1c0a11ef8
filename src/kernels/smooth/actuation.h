// SPDX-License-Identifier: Apache-2.0
// Actuation: controls to activations, forces of actuators and forces on dofs.
//
//   act_dot  = u (integrator),  (u - act) / tau (filter, filterexact)
//   force    = gain input + bias,   input: u without activation, else act, or its next value where
//   actearly gain, bias fixed or affine in length and velocity
//
// A servo (gain kp, bias -kp length, no activation or an integrator) on a ball joint, or on a site
// that only turns against a reference, tracks a rotation: its input is moved by whole turns,
// 2 pi |gear|, to the one nearest to its length. Then come the limits, in this order: total force of
// actuators on a tendon, force of each actuator, total actuator force on a slide or hinge.
#pragma once

#include "kernels/math/functions.h"
#include "kernels/smooth/transmission.h"

namespace swept::SWEPT_NS {

/// Largest absolute value of an acceptable number in state or controls.
constexpr real largest_good = 1e10_r;

/// Lanes where x is not finite or too large.
template <class V>
SWEPT_FN mask_t<V> is_bad(V x) {
  return !(x <= V(largest_good) && x >= V(-largest_good));
}

/// Whether actuator u belongs to a disabled group. Groups beyond 30 cannot be disabled.
template <class V>
SWEPT_FN bool actuator_disabled(const ModelAt<V>& m, int u) {
  const int group = m.actuator_group(u);
  return group >= 0 && group <= 30 && ((m->opt.disableactuator >> group) & 1) != 0;
}

/// Control u, clamped to its range.
template <class V>
SWEPT_FN V clamped_ctrl(const ModelAt<V>& m, const DataAt<V>& d, int u) {
  const V ctrl = d.ctrl(u);
  const bool clamped =
      m.actuator_ctrllimited(u) != 0 && (m->opt.disableflags & disable_clampctrl) == 0;
  return clamped ? clamp(ctrl, m.actuator_ctrlrange(2 * u), m.actuator_ctrlrange(2 * u + 1)) : ctrl;
}

/// Lanes in which any control is bad; all controls of such an environment count as 0.
template <class V>
SWEPT_FN mask_t<V> bad_controls(const ModelAt<V>& m, const DataAt<V>& d) {
  mask_t<V> bad(false);
  for (int u = 0; u < m->nu; ++u) {
    bad = bad || is_bad(clamped_ctrl(m, d, u));
  }
  return bad;
}

/// Activation after a time step: exact for filterexact, Euler for the others, clamped to its range.
template <class V>
SWEPT_FN V next_activation(const ModelAt<V>& m, int u, V act, V rate) {
  const V h = m.opt_timestep(0);
  V next;
  if (m.actuator_dyntype(u) == dyn_filterexact) {
    const V tau = max(V(1e-15_r), m.actuator_dynprm(10 * u));
    next = act + rate * tau * (V(1_r) - exp(-h / tau));
  } else {
    next = act + rate * h;
  }
  return m.actuator_actlimited(u) != 0
             ? clamp(next, m.actuator_actrange(2 * u), m.actuator_actrange(2 * u + 1))
             : next;
}

/// Where the gear of a rotation starts that actuator u may servo: that of a ball joint, or of a
/// site against a reference; -1: it is none. Gain and gear decide in each lane.
template <class V>
SWEPT_FN int turning_gear(const ModelAt<V>& m, int u) {
  const int dyn = m.actuator_dyntype(u);
  if (m.actuator_gaintype(u) != gain_fixed || m.actuator_biastype(u) != bias_affine ||
      (dyn != dyn_none && dyn != dyn_integrator && dyn != dyn_filter && dyn != dyn_filterexact)) {
    return -1;
  }
  if (acts_on_joint(m, u)) {
    return m.jnt_type(m.actuator_trnid(2 * u)) == joint_ball ? 6 * u : -1;
  }
  const bool measured =
      m.actuator_trntype(u) == transmission_site && m.actuator_trnid(2 * u + 1) >= 0;
  return measured ? 6 * u + 3 : -1;
}

/// The setpoint of actuator u, by whole turns the nearest to `goal` if it is a servo of a rotation.
template <class V>
SWEPT_FN V nearest_turn(const ModelAt<V>& m, int u, V setpoint, V goal) {
  const int gear = turning_gear(m, u);
  if (gear < 0) {
    return setpoint;
  }
  const V period = V(6.28318530717958647692_r) * norm(param3(m, m->actuator_gear, gear));
  mask_t<V> servo =
      m.actuator_gainprm(10 * u) == -m.actuator_biasprm(10 * u + 1) && period > V(0_r);
  if (gear != 6 * u) {
    servo = servo && norm(param3(m, m->actuator_gear, 6 * u)) == V(0_r);
  }
  const V turns = round_to_integer((setpoint - goal) / select(servo, period, V(1_r)));
  return select(servo, setpoint - period * turns, setpoint);
}

/// Rate of the activation of actuator u. A filter's target is taken as near to the activation as
/// whole turns bring it.
template <class V>
SWEPT_FN V activation_rate(const ModelAt<V>& m, int u, V ctrl, V act) {
  if (m.actuator_dyntype(u) == dyn_integrator) {
    return ctrl;
  }
  return (nearest_turn(m, u, ctrl, act) - act) / max(V(1e-15_r), m.actuator_dynprm(10 * u));
}

/// c0 + c1 length + c2 velocity, or c0 alone; prm is the place of c0.
template <class V>
SWEPT_FN V affine(const ModelAt<V>& m, const DataAt<V>& d, Param prm, int u, bool fixed) {
  const V c0 = m.at(prm, 10 * u);
  if (fixed) {
    return c0;
  }
  return c0 + m.at(prm, 10 * u + 1) * d.actuator_length(u) +
         m.at(prm, 10 * u + 2) * d.actuator_velocity(u);
}

/// Activation that the force of actuator u depends on, -1: none.
template <class V>
SWEPT_FN int last_activation(const ModelAt<V>& m, int u) {
  const int first = m.actuator_actadr(u);
  return first < 0 ? -1 : first + m.actuator_actnum(u) - 1;
}

/// What the gain of actuator u multiplies: its control, or its activation now or next.
template <class V>
SWEPT_FN V actuator_input(const ModelAt<V>& m, const DataAt<V>& d, int u, V ctrl) {
  const int last = last_activation(m, u);
  if (last < 0) {
    return ctrl;
  }
  const V act = d.act(last);
  return m.actuator_actearly(u) != 0 ? next_activation(m, u, act, activation_rate(m, u, ctrl, act))
                                     : act;
}

/// Force of actuator u before any limit.
template <class V>
SWEPT_FN V unlimited_force(const ModelAt<V>& m, const DataAt<V>& d, int u, V ctrl) {
  if (actuator_disabled(m, u)) {
    return V(0_r);
  }
  const V input = nearest_turn(m, u, actuator_input(m, d, u, ctrl), V(d.actuator_length(u)));
  const V gain = affine(m, d, m->actuator_gainprm, u, m.actuator_gaintype(u) == gain_fixed);
  return m.actuator_biastype(u) == bias_none
             ? gain * input
             : gain * input + affine(m, d, m->actuator_biasprm, u, false);
}

/// Store act_dot of actuator u and return its force before any limit.
template <class V>
SWEPT_FN V actuator_force(const ModelAt<V>& m, const DataAt<V>& d, int u, V ctrl) {
  const int last = last_activation(m, u);
  if (last >= 0) {
    d.act_dot(last) = activation_rate(m, u, ctrl, V(d.act(last)));
  }
  return unlimited_force(m, d, u, ctrl);
}

/// Whether actuator u pulls this tendon.
template <class V>
SWEPT_FN bool pulls_tendon(const ModelAt<V>& m, int u, int tendon) {
  return m.actuator_trntype(u) == transmission_tendon && m.actuator_trnid(2 * u) == tendon;
}

/// Scale the forces of the actuators on a tendon so that their sum stays in the tendon's range.
template <class V>
SWEPT_FN void limit_tendon_force(const ModelAt<V>& m, const DataAt<V>& d, int tendon) {
  V total = V(0_r);
  for (int u = 0; u < m->nu; ++u) {
    if (pulls_tendon(m, u, tendon)) {
      total += V(d.actuator_force(u));
    }
  }
  const V lower = m.tendon_actfrcrange(2 * tendon), upper = m.tendon_actfrcrange(2 * tendon + 1);
  const V limited = clamp(total, lower, upper);
  const mask_t<V> inside = limited == total;
  const V scale = select(inside, V(1_r), limited / select(inside, V(1_r), total));
  for (int u = 0; u < m->nu; ++u) {
    if (pulls_tendon(m, u, tendon)) {
      d.actuator_force(u) *= scale;
    }
  }
}

/// actuator_force after all limits; visible to all lanes. Also act_dot.
template <class V>
SWEPT_FN void actuator_forces(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  const mask_t<V> bad = bad_controls(m, d);
  for (int u = g.lane(); u < m->nu; u += g.size()) {
    d.actuator_force(u) = actuator_force(m, d, u, select(bad, V(0_r), clamped_ctrl(m, d, u)));
  }
  g.sync();
  for (int tendon = g.lane(); tendon < m->ntendon; tendon += g.size()) {
    if (m.tendon_actfrclimited(tendon) != 0) {
      limit_tendon_force(m, d, tendon);
    }
  }
  g.sync();
  for (int u = g.lane(); u < m->nu; u += g.size()) {
    if (m.actuator_forcelimited(u) != 0) {
      d.actuator_force(u) = clamp(V(d.actuator_force(u)), m.actuator_forcerange(2 * u),
                                  m.actuator_forcerange(2 * u + 1));
    }
  }
  g.sync();
}

/// In: ctrl, act, qfrc_gravcomp, lengths and velocities of actuators. Out: act_dot, actuator_force,
/// qfrc_actuator, each element visible to the lane that owns its dof.
template <class V>
SWEPT_FN void actuation(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  for (int i = g.lane(); i < m->nv; i += g.size()) {
    d.qfrc_actuator(i) = V(0_r);
  }
  if (m->nu == 0 || (m->opt.disableflags & disable_actuation) != 0) {
    for (int u = g.lane(); u < m->nu; u += g.size()) {
      d.actuator_force(u) = V(0_r);
    }
    for (int i = g.lane(); i < m->na; i += g.size()) {
      d.act_dot(i) = V(0_r);
    }
    return;
  }
  actuator_forces(g, m, d);

  // every lane adds up the dofs that it owns
  for (int u = 0; u < m->nu; ++u) {
    const V f = d.actuator_force(u);
    for_each_moment(m, d, u, [&](int dof, V moment) {
      if (owns(g, dof)) {
        d.qfrc_actuator(dof) = fma(moment, f, V(d.qfrc_actuator(dof)));
      }
    });
  }
  for (int i = g.lane(); i < m->nv; i += g.size()) {
    const int joint = m.dof_jntid(i), type = m.jnt_type(joint);
    const bool gravcomp = m.jnt_actgravcomp(joint) != 0,
               limited =
                   m.jnt_actfrclimited(joint) != 0 && (type == joint_slide || type == joint_hinge);
    if (gravcomp || limited) {
      const V total = gravcomp ? d.qfrc_actuator(i) + d.qfrc_gravcomp(i) : V(d.qfrc_actuator(i));
      d.qfrc_actuator(i) =
          limited ? clamp(total, m.jnt_actfrcrange(2 * joint), m.jnt_actfrcrange(2 * joint + 1))
                  : total;
    }
  }
}

}  // namespace swept::SWEPT_NS
