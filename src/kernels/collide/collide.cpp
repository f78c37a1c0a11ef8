// SPDX-License-Identifier: Apache-2.0
// The kernels of the collision stages.
#include "kernels/base/launch.h"
#include "kernels/collide/broadphase.h"
#include "kernels/collide/narrowphase.h"
#include "kernels/collide/stages.h"
#include "kernels/collide/sweep.h"

namespace swept::SWEPT_NS {
namespace {

struct SweepKernel {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (!halted_before(*t, halt_pairs, halt_slots)) {
      sweep(g, *t, env, Along::line);
    }
  }
};

struct BroadphaseKernel {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (!halted_before(*t, halt_pairs, halt_slots)) {
      broadphase<pack>(g, *t, block, lane);
    }
  }
};

struct NarrowphaseKernel {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (!halted_before(*t, halt_contacts)) {
      narrowphase<pack>(g, *t, block, lane);
    }
  }
};

}  // namespace

void sweep(const Context& ctx, const Tile* t, int nenv) {
  launch_envs<SweepView::most_lanes>("sweep", ctx, nenv, SweepKernel{t});
}

void broadphase(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("broadphase", ctx, nblocks, BroadphaseKernel{t});
}

void narrowphase(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs("narrowphase", ctx, nblocks, NarrowphaseKernel{t});
}

}  // namespace swept::SWEPT_NS
