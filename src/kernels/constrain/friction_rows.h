// SPDX-License-Identifier: Apache-2.0
// Rows of dry friction: the force on a dof or along a tendon is bounded by frictionloss.
#pragma once

#include <swept/types.h>

#include "kernels/constrain/tendon.h"

namespace swept::SWEPT_NS {

/// One row per dof with frictionloss.
struct DofFrictionRows {
  SWEPT_FN int items(const RowMaker& c) const {
    return (c.m->opt.disableflags & disable_frictionloss) != 0 ? 0 : c.m->nv;
  }
  SWEPT_FN Extent extent(const RowMaker& c, int dof) const {
    if (!(c.m.dof_frictionloss(dof) > 0)) {
      return {};
    }
    return {1, 1, chain_strips(c.m, dof)};
  }
  SWEPT_FN void fill(const RowMaker& c, int dof, Place at) const {
    const ModelAt<real>& m = c.m;
    c.rows.efc_J[at.adr] = 1;
    c.rows.efc_J_colind[at.adr] = dof;
    write_row(c, at,
              {row_friction_dof,
               dof,
               1,
               0,
               0,
               m.dof_frictionloss(dof),
               m.dof_invweight0(dof),
               {m.dof_solref(2 * dof), m.dof_solref(2 * dof + 1)},
               checked_solimp([&](int i) { return m.dof_solimp(5 * dof + i); })});
  }
};

/// One row per tendon with frictionloss.
struct TendonFrictionRows {
  SWEPT_FN int items(const RowMaker& c) const {
    return (c.m->opt.disableflags & disable_frictionloss) != 0 ? 0 : c.m->ntendon;
  }
  SWEPT_FN Extent extent(const RowMaker& c, int tendon) const {
    return tendon_extent(c.m, tendon, c.m.tendon_frictionloss(tendon) > 0 ? 1 : 0);
  }
  SWEPT_FN void fill(const RowMaker& c, int tendon, Place at) const {
    const ModelAt<real>& m = c.m;
    const int nnz = write_tendon_jacobian(c, tendon, 1, at.adr);
    write_row(c, at,
              {row_friction_tendon,
               tendon,
               nnz,
               0,
               0,
               m.tendon_frictionloss(tendon),
               m.tendon_invweight0(tendon),
               {m.tendon_solref_fri(2 * tendon), m.tendon_solref_fri(2 * tendon + 1)},
               checked_solimp([&](int i) { return m.tendon_solimp_fri(5 * tendon + i); })});
  }
};

}  // namespace swept::SWEPT_NS
