// SPDX-License-Identifier: Apache-2.0
// The stages that begin and end a step. Each runs over the first `nblocks` blocks of a tile; `t` is
// an address in the device's memory. All do nothing while the tile is halted. Environments whose
// entry in t->frozen is not 0 keep the state that they have.
#pragma once

#include "kernels/base/context.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// Start of a step: sets t->frozen of environments with a bad number in their state, inputs
/// included; all frozen environments get a harmless state in scratch (the default pose at rest, no
/// input), which is not to be stored in the batch.
void check_state(const Context& ctx, const Tile* t, int nblocks);

/// Put environments that are frozen back to the default state or to a keyframe (keyframe -1:
/// default), inputs included, so that they take part in the next step; counts in t->resets. Their
/// state is stored from then on.
void revive(const Context& ctx, const Tile* t, int nblocks, int keyframe);

/// End of a step of Euler, after one forward pass. Environments whose qacc, new qvel, new qpos or
/// new act is not finite or above 1e10 are frozen.
void euler(const Context& ctx, const Tile* t, int nblocks);

/// The same of implicit and implicitfast; the model's option says which.
void implicit(const Context& ctx, const Tile* t, int nblocks);

/// The two parts of these, for steps of which something happens between: next_qvel, in blocks that have
/// an environment which is not settled; then the move along it, each tree for its part tree_move of
/// the time step.
void next_velocity(const Context& ctx, const Tile* t, int nblocks);
void move(const Context& ctx, const Tile* t, int nblocks);

/// Before rows of speculative contacts: how the velocity answers to their forces, where that is not by
/// qacc (expected.h), in blocks that have fast pairs.
///   again   rows are made again after a solve
void expect_velocity(const Context& ctx, const Tile* t, int nblocks, bool again);

/// After the forward pass of stage 0, 1, 2, 3 of RK4, called in this order: go to the state of the
/// next stage, or end the step after stage 3. Freezes as euler does; an environment frozen in a
/// stage goes through the others at the state of the step's start.
void rk4_stage(const Context& ctx, const Tile* t, int nblocks, int stage);

}  // namespace swept::SWEPT_NS
