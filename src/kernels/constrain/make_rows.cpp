// SPDX-License-Identifier: Apache-2.0
// Constraint rows of all environments of a tile.
#include "kernels/base/launch.h"
#include "kernels/constrain/rows.h"

namespace swept::SWEPT_NS {
namespace {

struct MakeRows {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    const int halt = t->control->halt;
    if (halt != 0 && halt != halt_rows) {
      return;
    }
    make_rows(g, *t, env);
  }
};

}  // namespace

void make_rows(const Context& ctx, const Tile* t, int nenv) {
  launch_envs<8>("make_rows", ctx, nenv, MakeRows{t});
}

}  // namespace swept::SWEPT_NS
