// SPDX-License-Identifier: Apache-2.0
// The collision stages of a step, in this order. They leave a halted tile alone, and halt it when a
// list does not fit (Control::need says by how much).
#pragma once

#include "kernels/base/context.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// For scenes that are swept (Sizes::nsweep is not 0), before the broad phase: the touching pairs of
/// each environment, t->sweep. Needs geom_xpos and geom_xmat.
void sweep(const Context& ctx, const Tile* t, int nenv);

/// Pairs of geoms whose bounds touch: t->pairs, and slots for the contacts of those that are worked
/// on one at a time. Needs geom_xpos and geom_xmat.
void broadphase(const Context& ctx, const Tile* t, int nblocks);

/// Contacts of the pairs that are worked on one at a time: t->hits.
void convex(const Context& ctx, const Tile* t, int nblocks);

/// Contacts of all those pairs, with their parameters: t->contacts. All but `mu` and `efc_address`,
/// which are 0 and -1 until rows are made.
void narrowphase(const Context& ctx, const Tile* t, int nblocks);

}  // namespace swept::SWEPT_NS
