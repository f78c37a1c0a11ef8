// SPDX-License-Identifier: Apache-2.0
// The normal row of a speculative contact in the mode robust. Two points close at `toi_speed` and meet
// after the part toi of the step; so toi of that speed is what they may keep:
//
//   J a = (-toi toi_speed - J qvel) / h
//
// It takes away what is too much of the closing speed, and no more. The impedance I is the highest
// that there is, so that rows beside each other do not add up, and R = (1 - I) / I A with the A of the
// row, J M^-1 J^T, not an estimate of it. A row that nothing else disturbs gives
// J a = I aref + (1 - I) J qacc_smooth, which aref is solved for. Rows that share their work at the
// ends of a body, where A is large, give up to twice (1 - I) less of what they ask for than they do
// for it: so much more is asked for, but not more than the closing speed.
//
// a is the acceleration that the velocity really moves by. Where this is not the solver's, because
// damping is implicit, its row has to reach
//
//   J qacc = J qacc_0 + A / A' (J a - J a_0),   A' = J (M - h D)^-1 J^T
//
// from a pair qacc_0, a_0 that belong together, since one force of the row leads to both. The first
// pair is that without constraint forces. If rows beside each other make the answer another one, the
// next solve starts from the last one's pair, and A / A' is the ratio seen in it.
#pragma once

#include "kernels/constrain/row.h"
#include "kernels/integrate/implicit_update.h"
#include "kernels/smooth/access.h"

namespace swept::SWEPT_NS {

/// A row that a solve has pushed by this part of its speed has shown how the velocity answers.
constexpr real least_push = 0.01_r;

/// An answer that differs from the row's own by more than this factor is not the row's doing.
constexpr real most_answer = 2_r;

/// The impedance of these rows.
constexpr real foreseen_impedance = 0.9999_r;

/// Whether a contact has such a row.
SWEPT_FN bool is_foreseen(const RowMaker& c, int con) {
  return c.contacts.speculative(con) != 0 && c.m->opt.speculative_mode == speculative_robust;
}

SWEPT_FN Response foreseen_response(SolRef ref, const SolImp& imp) {
  return {stiffness(ref, imp.dw), damping(ref, imp.dw), foreseen_impedance};
}

/// The damping [1/s] of the tangents: they are to stop sliding in this step, as far as friction can
/// with the normal speed that is taken away. (A cone lifts what slides otherwise than its tangents
/// ask for; the spring and damper of solref would ask that it slides on, or that it turns round.)
///   slip   [m/s] speed at which they slide
SWEPT_FN real foreseen_damping(const RowMaker& c, int con, real vel, real slip) {
  const real left = c.contacts.toi(con) * c.contacts.toi_speed(con);
  const real most = c.contacts.friction(con, 0) * max(-left - vel, 0_r);
  return (most < slip ? most / slip : 1_r) / c.timestep;
}

/// Where the nonzeros of a row stand.
struct RowPlace {
  int adr, nnz;
};

/// What a row's force does.
struct RowEffect {
  real inertia = 1_r;     ///< A [1/kg]
  real ratio = 1_r;       ///< A / A'
  bool implicit = false;  ///< the velocity does not move by qacc
  real base = 0_r;        ///< J qacc_0 [m/s^2]; only if implicit
  real made = 0_r;        ///< J qvel after the step that qacc_0 belongs to [m/s]
};

/// The reference acceleration of the row [m/s^2].
///   vel, acc   its J qvel and J qacc_smooth
SWEPT_FN real foreseen_reference(const RowMaker& c, int con, const RowEffect& effect, real vel,
                                 real acc) {
  const real left = c.contacts.toi(con) * c.contacts.toi_speed(con);
  real wanted = (-left - vel) / c.timestep;
  if (effect.implicit) {
    wanted = effect.base + effect.ratio * ((-left - effect.made) / c.timestep);
  }
  const real share = (1_r - foreseen_impedance) * max(wanted - acc, 0_r);
  wanted += min(share, effect.ratio * left / c.timestep);
  return (wanted - (1_r - foreseen_impedance) * acc) / foreseen_impedance;
}

/// A symmetric matrix with the pattern of M, as L^T D L.
struct Factor {
  Slice<real> lower, dinv;  ///< L as M is stored; 1 / D
};

/// J M^-1 J^T of a row [1/kg], from M = L^T D L: the squared length of D^-1/2 L^-T J^T, which is not
/// zero along the chains of the two bodies alone.
///   last1, last2   last dofs of the chains; what they share cancels in J
///   work           place in efc_J of as many numbers as both chains have dofs, shared ones once
SWEPT_FN real inverse_inertia(const RowMaker& c, const Factor& factor, RowPlace row, int last1,
                              int last2, int work) {
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
      sum += y * y * factor.dinv(i).get();
      for (int k = 0; k < depth; ++k) {
        x[place(second, k)] -= factor.lower(adr + k).get() * y;
      }
    }
  };
  eliminate(false, last1, i1);
  eliminate(true, last2, i1);
  eliminate(false, i1, -1);
  return sum;
}

/// What the force of a row does; last1, last2 and work as above.
SWEPT_FN RowEffect effect_of_row(const RowMaker& c, RowPlace row, int last1, int last2, int work) {
  RowEffect effect;
  const Factor whole = {slice(c.d.qLD(0)), slice(c.d.qLDiagInv(0))};
  effect.inertia = inverse_inertia(c, whole, row, last1, last2, work);
  effect.implicit = moves_implicitly(c.m);
  if (effect.implicit) {
    const Factor update = {slice(c.d.qH(0)), slice(c.d.qHDiagInv(0))};
    const real answer = inverse_inertia(c, update, row, last1, last2, work);
    effect.ratio = answer > 0_r ? effect.inertia / answer : 1_r;
    real pushed = 0_r, moved = 0_r;
    for (int p = row.adr; p < row.adr + row.nnz; ++p) {
      const int i = c.rows.efc_J_colind[p];
      const real J = c.rows.efc_J[p], qacc = c.d.qacc(i), next = c.d.next_qvel(i);
      effect.base += J * qacc;
      effect.made += J * next;
      pushed += J * (qacc - c.d.qacc_smooth(i).get());
      moved += J * ((next - c.d.qvel(i).get()) / c.timestep - c.d.dof_work(i).get());
    }
    // what the last solve has shown, if the row was pushed by it; rounding shows anything where others
    // have pushed it back
    const real least = least_push * abs(effect.made) / c.timestep, own = effect.ratio;
    effect.ratio = pushed > least && moved > 0_r
                       ? clamp(real(pushed / moved), own / most_answer, own * most_answer)
                       : own;
  }
  return effect;
}

}  // namespace swept::SWEPT_NS
