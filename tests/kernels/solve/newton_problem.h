// SPDX-License-Identifier: Apache-2.0
// Random problems that one of Newton's methods solves, one environment at a time.
#pragma once

#include "kernels/solve/newton/newton.h"
#include "kernels/solve/random_problem.h"

namespace swept::SWEPT_NS::test {

/// Give a tile to one of the methods alone.
///   memory   grown to what it needs
inline void choose(Tile* tile, SolverKind method, Buffer<real>* memory) {
  SolverView& s = tile->solver;
  s.dual_rows = method == SolverKind::dual ? dual_most_rows : 0;
  s.primal_rows = method == SolverKind::primal ? tile->rows.capacity : 0;
  *memory = Buffer<real>(static_cast<std::size_t>(
      newton_size(s.dual_rows, s.primal_rows, tile->model.nv) * W * tile->nblocks));
  s.slots = memory->data();
}

/// A random problem for one of the methods.
class NewtonProblem : public RandomProblem {
 public:
  NewtonProblem(const ProblemKind& kind, unsigned seed, SolverKind method)
      : RandomProblem(kind, seed) {
    choose(&tile(), method, &memory_);
  }
  bool fits() { return takes_newton(tile(), 0); }
  Eigen::VectorXd solve_alone() {
    solve_newton<real>(tile(), 0, 0);
    return qacc();
  }

 private:
  Buffer<real> memory_;
};

}  // namespace swept::SWEPT_NS::test
