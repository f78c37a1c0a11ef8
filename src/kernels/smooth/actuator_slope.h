// SPDX-License-Identifier: Apache-2.0
// How the force of an actuator changes with its velocity: with gain g0 + g1 length + g2 velocity
// and the same of the bias b,
//
//   d(force)/d(velocity) = b2 + g2 input
//
// and nothing where a limit holds the force: that of the actuator, of the total force of actuators
// on its tendon, or of the total force on its joint.
#pragma once

#include "kernels/smooth/actuation.h"

namespace swept::SWEPT_NS {

/// Lanes in which x is not strictly inside the range that starts at element i of a field.
template <class V>
SWEPT_FN mask_t<V> at_limit(const ModelAt<V>& m, Param range, int i, V x) {
  return x <= m.at(range, i) || x >= m.at(range, i + 1);
}

/// Lanes in which a limit holds the force of actuator u; ctrl(u) are the controls.
template <class V, class Ctrl>
SWEPT_FN mask_t<V> is_saturated(const ModelAt<V>& m, const DataAt<V>& d, int u, const Ctrl& ctrl) {
  mask_t<V> held(false);
  if (m.actuator_forcelimited(u) != 0) {
    held = at_limit(m, m->actuator_forcerange, 2 * u, V(d.actuator_force(u)));
  }
  const int target = m.actuator_trnid(2 * u);
  if (m.actuator_trntype(u) == transmission_tendon && m.tendon_actfrclimited(target) != 0) {
    V total = V(0_r);
    for (int other = 0; other < m->nu; ++other) {
      if (pulls_tendon(m, other, target)) {
        total += unlimited_force(m, d, other, ctrl(other));
      }
    }
    held = held || at_limit(m, m->tendon_actfrcrange, 2 * target, total);
  }
  if (acts_on_joint(m, u) && m.jnt_actfrclimited(target) != 0) {
    const int type = m.jnt_type(target);
    if (type == joint_slide || type == joint_hinge) {
      held = held ||
             at_limit(m, m->jnt_actfrcrange, 2 * target, V(d.qfrc_actuator(m.jnt_dofadr(target))));
    }
  }
  return held;
}

/// d(force)/d(velocity) of actuator u.
template <class V, class Ctrl>
SWEPT_FN V actuator_slope(const ModelAt<V>& m, const DataAt<V>& d, int u, const Ctrl& ctrl) {
  if (actuator_disabled(m, u)) {
    return V(0_r);
  }
  V slope = m.actuator_biastype(u) == bias_affine ? m.actuator_biasprm(10 * u + 2) : V(0_r);
  if (m.actuator_gaintype(u) == gain_affine) {
    slope += m.actuator_gainprm(10 * u + 2) * actuator_input(m, d, u, ctrl(u));
  }
  return select(is_saturated(m, d, u, ctrl), V(0_r), slope);
}

/// actuator_deriv of all actuators; zero where actuation is disabled. In: what actuation() leaves,
/// visible to all lanes. Not synchronised.
template <class V>
SWEPT_FN void actuator_slopes(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  if ((m->opt.disableflags & disable_actuation) != 0) {
    for (int u = g.lane(); u < m->nu; u += g.size()) {
      d.actuator_deriv(u) = V(0_r);
    }
    return;
  }
  const mask_t<V> bad = bad_controls(m, d);
  const auto ctrl = [&](int u) { return select(bad, V(0_r), clamped_ctrl(m, d, u)); };
  for (int u = g.lane(); u < m->nu; u += g.size()) {
    d.actuator_deriv(u) = actuator_slope(m, d, u, ctrl);
  }
}

}  // namespace swept::SWEPT_NS
