// SPDX-License-Identifier: Apache-2.0
// Transfer kernels. Lanes of a group share the elements of a field; on the CPU one call serves the
// W environments of a block.
#include "kernels/engine/transfer.h"

#include "kernels/base/launch.h"
#include "kernels/integrate/start_state.h"

namespace swept::SWEPT_NS {

namespace {

constexpr int transfer_lanes = 4;

/// Visit the lanes that a pack kernel serves: all W of the block on the CPU, its own on CUDA.
template <class Visit>
SWEPT_FN void for_lanes(int lane, const Visit& visit) {
  for (int l = lane; l < lane + lanes_of<pack>; ++l) {
    visit(l);
  }
}

struct LoadState {
  const Tile* t;

  /// Copy one field of `n` elements; `fallback(i)` stands in where the environment is inert.
  template <class Fallback>
  SWEPT_FN void field(const Group auto g, real* scratch, const real* state, int n, int lane,
                      int block, const Fallback& fallback) const {
    for_lanes(lane, [&](int l) {
      const int slot = block * W + l;
      const bool inert = slot >= t->nenv || t->state.status[t->first + slot] != status_ok;
      const real* source = inert ? nullptr : state + static_cast<long long>(t->first + slot) * n;
      for (int i = g.lane(); i < n; i += g.size()) {
        scratch[i * W + l] = inert ? fallback(i) : source[i];
      }
    });
  }

  /// The status of an environment of the batch, one that its own model gives it included.
  SWEPT_FN int status_of(int env) const {
    const int status = t->state.status[env];
    const int* bad = t->model.bad_model;
    return status == status_ok && bad != nullptr && bad[env] != 0 ? status_bad_model : status;
  }

  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    real* base = t->scratch + static_cast<long long>(block) * t->layout.size * W;
    const StartState<real> start = {t->model_at<real>(block, lane), -1};
    for_state_fields(start, t->state, t->layout,
                     [&](const real* state, int place, int n, const auto& value) {
                       field(g, base + place * W, state, n, lane, block, value);
                     });
    if (g.lane() == 0) {
      for_lanes(lane, [&](int l) {
        const int slot = block * W + l;
        t->frozen[slot] = slot < t->nenv ? status_of(t->first + slot) : status_ok;
        t->aside[slot] = 0;
        t->steps[slot] = 0;
        t->resets[slot] = 0;
        t->reset_status[slot] = 0;
        for (int k = 0; t->fast.visit != nullptr && k < speculative_counters; ++k) {
          t->fast.visit[slot * speculative_counters + k] = 0;
        }
      });
    }
  }
};

struct SetAside {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (g.lane() != 0 || t->control->halt != 0) {
      return;
    }
    for_lanes(lane, [&](int l) {
      const int slot = block * W + l;
      if (slot >= t->nenv) {
        return;
      }
      t->aside[slot] = t->frozen[slot];
      const int env = t->first + slot;
      if (t->frozen[slot] != status_ok && t->state.status[env] == status_ok) {
        t->state.status[env] = t->frozen[slot];
        t->state.status_step[env] = t->state.steps[env];
      }
    });
  }
};

struct StoreState {
  const Tile* t;

  /// Copy one field of `n` elements of the environments for which wanted(slot) holds.
  template <class Wanted>
  SWEPT_FN void field(const Group auto g, const real* scratch, real* state, int n, int lane,
                      int block, const Wanted& wanted) const {
    for_lanes(lane, [&](int l) {
      const int slot = block * W + l;
      if (slot >= t->nenv || t->aside[slot] != 0 || !wanted(slot)) {
        return;
      }
      real* target = state + static_cast<long long>(t->first + slot) * n;
      for (int i = g.lane(); i < n; i += g.size()) {
        target[i] = scratch[i * W + l];
      }
    });
  }

  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    const real* base = t->scratch + static_cast<long long>(block) * t->layout.size * W;
    const auto all = [](int) { return true; };
    field(g, base + t->layout.time * W, t->state.time, 1, lane, block, all);
    field(g, base + t->layout.qpos * W, t->state.qpos, t->model.nq, lane, block, all);
    field(g, base + t->layout.qvel * W, t->state.qvel, t->model.nv, lane, block, all);
    field(g, base + t->layout.act * W, t->state.act, t->model.na, lane, block, all);
    field(g, base + t->layout.qacc_warmstart * W, t->state.qacc_warmstart, t->model.nv, lane, block,
          all);
    inputs(g, base, lane, block);
    if (g.lane() == 0) {
      for_lanes(lane, [&](int l) { bookkeeping(block * W + l); });
    }
  }

  /// A step only reads controls, applied forces and mocap poses; a reset writes them.
  SWEPT_FN void inputs(const Group auto g, const real* base, int lane, int block) const {
    const auto reset = [this](int slot) { return t->resets[slot] != 0; };
    field(g, base + t->layout.ctrl * W, t->state.ctrl, t->model.nu, lane, block, reset);
    field(g, base + t->layout.qfrc_applied * W, t->state.qfrc_applied, t->model.nv, lane, block,
          reset);
    field(g, base + t->layout.xfrc_applied * W, t->state.xfrc_applied, 6 * t->model.nbody, lane,
          block, reset);
    field(g, base + t->layout.mocap_pos * W, t->state.mocap_pos, 3 * t->model.nmocap, lane, block,
          reset);
    field(g, base + t->layout.mocap_quat * W, t->state.mocap_quat, 4 * t->model.nmocap, lane, block,
          reset);
  }

  /// Status and counters of the environment in a slot.
  SWEPT_FN void bookkeeping(int slot) const {
    if (slot >= t->nenv) {
      return;
    }
    const StateView& s = t->state;
    const int env = t->first + slot;
    if (t->resets[slot] != 0) {
      s.resets[env] += t->resets[slot];
      s.reset_status[env] = t->reset_status[slot];
      s.status[env] = status_ok;
      s.status_step[env] = 0;
      s.steps[env] = 0;
    }
    s.steps[env] += t->steps[slot];
    if (t->frozen[slot] != status_ok && s.status[env] == status_ok) {
      s.status[env] = t->frozen[slot];
      s.status_step[env] = s.steps[env];
    }
  }
};

struct CountStep {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (t->control->halt == 0 && g.lane() == 0 && t->frozen[env] == status_ok) {
      ++t->steps[env];
      for (int k = 0; t->fast.visit != nullptr && k < speculative_counters; ++k) {
        t->fast.visit[env * speculative_counters + k] +=
            t->fast.now[env * speculative_counters + k];
      }
    }
  }
};

struct ResetState {
  const Tile* t;
  const unsigned char* mask;
  int keyframe;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (mask[env] == 0) {
      return;
    }
    const StateView& s = t->state;
    const StartState<real> start = {t->model_at<real>(env / W, env % W), keyframe};
    for_state_fields(start, s, t->layout, [&](real* state, int, int n, const auto& value) {
      for (int i = g.lane(); i < n; i += g.size()) {
        state[static_cast<long long>(env) * n + i] = value(i);
      }
    });
    if (g.lane() == 0) {
      s.status[env] = status_ok;
      s.status_step[env] = 0;
      s.steps[env] = 0;
    }
  }
};

}  // namespace

void load_state(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<transfer_lanes>("load_state", ctx, nblocks, LoadState{t});
}

void set_aside(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs("set_aside", ctx, nblocks, SetAside{t});
}

void store_state(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<transfer_lanes>("store_state", ctx, nblocks, StoreState{t});
}

void count_step(const Context& ctx, const Tile* t, int nenv) {
  launch_envs("count_step", ctx, nenv, CountStep{t});
}

void reset_state(const Context& ctx, const Tile* t, const unsigned char* mask, int keyframe,
                 int nenv) {
  launch_envs<4>("reset_state", ctx, nenv, ResetState{t, mask, keyframe});
}

}  // namespace swept::SWEPT_NS
