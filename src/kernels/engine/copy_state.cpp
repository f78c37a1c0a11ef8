// SPDX-License-Identifier: Apache-2.0
// The two halves of a copy between environments. Lanes of a group share the elements of a field.
#include "kernels/engine/copy_state.h"

#include "kernels/base/launch.h"

namespace swept::SWEPT_NS {

namespace {

/// visit(field of the batch, elements per environment) for every row of the field table.
struct StateFields : Sizes {
  template <class Visit>
  SWEPT_FN void each(const StateView& state, const Visit& visit) const {
#define SWEPT_STATE(name, rows, cols, unit, meaning) visit(state.name, (rows) * (cols));
#include <swept/fields/state.def>
#undef SWEPT_STATE
  }
};

struct StageStates {
  StagedStates s;

  SWEPT_FN void operator()(const Group auto g, int k) const {
    const long long env = s.env[k];
    real* target = s.reals + static_cast<long long>(k) * s.reals_per_env;
    StateFields{s.sizes}.each(s.state, [&](const real* field, int n) {
      for (int i = g.lane(); i < n; i += g.size()) {
        target[i] = field[env * n + i];
      }
      target += n;
    });
    if (g.lane() == 0) {
      s.ints[2 * k] = s.state.status[env];
      s.ints[2 * k + 1] = s.state.reset_status[env];
      s.longs[3 * k] = s.state.status_step[env];
      s.longs[3 * k + 1] = s.state.steps[env];
      s.longs[3 * k + 2] = s.state.resets[env];
    }
  }
};

struct WriteStates {
  StagedStates s;

  SWEPT_FN void operator()(const Group auto g, int k) const {
    const long long env = s.env[k];
    const real* source = s.reals + static_cast<long long>(k) * s.reals_per_env;
    StateFields{s.sizes}.each(s.state, [&](real* field, int n) {
      for (int i = g.lane(); i < n; i += g.size()) {
        field[env * n + i] = source[i];
      }
      source += n;
    });
    if (g.lane() == 0) {
      s.state.status[env] = s.ints[2 * k];
      s.state.reset_status[env] = s.ints[2 * k + 1];
      s.state.status_step[env] = s.longs[3 * k];
      s.state.steps[env] = s.longs[3 * k + 1];
      s.state.resets[env] = s.longs[3 * k + 2];
    }
  }
};

}  // namespace

void stage_states(const Context& ctx, const StagedStates& staged, int count) {
  launch_envs<4>("stage_states", ctx, count, StageStates{staged});
}

void write_states(const Context& ctx, const StagedStates& staged, int count) {
  launch_envs<4>("write_states", ctx, count, WriteStates{staged});
}

}  // namespace swept::SWEPT_NS
