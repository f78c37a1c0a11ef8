// SPDX-License-Identifier: Apache-2.0
// From the host's names of stages to their kernels.
#include "kernels/engine/visit.h"

#include "kernels/collide/stages.h"
#include "kernels/constrain/stages.h"
#include "kernels/engine/progress.h"
#include "kernels/engine/transfer.h"
#include "kernels/integrate/stages.h"
#include "kernels/smooth/stages.h"
#include "kernels/solve/stages.h"
#include "kernels/speculative/stages.h"

namespace swept::SWEPT_NS {

void open_visit(const Context& ctx, const Worker& w, State* state) {
  state->keep(ctx, w.table(), w.host().first, w.host().nenv);
  load_state(ctx, w.table(), w.nblocks());
  check_state(ctx, w.table(), w.nblocks());
  set_aside(ctx, w.table(), w.nblocks());
}

void place_geoms(const Context& ctx, const Worker& w) {
  load_state(ctx, w.table(), w.nblocks());
  check_state(ctx, w.table(), w.nblocks());
  position(ctx, w.table(), w.nblocks());
}

namespace {

/// One look at the motion that the solve leads to; the last one holds back what is not certified.
void guard_round(const Context& ctx, const Worker& w, int round) {
  const Tile* const t = w.table();
  const ModelView& model = w.host().model;
  const int nenv = w.host().nenv;
  const bool last = round == model.opt.speculative_iterations;
  if (model.nsweep > 0) {
    sweep_guarded(ctx, t, nenv, round);
  } else {
    list_guarded(ctx, t, w.nblocks(), round);
  }
  guard(ctx, t, nenv, last);
  if (last) {
    hold_back(ctx, t, nenv);
  } else {
    solve_again(ctx, t, nenv, round);
  }
}

}  // namespace

void run_call(const Context& ctx, const Worker& w, const Call& call, int number) {
  const Tile* const t = w.table();
  const int nblocks = w.nblocks(), nenv = w.host().nenv;
  const bool speculative = (w.host().model.opt.enableflags & enable_speculative) != 0;
  if (call.again && w.known_settled()) {
    return;
  }
  switch (call.stage) {
    case Stage::position:
      position(ctx, t, nblocks);
      break;
    case Stage::velocity:
      velocity(ctx, t, nblocks);
      break;
    case Stage::actuation:
      actuation(ctx, t, nblocks);
      break;
    case Stage::acceleration:
      acceleration(ctx, t, nblocks);
      break;
    case Stage::broadphase:
      mark_call(ctx, t, number);
      if (speculative) {
        motion(ctx, t, nblocks);
      }
      if (w.host().model.nsweep > 0) {
        sweep(ctx, t, nenv);
      }
      broadphase(ctx, t, nblocks);
      break;
    case Stage::list_fast:
      mark_call(ctx, t, number);
      list_fast(ctx, t, nblocks);
      break;
    case Stage::advance:
      mark_call(ctx, t, number);
      advance(ctx, t, nenv);
      break;
    case Stage::narrowphase:
      mark_call(ctx, t, number);
      // none where no pair is worked on alone
      if (w.capacity().slots > 0) {
        convex(ctx, t, nblocks);
      }
      if (speculative) {
        impact(ctx, t, nenv);
      }
      narrowphase(ctx, t, nblocks);
      if (speculative) {
        sight(ctx, t, nenv);
      }
      break;
    case Stage::rows:
      mark_call(ctx, t, call.from >= 0 ? call.from : number);
      if (speculative && w.host().model.opt.speculative_mode == speculative_robust) {
        expect_velocity(ctx, t, nblocks, call.again);
      }
      make_rows(ctx, t, nenv);
      break;
    case Stage::solve:
      load_solver(ctx, t, nblocks);
      solve(ctx, t, nenv);
      break;
    case Stage::euler:
      euler(ctx, t, nblocks);
      break;
    case Stage::implicit:
      implicit(ctx, t, nblocks);
      break;
    case Stage::next_velocity:
      next_velocity(ctx, t, nblocks);
      open_guard(ctx, t, nblocks);
      break;
    case Stage::guard:
      mark_call(ctx, t, call.from);
      guard_round(ctx, w, call.argument);
      break;
    case Stage::move:
      move(ctx, t, nblocks);
      break;
    case Stage::rk4:
      rk4_stage(ctx, t, nblocks, call.argument);
      break;
    case Stage::count:
      count_step(ctx, t, nenv);
      break;
    case Stage::revive:
      revive(ctx, t, nblocks, call.argument);
      break;
  }
}

void close_visit(const Context& ctx, const Worker& w, Measures* measures, bool store) {
  if (store) {
    store_state(ctx, w.table(), w.nblocks());
  }
  measures->take(ctx, w.host(), w.table());
}

}  // namespace swept::SWEPT_NS
