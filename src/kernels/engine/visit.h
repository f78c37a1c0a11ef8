// SPDX-License-Identifier: Apache-2.0
// The kernels of a visit, in three parts: what opens it, one call of its program, what closes it.
//
// All of them may be recorded into a graph and replayed: what they hand to the device are
// addresses that never move (the table, the state, the measures) and numbers that belong to the
// program or to the tile's size. Whatever grows is read from the table.
#pragma once

#include "kernels/engine/engine.h"
#include "kernels/engine/measures.h"
#include "kernels/engine/state.h"
#include "kernels/engine/worker.h"

namespace swept::SWEPT_NS {

/// Keep the state for an undo, load it into scratch, and set aside what cannot be stepped. Here and
/// below: into the queue `ctx`, for the tile that the worker points at.
void open_visit(const Context& ctx, const Worker& w, State* state);

/// Load the tile's state into scratch and compute where everything is, for a question: nothing is
/// kept, stored or marked in the batch. Environments that cannot be stepped are frozen in scratch.
void place_geoms(const Context& ctx, const Worker& w);

/// Run one call of a program; `number` is its place there.
void run_call(const Context& ctx, const Worker& w, const Call& call, int number);

/// Take the measures and, if asked, store the state.
void close_visit(const Context& ctx, const Worker& w, Measures* measures, bool store);

}  // namespace swept::SWEPT_NS
