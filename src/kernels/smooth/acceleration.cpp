// SPDX-License-Identifier: Apache-2.0
// Kernels of actuation and of the acceleration without constraints.
#include "kernels/smooth/acceleration.h"
#include "kernels/smooth/actuation.h"

#include "kernels/base/launch.h"
#include "kernels/smooth/stages.h"

namespace swept::SWEPT_NS {

struct Actuation {
  const Tile* t;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    const ModelAt<pack> m = t->model_at<pack>(block, lane);
    const DataAt<pack> d = t->data_at<pack>(block, lane);
    actuation(g, m, d);
  }
};

void actuation(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("actuation", ctx, nblocks, Actuation{t});
}

struct Acceleration {
  const Tile* t;
  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt != 0) {
      return;
    }
    const ModelAt<pack> m = t->model_at<pack>(block, lane);
    const DataAt<pack> d = t->data_at<pack>(block, lane);
    smooth_acceleration(g, m, d);
  }
};

void acceleration(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("acceleration", ctx, nblocks, Acceleration{t});
}

}  // namespace swept::SWEPT_NS
