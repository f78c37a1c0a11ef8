// SPDX-License-Identifier: Apache-2.0
// Set-up of the solver's blocks and entries from the rows.
#pragma once

#include "kernels/solve/entries.h"
#include "kernels/solve/metric.h"

namespace swept::SWEPT_NS {

/// Interval of a scalar row (see entries.h).
struct Interval {
  real lo, hi;
};

/// The interval of a row by its type.
SWEPT_FN Interval interval_of(const RowsAt& r, int row) {
  switch (r.efc_type[row]) {
    case row_equality:
      return {-unbounded, unbounded};
    case row_friction_dof:
    case row_friction_tendon: {
      const real bound = r.efc_R[row] * r.efc_frictionloss[row];
      return {-bound, bound};
    }
    default:
      return {-unbounded, 0_r};
  }
}

/// Fill the entries of block b.
template <int DIM>
SWEPT_FN void fill_entries(const Work& w, int b) {
  const int row = w.block_row[b];
  const int entry = w.block_entry[b];
  expand<DIM>(w, b, w.rows.efc_b + row, w.a + entry);
  const bool pyramid = DIM > 1 && w.block_type(b) == row_contact_pyramidal;
  const bool cone = DIM > 1 && !pyramid;
  const Interval interval = interval_of(w.rows, row);
  const int n = pyramid ? 2 * (DIM - 1) : DIM;
  for (int k = 0; k < n; ++k) {
    w.D[entry + k] = cone ? 0_r : w.rows.efc_D[row];
    w.lo[entry + k] = cone ? 0_r : interval.lo;
    w.hi[entry + k] = cone ? 0_r : interval.hi;
    w.v[entry + k] = 0;
  }
}

/// List the blocks, whiten their J and fill their entries with the residuals at a_smooth.
/// Cooperative; ends with a sync.
template <class Metric>
SWEPT_FN void set_up_blocks(const Group auto g, Work* w, const Metric& metric) {
  const RowsAt& r = w->rows;
  const int nefc = *r.nefc;
  int blocks = 0;
  int entries = 0;
  int adr = 0;
  bool any_cone = false;
  for (int base = 0; base < nefc; base += g.size()) {
    const int row = base + g.lane();
    const int dim = row < nefc ? r.efc_dim[row] : 0;
    int strips = 0;
    int n = 0;
    if (dim > 0) {
      strips = metric.count_strips(r.efc_J_colind + r.efc_rowadr[row], r.efc_rownnz[row]);
      n = r.efc_type[row] == row_contact_pyramidal ? 2 * (dim - 1) : dim;
      any_cone = any_cone || r.efc_type[row] == row_contact_elliptic;
    }
    const int b = blocks + g.exclusive_scan(dim > 0 ? 1 : 0);
    const int entry = entries + g.exclusive_scan(n);
    const int place = adr + g.exclusive_scan(dim * strips * strip_size);
    if (dim > 0) {
      w->block_row[b] = row;
      w->block_entry[b] = entry;
      w->block_adr[b] = place;
      w->block_strips[b] = strips;
    }
    blocks += g.sum(dim > 0 ? 1 : 0);
    entries += g.sum(n);
    adr += g.sum(dim * strips * strip_size);
  }
  w->nblocks = blocks;
  w->nentry = static_cast<int>(SolverView::padded(entries));
  w->any_cone = g.any(any_cone);
  g.sync();

  // padding, then the blocks themselves
  for (int i = entries + g.lane(); i < w->nentry; i += g.size()) {
    w->a[i] = w->v[i] = w->D[i] = w->lo[i] = w->hi[i] = 0;
  }
  for (int b = g.lane(); b < blocks; b += g.size()) {
    with_dim(w->block_dim(b), [&]<int DIM>() {
      metric.template whiten<DIM>(*w, b);
      fill_entries<DIM>(*w, b);
    });
  }
  g.sync();
}

}  // namespace swept::SWEPT_NS
