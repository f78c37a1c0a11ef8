// SPDX-License-Identifier: Apache-2.0
// Transfer kernels. Lanes of a group share the elements of a field; on the CPU one call serves the
// W environments of a block.
#include "kernels/engine/transfer.h"

#include "kernels/base/launch.h"

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

  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    const ModelView& m = t->model;
    real* base = t->scratch + static_cast<long long>(block) * t->layout.size * W;
    const auto zero = [](int) { return 0_r; };
    const auto rest = [this](int i) { return t->model.qpos0.p[i]; };
    field(g, base + t->layout.time * W, t->state.time, 1, lane, block, zero);
    field(g, base + t->layout.qpos * W, t->state.qpos, m.nq, lane, block, rest);
    field(g, base + t->layout.qvel * W, t->state.qvel, m.nv, lane, block, zero);
    field(g, base + t->layout.act * W, t->state.act, m.na, lane, block, zero);
    field(g, base + t->layout.qacc_warmstart * W, t->state.qacc_warmstart, m.nv, lane, block, zero);
    field(g, base + t->layout.ctrl * W, t->state.ctrl, m.nu, lane, block, zero);
    field(g, base + t->layout.qfrc_applied * W, t->state.qfrc_applied, m.nv, lane, block, zero);
    field(g, base + t->layout.xfrc_applied * W, t->state.xfrc_applied, 6 * m.nbody, lane, block,
          zero);
    if (g.lane() == 0) {
      for_lanes(lane, [&](int l) {
        const int slot = block * W + l;
        t->frozen[slot] = slot < t->nenv ? t->state.status[t->first + slot] : status_ok;
        t->aside[slot] = 0;
        t->steps[slot] = 0;
      });
    }
  }
};

struct SetAside {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (g.lane() != 0) {
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

  SWEPT_FN void field(const Group auto g, const real* scratch, real* state, int n, int lane,
                      int block) const {
    for_lanes(lane, [&](int l) {
      const int slot = block * W + l;
      if (slot >= t->nenv || t->aside[slot] != 0) {
        return;
      }
      real* target = state + static_cast<long long>(t->first + slot) * n;
      for (int i = g.lane(); i < n; i += g.size()) {
        target[i] = scratch[i * W + l];
      }
    });
  }

  /// Controls and applied forces are only read by a step: they are not stored.
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    const real* base = t->scratch + static_cast<long long>(block) * t->layout.size * W;
    field(g, base + t->layout.time * W, t->state.time, 1, lane, block);
    field(g, base + t->layout.qpos * W, t->state.qpos, t->model.nq, lane, block);
    field(g, base + t->layout.qvel * W, t->state.qvel, t->model.nv, lane, block);
    field(g, base + t->layout.act * W, t->state.act, t->model.na, lane, block);
    field(g, base + t->layout.qacc_warmstart * W, t->state.qacc_warmstart, t->model.nv, lane,
          block);
    if (g.lane() == 0) {
      for_lanes(lane, [&](int l) {
        const int slot = block * W + l;
        if (slot >= t->nenv) {
          return;
        }
        const int env = t->first + slot;
        t->state.steps[env] += t->steps[slot];
        if (t->frozen[slot] != status_ok && t->state.status[env] == status_ok) {
          t->state.status[env] = t->frozen[slot];
          t->state.status_step[env] = t->state.steps[env];
        }
      });
    }
  }
};

struct CountStep {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (t->control->halt == 0 && g.lane() == 0 && t->frozen[env] == status_ok) {
      ++t->steps[env];
    }
  }
};

struct MarkPoint {
  const Tile* t;
  int point;

  SWEPT_FN void operator()(const Group auto g, int) const {
    if (g.lane() == 0 && t->control->halt == 0) {
      t->control->point = point;
    }
  }
};

struct ClearHalt {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int) const {
    if (g.lane() != 0) {
      return;
    }
    t->control->halt = 0;
    t->control->need = Need{};
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
    const ModelView& m = t->model;
    const StateView& s = t->state;
    const long long e = env;
    for (int i = g.lane(); i < m.nq; i += g.size()) {
      s.qpos[e * m.nq + i] = keyframe < 0 ? m.qpos0.p[i] : m.key_qpos.p[keyframe * m.nq + i];
    }
    for (int i = g.lane(); i < m.nv; i += g.size()) {
      s.qvel[e * m.nv + i] = keyframe < 0 ? 0_r : m.key_qvel.p[keyframe * m.nv + i];
      s.qacc_warmstart[e * m.nv + i] = 0_r;
      s.qfrc_applied[e * m.nv + i] = 0_r;
    }
    for (int i = g.lane(); i < m.na; i += g.size()) {
      s.act[e * m.na + i] = keyframe < 0 ? 0_r : m.key_act.p[keyframe * m.na + i];
    }
    for (int i = g.lane(); i < m.nu; i += g.size()) {
      s.ctrl[e * m.nu + i] = keyframe < 0 ? 0_r : m.key_ctrl.p[keyframe * m.nu + i];
    }
    for (int i = g.lane(); i < 6 * m.nbody; i += g.size()) {
      s.xfrc_applied[e * 6 * m.nbody + i] = 0_r;
    }
    if (g.lane() == 0) {
      s.time[env] = keyframe < 0 ? 0_r : m.key_time.p[keyframe];
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

void mark_point(const Context& ctx, const Tile* t, int point) {
  launch_envs("mark_point", ctx, 1, MarkPoint{t, point});
}

void clear_halt(const Context& ctx, const Tile* t) {
  launch_envs("clear_halt", ctx, 1, ClearHalt{t});
}

void reset_state(const Context& ctx, const Tile* t, const unsigned char* mask, int keyframe,
                 int nenv) {
  launch_envs<4>("reset_state", ctx, nenv, ResetState{t, mask, keyframe});
}

}  // namespace swept::SWEPT_NS
