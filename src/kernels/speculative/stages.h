// SPDX-License-Identifier: Apache-2.0
// The stages of a step that speculative contacts add. They leave a halted tile alone.
//
//   motion      before the broad phase
//   advance     after it: the pairs that it marked as fast are followed to their time of impact, by the
//               host where rounds end; the narrow phase then lists their contacts in the order of pairs
//   sight       after the narrow phase
//   guard       after the solve, before positions move
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

/// The fast pairs of each environment, t->fast, from the list of pairs. Halts the tile when a list does
/// not fit.
void list_fast(const Context& ctx, const Tile* t, int nblocks);

/// Their times of impact. Halts the tile for the pairs that use up their rounds; done again when the
/// host has followed these, it changes nothing.
void advance(const Context& ctx, const Tile* t, int nenv);

/// The contacts to be of those that hit.
void impact(const Context& ctx, const Tile* t, int nenv);

/// Takes the contacts out of t->contacts that are hidden behind geoms which can move and have a
/// contact of their own in this step with the geom whose way they bar.
void sight(const Context& ctx, const Tile* t, int nenv);

// After the solve, in the mode robust: see guarded.h. What does not fit halts the tile; it then goes
// on from the broad phase, since lists that grow lose what is in them.

/// How far geoms travel at next_qvel; environments in which none is fast are settled.
void open_guard(const Context& ctx, const Tile* t, int nblocks);

/// The pairs that have to be guarded, in the place of the fast ones; the second in scenes that are
/// swept.
///   round   number of the look, from 0; each halts for reasons of its own
void list_guarded(const Context& ctx, const Tile* t, int nblocks, int round);
void sweep_guarded(const Context& ctx, const Tile* t, int nenv, int round);

/// How far each is certified along next_qvel. `last`: no solve comes after this.
void guard(const Context& ctx, const Tile* t, int nenv, bool last);

/// Contacts for those that are not certified for the whole step; the others are settled.
void solve_again(const Context& ctx, const Tile* t, int nenv, int round);

/// tree_move: what part of the step trees move, so that all is certified.
void hold_back(const Context& ctx, const Tile* t, int nenv);

}  // namespace swept::SWEPT_NS
