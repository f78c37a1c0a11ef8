// SPDX-License-Identifier: Apache-2.0
// Kernels that begin and end a step.
#include "kernels/base/launch.h"
#include "kernels/integrate/euler.h"
#include "kernels/integrate/implicit.h"
#include "kernels/integrate/rk4.h"
#include "kernels/integrate/stages.h"

namespace swept::SWEPT_NS {

struct CheckState {
  const Tile* t;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    check_state(g, t->model_at<pack>(block, lane), t->data_at<pack>(block, lane),
                t->frozen + block * W + lane);
  }
};

void check_state(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("check_state", ctx, nblocks, CheckState{t});
}

struct Revive {
  const Tile* t;
  int keyframe;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    const int slot = block * W + lane;
    const LaneFlags flags = {t->frozen + slot, t->aside + slot, t->steps + slot, t->resets + slot,
                             t->reset_status + slot};
    revive(g, t->model_at<pack>(block, lane), t->data_at<pack>(block, lane), flags, keyframe);
  }
};

void revive(const Context& ctx, const Tile* t, int nblocks, int keyframe) {
  launch_packs<4>("revive", ctx, nblocks, Revive{t, keyframe});
}

struct Euler {
  const Tile* t;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    euler(g, t->model_at<pack>(block, lane), t->data_at<pack>(block, lane),
          t->frozen + block * W + lane);
  }
};

void euler(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("euler", ctx, nblocks, Euler{t});
}

struct Implicit {
  const Tile* t;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    implicit(g, t->model_at<pack>(block, lane), t->data_at<pack>(block, lane),
             t->frozen + block * W + lane);
  }
};

void implicit(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("implicit", ctx, nblocks, Implicit{t});
}

struct Rk4Stage {
  const Tile* t;
  int stage;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    rk4_stage(g, t->model_at<pack>(block, lane), t->data_at<pack>(block, lane),
              t->frozen + block * W + lane, stage);
  }
};

void rk4_stage(const Context& ctx, const Tile* t, int nblocks, int stage) {
  launch_packs<4>("rk4_stage", ctx, nblocks, Rk4Stage{t, stage});
}

}  // namespace swept::SWEPT_NS
