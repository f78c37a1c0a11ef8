// SPDX-License-Identifier: Apache-2.0
// Sparse J of a fixed tendon: the coefficients of its joints, by dof.
#pragma once

#include "kernels/constrain/row.h"

namespace swept::SWEPT_NS {

/// The dof of joint number k of a tendon.
SWEPT_FN int tendon_dof(const ModelAt<real>& m, int tendon, int k) {
  return m.jnt_dofadr(m.wrap_objid(m.tendon_adr(tendon) + k));
}

/// The smallest dof of a tendon above `after`; nv: there is none.
SWEPT_FN int next_tendon_dof(const ModelAt<real>& m, int tendon, int after) {
  int best = m->nv;
  for (int k = 0; k < m.tendon_num(tendon); ++k) {
    const int dof = tendon_dof(m, tendon, k);
    best = dof > after && dof < best ? dof : best;
  }
  return best;
}

/// Size of `rows` rows over a tendon; nothing if all of its coefficients are 0.
SWEPT_FN Extent tendon_extent(const ModelAt<real>& m, int tendon, int rows) {
  bool any = false;
  int first = 0;
  for (int k = 0; k < m.tendon_num(tendon); ++k) {
    any = any || m.wrap_prm(m.tendon_adr(tendon) + k) != 0;
    first = tendon_dof(m, tendon, k);
  }
  if (!any || rows == 0) {
    return {};
  }

  // dofs in ascending order; their chains' strips in descending order, each counted once
  int nnz = 0;
  for (int i = next_tendon_dof(m, tendon, -1); i < m->nv; i = next_tendon_dof(m, tendon, i)) {
    ++nnz;
    first = i;
  }
  int strips = 0;
  int last = -1;
  for (int i = first; i >= 0;) {
    strips += strip_of(m, i) != last ? 1 : 0;
    last = strip_of(m, i);
    // next of the union: the parent, or the largest dof of the tendon below i
    int next = m.dof_parentid(i);
    for (int k = 0; k < m.tendon_num(tendon); ++k) {
      const int dof = tendon_dof(m, tendon, k);
      next = dof < i && dof > next ? dof : next;
    }
    i = next;
  }
  return {rows, rows * nnz, rows * strips};
}

/// Write sign * J of a tendon from place `adr` on; returns the number of entries.
SWEPT_FN int write_tendon_jacobian(const RowMaker& c, int tendon, real sign, int adr) {
  int n = 0;
  for (int i = next_tendon_dof(c.m, tendon, -1); i < c.m->nv; i = next_tendon_dof(c.m, tendon, i)) {
    real coefficient = 0;
    for (int k = 0; k < c.m.tendon_num(tendon); ++k) {
      if (tendon_dof(c.m, tendon, k) == i) {
        coefficient += c.m.wrap_prm(c.m.tendon_adr(tendon) + k);
      }
    }
    c.rows.efc_J[adr + n] = sign * coefficient;
    c.rows.efc_J_colind[adr + n] = i;
    ++n;
  }
  return n;
}

}  // namespace swept::SWEPT_NS
