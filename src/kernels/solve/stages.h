// SPDX-License-Identifier: Apache-2.0
// The stages that find the acceleration under constraints.
#pragma once

#include "kernels/base/context.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// Solve for the environments of small models by Newton's methods (solve/newton; on CPUs only). Of
/// the others that have rows, copy the factor of M, qacc_smooth and qacc_warmstart from pack layout
/// into the solver's own. Needs make_rows.
void load_solver(const Context& ctx, const Tile* t, int nblocks);

/// Minimise the objective: qacc, qfrc_constraint, efc_force, efc_state, solver.niter and
/// solver.residual. Without rows qacc = qacc_smooth and qfrc_constraint = 0. Needs load_solver.
///   nenv   environments; one group works on each
void solve(const Context& ctx, const Tile* t, int nenv);

}  // namespace swept::SWEPT_NS
