// SPDX-License-Identifier: Apache-2.0
// The kernels of the stages that speculative contacts add.
#include "kernels/base/launch.h"
#include "kernels/speculative/contacts.h"
#include "kernels/speculative/stages.h"

namespace swept::SWEPT_NS {
namespace {

struct FindMotion {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt == halt_none) {
      find_motion(g, t->model_at<pack>(block, lane), t->data_at<pack>(block, lane));
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
    if (t->control->halt == halt_none) {
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
    if (t->control->halt == halt_none && t->model.opt.speculative_mode == speculative_robust) {
      take_out_hidden(g, *t, env);
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

void advance(const Context& ctx, const Tile* t, int nblocks, int nenv) {
  launch_packs("list_fast", ctx, nblocks, ListFast{t});
  launch_envs<8>("advance", ctx, nenv, Advance{t});
  launch_envs<8>("impact", ctx, nenv, Meet{t});
}

void sight(const Context& ctx, const Tile* t, int nenv) {
  launch_envs<8>("sight", ctx, nenv, Sight{t});
}

}  // namespace swept::SWEPT_NS
