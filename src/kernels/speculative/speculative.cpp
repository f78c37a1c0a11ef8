// SPDX-License-Identifier: Apache-2.0
// The kernels of the stages that speculative contacts add.
#include "kernels/base/launch.h"
#include "kernels/speculative/guarded.h"
#include "kernels/speculative/stages.h"

namespace swept::SWEPT_NS {
namespace {

struct FindMotion {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt == halt_none) {
      find_motion(g, t->model_at<pack>(block, lane), t->data_at<pack>(block, lane));
      for (int l = g.lane(); l < lanes_of<pack>; l += g.size()) {
        t->settled[block * W + lane + l] = 0;
      }
    }
  }
};

struct ListFast {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (!halted_before(*t, halt_fast)) {
      list_fast<pack>(g, *t, block, lane);
    }
  }
};

struct Advance {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (!halted_before(*t, halt_tail)) {
      advance_all(g, *t, env);
    }
  }
};

struct Meet {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (t->control->halt == halt_none) {
      meet_all(g, *t, env);
    }
  }
};

struct Sight {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (t->control->halt != halt_none) {
      return;
    }
    if (t->model.opt.speculative_mode == speculative_robust) {
      take_out_hidden(g, *t, env);
    }
    g.sync();
    if (g.lane() == 0) {
      count_pairs(*t, env);
    }
  }
};

/// Flags and parts of the step, before the guard looks for the first time.
template <class V>
SWEPT_FN void open_guard(const Group auto g, const Tile& t, int block, int lane0) {
  const ModelAt<V> m = t.model_at<V>(block, lane0);
  const DataAt<V> d = t.data_at<V>(block, lane0);
  const V thinnest = least_thickness(m);
  find_travel(g, m, d, slice(d.next_qvel(0)),
              V(thinnest * slow_part_of_all<V>(t, block, lane0, thinnest)));
  for (int tree = g.lane(); tree < m->ntree; tree += g.size()) {
    d.tree_move(tree) = V(1_r);
  }
  if (g.lane() == 0) {
    const unsigned fast = to_bits<V>(has_fast_geoms(m, d));
    for (int l = 0; l < lanes_of<V>; ++l) {
      const int env = block * W + lane0 + l;
      const bool calm = (fast >> l & 1u) == 0 || env >= t.nenv || t.frozen[env] != status_ok;
      t.settled[env] = t.settled[env] != 0 || calm ? 1 : 0;
      if (!calm) {
        t.control->again = 1;
      }
    }
  }
}

struct OpenGuard {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt == halt_none) {
      open_guard<pack>(g, *t, block, lane);
    }
  }
};

/// One pack, or on CUDA one environment.
struct ListGuarded {
  const Tile* t;
  int round;

  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    const GuardHalt halt(round);
    if (!halted_before(*t, halt.fast)) {
      list_guarded<pack>(g, *t, block, lane, halt);
    }
  }
  SWEPT_FN void operator()(const Group auto g, int env) const { (*this)(g, env / W, env % W); }
};

struct SweepGuarded {
  const Tile* t;
  int round;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    const GuardHalt halt(round);
    if (!halted_before(*t, halt.fast, halt.pairs) && t->settled[env] == 0) {
      sweep_guarded(g, *t, env, halt);
    }
  }
};

struct Guard {
  const Tile* t;
  int last;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (t->control->halt == halt_none && t->settled[env] == 0) {
      guard_all(g, *t, env, last != 0);
    }
  }
};

struct SolveAgain {
  const Tile* t;
  int round;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    const GuardHalt halt(round);
    if (!halted_before(*t, halt.contacts) && t->settled[env] == 0) {
      solve_again(g, *t, env, halt, round == 0);
    }
  }
};

struct HoldBack {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (t->control->halt == halt_none && t->settled[env] == 0) {
      hold_back(g, *t, env);
    }
  }
};

/// Before a round: nobody has asked for another solve.
struct ForgetAgain {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int) const {
    if (g.lane() == 0 && t->control->halt == halt_none) {
      t->control->again = 0;
    }
  }
};

}  // namespace

std::size_t bytes_of_fast_pair() {
  return sizeof(FastPair);
}

void motion(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("motion", ctx, nblocks, FindMotion{t});
}

void list_fast(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs("list_fast", ctx, nblocks, ListFast{t});
}

void advance(const Context& ctx, const Tile* t, int nenv) {
  launch_envs<8>("advance", ctx, nenv, Advance{t});
}

void impact(const Context& ctx, const Tile* t, int nenv) {
  launch_envs<8>("impact", ctx, nenv, Meet{t});
}

void sight(const Context& ctx, const Tile* t, int nenv) {
  launch_envs<8>("sight", ctx, nenv, Sight{t});
}

void open_guard(const Context& ctx, const Tile* t, int nblocks) {
  launch_envs("forget_again", ctx, 1, ForgetAgain{t});
  launch_packs<4>("travel", ctx, nblocks, OpenGuard{t});
}

void list_guarded(const Context& ctx, const Tile* t, int nblocks, int round) {
  // groups that share a warp with others have to do the same; those of one environment need not
  if constexpr (lanes_of < pack >> 1) {
    launch_packs("list_guarded", ctx, nblocks, ListGuarded{t, round});
  } else {
    launch_envs<8>("list_guarded", ctx, nblocks * W, ListGuarded{t, round});
  }
}

void sweep_guarded(const Context& ctx, const Tile* t, int nenv, int round) {
  launch_envs<SweepView::most_lanes>("sweep_guarded", ctx, nenv, SweepGuarded{t, round});
}

void guard(const Context& ctx, const Tile* t, int nenv, bool last) {
  launch_envs<8>("guard", ctx, nenv, Guard{t, last ? 1 : 0});
}

void solve_again(const Context& ctx, const Tile* t, int nenv, int round) {
  launch_envs("forget_again", ctx, 1, ForgetAgain{t});
  launch_envs<8>("solve_again", ctx, nenv, SolveAgain{t, round});
}

void hold_back(const Context& ctx, const Tile* t, int nenv) {
  launch_envs("hold_back", ctx, nenv, HoldBack{t});
}

}  // namespace swept::SWEPT_NS
