// SPDX-License-Identifier: Apache-2.0
// One small kernel per change of the Control, and the copy of the state that undoes a visit.
#include "kernels/engine/progress.h"

#include "kernels/base/launch.h"

namespace swept::SWEPT_NS {

namespace {

SWEPT_FN void turn_to(Tile* t, const VisitStart& start) {
  t->first = start.first;
  t->nenv = start.nenv;
  t->nblocks = (start.nenv + W - 1) / W;
  t->control->visit = start.visit;
  t->control->repeats = start.repeats;
}

struct BeginVisit {
  Tile* t;
  VisitStart start;
  int forget;

  SWEPT_FN void operator()(const Group auto g, int) const {
    Control& control = *t->control;
    if (g.lane() != 0 || (control.halt != 0 && forget == 0)) {
      return;
    }
    if (forget != 0) {
      control.halt = 0;
      control.need = Need{};
    }
    turn_to(t, start);
    control.substep = 0;
    control.call = 0;
    control.fresh = 1;
  }
};

struct ResumeVisit {
  Tile* t;
  VisitStart start;
  int substep;

  SWEPT_FN void operator()(const Group auto g, int) const {
    if (g.lane() != 0) {
      return;
    }
    Control& control = *t->control;
    control.halt = 0;
    control.need = Need{};
    turn_to(t, start);
    control.substep = substep;
    control.fresh = 0;
  }
};

struct MarkCall {
  const Tile* t;
  int call;

  SWEPT_FN void operator()(const Group auto g, int) const {
    if (g.lane() == 0 && t->control->halt == 0) {
      t->control->call = call;
    }
  }
};

struct NextSubstep {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int) const {
    if (g.lane() == 0 && t->control->halt == 0) {
      ++t->control->substep;
      t->control->fresh = 0;
    }
  }
};

/// visit(field of the batch, field of the copy, elements per environment) for every state field.
struct StatePairs : Sizes {
  template <class Visit>
  SWEPT_FN void each(const StateView& a, const StateView& b, const Visit& visit) const {
#define SWEPT_STATE(name, rows, cols, unit, meaning) visit(a.name, b.name, (rows) * (cols));
#include <swept/fields/state.def>
#undef SWEPT_STATE
  }
};

struct KeepState {
  const Tile* t;
  StateView kept;

  SWEPT_FN void operator()(const Group auto g, int slot) const {
    if (t->control->halt != 0) {
      return;
    }
    const long long env = t->first + slot;
    const StateView& state = t->state;
    StatePairs{t->model}.each(state, kept, [&](const real* from, real* to, int n) {
      for (int i = g.lane(); i < n; i += g.size()) {
        to[env * n + i] = from[env * n + i];
      }
    });
    if (g.lane() == 0) {
      kept.status[env] = state.status[env];
      kept.reset_status[env] = state.reset_status[env];
      kept.status_step[env] = state.status_step[env];
      kept.steps[env] = state.steps[env];
      kept.resets[env] = state.resets[env];
    }
  }
};

}  // namespace

void begin_visit(const Context& ctx, Tile* t, const VisitStart& start, bool forget) {
  launch_envs("begin_visit", ctx, 1, BeginVisit{t, start, forget ? 1 : 0});
}

void resume_visit(const Context& ctx, Tile* t, const VisitStart& start, int substep) {
  launch_envs("resume_visit", ctx, 1, ResumeVisit{t, start, substep});
}

void mark_call(const Context& ctx, const Tile* t, int call) {
  launch_envs("mark_call", ctx, 1, MarkCall{t, call});
}

void next_substep(const Context& ctx, const Tile* t) {
  launch_envs("next_substep", ctx, 1, NextSubstep{t});
}

void keep_state(const Context& ctx, const Tile* t, const StateView& kept, int nenv) {
  launch_envs<8>("keep_state", ctx, nenv, KeepState{t, kept});
}

}  // namespace swept::SWEPT_NS
