// SPDX-License-Identifier: Apache-2.0
// Brings a state of the official library to the point before the constraint rows, and turns rows
// into the official form.
#pragma once

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "support/oracle_tile.h"

namespace swept::SWEPT_NS {

/// Room for anything that the scenes of the tests make.
inline OracleCapacity row_capacity(const mjModel* m) {
  OracleCapacity capacity;
  capacity.contacts = 400;
  capacity.rows = 6 * capacity.contacts + 2 * static_cast<int>(m->njnt + m->nv + m->ntendon);
  capacity.nonzeros = capacity.rows * (static_cast<int>(m->nv) + 2 * W);
  return capacity;
}

/// Copy what rows and solver read, contacts included, from mjData after mj_forward.
inline void load_before_rows(OracleTile& tile, int env, const mjModel* m, const mjData* d) {
  tile.load_state(env, d);
  tile.write(&Layout::cdof, env, d->cdof);
  tile.write(&Layout::subtree_com, env, d->subtree_com);
  tile.write(&Layout::ten_length, env, d->ten_length);
  tile.write(&Layout::geom_xpos, env, d->geom_xpos);
  tile.write(&Layout::geom_xmat, env, d->geom_xmat);
  tile.write(&Layout::qacc_smooth, env, d->qacc_smooth);
  tile.write_inertia(&Layout::M, env, m, d->M);
  tile.write_inertia(&Layout::qLD, env, m, d->qLD);
  tile.write(&Layout::qLDiagInv, env, d->qLDiagInv);
  const ContactsAt c = tile->contacts_at(env);
  *c.ncon = static_cast<int>(d->ncon);
  const auto fill = [](real& place, double x) { place = static_cast<real>(x); };
  for (int k = 0; k < *c.ncon; ++k) {
    const mjContact& from = d->contact[k];
    fill(c.dist(k), from.dist);
    fill(c.includemargin(k), from.includemargin);
    for (int i = 0; i < 3; ++i) {
      fill(c.pos(k, i), from.pos[i]);
      fill(c.pos2(k, i), from.pos[i]);
    }
    for (int i = 0; i < 9; ++i) {
      fill(c.frame(k, i), from.frame[i]);
    }
    for (int i = 0; i < 5; ++i) {
      fill(c.friction(k, i), from.friction[i]);
      fill(c.solimp(k, i), from.solimp[i]);
    }
    for (int i = 0; i < 2; ++i) {
      fill(c.solref(k, i), from.solref[i]);
      fill(c.solreffriction(k, i), from.solreffriction[i]);
    }
    c.geom1(k) = from.geom[0];
    c.geom2(k) = from.geom[1];
    c.dim(k) = from.dim;
    c.exclude(k) = from.exclude;
    c.efc_address(k) = -1;
  }
}

/// One value per official row, of a quantity that is linear in the rows: value(row of the tile),
/// with pyramids as edges.
template <class F>
std::vector<double> expand_rows(const RowsAt& r, const F& value) {
  std::vector<double> out;
  for (int i = 0; i < *r.nefc; ++i) {
    if (r.efc_dim[i] > 0 && r.efc_type[i] == row_contact_pyramidal) {
      for (int k = 1; k < r.efc_dim[i]; ++k) {
        const double mu = static_cast<double>(r.efc_mu[i + k]);
        out.push_back(value(i) + mu * value(i + k));
        out.push_back(value(i) - mu * value(i + k));
      }
    } else if (r.efc_type[i] != row_contact_pyramidal) {
      out.push_back(value(i));
    }
  }
  return out;
}

/// One value per official row, of a quantity that a block has once: value(row of the tile).
template <class F>
std::vector<double> repeat_rows(const RowsAt& r, const F& value) {
  std::vector<double> out;
  for (int i = 0; i < *r.nefc; ++i) {
    if (r.efc_type[i] != row_contact_pyramidal) {
      out.push_back(static_cast<double>(value(i)));
    } else if (r.efc_dim[i] > 0) {
      out.insert(out.end(), static_cast<std::size_t>(2 * (r.efc_dim[i] - 1)),
                 static_cast<double>(value(i)));
    }
  }
  return out;
}

/// Force on every official row; pyramids are told apart by edge from the residual at qacc.
///   residual(i)   J qacc - aref of row i of the tile
template <class F>
std::vector<double> official_forces(const RowsAt& r, const F& residual) {
  std::vector<double> out = expand_rows(r, residual);
  const std::vector<double> D = repeat_rows(r, [&](int i) { return r.efc_D[i]; });
  std::size_t k = 0;
  for (int i = 0; i < *r.nefc; ++i) {
    if (r.efc_type[i] != row_contact_pyramidal) {
      out[k++] = static_cast<double>(r.efc_force[i]);
    } else if (r.efc_dim[i] > 0) {
      for (int e = 0; e < 2 * (r.efc_dim[i] - 1); ++e, ++k) {
        out[k] = std::max(0.0, -D[k] * out[k]);
      }
    }
  }
  return out;
}

/// Entry (row, dof) of the tile's J.
inline double jacobian_entry(const RowsAt& r, int row, int dof) {
  for (int k = r.efc_rowadr[row]; k < r.efc_rowadr[row] + r.efc_rownnz[row]; ++k) {
    if (r.efc_J_colind[k] == dof) {
      return static_cast<double>(r.efc_J[k]);
    }
  }
  return 0;
}

}  // namespace swept::SWEPT_NS
