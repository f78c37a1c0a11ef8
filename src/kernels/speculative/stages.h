// SPDX-License-Identifier: Apache-2.0
// The stages of a step that speculative contacts add. They leave a halted tile alone.
//
//   motion      before the broad phase
//   advance     after it: the pairs that it marked as fast are followed to their time of impact; the
//               narrow phase then lists their contacts in the order of pairs
//   sight       after the narrow phase
#pragma once

#include <cstddef>

#include "kernels/base/context.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// What one entry of t->fast takes.
std::size_t bytes_of_fast_pair();

/// How far each geom comes in this step at its present velocity: geom_dx, geom_domega, geom_travel,
/// fast_geoms. Needs the stage `position` and qvel.
void motion(const Context& ctx, const Tile* t, int nblocks);

/// The fast pairs of each environment, t->fast, and their contacts to be. Halts the tile when a list
/// does not fit.
void advance(const Context& ctx, const Tile* t, int nblocks, int nenv);

/// Takes the contacts out of t->contacts that are hidden behind geoms which can move and have a
/// contact of their own in this step with the geom whose way they bar.
void sight(const Context& ctx, const Tile* t, int nenv);

}  // namespace swept::SWEPT_NS
