// SPDX-License-Identifier: Apache-2.0
// Newton's methods over one pack of environments: which of them they take, and what they write. The
// environments with few rows take the dual method, then those with more the primal one.
#pragma once

#include "kernels/collide/lanes.h"
#include "kernels/solve/newton/dual.h"
#include "kernels/solve/newton/primal.h"
#include "kernels/solve/newton/slot_rows.h"

namespace swept::SWEPT_NS {

/// The solver of an environment.
enum class SolverKind { none, dual, primal, gradients };

/// The one of environment `env`, by its number of rows.
SWEPT_FN SolverKind solver_of(const Tile& t, int env) {
  // inert lanes have the counts of environments that stood there before
  if (env >= t.nenv || t.frozen[env] != 0 || t.settled[env] != 0 || t.rows.nefc[env] == 0) {
    return SolverKind::none;
  }
  const int n = t.rows.nefc[env];
  return n <= t.solver.dual_rows
             ? SolverKind::dual
             : (n <= t.solver.primal_rows ? SolverKind::primal : SolverKind::gradients);
}

/// Whether one of Newton's methods takes environment `env`.
SWEPT_FN bool takes_newton(const Tile& t, int env) {
  const SolverKind kind = solver_of(t, env);
  return kind == SolverKind::dual || kind == SolverKind::primal;
}

/// The lanes of V whose solver is `kind`, as bits.
template <class V>
SWEPT_FN unsigned lanes_with(const Tile& t, int env, SolverKind kind) {
  unsigned lanes = 0;
  for (int l = 0; l < lanes_of<V>; ++l) {
    lanes |= solver_of(t, env + l) == kind ? 1u << l : 0u;
  }
  return lanes;
}

/// Elements per environment that both methods get along with.
SWEPT_HD constexpr long long newton_size(long long dual_rows, long long primal_rows, long long nv) {
  const long long dual = dual_size(dual_rows, nv), primal = primal_size(primal_rows, nv);
  return dual > primal ? dual : primal;
}

/// The memory, for as many slots as the longest of `lanes` needs.
///   room   most rows of the method
template <class V>
SWEPT_FN Slots<V> slots_of(const Tile& t, int env, unsigned lanes, int room) {
  Slots<V> w{};
  w.nv = t.model.nv;
  w.room = room;
  w.base = t.solver.slots +
           (env / W) * newton_size(t.solver.dual_rows, t.solver.primal_rows, w.nv) * W + env % W;
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

/// Out of z: qacc - qacc_smooth = L^-1 D^-1/2 z and qfrc_constraint = L^T D^1/2 z. z is used up.
///   taken   lanes that are written
template <class V>
SWEPT_FN void write_dofs(const Slots<V>& w, const ModelAt<V>& m, const DataAt<V>& d,
                         mask_t<V> taken) {
  const Slice<V> L = slice(d.qLD(0)), dinv = slice(d.qLDiagInv(0));
  // a residual that is not finite must be seen in qacc
  V spoiled(0_r);
  for (int s = 0; s < w.n; ++s) {
    const V b = w.vec(slot_b, s);
    spoiled += b - b;
  }
  for (int i = 0; i < w.nv; ++i) {
    w.dof(dof_z)(i) += spoiled;
  }
  const Slice<V> force = slice(d.qfrc_constraint(0)), qacc = slice(d.qacc(0)),
                 smooth = slice(d.qacc_smooth(0));
  for (int i = 0; i < w.nv; ++i) {
    force(i) = select(taken, V(0_r), V(force(i)));
  }
  for (int i = 0; i < w.nv; ++i) {
    const int adr = m.M_rowadr(i), depth = m.dof_depth(i);
    const V root = sqrt(V(dinv(i)));
    const V up = V(w.dof(dof_z)(i)) / root;
    V x = V(w.dof(dof_z)(i)) * root;
    for (int c = 0; c < depth; ++c) {
      const int j = m.M_colind(adr + c);
      const V l = L(adr + c);
      force(j) = select(taken, V(fma(l, up, V(force(j)))), V(force(j)));
      x = fma(-l, V(w.dof(dof_z)(j)), x);
    }
    force(i) = select(taken, V(V(force(i)) + up), V(force(i)));
    // z(i) is not read again but as x by the descendants
    w.dof(dof_z)(i) = x;
    qacc(i) = select(taken, V(V(smooth(i)) + x), V(qacc(i)));
  }
}

/// Norm of z - Y f over the dofs, L^T D^1/2 (z - Y f): the gradient. Uses up the step.
template <class V>
SWEPT_FN V newton_residual(const Slots<V>& w, const ModelAt<V>& m, const DataAt<V>& d) {
  const Slice<V> L = slice(d.qLD(0)), dinv = slice(d.qLDiagInv(0));
  const Slice<V> rest = w.dof(dof_step), out = w.dof(dof_column);
  multiply_Y(w, slot_f, rest);
  for (int i = 0; i < w.nv; ++i) {
    out(i) = V(0_r);
  }
  for (int i = 0; i < w.nv; ++i) {
    const int adr = m.M_rowadr(i), depth = m.dof_depth(i);
    const V up = (V(w.dof(dof_z)(i)) - V(rest(i))) / sqrt(V(dinv(i)));
    for (int c = 0; c < depth; ++c) {
      const int j = m.M_colind(adr + c);
      out(j) = fma(V(L(adr + c)), up, V(out(j)));
    }
    out(i) += up;
  }
  V norm2(0_r);
  for (int i = 0; i < w.nv; ++i) {
    norm2 = fma(V(out(i)), V(out(i)), norm2);
  }
  return sqrt(norm2);
}

/// 1 / trace(M).
template <class V>
SWEPT_FN V newton_scale(const ModelAt<V>& m, const DataAt<V>& d) {
  V trace(0_r);
  for (int i = 0; i < m->nv; ++i) {
    trace += V(d.M(m.M_rowadr(i) + m.M_rownnz(i) - 1));
  }
  return V(1_r) / max(trace, V(1e-15_r));
}

/// Run a method for the lanes in `lanes`, and leave z and lambda. Returns the iterations.
template <class V>
SWEPT_FN V run_newton(const Slots<V>& w, SolverKind kind, mask_t<V> taken, V scale,
                      const ModelAt<V>& m, const DataAt<V>& d) {
  const OptionView& opt = m->opt;
  SlotLinks links;
  find_links(w, &links);
  if (kind == SolverKind::dual) {
    load_A(w);
    const V niter =
        minimise_newton(DualMethod<V>{w, links}, taken, scale, opt.tolerance, opt.iterations);
    multiply_Y(w, slot_lambda, w.dof(dof_z));
    return niter;
  }
  const V niter =
      minimise_newton(PrimalMethod<V>{w, links, m, d}, taken, scale, opt.tolerance, opt.iterations);
  for (int s = 0; s < w.n; ++s) {
    w.vec(slot_lambda, s) = V(w.vec(slot_f, s));
  }
  return niter;
}

/// Solve for the environments of one V whose solver is `kind`: qacc, qfrc_constraint, efc_force,
/// efc_state, niter and residual. The others keep what they have.
template <class V>
SWEPT_FN void solve_newton(const Tile& t, int block, int lane0, SolverKind kind) {
  const int env = block * W + lane0;
  const unsigned lanes = lanes_with<V>(t, env, kind);
  if (lanes == 0) {
    return;
  }
  const ModelAt<V> m = t.model_at<V>(block, lane0);
  const DataAt<V> d = t.data_at<V>(block, lane0);
  const int room = kind == SolverKind::dual ? t.solver.dual_rows : t.solver.primal_rows;
  const Slots<V> w = slots_of<V>(t, env, lanes, room);
  const mask_t<V> taken = from_bits<V>(lanes);
  load_slots(w, t, env, lanes);
  load_Y(w, m, d);
  const V scale = newton_scale(m, d);
  const V niter = run_newton(w, kind, taken, scale, m, d);
  const V residual = scale * newton_residual(w, m, d);
  write_dofs(w, m, d, taken);
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

/// Solve for the environments of one V that takes_newton() names.
template <class V>
SWEPT_FN void solve_newton(const Tile& t, int block, int lane0) {
  solve_newton<V>(t, block, lane0, SolverKind::dual);
  solve_newton<V>(t, block, lane0, SolverKind::primal);
}

}  // namespace swept::SWEPT_NS
