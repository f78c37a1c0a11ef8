// SPDX-License-Identifier: Apache-2.0
// The kernel of the colliders that take one pair at a time.
#include "kernels/collide/convex.h"

#include "kernels/base/launch.h"
#include "kernels/collide/capacity.h"
#include "kernels/collide/stages.h"

namespace swept::SWEPT_NS {
namespace {

struct ConvexKernel {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (t->control->halt == halt_none) {
      convex(g, *t, env);
    }
  }
};

}  // namespace

void convex(const Context& ctx, const Tile* t, int nenv) {
  launch_envs<8>("convex", ctx, nenv, ConvexKernel{t});
}

}  // namespace swept::SWEPT_NS
