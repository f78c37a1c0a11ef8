// SPDX-License-Identifier: Apache-2.0
// What the integrators share: moving positions along a velocity, moving activations, and accepting
// the new state where it is good.
#pragma once

#include "kernels/integrate/status.h"
#include "kernels/math/quaternion.h"

namespace swept::SWEPT_NS {

/// target = source moved along the velocity for the time h = time(joint): q + h v for slides, hinges
/// and translations, q exp(h w) for quaternions (normalised before). Each lane takes some joints; not
/// synchronised.
template <class V, class Time>
SWEPT_FN void integrate_joints(const Group auto g, const ModelAt<V>& m, Slice<V> source,
                               Slice<V> velocity, const Time& time, Slice<V> target) {
  for (int j = g.lane(); j < m->njnt; j += g.size()) {
    const int type = m.jnt_type(j);
    int q = m.jnt_qposadr(j), dof = m.jnt_dofadr(j);
    const V h = time(j);
    if (type == joint_slide || type == joint_hinge) {
      target(q) = source(q) + velocity(dof) * h;
      continue;
    }
    if (type == joint_free) {
      put(target(q), vec3(source(q)) + vec3(velocity(dof)) * h);
      q += 3;
      dof += 3;
    }
    put(target(q), quat_integrate(quat(source(q)), vec3(velocity(dof)), h));
  }
}

/// The same for one time.
template <class V>
SWEPT_FN void integrate_pos(const Group auto g, const ModelAt<V>& m, Slice<V> source,
                            Slice<V> velocity, V h, Slice<V> target) {
  integrate_joints(
      g, m, source, velocity, [&](int) { return h; }, target);
}

/// next_act from act and its rate, rate(i) for activation i; activations of disabled actuators only
/// meet their range, and with actuation disabled all stay. Those of servos that track a rotation
/// stay within half a turn of the length at the start of the step, length(u, i) of actuator u
/// with activation i. Each lane takes some actuators; not synchronised.
template <class V, class Rate, class Length>
SWEPT_FN void advance_act(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d, Slice<V> act,
                          const Rate& rate, const Length& length) {
  const bool disabled = (m->opt.disableflags & disable_actuation) != 0;
  for (int u = g.lane(); u < m->nu; u += g.size()) {
    const int first = m.actuator_actadr(u);
    for (int i = first; first >= 0 && i < first + m.actuator_actnum(u); ++i) {
      const V dot = actuator_disabled(m, u) ? V(0_r) : V(rate(i));
      d.next_act(i) =
          disabled ? V(act(i))
                   : nearest_turn(m, u, next_activation(m, u, V(act(i)), dot), V(length(u, i)));
    }
  }
}

/// The state that a step starts from, kept where the new one is not accepted.
template <class V>
struct OldState {
  V time;
  Slice<V> qpos, qvel, act;
};

/// Freeze the lanes whose qacc, next_qvel, next_qpos or next_act is bad, and store the new state in
/// the others and `old` in the frozen ones. In: next_* visible to all lanes. Out: time, qpos, qvel,
/// act, visible to all lanes.
template <class V>
SWEPT_FN void accept_state(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d, int* frozen,
                           OldState<V> old, V next_time) {
  if (g.lane() == 0) {
    freeze<V>(frozen, any_bad(slice(d.qacc(0)), m->nv), status_diverged_qacc);
    freeze<V>(frozen, any_bad(slice(d.next_qvel(0)), m->nv), status_diverged_qvel);
    freeze<V>(frozen, any_bad(slice(d.next_qpos(0)), m->nq), status_diverged_qpos);
    freeze<V>(frozen, any_bad(slice(d.next_act(0)), m->na), status_diverged_act);
  }
  g.sync();
  const mask_t<V> lanes = is_frozen<V>(frozen);
  const Slice<V> qpos = slice(d.qpos(0)), qvel = slice(d.qvel(0)), act = slice(d.act(0));
  const Slice<V> next_qpos = slice(d.next_qpos(0)), next_qvel = slice(d.next_qvel(0)),
                 next_act = slice(d.next_act(0));
  if (g.lane() == 0) {
    d.time(0) = select(lanes, old.time, next_time);
  }
  for (int i = g.lane(); i < m->nq; i += g.size()) {
    qpos(i) = select(lanes, V(old.qpos(i)), V(next_qpos(i)));
  }
  for (int i = g.lane(); i < m->nv; i += g.size()) {
    qvel(i) = select(lanes, V(old.qvel(i)), V(next_qvel(i)));
  }
  for (int i = g.lane(); i < m->na; i += g.size()) {
    act(i) = select(lanes, V(old.act(i)), V(next_act(i)));
  }
  g.sync();
}

/// qacc_warmstart = qacc where the environment is not frozen.
template <class V>
SWEPT_FN void keep_warmstart(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d,
                             const int* frozen) {
  const mask_t<V> lanes = is_frozen<V>(frozen);
  for (int i = g.lane(); i < m->nv; i += g.size()) {
    d.qacc_warmstart(i) = select(lanes, V(d.qacc_warmstart(i)), V(d.qacc(i)));
  }
}

/// Which forces an acceleration follows from: with those of constraints or without.
enum class Forces { all, smooth };

/// Their sum at dof i.
template <class V>
SWEPT_FN V force_of(const DataAt<V>& d, int i, Forces forces) {
  return forces == Forces::all ? V(d.qfrc_smooth(i) + d.qfrc_constraint(i)) : V(d.qfrc_smooth(i));
}

/// next_qvel = the velocity after the step, which moves by the acceleration dof_work. Each lane takes
/// some dofs; not synchronised.
template <class V>
SWEPT_FN void find_next_velocity(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  const V h = m.opt_timestep(0);
  for (int i = g.lane(); i < m->nv; i += g.size()) {
    d.next_qvel(i) = d.qvel(i) + d.dof_work(i) * h;
  }
}

/// End a step whose positions move along next_qvel, each joint's for the time time(joint). In:
/// next_qvel visible to all lanes, qacc, act_dot, the state. Out: the state; frozen lanes keep theirs.
template <class V, class Time>
SWEPT_FN void move_state(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d,
                         const Time& time_of, int* frozen) {
  const Slice<V> act_dot = slice(d.act_dot(0));
  advance_act(
      g, m, d, slice(d.act(0)), [&](int i) { return act_dot(i); },
      [&](int u, int) { return d.actuator_length(u); });
  integrate_joints(g, m, slice(d.qpos(0)), slice(d.next_qvel(0)), time_of, slice(d.next_qpos(0)));
  const V time = d.time(0);
  g.sync();
  accept_state(g, m, d, frozen,
               OldState<V>{time, slice(d.qpos(0)), slice(d.qvel(0)), slice(d.act(0))},
               V(time + m.opt_timestep(0)));
  keep_warmstart(g, m, d, frozen);
}

/// End a step whose velocity moves by the acceleration dof_work, and whose position moves along the
/// new velocity. In: dof_work, qacc, act_dot, the state. Out: the state; frozen lanes keep theirs.
template <class V>
SWEPT_FN void end_step(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d, int* frozen) {
  const V h = m.opt_timestep(0);
  find_next_velocity(g, m, d);
  g.sync();
  move_state(
      g, m, d, [&](int) { return h; }, frozen);
}

}  // namespace swept::SWEPT_NS
