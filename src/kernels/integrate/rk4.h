// SPDX-License-Identifier: Apache-2.0
// The classical Runge-Kutta method of fourth order, with rotations in their Lie algebra
// (Munthe-Kaas 1999).
//
//   stage s   0    1    2    3
//   time      0   h/2  h/2   h        the state of stage s + 1 is the start moved by a_s h k_s, a =
//   1/2 1/2 1 weight   1/6  1/3  1/3  1/6
//
// k_s is velocity, acceleration and act_dot of the forward pass at stage s. A quaternion of stage s
// is q0 exp(u), u = a h k; the rate of u, not the angular velocity, is what may be averaged, so k_s
// holds w + u x w / 2 + ... (rotvec_velocity). Activations are combined linearly, and at the end
// take their own exact step.
#pragma once

#include "kernels/integrate/advance.h"

namespace swept::SWEPT_NS {

/// How far stage s + 1 lies from the start, in units of h k_s; s = 0, 1, 2.
SWEPT_FN real rk4_reach(int stage) {
  return stage < 2 ? 0.5_r : 1_r;
}

/// Weight of stage s in the average.
SWEPT_FN real rk4_weight(int stage) {
  return stage == 0 || stage == 3 ? 1_r / 6_r : 1_r / 3_r;
}

/// Keep the state at the start of the step, and lengths of actuators.
template <class V>
SWEPT_FN void rk4_keep_start(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  if (g.lane() == 0) {
    d.rk_time0(0) = d.time(0).get();
  }
  for (int i = g.lane(); i < m->nq; i += g.size()) {
    d.rk_qpos0(i) = d.qpos(i).get();
  }
  for (int i = g.lane(); i < m->nv; i += g.size()) {
    d.rk_qvel0(i) = d.qvel(i).get();
  }
  for (int i = g.lane(); i < m->na; i += g.size()) {
    d.rk_act0(i) = d.act(i).get();
  }
  for (int u = g.lane(); u < m->nu; u += g.size()) {
    const int first = m.actuator_actadr(u);
    for (int i = first; first >= 0 && i < first + m.actuator_actnum(u); ++i) {
      d.rk_length0(i) = d.actuator_length(u).get();
    }
  }
}

/// The rate of the rotation vector of a ball, or of the rotation of a free joint, at the first of
/// its rotation dofs.
template <class V>
SWEPT_FN void rk4_correct_rotation(const ModelAt<V>& m, const DataAt<V>& d, int stage, int dof) {
  const V reach = m.opt_timestep(0) * V(rk4_reach(stage - 1));
  const Vec3<V> u = vec3(d.rk_dq((stage - 1) * m->nv + dof)) * reach;
  put(d.rk_dq(stage * m->nv + dof), rotvec_velocity(u, vec3(d.qvel(dof))));
}

/// Keep k of this stage: rk_dq, rk_dv, rk_da.
template <class V>
SWEPT_FN void rk4_keep_rates(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d,
                             int stage) {
  for (int i = g.lane(); i < m->nv; i += g.size()) {
    d.rk_dv(stage * m->nv + i) = d.qacc(i).get();
  }
  for (int i = g.lane(); i < m->na; i += g.size()) {
    d.rk_da(stage * m->na + i) = d.act_dot(i).get();
  }
  for (int j = g.lane(); j < m->njnt; j += g.size()) {
    const int type = m.jnt_type(j), dof = m.jnt_dofadr(j);
    const int linear = type == joint_free ? 3 : (type == joint_ball ? 0 : 1);
    const bool rotates = type == joint_free || type == joint_ball;
    for (int i = dof; i < dof + linear; ++i) {
      d.rk_dq(stage * m->nv + i) = d.qvel(i).get();
    }
    if (rotates && stage == 0) {
      put(d.rk_dq(dof + linear), vec3(d.qvel(dof + linear)));
    } else if (rotates) {
      rk4_correct_rotation(m, d, stage, dof + linear);
    }
  }
}

/// Weighted mean of element i of a field of n numbers per stage.
template <class V>
SWEPT_FN V rk4_mean(Slice<V> rates, int n, int i) {
  V sum = V(0_r);
  for (int stage = 0; stage < 4; ++stage) {
    sum = fma(V(rk4_weight(stage)), V(rates(stage * n + i)), sum);
  }
  return sum;
}

/// After the forward pass of a stage: keep its rates, then go to the state of the next stage or,
/// after stage 3, end the step. Called for stage = 0, 1, 2, 3. In: qacc, act_dot, the state of this
/// stage. Out: the next state. Environments that turn bad in any stage get back the state of the
/// step's start.
template <class V>
SWEPT_FN void rk4_stage(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d, int* frozen,
                        int stage) {
  if (stage == 0) {
    rk4_keep_start(g, m, d);
  }
  rk4_keep_rates(g, m, d, stage);
  g.sync();

  const V h = m.opt_timestep(0);
  const Slice<V> qpos0 = slice(d.rk_qpos0(0)), qvel0 = slice(d.rk_qvel0(0)),
                 act0 = slice(d.rk_act0(0));
  const Slice<V> dq = slice(d.rk_dq(0)), dv = slice(d.rk_dv(0)), da = slice(d.rk_da(0));
  const V time0 = d.rk_time0(0);
  if (stage < 3) {
    const V reach = h * V(rk4_reach(stage));
    for (int i = g.lane(); i < m->nv; i += g.size()) {
      d.next_qvel(i) = qvel0(i) + dv(stage * m->nv + i) * reach;
    }
    for (int i = g.lane(); i < m->na; i += g.size()) {
      d.next_act(i) = act0(i) + da(stage * m->na + i) * reach;
    }
    integrate_pos(g, m, qpos0, slice(dq(stage * m->nv)), reach, slice(d.next_qpos(0)));
    g.sync();
    accept_state(g, m, d, frozen, OldState<V>{time0, qpos0, qvel0, act0}, time0 + reach);
    return;
  }
  const Slice<V> mean = slice(d.dof_work(0));
  for (int i = g.lane(); i < m->nv; i += g.size()) {
    d.next_qvel(i) = qvel0(i) + rk4_mean(dv, m->nv, i) * h;
    mean(i) = rk4_mean(dq, m->nv, i);
  }
  advance_act(
      g, m, d, act0, [&](int i) { return rk4_mean(da, m->na, i); },
      [&](int, int i) { return d.rk_length0(i); });
  g.sync();
  integrate_pos(g, m, qpos0, mean, h, slice(d.next_qpos(0)));
  g.sync();
  accept_state(g, m, d, frozen, OldState<V>{time0, qpos0, qvel0, act0}, time0 + h);
  keep_warmstart(g, m, d, frozen);
}

}  // namespace swept::SWEPT_NS
