// SPDX-License-Identifier: Apache-2.0
// Velocities of bodies, and the bias forces by recursive Newton-Euler at qacc = 0 (Featherstone,
// chapter 5).
//
//   cvel_b   = cvel_parent + sum cdof qvel                     outwards
//   cdof_dot = (velocity so far) x cdof
//   cacc_b   = cacc_parent + sum cdof_dot qvel                 the world accelerates at -gravity
//   force_b  = I_b cacc_b + cvel_b x* I_b cvel_b
//   cfrc_b   = force_b + sum over children                     inwards
//   bias_i   = cdof_i . cfrc_body(i)
//
// "So far" means all dofs before; the three rotations of a ball or free joint are about axes that
// turn with the body, and see the velocity before any of them.
#pragma once

#include "kernels/math/spatial.h"
#include "kernels/smooth/access.h"

namespace swept::SWEPT_NS {

/// Velocity and acceleration (at qacc = 0) of a body.
template <class V>
struct BodyMotion {
  Motion<V> velocity, acceleration;
};

/// Add n dofs from `dof` on, whose axes turn with the velocity `carrier`; stores cdof_dot.
template <class V>
[[gnu::always_inline]] SWEPT_FN BodyMotion<V> add_dofs(const DataAt<V>& d, int dof, int n,
                                                       Motion<V> carrier, BodyMotion<V> x) {
  for (int i = dof; i < dof + n; ++i) {
    const Motion<V> axis = motion(d.cdof(6 * i)), change = cross(carrier, axis);
    const V rate = d.qvel(i);
    put(d.cdof_dot(6 * i), change);
    x.velocity = add_scaled(x.velocity, axis, rate);
    x.acceleration = add_scaled(x.acceleration, change, rate);
  }
  return x;
}

/// Add the dofs of joint j.
template <class V>
[[gnu::always_inline]] SWEPT_FN BodyMotion<V> add_joint(const ModelAt<V>& m, const DataAt<V>& d,
                                                        int j, BodyMotion<V> x) {
  const int type = m.jnt_type(j), dof = m.jnt_dofadr(j);
  if (type == joint_free) {
    // translations along the world's axes do not turn
    for (int i = dof; i < dof + 3; ++i) {
      put(d.cdof_dot(6 * i), Motion<V>{zero3<V>(), zero3<V>()});
    }
    x.velocity.v = x.velocity.v + vec3(d.qvel(dof));
    return add_dofs(d, dof + 3, 3, x.velocity, x);
  }
  return add_dofs(d, dof, type == joint_ball ? 3 : 1, x.velocity, x);
}

/// Outwards: cvel, cdof_dot, cacc, and each body's own force in cfrc_body. Visible to all lanes.
template <class V>
SWEPT_FN void body_motions(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  if (g.lane() == 0) {
    const bool gravity = (m->opt.disableflags & disable_gravity) == 0;
    const Motion<V> rest = {zero3<V>(), zero3<V>()};
    put(d.cvel(0), rest);
    put(d.cacc(0), gravity ? Motion<V>{zero3<V>(), -param3(m, m->opt_gravity, 0)} : rest);
    put(d.cfrc_body(0), rest);
  }
  g.sync();
  for (int level = 1; level < m->nlevelp1 - 1; ++level) {
    for (int k = m.level_bodyadr(level) + g.lane(); k < m.level_bodyadr(level + 1); k += g.size()) {
      const int body = m.level_bodyid(k), parent = m.body_parentid(body);
      BodyMotion<V> x = {motion(d.cvel(6 * parent)), motion(d.cacc(6 * parent))};
      for (int j = m.body_jntadr(body), end = j + m.body_jntnum(body); j < end; ++j) {
        x = add_joint(m, d, j, x);
      }
      put(d.cvel(6 * body), x.velocity);
      put(d.cacc(6 * body), x.acceleration);
      const Inertia<V> own = inertia(d.cinert(10 * body));
      put(d.cfrc_body(6 * body), cross_add(x.velocity, own * x.velocity, own * x.acceleration));
    }
    g.sync();
  }
}

/// Inwards: sums of forces over subtrees, and their part along the dofs. Visible to all lanes.
template <class V>
SWEPT_FN void bias_forces(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  for (int level = m->nlevelp1 - 2; level >= 1; --level) {
    for (int k = m.level_bodyadr(level) + g.lane(); k < m.level_bodyadr(level + 1); k += g.size()) {
      const int body = m.level_bodyid(k), nchild = m.body_childnum(body);
      Force<V> sum = force(d.cfrc_body(6 * body));
      for (int c = m.body_childadr(body), end = c + nchild; c < end; ++c) {
        sum = sum + force(d.cfrc_body(6 * m.body_childid(c)));
      }
      if (nchild > 0) {
        put(d.cfrc_body(6 * body), sum);
      }
      for (int i = m.body_dofadr(body), end = i + m.body_dofnum(body); i < end; ++i) {
        d.qfrc_bias(i) = dot(motion(d.cdof(6 * i)), sum);
      }
    }
    g.sync();
  }
}

/// In: qvel, cdof, cinert. Out, visible to all lanes: cvel, cdof_dot, cacc, cfrc_body, qfrc_bias.
template <class V>
SWEPT_FN void rne(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  body_motions(g, m, d);
  bias_forces(g, m, d);
}

}  // namespace swept::SWEPT_NS
