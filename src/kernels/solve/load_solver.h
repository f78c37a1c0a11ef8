// SPDX-License-Identifier: Apache-2.0
// From pack layout to the solver's own memory: a transpose per block of W environments.
#pragma once

#include "kernels/solve/newton/newton.h"
#include "kernels/solve/work.h"

namespace swept::SWEPT_NS {

/// Copy n elements of a field of one environment, W apart, to neighbouring places. Cooperative;
/// each lane writes its own elements.
SWEPT_FN void gather_field(const Group auto g, const real* from, int n, real* to) {
  for (int i = g.lane(); i < n; i += g.size()) {
    to[i] = from[static_cast<long long>(i) * W];
  }
}

/// Load what `solve` needs of environment `env`, if it has rows and none of Newton's methods takes
/// it. Cooperative; visible after the next sync().
SWEPT_FN void load_solver(const Group auto g, const Tile& t, int env) {
  if (t.frozen[env] != 0 || t.settled[env] != 0 || t.rows.nefc[env] == 0 || takes_newton(t, env)) {
    return;
  }
  const Work w = work_at(t, env);
  const DataAt<real> d = t.data_at<real>(env / W, env % W);
  gather_field(g, d.qLD(0).p, t.model.nM, w.L);
  gather_field(g, d.qacc_smooth(0).p, w.nv, w.smooth);
  gather_field(g, d.qacc_warmstart(0).p, w.nv, w.warm);
  for (int i = g.lane(); i < w.nv; i += g.size()) {
    w.dinvsqrt[i] = sqrt(d.qLDiagInv(i).get());
  }
}

}  // namespace swept::SWEPT_NS
