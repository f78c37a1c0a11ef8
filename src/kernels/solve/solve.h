// SPDX-License-Identifier: Apache-2.0
// The constrained acceleration of one environment:
//
//   minimise  1/2 (a - a_smooth)^T M (a - a_smooth) + sum of rows s(J a - aref)
//
// The start is qacc_warmstart unless a_smooth costs less. The objective is strictly convex, so the
// result depends on the start by the tolerance only. Groups of different size differ by rounding.
#pragma once

#include "kernels/solve/blocks.h"
#include "kernels/solve/finish.h"
#include "kernels/solve/newton/newton.h"
#include "kernels/solve/newton_cg.h"

namespace swept::SWEPT_NS {

/// Start at z = 0 or at the warm start, whichever costs less. Cooperative; ends with a sync, after
/// which z, entries and forces stand.
template <class Metric>
SWEPT_FN void start(const Group auto g, const Work& w, const Metric& metric, bool warm) {
  // z of the warm start; the padding may hold anything before
  for (int i = g.lane(); i < w.np; i += g.size()) {
    w.other[i] = i < w.nv ? w.warm[i] - w.smooth[i] : 0_r;
    w.z[i] = 0;
  }
  g.sync();
  if (warm) {
    metric.into(g, w.other, w.z);
    g.sync();
    multiply(g, w, w.z, w.v);
    real gauss;
    if constexpr (Metric::identity) {
      gauss = dot(g, w.np, w.z, w.z);
    } else {
      metric.apply(g, w.z, w.other);
      g.sync();
      gauss = dot(g, w.np, w.z, w.other);
    }
    g.sync();
    warm = 0.5_r * gauss + cost_of_rows(g, w, 1_r) <= cost_of_rows(g, w, 0_r);
    if (!warm) {
      for (int i = g.lane(); i < w.np; i += g.size()) {
        w.z[i] = 0;
      }
    }
  }
  move_entries(g, w, warm ? 1_r : 0_r);
  g.sync();
}

/// 1 / trace(M).
SWEPT_FN real solver_scale(const ModelAt<real>& m, const DataAt<real>& d) {
  real trace = 0;
  for (int i = 0; i < m->nv; ++i) {
    trace += d.M(m.M_rowadr(i) + m.M_rownnz(i) - 1).get();
  }
  return 1 / max(trace, 1e-15_r);
}

/// Write qacc = a_smooth + x and qfrc_constraint. Cooperative.
SWEPT_FN void write_result(const Group auto g, const Work& w, const DataAt<real>& d, const real* x,
                           const real* force) {
  for (int i = g.lane(); i < w.nv; i += g.size()) {
    d.qacc(i) = w.smooth[i] + x[i];
    d.qfrc_constraint(i) = force[i];
  }
}

/// Without rows the acceleration is the smooth one.
SWEPT_FN void write_smooth(const Group auto g, const Tile& t, int env) {
  const DataAt<real> d = t.data_at<real>(env / W, env % W);
  for (int i = g.lane(); i < t.model.nv; i += g.size()) {
    d.qacc(i) = d.qacc_smooth(i).get();
    d.qfrc_constraint(i) = 0_r;
  }
  if (g.lane() == 0) {
    t.solver.niter[env] = 0;
    t.solver.residual[env] = 0;
  }
}

/// Solve for environment `env` of a tile; see solve/stages.h. Cooperative.
SWEPT_FN void solve(const Group auto g, const Tile& t, int env) {
  if (t.settled[env] != 0) {
    return;
  }
  if (t.frozen[env] != 0 || t.rows.nefc[env] == 0) {
    write_smooth(g, t, env);
    return;
  }
  if (takes_newton(t, env)) {
    return;
  }
  const ModelAt<real> m = t.model_at<real>(env / W, env % W);
  const DataAt<real> d = t.data_at<real>(env / W, env % W);
  Work w = work_at(t, env);
  const TreeMetric metric{m, w.L, w.dinvsqrt, w.nv};
  const OptionView& opt = t.model.opt;
  const SolverOptions o{solver_scale(m, d), opt.tolerance, opt.ls_tolerance, opt.iterations,
                        opt.ls_iterations};

  set_up_blocks(g, &w, metric);
  start(g, w, metric, (opt.disableflags & disable_warmstart) == 0);
  gradient_at(g, w, metric, w.grad);
  const real gg = dot(g, w.np, w.grad, w.grad);
  const int niter = is_finite(gg) ? minimise(g, &w, metric, o) : 0;

  finish_rows(g, w);
  metric.gradient(g, w.grad, w.next);
  metric.out_of(g, w.z, w.search);
  constraint_force(g, w, w.other);
  real norm2 = 0;
  for (int i = g.lane(); i < w.nv; i += g.size()) {
    norm2 += w.next[i] * w.next[i];
    // a start that is not finite must be seen in qacc
    w.search[i] += gg - gg;
  }
  norm2 = g.sum(norm2);
  write_result(g, w, d, w.search, w.other);
  if (g.lane() == 0) {
    t.solver.niter[env] = niter;
    t.solver.residual[env] = o.scale * sqrt(norm2);
  }
}

}  // namespace swept::SWEPT_NS
