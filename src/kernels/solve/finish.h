// SPDX-License-Identifier: Apache-2.0
// From the solver's entries back to rows and dofs: efc_force, efc_state, qfrc_constraint.
#pragma once

#include "kernels/solve/entries.h"

namespace swept::SWEPT_NS {

/// Write the forces and zones of block b from its entries.
template <int DIM>
SWEPT_FN void finish_block(const Work& w, int b) {
  const int row = w.block_row[b];
  const int entry = w.block_entry[b];
  const int type = w.block_type(b);
  fold<DIM>(w, b, w.f + entry, w.rows.efc_force + row);

  int state = row_satisfied;
  if (type == row_contact_elliptic) {
    state = evaluate<DIM>(cone_of<DIM>(w, b), w.a + entry, w.v + entry).zone;
  } else if (type == row_contact_pyramidal) {
    for (int k = 0; k < 2 * (DIM - 1); ++k) {
      state |= w.a[entry + k] < 0 ? 1 << k : 0;
    }
  } else if (w.a[entry] <= w.lo[entry]) {
    state = row_linear_neg;
  } else if (w.a[entry] < w.hi[entry]) {
    state = row_quadratic;
  } else if (type == row_friction_dof || type == row_friction_tendon) {
    state = row_linear_pos;
  }
  for (int k = 0; k < DIM; ++k) {
    w.rows.efc_state[row + k] = state;
  }
}

/// Forces and zones of all rows. Cooperative; ends with a sync.
SWEPT_FN void finish_rows(const Group auto g, const Work& w) {
  for (int b = g.lane(); b < w.nblocks; b += g.size()) {
    with_dim(w.block_dim(b), [&]<int DIM>() { finish_block<DIM>(w, b); });
  }
  g.sync();
}

/// out = J^T efc_force with the rows' own J, out [nv]. Each lane owns dofs and adds rows in order.
/// Cooperative; ends with a sync.
SWEPT_FN void constraint_force(const Group auto g, const Work& w, real* out) {
  for (int i = g.lane(); i < w.nv; i += g.size()) {
    out[i] = 0;
  }
  const RowsAt& r = w.rows;
  for (int row = 0; row < *r.nefc; ++row) {
    const real force = r.efc_force[row];
    if (force == 0) {
      continue;
    }
    const int end = r.efc_rowadr[row] + r.efc_rownnz[row];
    for (int k = r.efc_rowadr[row]; k < end; ++k) {
      const int col = r.efc_J_colind[k];
      if (col % g.size() == g.lane()) {
        out[col] += r.efc_J[k] * force;
      }
    }
  }
  g.sync();
}

}  // namespace swept::SWEPT_NS
