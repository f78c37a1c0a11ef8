// SPDX-License-Identifier: Apache-2.0
// The collision stages of a step, in this order. Both leave a halted tile alone, and halt it when a
// list does not fit (Control::need says by how much).
#pragma once

#include "kernels/base/context.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// Candidate pairs whose bounds touch: t->pairs. Needs geom_xpos and geom_xmat.
void broadphase(const Context& ctx, const Tile* t, int nblocks);

/// Contacts of those pairs, with their parameters: t->contacts. All but `mu` and `efc_address`,
/// which are 0 and -1 until rows are made.
void narrowphase(const Context& ctx, const Tile* t, int nblocks);

}  // namespace swept::SWEPT_NS
