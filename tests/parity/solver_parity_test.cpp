// SPDX-License-Identifier: Apache-2.0
// The solver by itself: swept's contacts, rows, inertia and smooth forces, rounded as they are, are
// handed to the official library, whose Newton solves the same problem. So the difference is the solver's
// own, not that of rows whose impedance rounding has moved.
#include "parity/handed_contacts.h"
#include "parity/knife_edges.h"
#include "parity/row_lists.h"
#include "parity/smooth_fields.h"
#include "parity/table.h"
#include "support/data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace swept::test {
namespace {

constexpr int states_per_scene = 100;
constexpr Bar precisions[] = {Bar::f64, Bar::f32};

/// Relative to the largest acceleration, of the solution or without constraints. f64: both sides
/// stop at rounding times M's condition; f32: 6e-8 times that condition.
constexpr Tolerance solver_bar = {1e-8, 1e-4};

/// The same where hulls or boxes lie on each other: up to a thousand rows that all but repeat each
/// other, which conjugate gradients leave in f32 where the objective's rounding hides their progress.
constexpr Tolerance pile_bar = {1e-8, 3e-3};

/// Rows that oppose each other may cancel an aref down to the rounding of their forces. So much of
/// the largest aref counts as an acceleration: the bar in f32 is then 1e-5 of it.
constexpr double cancelled_part = 0.1;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Gives the official library swept's inertia and smooth forces, and factors the inertia.
void hand_over_dynamics(Scene* scene, const Readback& readback, std::size_t env) {
  const mjModel& m = scene->oracle.model();
  mjData& d = scene->oracle.data();
  const SmoothField inertia = {"M", "inertia", nullptr, 0};
  const std::vector<double> dense = swept_field(inertia, *scene, readback, env);
  const int nv = static_cast<int>(m.nv);
  for (int i = 0; i < nv; ++i) {
    for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) {
      d.M[k] = dense[at(i * nv + m.M_colind[k])];
    }
  }
  mj_factorM(&m, &d);
  std::ranges::copy(readback.of("qfrc_smooth", env), d.qfrc_smooth);
  // not rounded once more: the minimiser without rows is exactly M^-1 qfrc_smooth
  mj_solveM(&m, &d, d.qacc_smooth, d.qfrc_smooth, 1);
}

/// Gives the official library swept's rows, which are as many and in the same order.
void hand_over_rows(Scene* scene, const std::vector<Row>& rows) {
  mjData& d = scene->oracle.data();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::ranges::copy(rows[r].J, d.efc_J + r * rows[r].J.size());
    d.efc_D[r] = rows[r].D;
    d.efc_R[r] = 1 / rows[r].D;
    d.efc_aref[r] = rows[r].aref;
    d.efc_frictionloss[r] = rows[r].frictionloss;
  }
}

double largest_of(std::span<const double> values, double least) {
  for (const double x : values) {
    least = std::max(least, std::fabs(x));
  }
  return least;
}

/// One scene; its states with at least one row are counted.
class SolverComparison {
 public:
  SolverComparison(Scene* scene, Table* table) : scene_(*scene), table_(*table) {
    prepare_to_compare(scene);
    states_ = StateMaker(&scene_.oracle, 3).states(states_per_scene);
    std::vector<std::string> names = {"M", "qfrc_smooth", "qacc"};
    for (const auto* more : {&contact_fields(), &row_fields()}) {
      names.insert(names.end(), more->begin(), more->end());
    }
    for (const Bar precision : precisions) {
      readbacks_.push_back(std::make_unique<Readback>(scene_.model, precision, states_, names));
    }
  }

  void run() {
    for (std::size_t env = 0; env < states_.size(); ++env) {
      for (std::size_t p = 0; p < std::size(precisions); ++p) {
        compare(env, precisions[p], *readbacks_[p]);
      }
    }
  }

  int solved() const { return solved_; }

 private:
  void compare(std::size_t env, Bar precision, const Readback& readback) {
    mjModel& m = scene_.oracle.model();
    mjData& d = scene_.oracle.data();
    set_state(&scene_.oracle, states_[env]);
    mj_fwdPosition(&m, &d);
    forward_smooth(&scene_.oracle);
    forward_on(&scene_.oracle, swept_contacts(readback, env));
    if (rows_are_rigid(scene_)) {
      table_.excuse_rigid(scene_.name, precision);
      return;
    }
    const std::vector<Row> rows = swept_rows(scene_, readback, env);
    ASSERT_EQ(static_cast<int>(rows.size()), static_cast<int>(d.nefc))
        << scene_.name << ", state " << env;
    hand_over_dynamics(&scene_, readback, env);
    hand_over_rows(&scene_, rows);
    mj_fwdConstraint(&m, &d);
    solved_ += d.nefc > 0;

    const std::span<const double> got = readback.of("qacc", env);
    const std::span<const double> want = {d.qacc, got.size()};
    double scale = largest_of({d.qacc_smooth, got.size()}, largest_of(want, 1));
    for (const Row& row : rows) {
      scale = std::max(scale, cancelled_part * std::fabs(row.aref));
    }
    const char* const column = contacts_are_chosen(scene_) ? "in piles" : "qacc";
    for (std::size_t i = 0; i < got.size(); ++i) {
      table_.add(scene_.name, column, precision, std::fabs(got[i] - want[i]) / scale, [&] {
        return "dof " + std::to_string(i) + " in state " + std::to_string(env) + ": " +
               std::to_string(got[i]) + " for " + std::to_string(want[i]);
      });
    }
  }

  Scene& scene_;
  Table& table_;
  std::vector<State> states_;
  std::vector<std::unique_ptr<Readback>> readbacks_;
  int solved_ = 0;
};

void compare_solvers(Origin origin, const std::string& title) {
  SceneGroup group = load_scenes(origin);
  ASSERT_GE(static_cast<int>(group.scenes.size()), least_scenes(origin));
  Table table(title, {{"qacc", solver_bar}, {"in piles", pile_bar}});
  int solved = 0, compared = 0;
  for (Scene& scene : group.scenes) {
    SCOPED_TRACE(scene.name);
    // the official dense solution costs nv^3
    if (scene.model.nv > 100) {
      std::printf("%s has %d dofs: left out\n", scene.name.c_str(), scene.model.nv);
      continue;
    }
    ++compared;
    SolverComparison comparison(&scene, &table);
    comparison.run();
    solved += comparison.solved();
  }
  table.print();
  table.expect_below_bars();
  std::printf("%d problems with rows\n", solved);
  EXPECT_GT(solved, states_per_scene / 4 * compared);
}

TEST(SolverParity, FeatureScenesReachTheOptimumOfTheirRows) {
  compare_solvers(Origin::features, "solver on equal rows, feature scenes");
}

TEST(SolverParity, GymnasiumRobotsReachTheOptimumOfTheirRows) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::gymnasium));
  compare_solvers(Origin::gymnasium, "solver on equal rows, gymnasium's robots");
}

TEST(SolverParity, HumanoidsReachTheOptimumOfTheirRows) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::humanoids));
  compare_solvers(Origin::humanoids, "solver on equal rows, humanoids");
}

TEST(SolverParity, TestScenesReachTheOptimumOfTheirRows) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::test_folder));
  compare_solvers(Origin::test_folder, "solver on equal rows, the official test scenes");
}

}  // namespace
}  // namespace swept::test
