// SPDX-License-Identifier: Apache-2.0
// Kernels of the velocity stage.
#include "kernels/smooth/passive.h"
#include "kernels/smooth/rne.h"

#include "kernels/base/launch.h"
#include "kernels/smooth/stages.h"

namespace swept::SWEPT_NS {

struct Rne {
  const Tile* t;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    const ModelAt<pack> m = t->model_at<pack>(block, lane);
    const DataAt<pack> d = t->data_at<pack>(block, lane);
    rne(g, m, d);
  }
};

void rne(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("rne", ctx, nblocks, Rne{t});
}

struct Fluid {
  const Tile* t;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    const ModelAt<pack> m = t->model_at<pack>(block, lane);
    const DataAt<pack> d = t->data_at<pack>(block, lane);
    fluid(g, m, d);
  }
};

void fluid(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("fluid", ctx, nblocks, Fluid{t});
}

struct Passive {
  const Tile* t;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    const ModelAt<pack> m = t->model_at<pack>(block, lane);
    const DataAt<pack> d = t->data_at<pack>(block, lane);
    transmission_velocity(g, m, d);
    g.sync();
    passive(g, m, d);
  }
};

void passive(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("passive", ctx, nblocks, Passive{t});
}

void velocity(const Context& ctx, const Tile* t, int nblocks) {
  rne(ctx, t, nblocks);
  fluid(ctx, t, nblocks);
  passive(ctx, t, nblocks);
}

}  // namespace swept::SWEPT_NS
