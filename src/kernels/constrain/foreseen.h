// SPDX-License-Identifier: Apache-2.0
// The normal row of a speculative contact in the mode robust. Two points close at `toi_speed` and meet
// after the part toi of the step; so toi of that speed is what they may keep:
//
//   J a = (-toi toi_speed - J qvel) / h
//
// It takes away what is too much of the closing speed, and no more. The impedance I is the highest
// that there is, so that rows beside each other do not add up, and R = (1 - I) / I A with the A of the
// row, J M^-1 J^T, not an estimate of it. A row that nothing else disturbs gives
// J a = I aref + (1 - I) J qacc_smooth, which aref is solved for.
#pragma once

#include "kernels/constrain/row.h"

namespace swept::SWEPT_NS {

/// The impedance of these rows.
constexpr real foreseen_impedance = 0.9999_r;

/// Whether a contact has such a row.
SWEPT_FN bool is_foreseen(const RowMaker& c, int con) {
  return c.contacts.speculative(con) != 0 && c.m->opt.speculative_mode == speculative_robust;
}

SWEPT_FN Response foreseen_response(SolRef ref, const SolImp& imp) {
  return {stiffness(ref, imp.dw), damping(ref, imp.dw), foreseen_impedance};
}

/// The reference acceleration of the row [m/s^2].
///   vel, acc   its J qvel and J qacc_smooth
SWEPT_FN real foreseen_reference(const RowMaker& c, int con, real vel, real acc) {
  const real wanted = (-c.contacts.toi(con) * c.contacts.toi_speed(con) - vel) / c.timestep;
  return (wanted - (1_r - foreseen_impedance) * acc) / foreseen_impedance;
}

/// Where the nonzeros of a row stand.
struct RowPlace {
  int adr, nnz;
};

/// J M^-1 J^T of a row [1/kg], from M = L^T D L: the squared length of D^-1/2 L^-T J^T, which is not
/// zero along the chains of the two bodies alone.
///   last1, last2   last dofs of the chains; what they share cancels in J
///   work           place in efc_J of as many numbers as both chains have dofs, shared ones once
SWEPT_FN real inverse_inertia(const RowMaker& c, RowPlace row, int last1, int last2, int work) {
  const ModelAt<real>& m = c.m;
  const auto length = [&](int last) { return last < 0 ? 0 : m.dof_depth(last) + 1; };
  int i1 = last1, i2 = last2;
  while (i1 != i2) {
    (i1 > i2 ? i1 : i2) = m.dof_parentid(i1 > i2 ? i1 : i2);
  }
  const int n1 = length(last1), shared = length(i1);
  // chain 1 by depth, behind it what chain 2 has for itself
  const List<real> x = c.rows.efc_J + work;
  const auto place = [&](bool second, int depth) {
    return second && depth >= shared ? n1 + depth - shared : depth;
  };

  for (int depth = 0; depth < shared; ++depth) {
    x[depth] = 0_r;
  }
  i1 = last1;
  i2 = last2;
  for (int p = row.adr + row.nnz - 1; i1 != i2; --p) {
    const bool second = i2 > i1;
    int& i = second ? i2 : i1;
    x[place(second, m.dof_depth(i))] = c.rows.efc_J[p];
    i = m.dof_parentid(i);
  }

  // from the ends down: each dof is final when its descendants are done
  real sum = 0_r;
  const auto eliminate = [&](bool second, int from, int end) {
    for (int i = from; i != end; i = m.dof_parentid(i)) {
      const int depth = m.dof_depth(i), adr = m.M_rowadr(i);
      const real y = x[place(second, depth)];
      sum += y * y * c.d.qLDiagInv(i).get();
      for (int k = 0; k < depth; ++k) {
        x[place(second, k)] -= c.d.qLD(adr + k).get() * y;
      }
    }
  };
  eliminate(false, last1, i1);
  eliminate(true, last2, i1);
  eliminate(false, i1, -1);
  return sum;
}

}  // namespace swept::SWEPT_NS
