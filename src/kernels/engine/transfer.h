// SPDX-License-Identifier: Apache-2.0
// Transfer between the batch (environment-major) and a tile's scratch (pack layout), and the small
// bookkeeping kernels around a visit.
#pragma once

#include "kernels/base/context.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// Load the tile's state into scratch and set frozen = status, aside = 0, steps = 0. Inert lanes
/// and frozen environments get the default state.
void load_state(const Context& ctx, const Tile* t, int nblocks);

/// Mark the environments that are frozen now, before the first step of the visit: their state is
/// not stored. Newly frozen ones get their status.
void set_aside(const Context& ctx, const Tile* t, int nblocks);

/// Store the state of the environments that are not set aside, and status and steps of all.
void store_state(const Context& ctx, const Tile* t, int nblocks);

/// Add one to the steps of every environment that is not frozen.
void count_step(const Context& ctx, const Tile* t, int nenv);

/// Default state or a keyframe for the environments with mask[env] != 0; keyframe -1: default.
void reset_state(const Context& ctx, const Tile* t, const unsigned char* mask, int keyframe,
                 int nenv);

}  // namespace swept::SWEPT_NS
