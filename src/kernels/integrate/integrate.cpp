// SPDX-License-Identifier: Apache-2.0
// Kernels that begin and end a step.
#include "kernels/base/launch.h"
#include "kernels/integrate/euler.h"
#include "kernels/integrate/expected.h"
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

/// Whether next_qvel of a pack is wanted: some environment has to be solved again. On CUDA it always is:
/// lanes of a warp wait together, so one environment's must not return alone; and the same numbers
/// give the same velocity.
SWEPT_FN bool is_wanted(const Tile& t, int slot) {
  bool open = lanes_of<pack> == 1;
  for (int l = 0; l < lanes_of<pack>; ++l) {
    open = open || t.settled[slot + l] == 0;
  }
  return open;
}

struct FindVelocity {
  const Tile* t;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0 || !is_wanted(*t, block * W + lane)) {
      return;
    }
    const ModelAt<pack> m = t->model_at<pack>(block, lane);
    const DataAt<pack> d = t->data_at<pack>(block, lane);
    if (m->opt.integrator == integrator_euler) {
      damped_acceleration(g, m, d);
    } else {
      implicit_acceleration(g, m, d);
    }
    find_next_velocity(g, m, d);
  }
};

void next_velocity(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("next_velocity", ctx, nblocks, FindVelocity{t});
}

/// Whether an environment of a pack that is solved has fast pairs. On CUDA the answer is yes, as in
/// is_wanted(); nothing that a settled environment keeps is written.
SWEPT_FN bool has_fast_pairs(const Tile& t, int slot) {
  bool fast = lanes_of<pack> == 1;
  for (int l = 0; l < lanes_of<pack>; ++l) {
    fast = fast || (t.settled[slot + l] == 0 && t.fast.count[slot + l] > 0);
  }
  return fast;
}

struct ExpectVelocity {
  const Tile* t;
  int again;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt == 0 && has_fast_pairs(*t, block * W + lane)) {
      expect_velocity(g, t->model_at<pack>(block, lane), t->data_at<pack>(block, lane), again != 0);
    }
  }
};

void expect_velocity(const Context& ctx, const Tile* t, int nblocks, bool again) {
  launch_packs<4>("expect_velocity", ctx, nblocks, ExpectVelocity{t, again ? 1 : 0});
}

struct Move {
  const Tile* t;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    const ModelAt<pack> m = t->model_at<pack>(block, lane);
    const DataAt<pack> d = t->data_at<pack>(block, lane);
    const pack h = m.opt_timestep(0);
    move_state(
        g, m, d,
        [&](int joint) {
          const int tree = m.dof_treeid(m.jnt_dofadr(joint));
          return pack(h * d.tree_move(tree));
        },
        t->frozen + block * W + lane);
  }
};

void move(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("move", ctx, nblocks, Move{t});
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
