// SPDX-License-Identifier: Apache-2.0
// Euler that is implicit in velocity: with D the derivative of the forces (derivative.h),
//
//   (M - h D) a = qfrc_smooth + qfrc_constraint
//   qvel += h a,   qpos moves along the new qvel
//
// implicit solves with the whole D by a sparse LU factor, implicitfast with its symmetric part by
// L^T D L, and with six equations for each free body without joints on it. The constraint forces
// are those of the acceleration qacc, which is also the warm start of the next step.
#pragma once

#include "kernels/integrate/advance.h"
#include "kernels/integrate/free_body.h"
#include "kernels/integrate/lu.h"
#include "kernels/smooth/factor.h"

namespace swept::SWEPT_NS {

/// qH = M - h D, qHU likewise if D is whole; each row visible to the lane that owns its dof.
template <class V>
SWEPT_FN void update_matrix(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  velocity_derivative(g, m, d);
  const V h = m.opt_timestep(0);
  const bool whole = is_whole(m);
  for (int i = g.lane(); i < m->nv; i += g.size()) {
    const int adr = m.M_rowadr(i), depth = m.dof_depth(i);
    const Slice<V> inertia = slice(d.M(adr)), lower = slice(d.qH(adr));
    for (int c = 0; c <= depth; ++c) {
      lower(c) = fma(-h, V(lower(c)), V(inertia(c)));
    }
    for (int c = 0; whole && c < depth; ++c) {
      const Ref<V> upper = d.qHU(adr + c);
      upper = fma(-h, V(upper), V(inertia(c)));
    }
  }
}

/// The same, and dof_work = the right-hand side; visible to all lanes.
template <class V>
SWEPT_FN void implicit_equations(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d,
                                 Forces forces) {
  update_matrix(g, m, d);
  for (int i = g.lane(); i < m->nv; i += g.size()) {
    d.dof_work(i) = force_of(d, i, forces);
  }
  g.sync();
}

/// dof_work = the acceleration that the velocity moves by; visible to all lanes.
template <class V>
SWEPT_FN void implicit_acceleration(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d,
                                    Forces forces = Forces::all) {
  implicit_equations(g, m, d, forces);
  const Slice<V> lower = slice(d.qH(0)), dinv = slice(d.qHDiagInv(0)), x = slice(d.dof_work(0));
  if (is_whole(m)) {
    const Slice<V> upper = slice(d.qHU(0));
    factor_lu(g, m, lower, upper, dinv);
    solve_lu(g, m, lower, upper, dinv, x);
    return;
  }
  for (int j = g.lane(); j < m->njnt; j += g.size()) {
    if (is_free_body(m, j)) {
      solve_free_body(m, d, j);
    }
  }
  g.sync();
  factor_m(g, m, lower, lower, dinv, [](int) { return V(0_r); });
  solve_m(g, m, lower, dinv, x);
}

/// One step from the results of a forward pass. In: all of it, the state. Out: the state; frozen
/// lanes keep theirs.
template <class V>
SWEPT_FN void implicit(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d, int* frozen) {
  implicit_acceleration(g, m, d);
  end_step(g, m, d, frozen);
}

}  // namespace swept::SWEPT_NS
