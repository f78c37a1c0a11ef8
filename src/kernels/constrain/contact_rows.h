// SPDX-License-Identifier: Apache-2.0
// Rows of contacts: dim basis rows each, normal, two tangents, spin and two rolls,
//
//   row k:  frame_k . (J2 - J1)         J_b the Jacobian of the contact point, fixed to body b
//
// over the dofs that move one body only; dofs that move both cancel. Body 1 feels the contact at
// pos, body 2 at pos2. Cones differ in regularisation and reference alone:
//
//   pyramidal   A = tran + mu_1^2 tran, R = 2 mu^2 R_0 on all rows, K on row 0
//   elliptic    R_1 = R_0 / impratio, R_k = R_1 mu_1^2 / mu_k^2, B of further rows from
//               solreffriction
//
// with mu = mu_1 sqrt(R_1 / R_0), and mu_k = friction[k-1]. Where surfaces move, their velocity adds
// to J qvel of the tangents and of spin.
//
// Speculative contacts in the mode robust have a normal row of their own, see foreseen.h.
#pragma once

#include <swept/types.h>

#include "kernels/constrain/foreseen.h"
#include "kernels/constrain/surface_velocity.h"

namespace swept::SWEPT_NS {

/// J qvel and J qacc_smooth of the rows of one contact.
struct ContactRates {
  real vel[6];
  real acc[6];
};

/// One block of rows per contact that pushes.
struct ContactRows {
  SWEPT_FN int items(const RowMaker& c) const {
    return (c.m->opt.disableflags & disable_contact) != 0 ? 0 : *c.contacts.ncon;
  }

  SWEPT_FN Extent extent(const RowMaker& c, int con) const {
    const ModelAt<real>& m = c.m;
    c.contacts.efc_address(con) = -1;
    c.contacts.mu(con) = 0;
    if (moving_surfaces(*m.view)) {
      write_surface_velocity(c, con);
    }
    if (c.contacts.exclude(con) != 0) {
      return {};
    }
    // walk both chains down to the common part, then that
    int i1 = m.body_lastdof(m.geom_bodyid(c.contacts.geom1(con)));
    int i2 = m.body_lastdof(m.geom_bodyid(c.contacts.geom2(con)));
    int nnz = 0;
    int strips = 0;
    int last = -1;
    while (i1 != i2) {
      const int i = i1 > i2 ? i1 : i2;
      strips += strip_of(m, i) != last ? 1 : 0;
      last = strip_of(m, i);
      ++nnz;
      (i1 > i2 ? i1 : i2) = m.dof_parentid(i);
    }
    if (nnz == 0) {
      c.contacts.exclude(con) = 3;
      return {};
    }
    int common = 0;
    for (int i = i1; i >= 0; i = m.dof_parentid(i)) {
      strips += strip_of(m, i) != last ? 1 : 0;
      last = strip_of(m, i);
      ++common;
    }
    const int dim = c.contacts.dim(con);
    const int work = is_foreseen(c, con) ? nnz + common : 0;
    return {dim, dim * nnz + work, dim * strips};
  }

  SWEPT_FN void fill(const RowMaker& c, int con, Place at) const {
    c.contacts.efc_address(con) = at.row;
    switch (c.contacts.dim(con)) {
      case 1:
        return fill_dim<1>(c, con, at);
      case 3:
        return fill_dim<3>(c, con, at);
      case 4:
        return fill_dim<4>(c, con, at);
      default:
        return fill_dim<6>(c, con, at);
    }
  }

 private:
  template <int DIM>
  SWEPT_FN static void fill_dim(const RowMaker& c, int con, Place at) {
    const ModelAt<real>& m = c.m;
    int i1 = m.body_lastdof(m.geom_bodyid(c.contacts.geom1(con)));
    int i2 = m.body_lastdof(m.geom_bodyid(c.contacts.geom2(con)));
    int nnz = 0;
    for (int j1 = i1, j2 = i2; j1 != j2; ++nnz) {
      (j1 > j2 ? j1 : j2) = m.dof_parentid(j1 > j2 ? j1 : j2);
    }
    ContactRates rates = fill_jacobian<DIM>(c, con, at.adr, nnz, i1, i2);
    if (DIM > 1 && moving_surfaces(*m.view)) {
      for (int k = 1; k < (DIM < 4 ? DIM : 4); ++k) {
        rates.vel[k] += c.contacts.surfacevel(con, k - 1);
      }
    }
    for (int k = 0; k < DIM; ++k) {
      c.rows.efc_rowadr[at.row + k] = at.adr + k * nnz;
      c.rows.efc_rownnz[at.row + k] = nnz;
    }
    real tran = c.m.body_invweight0(2 * c.m.geom_bodyid(c.contacts.geom1(con))) +
                c.m.body_invweight0(2 * c.m.geom_bodyid(c.contacts.geom2(con)));
    RowEffect effect;
    if (is_foreseen(c, con)) {
      effect = effect_of_row(c, {at.adr, nnz}, i1, i2, at.adr + DIM * nnz);
      tran = effect.inertia;
    }
    fill_parameters<DIM>(c, con, at.row, rates, tran, effect);
  }

  SWEPT_FN static Vec3<real> arm(const RowMaker& c, int con, int body, bool second) {
    const int root = c.m.body_rootid(body);
    const auto at = [&](int i) {
      return second ? c.contacts.pos2(con, i) : c.contacts.pos(con, i);
    };
    return Vec3<real>{at(0), at(1), at(2)} - vec3(c.d.subtree_com(3 * root));
  }

  // columns from the last to the first
  template <int DIM>
  SWEPT_FN static ContactRates fill_jacobian(const RowMaker& c, int con, int adr, int nnz, int i1,
                                             int i2) {
    const ContactsAt& contacts = c.contacts;
    const int body1 = c.m.geom_bodyid(contacts.geom1(con));
    const int body2 = c.m.geom_bodyid(contacts.geom2(con));
    const Vec3<real> arm1 = arm(c, con, body1, false);
    const Vec3<real> arm2 = arm(c, con, body2, true);
    Vec3<real> axis[3];
    for (int k = 0; k < 3; ++k) {
      axis[k] = {contacts.frame(con, 3 * k), contacts.frame(con, 3 * k + 1),
                 contacts.frame(con, 3 * k + 2)};
    }

    ContactRates rates{};
    for (int p = adr + nnz - 1; i1 != i2; --p) {
      const bool second = i2 > i1;
      const int i = second ? i2 : i1;
      (second ? i2 : i1) = c.m.dof_parentid(i);
      const real sign = second ? 1_r : -1_r;
      const Vec3<real> turn = sign * vec3(c.d.cdof(6 * i));
      const Vec3<real> move = sign * vec3(c.d.cdof(6 * i + 3)) + cross(turn, second ? arm2 : arm1);
      const real vel = c.d.qvel(i);
      const real acc = c.d.qacc_smooth(i);
      for (int k = 0; k < DIM; ++k) {
        const real J = k < 3 ? dot(axis[k], move) : dot(axis[k % 3], turn);
        c.rows.efc_J[p + k * nnz] = J;
        c.rows.efc_J_colind[p + k * nnz] = i;
        rates.vel[k] += J * vel;
        rates.acc[k] += J * acc;
      }
    }
    return rates;
  }

  // tran: inverse inertia that the contact meets along its normal, about; effect: of foreseen rows
  template <int DIM>
  SWEPT_FN static void fill_parameters(const RowMaker& c, int con, int row,
                                       const ContactRates& rates, real tran,
                                       const RowEffect& effect) {
    const ContactsAt& contacts = c.contacts;
    const bool elliptic = DIM > 1 && c.m->opt.cone == cone_elliptic;
    const real friction = contacts.friction(con, 0);
    const real margin = contacts.includemargin(con);
    const real x = contacts.dist(con) - margin;

    // reference and impedance
    const SolRef ref = checked_solref({contacts.solref(con, 0), contacts.solref(con, 1)},
                                      {0.02_r, 1_r}, c.timestep, c.refsafe);
    const SolRef tangential =
        checked_solref({contacts.solreffriction(con, 0), contacts.solreffriction(con, 1)},
                       {0_r, 0_r}, c.timestep, c.refsafe);
    const SolImp imp = checked_solimp([&](int i) { return contacts.solimp(con, i); });
    const bool foreseen = is_foreseen(c, con);
    const Response normal = foreseen ? foreseen_response(ref, imp) : respond(ref, imp, x);
    const bool own = elliptic && (tangential.first != 0 || tangential.second != 0);
    real B_further = own ? damping(tangential, imp.dw) : normal.B;
    if (DIM > 1 && foreseen) {
      const real slip = sqrt(rates.vel[1] * rates.vel[1] + rates.vel[2] * rates.vel[2]);
      B_further = foreseen_damping(c, con, rates.vel[0], slip);
    }

    // regularisation
    const bool pyramid = DIM > 1 && !elliptic;
    const real R0 = regularisation(normal.I, pyramid ? tran + friction * friction * tran : tran);
    const real R1 = R0 / max(tiny_row, c.m.opt_impratio(0));
    const real mu = DIM > 1 ? friction * sqrt(R1 / R0) : 0_r;
    contacts.mu(con) = mu;

    for (int k = 0; k < DIM; ++k) {
      const RowsAt& r = c.rows;
      const int i = row + k;
      const real mu_k = k == 0 ? mu : contacts.friction(con, k == 0 ? 0 : k - 1);
      const real scale = friction / (k == 0 ? 1_r : mu_k);
      const real R = pyramid ? 2 * mu * mu * R0 : (k == 0 ? R0 : R1 * (scale * scale));
      const real K = k == 0 ? normal.K : 0_r;
      const real B = k == 0 ? normal.B : B_further;
      const real pos = k == 0 ? contacts.dist(con) : 0_r;
      real aref = -B * rates.vel[k] - (k == 0 ? K * normal.I * x : 0_r);
      if (k == 0 && foreseen) {
        aref = foreseen_reference(c, con, effect, rates.vel[0], rates.acc[0]);
      }
      r.efc_type[i] = DIM == 1 ? row_contact_frictionless
                               : (elliptic ? row_contact_elliptic : row_contact_pyramidal);
      r.efc_id[i] = con;
      r.efc_dim[i] = k == 0 ? DIM : 0;
      r.efc_state[i] = 0;
      r.efc_pos[i] = pos;
      r.efc_margin[i] = k == 0 ? margin : 0_r;
      r.efc_frictionloss[i] = 0;
      r.efc_diagA[i] = R * normal.I / (1 - normal.I);
      r.efc_R[i] = R;
      r.efc_D[i] = 1 / R;
      r.efc_K[i] = K;
      r.efc_B[i] = B;
      r.efc_I[i] = normal.I;
      r.efc_mu[i] = mu_k;
      r.efc_vel[i] = rates.vel[k];
      r.efc_aref[i] = aref;
      r.efc_b[i] = rates.acc[k] - aref;
      r.efc_force[i] = 0;
    }
  }
};

}  // namespace swept::SWEPT_NS
