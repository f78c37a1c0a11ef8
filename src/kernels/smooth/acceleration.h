// SPDX-License-Identifier: Apache-2.0
// The acceleration without constraints: M qacc_smooth = qfrc_smooth = passive - bias + applied +
// actuator + J^T xfrc_applied.
#pragma once

#include "kernels/smooth/body_force.h"
#include "kernels/smooth/factor.h"

namespace swept::SWEPT_NS {

/// Whether a force or torque is applied on a body, in any environment of V.
template <class V>
SWEPT_FN bool has_applied_force(const DataAt<V>& d, int body) {
  const Slice<V> x = slice(d.xfrc_applied(6 * body));
  mask_t<V> any = V(x(0)) != V(0_r);
  for (int i = 1; i < 6; ++i) {
    any = any || V(x(i)) != V(0_r);
  }
  return any_of(any);
}

/// In: qfrc_passive, qfrc_bias, qfrc_actuator, qfrc_applied, xfrc_applied, qLD. Out, visible to all
/// lanes: qfrc_smooth, qacc_smooth.
template <class V>
SWEPT_FN void smooth_acceleration(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  bool found = false;
  for (int body = 1 + g.lane(); body < m->nbody; body += g.size()) {
    found = found || has_applied_force(d, body);
  }
  const bool applied = g.any(found);

  for (int i = g.lane(); i < m->nv; i += g.size()) {
    V sum = d.qfrc_passive(i) - d.qfrc_bias(i) + d.qfrc_applied(i) + d.qfrc_actuator(i);
    V bodies = V(0_r);
    if (applied) {
      bodies = along_dof(
          m, d, i, [&](int body) { return has_applied_force(d, body); },
          [&](int body) {
            return force_at_com(m, d, body, vec3(d.xfrc_applied(6 * body)),
                                vec3(d.xfrc_applied(6 * body + 3)));
          });
    }
    sum += bodies;
    d.qfrc_smooth(i) = sum;
    d.qacc_smooth(i) = sum;
  }
  g.sync();
  solve_m(g, m, slice(d.qLD(0)), slice(d.qLDiagInv(0)), slice(d.qacc_smooth(0)));
}

}  // namespace swept::SWEPT_NS
