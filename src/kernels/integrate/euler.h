// SPDX-License-Identifier: Apache-2.0
// Semi-implicit Euler, with implicit damping of joints:
//
//   (M + h diag(b)) a = qfrc_smooth + qfrc_constraint,   b = d(damping force)/d(velocity)
//   qvel += h a,   qpos moves along the new qvel
//
// Without damping a is qacc. The warm start of the next step is qacc in either case.
#pragma once

#include "kernels/integrate/advance.h"
#include "kernels/integrate/implicit_update.h"
#include "kernels/smooth/factor.h"
#include "kernels/smooth/passive.h"

namespace swept::SWEPT_NS {

/// dof_work = the acceleration that the velocity moves by; visible to all lanes. Uses qH,
/// qHDiagInv.
template <class V>
SWEPT_FN void damped_acceleration(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d,
                                  Forces forces = Forces::all) {
  const Slice<V> x = slice(d.dof_work(0));
  const mask_t<V> implicit = damps_implicitly(m);
  // lanes of a warp wait together, so a choice of their own must not decide whether they wait
  if (m->own_implicit_damping.p == nullptr && none_of(implicit)) {
    for (int i = g.lane(); i < m->nv; i += g.size()) {
      x(i) = d.qacc(i).get();
    }
    g.sync();
    return;
  }
  for (int i = g.lane(); i < m->nv; i += g.size()) {
    x(i) = force_of(d, i, forces);
  }
  const V h = m.opt_timestep(0);
  const Slice<V> factor = slice(d.qH(0)), dinv = slice(d.qHDiagInv(0));
  factor_m(g, m, slice(d.M(0)), factor, dinv,
           [&](int i) { return h * dof_damping(m, i).slope(abs(V(d.qvel(i)))); });
  solve_m(g, m, factor, dinv, x);
  if (m->own_implicit_damping.p != nullptr) {
    for (int i = g.lane(); i < m->nv; i += g.size()) {
      x(i) = select(implicit, V(x(i)), V(d.qacc(i)));
    }
    g.sync();
  }
}

/// One step from the results of a forward pass. In: qacc, qfrc_smooth, qfrc_constraint, act_dot, M,
/// the state. Out: the state; frozen lanes keep theirs.
template <class V>
SWEPT_FN void euler(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d, int* frozen) {
  damped_acceleration(g, m, d);
  end_step(g, m, d, frozen);
}

}  // namespace swept::SWEPT_NS
