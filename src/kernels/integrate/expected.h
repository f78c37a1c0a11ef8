// SPDX-License-Identifier: Apache-2.0
// What rows that aim at a velocity after the step have to know where that velocity does not move by
// qacc, but by (M - h D)^-1 (qfrc_smooth + qfrc_constraint), D the derivative of the forces:
//
//   next_qvel, qacc   a pair of both that belong together: those without constraint forces at first,
//                     those of the last solve later
//   dof_work          the acceleration that the velocity would move by without constraint forces
//   qH, qHDiagInv     L^T D L of the symmetric part of M - h D, without what free bodies have more;
//                     with it a row's own force is turned into the velocity that it makes
#pragma once

#include "kernels/integrate/euler.h"
#include "kernels/integrate/implicit.h"

namespace swept::SWEPT_NS {

/// qH, qHDiagInv as above; not of Euler, which leaves them so. dof_work stays.
template <class V>
SWEPT_FN void factor_update(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  update_matrix(g, m, d);
  const Slice<V> lower = slice(d.qH(0)), dinv = slice(d.qHDiagInv(0));
  for (int i = g.lane(); is_whole(m) && i < m->nv; i += g.size()) {
    const int adr = m.M_rowadr(i);
    for (int c = 0; c < m.dof_depth(i); ++c) {
      lower(adr + c) = V(0.5_r) * (lower(adr + c) + d.qHU(adr + c));
    }
  }
  g.sync();
  factor_m(g, m, lower, lower, dinv, [](int) { return V(0_r); });
}

/// Everything of the list above.
///   again   there has been a solve
template <class V>
SWEPT_FN void expect_velocity(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d,
                              bool again) {
  // environments that differ in this wait together all the same
  if (m->own_implicit_damping.p == nullptr && none_of(moves_implicitly(m))) {
    return;
  }
  const bool euler = m->opt.integrator == integrator_euler;
  if (euler) {
    damped_acceleration(g, m, d, Forces::smooth);
  } else {
    implicit_acceleration(g, m, d, Forces::smooth);
  }
  if (!again) {
    for (int i = g.lane(); i < m->nv; i += g.size()) {
      d.qacc(i) = V(d.qacc_smooth(i));
    }
    find_next_velocity(g, m, d);
  }
  g.sync();
  if (!euler) {
    factor_update(g, m, d);
  }
}

}  // namespace swept::SWEPT_NS
