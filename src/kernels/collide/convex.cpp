// SPDX-License-Identifier: Apache-2.0
// The kernel of the colliders that take as long as the pose asks for.
#include "kernels/collide/convex.h"

#include "kernels/base/launch.h"
#include "kernels/collide/capacity.h"
#include "kernels/collide/stages.h"

namespace swept::SWEPT_NS {
namespace {

struct ConvexKernel {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt == halt_none) {
      convex<pack>(g, *t, block, lane);
    }
  }
};

}  // namespace

void convex(const Context& ctx, const Tile* t, int nblocks) {
  launch_packs<4>("convex", ctx, nblocks, ConvexKernel{t});
}

}  // namespace swept::SWEPT_NS
