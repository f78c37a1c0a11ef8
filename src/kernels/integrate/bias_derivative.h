// SPDX-License-Identifier: Apache-2.0
// The derivative of the bias forces with respect to qvel (Singh, Russell and Wensing, "Efficient
// analytical derivatives of rigid-body dynamics using spatial vector algebra", 2022).
//
// With S_j the axis of dof j, U_j the velocity before its joint and W_j that after it, V_b and A_b
// those of a body b beyond:
//
//   dV_b/dv_j = S_j      dA_b/dv_j = Psi_j + S_j x V_b      Psi_j = U_j x S_j + W_j x S_j
//   dF_b/dv_j = I_b Psi_j + G_b S_j         G_b X = I_b (X x V_b) + X x* I_b V_b + V_b x* I_b X
//
// G_b needs the angular part of X alone, for with J, h, m of I_b and the momentum p = m v + w x h
//
//   G_b X = (T X_w, 2 X_w x p)              T = 2 [w] (J - tr(J)/2) - 2 [h] [v]
//
// (by Jacobi's identity, and [w] J + J [w] = tr(J) [w] - [J w]). Both I_b and G_b add up over
// subtrees, so with C the sum for the further one of the bodies of i and j
//
//   d(bias_i)/dv_j = S_i . (I_C Psi_j + G_C S_j)
#pragma once

#include "kernels/math/spatial_map.h"
#include "kernels/smooth/access.h"

namespace swept::SWEPT_NS {

/// G of a body, about its tree's centre of mass.
template <class V>
SWEPT_FN SpatialMap<V> coriolis_map(const DataAt<V>& d, int body) {
  const Inertia<V> own = inertia(d.cinert(10 * body));
  const Motion<V> velocity = motion(d.cvel(6 * body));
  const V two = V(2_r), half_trace = (own.xx + own.yy + own.zz) * V(0.5_r);
  const Vec3<V> one = {V(1_r), V(1_r), V(1_r)};
  const Vec3<V> momentum = velocity.v * own.m + cross(velocity.w, own.h);
  const Mat3<V> turning = skew(velocity.w) * (rotational(own) - diagonal(one * half_trace)) -
                          skew(own.h) * skew(velocity.v);
  return {turning * two, zero33<V>(), skew(momentum) * -two, zero33<V>()};
}

/// Psi of n dofs from `dof` on, which the velocity `after` their joint turns.
template <class V>
SWEPT_FN void put_swing(const DataAt<V>& d, int dof, int n, Motion<V> after) {
  for (int i = dof; i < dof + n; ++i) {
    put(d.dof_deriv(6 * i), motion(d.cdof_dot(6 * i)) + cross(after, motion(d.cdof(6 * i))));
  }
}

/// dof_deriv: Psi of every dof. In: cvel, cdof, cdof_dot, qvel. Each lane takes some bodies; not
/// synchronised.
template <class V>
SWEPT_FN void dof_swings(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  for (int body = 1 + g.lane(); body < m->nbody; body += g.size()) {
    Motion<V> velocity = motion(d.cvel(6 * m.body_parentid(body)));
    for (int j = m.body_jntadr(body), end = j + m.body_jntnum(body); j < end; ++j) {
      const int type = m.jnt_type(j);
      int dof = m.jnt_dofadr(j);
      if (type == joint_free) {
        velocity.v = velocity.v + vec3(d.qvel(dof));
        put_swing(d, dof, 3, velocity);
        dof += 3;
      }
      const int n = type == joint_free || type == joint_ball ? 3 : 1;
      for (int i = dof; i < dof + n; ++i) {
        velocity = add_scaled(velocity, motion(d.cdof(6 * i)), V(d.qvel(i)));
      }
      put_swing(d, dof, n, velocity);
    }
  }
}

}  // namespace swept::SWEPT_NS
