// SPDX-License-Identifier: Apache-2.0
// Where a worker's tile stands: kernels that write its Control, and with it decide what later
// kernels of the queue do.
//
//   begin_visit   turn to a tile and to the start of a visit
//   mark_call     a call that may not fit begins
//   next_substep  the program has been done once more
//   resume_visit  after a halt that the host has answered: go on from where it was
//
// All but resume_visit (and begin_visit, when it is told to) do nothing while a halt stands, so a
// visit that halts keeps every later visit of the queue from beginning.
#pragma once

#include "kernels/base/context.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// What the device is told about a visit.
struct VisitStart {
  int visit = 0;    ///< its number
  int repeats = 0;  ///< how often it goes through its program
  int first = 0;    ///< first environment of its tile
  int nenv = 0;     ///< environments of its tile
};

/// Begin a visit; `forget` ends a halt that nobody will answer.
void begin_visit(const Context& ctx, Tile* t, const VisitStart& start, bool forget);

/// End the halt, and go on with this visit after `substep` passes through its program.
void resume_visit(const Context& ctx, Tile* t, const VisitStart& start, int substep);

/// Write down the number in its program of a call that begins.
void mark_call(const Context& ctx, const Tile* t, int call);

/// Count a pass through the program.
void next_substep(const Context& ctx, const Tile* t);

/// Copy the state of the tile's environments from the batch to `kept`. Does nothing on a halt.
void keep_state(const Context& ctx, const Tile* t, const StateView& kept, int nenv);

}  // namespace swept::SWEPT_NS
