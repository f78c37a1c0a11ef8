// SPDX-License-Identifier: Apache-2.0
// Passive forces: springs and dampers of joints and tendons, gravity compensation, and the medium.
//
//   spring   -x (k + p0 x + p1 x^2)            x from the rest position; of balls and free joints
//   along the difference, x its length; tendons have a dead band damper   -v (d + p0 |v| + p1 v^2)
//
// With springs and dampers both disabled there are no passive forces at all, gravity compensation
// and the medium included.
#pragma once

#include "kernels/math/quaternion.h"
#include "kernels/smooth/body_force.h"
#include "kernels/smooth/fluid.h"
#include "kernels/smooth/transmission.h"

namespace swept::SWEPT_NS {

/// Coefficients of k + p0 x + p1 x^2.
template <class V>
struct Polynomial {
  V k, p0, p1;

  SWEPT_FN V operator()(V x) const { return fma(fma(p1, x, p0), x, k); }
  /// d(x f(x))/dx = k + 2 p0 x + 3 p1 x^2
  SWEPT_FN V slope(V x) const { return fma(fma(V(3_r) * p1, x, V(2_r) * p0), x, k); }
};

/// Damping of dof i: its own and that of the actuators on its joint.
template <class V>
[[gnu::always_inline]] SWEPT_FN Polynomial<V> dof_damping(const ModelAt<V>& m, int i) {
  Polynomial<V> b = {m.dof_damping(i), m.dof_dampingpoly(2 * i), m.dof_dampingpoly(2 * i + 1)};
  const int joint = m.dof_jntid(i), attached = m.jnt_actuatorid(joint);
  if (attached != -1) {
    b.k += attached_sum(m, attached, transmission_joint, joint,
                        [&](int u) { return m.actuator_damping(u); });
    b.p0 += attached_sum(m, attached, transmission_joint, joint,
                         [&](int u) { return m.actuator_dampingpoly(2 * u); });
    b.p1 += attached_sum(m, attached, transmission_joint, joint,
                         [&](int u) { return m.actuator_dampingpoly(2 * u + 1); });
  }
  return b;
}

/// Damping of a tendon: its own and that of the actuators on it.
template <class V>
SWEPT_FN Polynomial<V> tendon_damping(const ModelAt<V>& m, int tendon) {
  Polynomial<V> b = {m.tendon_damping(tendon), m.tendon_dampingpoly(2 * tendon),
                     m.tendon_dampingpoly(2 * tendon + 1)};
  const int attached = m.tendon_actuatorid(tendon);
  if (attached != -1) {
    b.k += attached_sum(m, attached, transmission_tendon, tendon,
                        [&](int u) { return m.actuator_damping(u); });
    b.p0 += attached_sum(m, attached, transmission_tendon, tendon,
                         [&](int u) { return m.actuator_dampingpoly(2 * u); });
    b.p1 += attached_sum(m, attached, transmission_tendon, tendon,
                         [&](int u) { return m.actuator_dampingpoly(2 * u + 1); });
  }
  return b;
}

/// Spring force along a difference of three numbers.
template <class V>
SWEPT_FN Vec3<V> radial_spring(Polynomial<V> k, Vec3<V> x) {
  return x * -k(norm(x));
}

/// qfrc_spring of joint j.
template <class V>
SWEPT_FN void joint_spring(const ModelAt<V>& m, const DataAt<V>& d, int j, bool enabled) {
  const int type = m.jnt_type(j);
  int q = m.jnt_qposadr(j), dof = m.jnt_dofadr(j);
  const bool absent =
      !enabled || (is_zero(m->jnt_stiffness, j) && is_zero(m->jnt_stiffnesspoly, 2 * j) &&
                   is_zero(m->jnt_stiffnesspoly, 2 * j + 1));
  if (absent) {
    const int n = type == joint_free ? 6 : (type == joint_ball ? 3 : 1);
    for (int i = 0; i < n; ++i) {
      d.qfrc_spring(dof + i) = V(0_r);
    }
    return;
  }
  const Polynomial<V> k = {m.jnt_stiffness(j), m.jnt_stiffnesspoly(2 * j),
                           m.jnt_stiffnesspoly(2 * j + 1)};
  // a lane without a spring has the zeros that it has among others without one
  const mask_t<V> none = k.k == V(0_r) && k.p0 == V(0_r) && k.p1 == V(0_r);
  if (type == joint_slide || type == joint_hinge) {
    const V x = d.qpos(q) - m.qpos_spring(q);
    d.qfrc_spring(dof) = select(none, V(0_r), V(-x * k(x)));
    return;
  }
  const auto put_spring = [&](int i, Vec3<V> x) {
    put(d.qfrc_spring(i), select<V>(none, zero3<V>(), radial_spring(k, x)));
  };
  if (type == joint_free) {
    put_spring(dof, vec3(d.qpos(q)) - param3(m, m->qpos_spring, q));
    q += 3;
    dof += 3;
  }
  put_spring(dof, sub_quat(normalize(quat(d.qpos(q))), param4(m, m->qpos_spring, q)));
}

/// Add springs and damper of a tendon to the dofs that this lane owns.
template <class V>
SWEPT_FN void add_tendon_forces(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d,
                                int tendon, bool springs, bool dampers) {
  V spring = V(0_r), damper = V(0_r);
  if (springs) {
    const V length = d.ten_length(tendon), lower = m.tendon_lengthspring(2 * tendon),
            upper = m.tendon_lengthspring(2 * tendon + 1);
    const Polynomial<V> k = {m.tendon_stiffness(tendon), m.tendon_stiffnesspoly(2 * tendon),
                             m.tendon_stiffnesspoly(2 * tendon + 1)};
    const V x =
        select(length > upper, length - upper, select(length < lower, length - lower, V(0_r)));
    spring = -x * k(x);
  }
  if (dampers) {
    const V v = d.ten_velocity(tendon);
    damper = -v * tendon_damping(m, tendon)(abs(v));
  }
  for_each_tendon_dof(m, tendon, [&](int i, V coefficient) {
    if (owns(g, i)) {
      d.qfrc_spring(i) += coefficient * spring;
      d.qfrc_damper(i) += coefficient * damper;
    }
  });
}

/// Gravity compensation along dof i: bodies are lifted by gravcomp times their weight.
template <class V>
SWEPT_FN V gravity_compensation(const ModelAt<V>& m, const DataAt<V>& d, int i, Vec3<V> gravity) {
  return along_dof(
      m, d, i, [&](int body) { return !is_zero(m->body_gravcomp, body); },
      [&](int body) {
        return force_at_com(m, d, body, gravity * -(m.body_mass(body) * m.body_gravcomp(body)),
                            zero3<V>());
      });
}

/// Whether any body is compensated for gravity in any environment.
template <class V>
SWEPT_FN bool has_gravcomp(const ModelAt<V>& m) {
  if ((m->opt.disableflags & disable_gravity) != 0) {
    return false;
  }
  bool any = false;
  for (int body = 1; body < m->nbody; ++body) {
    any = any || !is_zero(m->body_gravcomp, body);
  }
  return any;
}

/// In: qpos, qvel, frames, cdof, ten_length, ten_velocity, qfrc_fluid if there is a medium. Out,
/// visible to all lanes: qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_passive; qfrc_fluid is zero
/// without a medium.
template <class V>
SWEPT_FN void passive(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  const bool springs = (m->opt.disableflags & disable_spring) == 0,
             dampers = (m->opt.disableflags & disable_damper) == 0;
  const bool gravcomp = (springs || dampers) && has_gravcomp(m), medium = has_medium(m);

  // joints
  for (int j = g.lane(); j < m->njnt; j += g.size()) {
    joint_spring(m, d, j, springs);
  }
  for (int i = g.lane(); i < m->nv; i += g.size()) {
    const V v = d.qvel(i);
    d.qfrc_damper(i) = dampers ? -v * dof_damping(m, i)(abs(v)) : V(0_r);
  }
  g.sync();

  // tendons, gravity compensation, and all together
  for (int tendon = 0; tendon < m->ntendon; ++tendon) {
    add_tendon_forces(g, m, d, tendon, springs, dampers);
  }
  const Vec3<V> gravity = param3(m, m->opt_gravity, 0);
  for (int i = g.lane(); i < m->nv; i += g.size()) {
    const V lift = gravcomp ? gravity_compensation(m, d, i, gravity) : V(0_r);
    const bool actuated = m.jnt_actgravcomp(m.dof_jntid(i)) != 0;
    const V flow = medium ? V(d.qfrc_fluid(i)) : V(0_r);
    d.qfrc_gravcomp(i) = lift;
    d.qfrc_fluid(i) = flow;
    d.qfrc_passive(i) = d.qfrc_spring(i) + d.qfrc_damper(i) + (actuated ? V(0_r) : lift) + flow;
  }
  g.sync();
}

}  // namespace swept::SWEPT_NS
