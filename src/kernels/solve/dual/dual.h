// SPDX-License-Identifier: Apache-2.0
// The dual solver over one pack of environments: which of them it takes, and what it writes.
#pragma once

#include "kernels/collide/lanes.h"
#include "kernels/solve/dual/dual_newton.h"

namespace swept::SWEPT_NS {

/// Whether the dual solver takes environment `env`: it has rows, and not too many.
SWEPT_FN bool takes_dual(const Tile& t, int env) {
  // inert lanes have the counts of environments that stood there before
  if (env >= t.nenv) {
    return false;
  }
  const int n = t.rows.nefc[env];
  return t.frozen[env] == 0 && n > 0 && n <= t.solver.dual_rows;
}

/// The lanes of V that the dual solver takes, as bits.
template <class V>
SWEPT_FN unsigned dual_lanes(const Tile& t, int env) {
  unsigned lanes = 0;
  for (int l = 0; l < lanes_of<V>; ++l) {
    lanes |= takes_dual(t, env + l) ? 1u << l : 0u;
  }
  return lanes;
}

/// The memory, for as many slots as the longest of `lanes` needs.
template <class V>
SWEPT_FN DualWork<V> dual_work(const Tile& t, int env, unsigned lanes) {
  DualWork<V> w{};
  w.nv = t.model.nv;
  w.room = t.solver.dual_rows;
  w.base = t.solver.dual + (env / W) * dual_size(w.room, w.nv) * W + env % W;
  for (int l = 0; l < lanes_of<V>; ++l) {
    if ((lanes >> l & 1u) != 0) {
      const RowsAt rows = t.rows_at(env + l);
      w.n = *rows.nefc > w.n ? *rows.nefc : w.n;
      for (int i = 0; i < *rows.nefc; ++i) {
        w.any_cone = w.any_cone || rows.efc_type[i] == row_contact_elliptic;
      }
    }
  }
  return w;
}

/// x, out of z = Y lambda: qacc - qacc_smooth = L^-1 D^-1/2 z and qfrc_constraint = L^T D^1/2 z.
///   taken   lanes that are written
template <class V>
SWEPT_FN void write_dofs(const DualWork<V>& w, const ModelAt<V>& m, const DataAt<V>& d,
                         mask_t<V> taken) {
  const Slice<V> L = slice(d.qLD(0)), dinv = slice(d.qLDiagInv(0));
  // a residual that is not finite must be seen in qacc
  V spoiled(0_r);
  for (int s = 0; s < w.n; ++s) {
    const V b = w.vec(dual_b, s);
    spoiled += b - b;
  }
  for (int i = 0; i < w.nv; ++i) {
    V sum(0_r);
    for (int s = 0; s < w.n; ++s) {
      sum = fma(V(w.Y(s)(i)), V(w.vec(dual_lambda, s)), sum);
    }
    w.z()(i) = sum + spoiled;
  }
  const Slice<V> force = slice(d.qfrc_constraint(0)), qacc = slice(d.qacc(0)),
                 smooth = slice(d.qacc_smooth(0));
  for (int i = 0; i < w.nv; ++i) {
    force(i) = select(taken, V(0_r), V(force(i)));
  }
  for (int i = 0; i < w.nv; ++i) {
    const int adr = m.M_rowadr(i), depth = m.dof_depth(i);
    const V root = sqrt(V(dinv(i)));
    const V up = V(w.z()(i)) / root;
    V x = V(w.z()(i)) * root;
    for (int c = 0; c < depth; ++c) {
      const int j = m.M_colind(adr + c);
      const V l = L(adr + c);
      force(j) = select(taken, V(fma(l, up, V(force(j)))), V(force(j)));
      x = fma(-l, V(w.z()(j)), x);
    }
    force(i) = select(taken, V(V(force(i)) + up), V(force(i)));
    // z(i) is not read again but as x by the descendants
    w.z()(i) = x;
    qacc(i) = select(taken, V(V(smooth(i)) + x), V(qacc(i)));
  }
}

/// Norm of J^T (lambda - f), the gradient over the dofs: L^T D^1/2 Y (lambda - f).
template <class V>
SWEPT_FN V dual_residual(const DualWork<V>& w, const ModelAt<V>& m, const DataAt<V>& d) {
  const Slice<V> L = slice(d.qLD(0)), dinv = slice(d.qLDiagInv(0));
  for (int s = 0; s < w.n; ++s) {
    w.vec(dual_c, s) = V(w.vec(dual_lambda, s)) - V(w.vec(dual_f, s));
  }
  for (int i = 0; i < w.nv; ++i) {
    w.z()(i) = V(0_r);
  }
  for (int i = 0; i < w.nv; ++i) {
    V sum(0_r);
    for (int s = 0; s < w.n; ++s) {
      sum = fma(V(w.Y(s)(i)), V(w.vec(dual_c, s)), sum);
    }
    const int adr = m.M_rowadr(i), depth = m.dof_depth(i);
    const V up = sum / sqrt(V(dinv(i)));
    for (int c = 0; c < depth; ++c) {
      const int j = m.M_colind(adr + c);
      w.z()(j) = fma(V(L(adr + c)), up, V(w.z()(j)));
    }
    w.z()(i) += up;
  }
  V norm2(0_r);
  for (int i = 0; i < w.nv; ++i) {
    norm2 = fma(V(w.z()(i)), V(w.z()(i)), norm2);
  }
  return sqrt(norm2);
}

/// 1 / trace(M).
template <class V>
SWEPT_FN V dual_scale(const ModelAt<V>& m, const DataAt<V>& d) {
  V trace(0_r);
  for (int i = 0; i < m->nv; ++i) {
    trace += V(d.M(m.M_rowadr(i) + m.M_rownnz(i) - 1));
  }
  return V(1_r) / max(trace, V(1e-15_r));
}

/// Solve for the environments of one V that takes_dual() names: qacc, qfrc_constraint, efc_force,
/// efc_state, niter and residual. The others keep what they have.
template <class V>
SWEPT_FN void solve_dual(const Tile& t, int block, int lane0) {
  const int env = block * W + lane0;
  const unsigned lanes = dual_lanes<V>(t, env);
  if (lanes == 0) {
    return;
  }
  const ModelAt<V> m = t.model_at<V>(block, lane0);
  const DataAt<V> d = t.data_at<V>(block, lane0);
  const DualWork<V> w = dual_work<V>(t, env, lanes);
  const mask_t<V> taken = from_bits<V>(lanes);
  load_slots(w, t, env, lanes);
  load_inertia(w, m, d);
  const V scale = dual_scale(m, d);
  const V niter = minimise_dual(w, taken, scale, t.model.opt.tolerance, t.model.opt.iterations);
  write_dofs(w, m, d, taken);
  const V residual = scale * dual_residual(w, m, d);
  for (int l = 0; l < lanes_of<V>; ++l) {
    if ((lanes >> l & 1u) != 0) {
      const RowsAt rows = t.rows_at(env + l);
      for (int row = 0; row < *rows.nefc; row += rows.efc_dim[row]) {
        store_block(w, rows, row, l);
      }
      t.solver.niter[env + l] = static_cast<int>(lane(niter, l));
      t.solver.residual[env + l] = lane(residual, l);
    }
  }
}

}  // namespace swept::SWEPT_NS
