// SPDX-License-Identifier: Apache-2.0
// Newton's methods on random problems with all kinds of rows, one environment at a time and in
// packs, against a dense Newton method in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/base/bits.h"
#include "kernels/solve/newton_problem.h"
#include "support/near.h"

namespace swept::SWEPT_NS::test {
namespace {

using swept::test::default_bar;
using swept::test::Tolerance;

/// Distance in the norm of M, relative: f64: rounding times the problems' condition, up to 1e5; f32:
/// 6e-8 times that root.
const Tolerance optimum{1e-10, 1e-3};

// the dual method takes up to 48 rows: few blocks, so that it takes most problems
constexpr int most_blocks = 16;

class Newton : public testing::TestWithParam<SolverKind> {};

INSTANTIATE_TEST_SUITE_P(Methods, Newton, testing::Values(SolverKind::dual, SolverKind::primal),
                         [](const auto& method) {
                           return std::string(method.param == SolverKind::dual ? "Dual" : "Primal");
                         });

TEST_P(Newton, FindsTheMinimumOfRandomProblems) {
  int solved = 0;
  double worst = 0;
  for (int n = 0; n < 2000; ++n) {
    ProblemKind kind = kind_of(n, most_blocks);
    if (GetParam() == SolverKind::primal && n % 8 == 0) {
      kind.blocks += 40;
    }
    NewtonProblem p(kind, static_cast<unsigned>(n), GetParam());
    if (!p.fits()) {
      continue;
    }
    ++solved;
    const Eigen::MatrixXd M = p.inertia();
    const double distance = relative_distance(M, p.solve_alone(), p.newton(M));
    EXPECT_LE(distance, optimum.bar(default_bar)) << "problem " << n;
    worst = std::max(worst, distance);
    // Newton's method: some 3 iterations, and few more where contacts slide
    EXPECT_LE(p.tile().solver.niter[0], 60) << "problem " << n;
  }
  EXPECT_GT(solved, 1500);
  RecordProperty("worst", std::to_string(worst));
}

TEST_P(Newton, ForcesBalanceAtTheMinimum) {
  int rough = 0;
  for (int n = 0; n < 500; ++n) {
    NewtonProblem p(kind_of(n, most_blocks), static_cast<unsigned>(n), GetParam());
    if (!p.fits()) {
      continue;
    }
    const Eigen::MatrixXd M = p.inertia();
    const Eigen::VectorXd x = p.solve_alone() - p.qacc_smooth();
    const Eigen::VectorXd force =
        p.vector([&](int i) { return p.data().qfrc_constraint(i).get(); });
    const auto rest = [&](const Eigen::VectorXd& e) {
      return std::sqrt(e.dot(M.ldlt().solve(e)) / (1 + x.dot(M * x)));
    };
    // M (a - a_smooth) = qfrc_constraint = J^T efc_force, in the norm of M^-1
    EXPECT_LE(rest(M * x - force), Tolerance({1e-10, 1e-3}).bar(default_bar)) << "problem " << n;
    Eigen::VectorXd from_rows = Eigen::VectorXd::Zero(p.nv());
    const RowsAt r = p.tile().rows_at(0);
    for (int i = 0; i < *r.nefc; ++i) {
      for (int k = r.efc_rowadr[i]; k < r.efc_rowadr[i] + r.efc_rownnz[i]; ++k) {
        from_rows[r.efc_J_colind[k]] +=
            static_cast<double>(r.efc_J[k]) * static_cast<double>(r.efc_force[i]);
      }
    }
    // forces of rows are brought into their cones, which stiff rows may miss by more in f32; few do
    const double difference = rest(force - from_rows);
    EXPECT_LE(difference, Tolerance({1e-10, 2e-2}).bar(default_bar)) << "problem " << n;
    rough += difference > Tolerance({1e-10, 1e-3}).bar(default_bar) ? 1 : 0;
  }
  EXPECT_LE(rough, 5);
}

TEST_P(Newton, ZonesAreThoseOfConjugateGradients) {
  for (int n = 0; n < 500; ++n) {
    NewtonProblem p(kind_of(n, most_blocks), static_cast<unsigned>(n), GetParam());
    if (!p.fits()) {
      continue;
    }
    p.solve_alone();
    const RowsAt r = p.tile().rows_at(0);
    const std::vector<int> states(r.efc_state, r.efc_state + *r.nefc);
    const std::vector<real> forces(r.efc_force, r.efc_force + *r.nefc);
    p.tile().solver.dual_rows = p.tile().solver.primal_rows = 0;
    p.solve();
    real largest = 1;
    for (const real f : forces) {
      largest = std::max(largest, std::abs(f));
    }
    for (int i = 0; i < *r.nefc; ++i) {
      // forces are as sharp as the solution times the rows' D
      const double bar = Tolerance({1e-8, 2e-2}).bar(default_bar) * static_cast<double>(largest);
      EXPECT_NEAR(static_cast<double>(forces[static_cast<std::size_t>(i)]),
                  static_cast<double>(r.efc_force[i]), bar)
          << "problem " << n << ", row " << i;
      // f32 may put a residual that is all but zero on either side
      if (!is_f32) {
        EXPECT_EQ(states[static_cast<std::size_t>(i)], r.efc_state[i])
            << "problem " << n << ", row " << i << " of type " << r.efc_type[i];
      }
    }
  }
}

TEST_P(Newton, StiffRowsKeepTheirDigits) {
  // one dof of inertia 1, one equality row of any stiffness: f = -D b / (1 + D)
  for (double D = 1e-6; D < 1e20; D *= 7) {
    ProblemKind kind;
    kind.nv = 1;
    kind.blocks = 4;
    NewtonProblem p(kind, 5, GetParam());
    const RowsAt r = p.tile().rows_at(0);
    *r.nefc = 1;
    p.data().qLDiagInv(0) = 1_r;
    p.data().M(0) = 1_r;
    r.efc_J[r.efc_rowadr[0]] = 1_r;
    r.efc_D[0] = static_cast<real>(D);
    const double b = static_cast<double>(r.efc_b[0]);
    const double force = -D * b / (1 + D);
    const Eigen::VectorXd x = p.solve_alone() - p.qacc_smooth();
    // the primal method takes the force as D times a residual that the step has all but removed
    const double loss = GetParam() == SolverKind::primal ? 1 + D : 1;
    const double bar = 10 * loss * Tolerance({1e-15, 1e-6}).bar(default_bar);
    EXPECT_NEAR(static_cast<double>(r.efc_force[0]), force, bar * std::abs(force)) << D;
    EXPECT_NEAR(x[0], force, bar * (std::abs(force) + std::abs(p.qacc_smooth()[0]))) << D;
  }
}

/// Problems over one tree, side by side in the lanes of a block.
class Block {
 public:
  Block(int nv, unsigned seed, bool cones, SolverKind method) {
    for (int l = 0; l < W; ++l) {
      ProblemKind kind;
      kind.nv = nv;
      kind.blocks = 1 + static_cast<int>((seed + 5 * static_cast<unsigned>(l)) % 12);
      kind.cones = cones && l % 3 != 0;
      kind.tree = seed + 1;
      alone_.push_back(
          std::make_unique<NewtonProblem>(kind, 1000 * seed + static_cast<unsigned>(l), method));
    }
    gather();
    choose(&tile_, method, &slots_);
  }

  Tile& tile() { return tile_; }
  NewtonProblem& alone(int l) { return *alone_[static_cast<std::size_t>(l)]; }
  RowsAt rows(int l) const { return tile_.rows_at(l); }
  real* field(int Layout::*at, int l) const { return tile_.scratch + tile_.layout.*at * W + l; }

 private:
  template <class T>
  T* keep(std::size_t n) {
    auto buffer = std::make_shared<Buffer<T>>(n + 1);
    memory_.push_back(buffer);
    return buffer->data();
  }

  void gather() {
    tile_ = alone(0).tile();
    tile_.nenv = W;
    tile_.scratch = keep<real>(static_cast<std::size_t>(tile_.layout.size * W));
    int capacity = 0, nonzeros = 0;
    for (int l = 0; l < W; ++l) {
      capacity = std::max(capacity, alone(l).tile().rows.capacity);
      nonzeros = std::max(nonzeros, alone(l).tile().rows.capacity_nnz);
    }
    tile_.rows.capacity = capacity;
    tile_.rows.capacity_nnz = nonzeros;
    const std::size_t rows = static_cast<std::size_t>(capacity * W);
#define SWEPT_ROW_REAL(name, unit, meaning) tile_.rows.name = keep<real>(rows);
#define SWEPT_ROW_INT(name, meaning) tile_.rows.name = keep<int>(rows);
#include "kernels/base/fields_row.def"
#undef SWEPT_ROW_REAL
#undef SWEPT_ROW_INT
    tile_.rows.nefc = keep<int>(W);
    tile_.rows.nnz = keep<int>(W);
    tile_.rows.efc_J = keep<real>(static_cast<std::size_t>(nonzeros * W));
    tile_.rows.efc_J_colind = keep<int>(static_cast<std::size_t>(nonzeros * W));
    tile_.solver.niter = keep<int>(W);
    tile_.solver.residual = keep<real>(W);
    tile_.frozen = keep<int>(W);
    tile_.settled = keep<int>(W);
    for (int l = 0; l < W; ++l) {
      take(l);
    }
  }

  /// Copy problem l into lane l.
  void take(int l) {
    const Tile& from = alone(l).tile();
    for (int i = 0; i < tile_.layout.size; ++i) {
      tile_.scratch[i * W + l] = from.scratch[i * W];
    }
    const RowsAt a = from.rows_at(0), b = tile_.rows_at(l);
    *b.nefc = *a.nefc;
    *b.nnz = *a.nnz;
#define SWEPT_ROW_REAL(name, unit, meaning) std::copy(a.name, a.name + *a.nefc, b.name);
#define SWEPT_ROW_INT(name, meaning) std::copy(a.name, a.name + *a.nefc, b.name);
#include "kernels/base/fields_row.def"
#undef SWEPT_ROW_REAL
#undef SWEPT_ROW_INT
    std::copy(a.efc_J, a.efc_J + *a.nnz, b.efc_J);
    std::copy(a.efc_J_colind, a.efc_J_colind + *a.nnz, b.efc_J_colind);
  }

  std::vector<std::unique_ptr<NewtonProblem>> alone_;
  std::vector<std::shared_ptr<void>> memory_;
  Tile tile_;
  Buffer<real> slots_;
};

/// Whether lane l of a block holds the bits that its problem has alone.
void expect_same_bits(Block* block, int l) {
  const Tile& alone = block->alone(l).tile();
  for (const auto at : {&Layout::qacc, &Layout::qfrc_constraint}) {
    for (int i = 0; i < alone.model.nv; ++i) {
      const real want = alone.scratch[(alone.layout.*at + i) * W];
      const real got = block->field(at, l)[i * W];
      EXPECT_EQ(std::memcmp(&want, &got, sizeof(real)), 0) << "lane " << l << ", dof " << i;
    }
  }
  const RowsAt a = alone.rows_at(0), b = block->rows(l);
  for (int i = 0; i < *a.nefc; ++i) {
    EXPECT_EQ(a.efc_force[i], b.efc_force[i]) << "lane " << l << ", row " << i;
    EXPECT_EQ(a.efc_state[i], b.efc_state[i]) << "lane " << l << ", row " << i;
  }
  EXPECT_EQ(alone.solver.niter[0], block->tile().solver.niter[l]);
  EXPECT_EQ(alone.solver.residual[0], block->tile().solver.residual[l]);
}

TEST_P(Newton, PacksGiveTheBitsOfOneEnvironment) {
  for (unsigned n = 0; n < 60; ++n) {
    Block block(2 + static_cast<int>(n % 30), n, n % 2 == 1, GetParam());
    solve_newton<pack>(block.tile(), 0, 0);
    for (int l = 0; l < W; ++l) {
      if (block.alone(l).fits()) {
        block.alone(l).solve_alone();
        expect_same_bits(&block, l);
      }
    }
  }
}

TEST_P(Newton, ABadLaneDoesNotTouchTheOthers) {
  for (unsigned n = 0; n < 20; ++n) {
    Block block(20, n, true, GetParam());
    const int bad = static_cast<int>(n) % W;
    const real nan = std::numeric_limits<real>::quiet_NaN();
    block.rows(bad).efc_b[0] = n % 2 == 0 ? nan : std::numeric_limits<real>::infinity();
    solve_newton<pack>(block.tile(), 0, 0);
    for (int l = 0; l < W; ++l) {
      if (l != bad && block.alone(l).fits()) {
        block.alone(l).solve_alone();
        expect_same_bits(&block, l);
      }
    }
    if (block.alone(bad).fits()) {
      const real a = block.field(&Layout::qacc, bad)[0];
      EXPECT_TRUE(!(a - a == 0)) << "a bad row must be seen in qacc";
    }
  }
}

TEST_P(Newton, LanesWithTooManyRowsKeepWhatTheyHave) {
  Block block(10, 3, false, GetParam());
  SolverView& solver = block.tile().solver;
  (GetParam() == SolverKind::dual ? solver.dual_rows : solver.primal_rows) = 5;
  for (int l = 0; l < W; ++l) {
    block.field(&Layout::qacc, l)[0] = 123_r;
  }
  solve_newton<pack>(block.tile(), 0, 0);
  for (int l = 0; l < W; ++l) {
    const int nefc = *block.rows(l).nefc;
    EXPECT_EQ(block.field(&Layout::qacc, l)[0] == 123_r, nefc > 5 || nefc == 0) << nefc;
  }
}

TEST_P(Newton, InertLanesAreNotSolved) {
  // the last lane holds no environment, but the rows of one that stood there before
  Block block(10, 3, false, GetParam());
  block.tile().nenv = W - 1;
  block.field(&Layout::qacc, W - 1)[0] = 123_r;
  ASSERT_GT(*block.rows(W - 1).nefc, 0);
  solve_newton<pack>(block.tile(), 0, 0);
  EXPECT_EQ(block.field(&Layout::qacc, W - 1)[0], 123_r);
  EXPECT_FALSE(takes_newton(block.tile(), W - 1));
  EXPECT_TRUE(takes_newton(block.tile(), 0));
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
