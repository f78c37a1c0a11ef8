// SPDX-License-Identifier: Apache-2.0
// Kernels of the position stage.
#include "kernels/smooth/com_pos.h"
#include "kernels/smooth/factor.h"
#include "kernels/smooth/inertia.h"
#include "kernels/smooth/kinematics.h"
#include "kernels/smooth/transmission.h"

#include "kernels/base/launch.h"
#include "kernels/smooth/stages.h"

namespace swept::SWEPT_NS {

struct Kinematics {
  const Tile* t;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    const ModelAt<pack> m = t->model_at<pack>(block, lane);
    const DataAt<pack> d = t->data_at<pack>(block, lane);
    kinematics(g, m, d);
  }
};

void kinematics(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("kinematics", ctx, nblocks, Kinematics{t});
}

struct ComPos {
  const Tile* t;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    const ModelAt<pack> m = t->model_at<pack>(block, lane);
    const DataAt<pack> d = t->data_at<pack>(block, lane);
    com_pos(g, m, d);
  }
};

void com_pos(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("com_pos", ctx, nblocks, ComPos{t});
}

struct Transmission {
  const Tile* t;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    const ModelAt<pack> m = t->model_at<pack>(block, lane);
    const DataAt<pack> d = t->data_at<pack>(block, lane);
    transmission(g, m, d);
  }
};

void transmission(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("transmission", ctx, nblocks, Transmission{t});
}

struct MakeM {
  const Tile* t;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    const ModelAt<pack> m = t->model_at<pack>(block, lane);
    const DataAt<pack> d = t->data_at<pack>(block, lane);
    make_m(g, m, d);
  }
};

void make_m(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("make_m", ctx, nblocks, MakeM{t});
}

struct FactorM {
  const Tile* t;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    const ModelAt<pack> m = t->model_at<pack>(block, lane);
    const DataAt<pack> d = t->data_at<pack>(block, lane);
    factor_m(g, m, slice(d.M(0)), slice(d.qLD(0)), slice(d.qLDiagInv(0)),
             [](int) { return pack(0_r); });
  }
};

void factor_m(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("factor_m", ctx, nblocks, FactorM{t});
}

void position(const Context& ctx, const Tile* t, int nblocks) {
  kinematics(ctx, t, nblocks);
  com_pos(ctx, t, nblocks);
  transmission(ctx, t, nblocks);
  make_m(ctx, t, nblocks);
  factor_m(ctx, t, nblocks);
}

}  // namespace swept::SWEPT_NS
