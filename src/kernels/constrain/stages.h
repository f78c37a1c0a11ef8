// SPDX-License-Identifier: Apache-2.0
// The stage that turns contacts, limits and dry friction into constraint rows.
#pragma once

#include "kernels/base/context.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// Value of Control::halt when rows or nonzeros did not fit.
constexpr int halt_rows = 3;

/// Fill t->rows from the contacts and the state; write mu, efc_address and exclude = 3 into the
/// contacts. Needs the smooth stages, qacc_smooth included, and the contacts.
///   nenv   environments; one group works on each
/// Raises control->halt with need.rows and need.nonzeros when a buffer is too small; nothing is
/// written beyond it.
void make_rows(const Context& ctx, const Tile* t, int nenv);

}  // namespace swept::SWEPT_NS
