// SPDX-License-Identifier: Apache-2.0
// Constraint rows and the solution on scenes known by hand, and the contract on capacity.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/constrain/make_rows.cpp"
#include "kernels/constrain/oracle_rows.h"
#include "kernels/constrain/scenes.h"
#include "kernels/solve/solve.cpp"
#include "support/near.h"
#include "support/thread_group.h"

namespace swept::SWEPT_NS {
namespace {

using swept::test::near;
using swept::test::near_all;
using swept::test::Tolerance;

// golden numbers have ten digits; f32: stiffness 2770 times the rounding of a distance of 1e-3
const Tolerance golden{2e-9, 2e-5};

// one environment with rows made and solved
struct Case {
  OracleModel scene;
  OracleTile tile;

  explicit Case(const char* xml, const std::vector<double>& qpos = {},
                const std::vector<double>& qvel = {}, OracleCapacity capacity = {})
      : scene(OracleModel::from_text(xml)),
        tile(scene.model, 1, capacity.rows > 0 ? capacity : row_capacity(scene.model)) {
    std::copy(qpos.begin(), qpos.end(), scene.data->qpos);
    std::copy(qvel.begin(), qvel.end(), scene.data->qvel);
    mj_forward(scene.model, scene.data);
    load_before_rows(tile, 0, scene.model, scene.data);
    tile->model.opt.tolerance = 1e-15_r;
    make_rows(Context{}, tile.get(), 1);
    load_solver(Context{}, tile.get(), tile->nblocks);
    solve(Context{}, tile.get(), 1);
  }
  RowsAt rows() { return tile->rows_at(0); }
  std::vector<double> row_of_J(int row) {
    std::vector<double> out;
    for (int i = 0; i < tile->model.nv; ++i) {
      out.push_back(jacobian_entry(rows(), row, i));
    }
    return out;
  }
  double qacc(int i) { return tile.read(&Layout::qacc, 0)[static_cast<std::size_t>(i)]; }
};

std::vector<double> column(const real* values, int n) {
  return {values, values + n};
}

TEST(Rows, SphereOnPlane) {
  Case c(sphere_on_plane);
  const RowsAt r = c.rows();
  ASSERT_EQ(*r.nefc, 3);
  EXPECT_EQ(r.efc_dim[0], 3);
  EXPECT_EQ(r.efc_dim[1], 0);
  EXPECT_TRUE(near_all(c.row_of_J(0), std::vector<double>{0, 0, 1, 0, 0, 0}, golden));
  EXPECT_TRUE(near_all(c.row_of_J(1), std::vector<double>{0, 1, 0, 0.0995, 0, 0}, golden));
  EXPECT_TRUE(near_all(c.row_of_J(2), std::vector<double>{-1, 0, 0, 0, 0.0995, 0}, golden));
  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(near(r.efc_diagA[k], 0.9549296586, golden));
    EXPECT_TRUE(near(r.efc_R[k], 0.05025945571, golden));
    EXPECT_TRUE(near(r.efc_D[k], 19.89675347, golden));
    EXPECT_TRUE(near(r.efc_B[k], 105.2631579, golden));
    EXPECT_TRUE(near(r.efc_I[k], 0.95, golden));
  }
  EXPECT_TRUE(near(r.efc_K[0], 2770.083102, golden));
  EXPECT_TRUE(near(r.efc_aref[0], 2.631578947, {2e-9, 1e-4}));
  EXPECT_TRUE(near(r.efc_mu[0], 1, golden));
  // four edges of 12.37735146 each
  EXPECT_TRUE(near(r.efc_force[0], 4 * 12.37735146, {2e-9, 1e-4}));
  EXPECT_TRUE(near(r.efc_force[1], 0, {1e-9, 1e-4}));
  EXPECT_EQ(r.efc_state[0], 15);
  EXPECT_TRUE(near(c.qacc(2), 2.0095, {2e-9, 1e-4}));
}

TEST(Rows, EllipticSphereHasOneRegularisationPerRow) {
  Case c(elliptic_sphere);
  const RowsAt r = c.rows();
  ASSERT_EQ(*r.nefc, 6);
  const std::vector<double> R{0.01256486393, 0.001256486393, 0.001256486393,
                              3.141215982,   139.6095992,    139.6095992};
  EXPECT_TRUE(near_all(column(r.efc_R, 6), R, {5e-10, 2e-6}));
  EXPECT_TRUE(near(r.efc_mu[0], 0.316227766, golden));
  EXPECT_TRUE(near_all(column(r.efc_B, 6), std::vector<double>(6, 105.2631579), golden));
  for (int k = 1; k < 6; ++k) {
    EXPECT_EQ(r.efc_K[k], 0);
  }
  EXPECT_TRUE(near_all(c.row_of_J(3), std::vector<double>{0, 0, 0, 0, 0, 1}, golden));
  EXPECT_TRUE(near_all(c.row_of_J(4), std::vector<double>{0, 0, 0, 0, 1, 0}, golden));
  EXPECT_TRUE(near_all(c.row_of_J(5), std::vector<double>{0, 0, 0, -1, 0, 0}, golden));
  EXPECT_TRUE(near(r.efc_aref[0], 2.631578947, {2e-9, 1e-4}));
  EXPECT_TRUE(near(r.efc_force[0], 49.50940583, {2e-9, 1e-4}));
  EXPECT_TRUE(near(c.qacc(2), 2.0095, {2e-9, 1e-4}));
}

TEST(Rows, BoxStandsOnFourCorners) {
  Case c(box_on_plane);
  const RowsAt r = c.rows();
  ASSERT_EQ(*r.nefc, 16);
  for (int i = 0; i < 16; ++i) {
    EXPECT_TRUE(near(r.efc_R[i], 0.008771929825, golden));
    EXPECT_TRUE(near(r.efc_D[i], 114, golden));
  }
  for (int k = 0; k < 4; ++k) {
    // six edges of 12.3333913 each
    EXPECT_TRUE(near(r.efc_force[4 * k], 6 * 12.3333913, {2e-9, 1e-3}));
    EXPECT_EQ(c.tile->contacts_at(0).efc_address(k), 4 * k);
  }
  EXPECT_TRUE(near(c.qacc(2), 2.523391304, {2e-9, 1e-3}));
}

TEST(Rows, PendulumAtItsLimit) {
  Case c(pendulum, {0.5}, {1});
  const RowsAt r = c.rows();
  ASSERT_EQ(*r.nefc, 1);
  EXPECT_EQ(r.efc_type[0], row_limit_joint);
  EXPECT_TRUE(near(r.efc_pos[0], -0.3254670748, golden));
  EXPECT_TRUE(near(r.efc_R[0], 0.01787124246, golden));
  EXPECT_TRUE(near(r.efc_aref[0], 961.75546, golden));
  EXPECT_TRUE(near(r.efc_force[0], 2671.503383, golden));
  EXPECT_TRUE(near(c.qacc(0), -914.0123753, golden));
  EXPECT_EQ(r.efc_state[0], 1);
}

TEST(Rows, BallAtItsLimit) {
  Case c(ball, {.9, .3, .3, .1}, {0, .5, 0});
  const RowsAt r = c.rows();
  ASSERT_EQ(*r.nefc, 1);
  EXPECT_TRUE(near(r.efc_pos[0], -0.378454848, golden));
  EXPECT_TRUE(near_all(c.row_of_J(0), std::vector<double>{-0.6882472, -0.6882472, -0.22941573},
                       {1e-7, 2e-5}));
  EXPECT_TRUE(near(r.efc_vel[0], -0.3441236008, golden));
  EXPECT_TRUE(near(r.efc_R[0], 1.08005064, golden));
  EXPECT_TRUE(near(r.efc_aref[0], 1032.157347, golden));
  EXPECT_TRUE(near(r.efc_force[0], 199.1128803, {2e-9, 1e-4}));
}

TEST(Rows, BallAngleIsTheShorterOne) {
  constexpr double pi = 3.14159265358979323846;
  for (int k = -20; k <= 20; ++k) {
    const double angle = 0.3 * k;
    const double shorter = std::abs(std::remainder(angle, 2 * pi));
    const BallAngle got =
        ball_angle({real(2 * std::cos(angle / 2)), 0_r, real(2 * std::sin(angle / 2)), 0_r});
    EXPECT_TRUE(near(got.angle, shorter, {1e-14, 2e-6}));
  }
}

TEST(Rows, ImpedanceIsFlatOutsideAndContinuousInside) {
  const SolImp s{0.2_r, 0.9_r, 0.01_r, 0.3_r, 3_r};
  EXPECT_EQ(impedance(s, 0_r), 0.2_r);
  EXPECT_EQ(impedance(s, 1_r), 0.9_r);
  // y = x^p / mid^(p-1), 1 - (1-x)^p / (1-mid)^(p-1): both are mid at mid
  EXPECT_TRUE(near(impedance(s, 0.003_r), 0.2 + 0.3 * 0.7, {1e-12, 1e-6}));
  EXPECT_TRUE(near(impedance(s, -0.003_r), 0.2 + 0.3 * 0.7, {1e-12, 1e-6}));
  EXPECT_TRUE(near(impedance(s, 0.0015_r), 0.2 + 0.7 * std::pow(0.15, 3) / std::pow(0.3, 2),
                   {1e-12, 1e-6}));
  EXPECT_TRUE(near(impedance(s, 0.009_r), 0.2 + 0.7 * (1 - std::pow(0.1, 3) / std::pow(0.7, 2)),
                   {1e-12, 1e-6}));
  // straight, and of no width
  EXPECT_TRUE(near(impedance({0.2_r, 0.9_r, 0.01_r, 0.3_r, 1_r}, 0.005_r), 0.55, {1e-12, 1e-6}));
  EXPECT_TRUE(near(impedance({0.2_r, 0.9_r, 0_r, 0.3_r, 2_r}, 0.005_r), 0.55, {1e-12, 1e-6}));
}

TEST(Rows, ReferencesAreChecked) {
  const SolRef fallback{0.02_r, 1_r};
  EXPECT_EQ(checked_solref({0.001_r, 1_r}, fallback, 0.01_r, true).first, 0.02_r);
  EXPECT_EQ(checked_solref({0.001_r, 1_r}, fallback, 0.01_r, false).first, 0.001_r);
  EXPECT_EQ(checked_solref({-5_r, -3_r}, fallback, 0.01_r, true).first, -5_r);
  EXPECT_EQ(checked_solref({-5_r, 3_r}, fallback, 0.001_r, true).first, 0.02_r);
}

TEST(Rows, AFlagTakesItsRowsAway) {
  for (const auto& [flag, types] : std::vector<std::pair<int, std::vector<int>>>{
           {disable_constraint, {1, 2, 3, 4, 5, 6}},
           {disable_frictionloss, {row_friction_dof, row_friction_tendon}},
           {disable_limit, {row_limit_joint, row_limit_tendon}},
           {disable_contact, {row_contact_frictionless, row_contact_pyramidal}}}) {
    Case c(everything);
    const int before = *c.rows().nefc;
    int expected = 0;
    for (int i = 0; i < before; ++i) {
      expected += std::count(types.begin(), types.end(), c.rows().efc_type[i]) == 0 ? 1 : 0;
    }
    EXPECT_LT(expected, before);
    c.tile->model.opt.disableflags |= flag;
    make_rows(Context{}, c.tile.get(), 1);
    EXPECT_EQ(*c.rows().nefc, expected) << "flag " << flag;
  }
}

TEST(Rows, TooSmallABufferHaltsAndSaysWhatIsNeeded) {
  OracleCapacity small = row_capacity(OracleModel::from_text(everything).model);
  small.rows = 1;
  small.nonzeros = 1;
  Case c(everything, {}, {}, small);
  EXPECT_EQ(c.tile->control->halt, halt_rows);
  EXPECT_EQ(*c.rows().nefc, 0);

  // with exactly that much it fits, and the rows are those of a roomy buffer
  OracleCapacity enough = small;
  enough.rows = c.tile->control->need.rows;
  enough.nonzeros = c.tile->control->need.nonzeros;
  Case fits(everything, {}, {}, enough);
  Case roomy(everything);
  EXPECT_EQ(fits.tile->control->halt, 0);
  ASSERT_EQ(*fits.rows().nefc, *roomy.rows().nefc);
  EXPECT_EQ(*fits.rows().nefc, enough.rows);
  for (int i = 0; i < enough.rows; ++i) {
    EXPECT_EQ(fits.rows().efc_aref[i], roomy.rows().efc_aref[i]);
    EXPECT_EQ(fits.rows().efc_force[i], roomy.rows().efc_force[i]);
  }

  // one less of either does not fit, and writes nothing outside
  for (const int which : {0, 1}) {
    OracleCapacity less = enough;
    (which == 0 ? less.rows : less.nonzeros) -= 1;
    Case tight(everything, {}, {}, less);
    EXPECT_EQ(tight.tile->control->halt, halt_rows);
    EXPECT_EQ(tight.tile->control->need.rows, enough.rows);
    EXPECT_EQ(tight.tile->control->need.nonzeros, enough.nonzeros);
    // what follows in memory belongs to the next environment
    EXPECT_EQ(tight.tile->rows_at(1).efc_D[0], 0);
    EXPECT_EQ(tight.tile->rows_at(1).efc_J[0], 0);
  }
}

TEST(Rows, GroupsOfAnySizeGiveTheSameBits) {
  Case c(everything);
  const int n = *c.rows().nefc;
  const std::vector<double> aref = column(c.rows().efc_aref, n);
  const std::vector<double> J = column(c.rows().efc_J, *c.rows().nnz);
  for (const int lanes : {1, 4, 8, 32}) {
    *c.rows().nefc = 0;
    std::fill(c.rows().efc_aref, c.rows().efc_aref + n, 0_r);
    test::run_lanes(lanes, [&](const test::ThreadGroup g) { make_rows(g, *c.tile.get(), 0); });
    ASSERT_EQ(*c.rows().nefc, n);
    EXPECT_EQ(column(c.rows().efc_aref, n), aref);
    EXPECT_EQ(column(c.rows().efc_J, *c.rows().nnz), J);
  }
}

TEST(Rows, ContactsThatMoveNothingAreExcluded) {
  Case c(sphere_on_plane);
  const ContactsAt contacts = c.tile->contacts_at(0);
  contacts.geom2(0) = contacts.geom1(0);
  make_rows(Context{}, c.tile.get(), 1);
  EXPECT_EQ(*c.rows().nefc, 0);
  EXPECT_EQ(contacts.exclude(0), 3);
  EXPECT_EQ(contacts.efc_address(0), -1);
}

TEST(Rows, AFrozenEnvironmentHasNone) {
  Case c(sphere_on_plane);
  c.tile->frozen[0] = status_bad_qvel;
  make_rows(Context{}, c.tile.get(), 1);
  EXPECT_EQ(*c.rows().nefc, 0);
}

}  // namespace
}  // namespace swept::SWEPT_NS
