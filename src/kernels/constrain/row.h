// SPDX-License-Identifier: Apache-2.0
// What every kind of row shares: the views of one environment, sizes and places, and the rows that
// stand alone (friction loss and limits).
#pragma once

#include "kernels/base/tile.h"
#include "kernels/constrain/impedance.h"

namespace swept::SWEPT_NS {

/// One environment as the kinds of rows see it.
struct RowMaker {
  ModelAt<real> m;
  DataAt<real> d;
  ContactsAt contacts;
  RowsAt rows;
  real timestep;
  bool refsafe;
};

/// Size of one item's rows, or a sum of sizes.
///   strips   strips of dofs (base/strip.h), times rows, that the solver's copy of J takes
struct Extent {
  int rows = 0;
  int nnz = 0;
  int strips = 0;
};

/// Where an item's rows start.
struct Place {
  int row;
  int adr;
};

/// The strip of dof i.
SWEPT_FN int strip_of(const ModelAt<real>& m, int i) {
  return m.dof_place(i) / strip_size;
}

/// Number of strips that the chain of dof i touches.
SWEPT_FN int chain_strips(const ModelAt<real>& m, int i) {
  int n = 0;
  int last = -1;
  for (; i >= 0; i = m.dof_parentid(i)) {
    n += strip_of(m, i) != last ? 1 : 0;
    last = strip_of(m, i);
  }
  return n;
}

/// A row that stands alone; J is already in place.
struct SingleRow {
  int type;
  int id;
  int nnz;
  real pos;
  real margin;
  real frictionloss;  // 0: a limit
  real inverse_inertia;
  SolRef solref;
  SolImp solimp;
};

/// Write all numbers of a row whose J stands at `at.adr`.
SWEPT_FN void write_row(const RowMaker& c, Place at, const SingleRow& s) {
  const RowsAt& r = c.rows;
  const int i = at.row;
  real vel = 0;
  real acc = 0;
  for (int k = at.adr; k < at.adr + s.nnz; ++k) {
    vel += r.efc_J[k] * c.d.qvel(r.efc_J_colind[k]).get();
    acc += r.efc_J[k] * c.d.qacc_smooth(r.efc_J_colind[k]).get();
  }

  const SolRef ref = checked_solref(s.solref, {0.02_r, 1_r}, c.timestep, c.refsafe);
  Response response = respond(ref, s.solimp, s.pos - s.margin);
  if (s.frictionloss > 0) {
    response.K = 0;
  }
  const real R = regularisation(response.I, s.inverse_inertia);
  const real aref = -response.B * vel - response.K * response.I * (s.pos - s.margin);

  r.efc_type[i] = s.type;
  r.efc_id[i] = s.id;
  r.efc_dim[i] = 1;
  r.efc_rowadr[i] = at.adr;
  r.efc_rownnz[i] = s.nnz;
  r.efc_state[i] = 0;
  r.efc_pos[i] = s.pos;
  r.efc_margin[i] = s.margin;
  r.efc_frictionloss[i] = s.frictionloss;
  r.efc_diagA[i] = R * response.I / (1 - response.I);
  r.efc_R[i] = R;
  r.efc_D[i] = 1 / R;
  r.efc_K[i] = response.K;
  r.efc_B[i] = response.B;
  r.efc_I[i] = response.I;
  r.efc_mu[i] = 0;
  r.efc_vel[i] = vel;
  r.efc_aref[i] = aref;
  r.efc_b[i] = acc - aref;
  r.efc_force[i] = 0;
}

}  // namespace swept::SWEPT_NS
