// SPDX-License-Identifier: Apache-2.0
// The rows of one environment: the registry of kinds, in MuJoCo's order. Every kind says how many
// items it has, how large the rows of an item are, and fills them:
//
//   items(c)               dofs, joints, tendons or contacts to look at
//   extent(c, item)        rows, nonzeros of J; nothing if the item makes no row now
//   fill(c, item, place)   write them from place.row and place.adr on
//
// Places follow from a scan over the lanes, so rows stand in the order of items whatever the group.
#pragma once

#include "kernels/base/atomic.h"
#include "kernels/base/group.h"
#include "kernels/constrain/contact_rows.h"
#include "kernels/constrain/friction_rows.h"
#include "kernels/constrain/limit_rows.h"
#include "kernels/constrain/stages.h"

namespace swept::SWEPT_NS {

/// Append the rows of one kind to `total`. Rows that do not fit are counted, not written.
/// Cooperative; the rows are visible to all lanes after the next sync().
template <class Kind>
SWEPT_FN void append_rows(const Group auto g, const RowMaker& c, const Kind& kind, Extent* total) {
  const int items = kind.items(c);
  for (int base = 0; base < items; base += g.size()) {
    const int item = base + g.lane();
    const Extent e = item < items ? kind.extent(c, item) : Extent{};
    const Place at{total->rows + g.exclusive_scan(e.rows), total->nnz + g.exclusive_scan(e.nnz)};
    if (e.rows > 0 && at.row + e.rows <= c.rows.capacity && at.adr + e.nnz <= c.rows.capacity_nnz) {
      kind.fill(c, item, at);
    }
    total->rows += g.sum(e.rows);
    total->nnz += g.sum(e.nnz);
    total->strips += g.sum(e.strips);
  }
}

/// All rows of an environment in MuJoCo's order; returns their size. Cooperative; ends with a
/// sync.
SWEPT_FN Extent make_rows(const Group auto g, const RowMaker& c) {
  Extent total;
  if ((c.m->opt.disableflags & disable_constraint) == 0) {
    append_rows(g, c, DofFrictionRows{}, &total);
    append_rows(g, c, TendonFrictionRows{}, &total);
    append_rows(g, c, JointLimitRows{}, &total);
    append_rows(g, c, TendonLimitRows{}, &total);
    append_rows(g, c, ContactRows{}, &total);
  }
  g.sync();
  return total;
}

/// Make the rows of environment `env` of a tile; see constrain/stages.h.
SWEPT_FN void make_rows(const Group auto g, const Tile& t, int env) {
  if (t.settled[env] != 0) {
    return;
  }
  const RowMaker c{t.model_at<real>(env / W, env % W),
                   t.data_at<real>(env / W, env % W),
                   t.contacts_at(env),
                   t.rows_at(env),
                   t.model_at<real>(env / W, env % W).opt_timestep(0),
                   (t.model.opt.disableflags & disable_refsafe) == 0};
  const Extent total = t.frozen[env] != 0 ? Extent{} : make_rows(g, c);
  if (g.lane() != 0) {
    return;
  }

  // the solver keeps its own copy of J in strips: both have to fit
  const int nonzeros = max(total.nnz, total.strips * strip_size);
  atomic_max(&t.control->need.rows, total.rows);
  atomic_max(&t.control->need.nonzeros, nonzeros);
  const bool fits = total.rows <= t.rows.capacity && nonzeros <= t.rows.capacity_nnz;
  *c.rows.nefc = fits ? total.rows : 0;
  *c.rows.nnz = fits ? total.nnz : 0;
  if (!fits) {
    t.control->halt = halt_rows;
  }
}

}  // namespace swept::SWEPT_NS
