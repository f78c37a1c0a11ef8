// SPDX-License-Identifier: Apache-2.0
// The solver over all environments of a tile.
#include "kernels/solve/solve.h"

#include "kernels/base/launch.h"
#include "kernels/solve/newton/newton.h"
#include "kernels/solve/load_solver.h"
#include "kernels/solve/stages.h"

namespace swept::SWEPT_NS {
namespace {

/// The environments that Newton's methods take, side by side.
struct SolveNewton {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt || g.lane() != 0) {
      return;
    }
    solve_newton<pack>(*t, block, lane);
  }
};

struct LoadSolver {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int block, int lane) const {
    if (t->control->halt) {
      return;
    }
    for (int l = lane; l < lane + lanes_of<pack>; ++l) {
      load_solver(g, *t, block * W + l);
    }
  }
};

struct Solve {
  const Tile* t;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (t->control->halt) {
      return;
    }
    solve(g, *t, env);
  }
};

}  // namespace

void load_solver(const Context& ctx, const Tile* t, int nblocks) {
  // on CUDA a lane would have the matrices of its environment to itself; there every environment
  // takes conjugate gradients
  if constexpr (lanes_of < pack >> 1) {
    launch_packs("solve_newton", ctx, nblocks, SolveNewton{t});
  }
  launch_packs<4>("load_solver", ctx, nblocks, LoadSolver{t});
}

void solve(const Context& ctx, const Tile* t, int nenv) {
  launch_envs<8>("solve", ctx, nenv, Solve{t});
}

}  // namespace swept::SWEPT_NS
