// SPDX-License-Identifier: Apache-2.0
// The implicit integrators on random trees in a medium: derivatives against finite differences of
// the forces, the factor against the matrix, exact answers, and energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/integrate/medium.h"
#include "kernels/integrate/steps.h"
#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using swept::test::near;
using swept::test::near_all;
using swept::test::Tolerance;

constexpr int implicit_integrators[] = {integrator_implicit, integrator_implicitfast};

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// forces at a velocity: actuators and passive, minus the bias if `whole`
std::vector<double> forces(HostTile* tile, const std::vector<double>& qvel, bool whole) {
  tile->write(&Layout::qvel, 0, qvel.data());
  forward(Serial{}, tile->model_at(0), tile->data_at(0));
  std::vector<double> sum = tile->read(&Layout::qfrc_actuator, 0);
  const std::vector<double> passive = tile->read(&Layout::qfrc_passive, 0),
                            bias = tile->read(&Layout::qfrc_bias, 0);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i] += passive[i] - (whole ? bias[i] : 0.0);
  }
  return sum;
}

// d(forces)/d(qvel) by central differences, row-major
std::vector<double> differences(HostTile* tile, bool whole) {
  const std::vector<double> qvel = tile->read(&Layout::qvel, 0);
  const std::size_t nv = qvel.size();
  std::vector<double> result(nv * nv);
  const double step = sizeof(real) == 8 ? 1e-6 : 1.0 / 64;
  for (std::size_t j = 0; j < nv; ++j) {
    std::vector<double> moved = qvel;
    moved[j] = qvel[j] + step;
    const std::vector<double> above = forces(tile, moved, whole);
    moved[j] = qvel[j] - step;
    const std::vector<double> below = forces(tile, moved, whole);
    for (std::size_t i = 0; i < nv; ++i) {
      result[i * nv + j] = (above[i] - below[i]) / (2 * step);
    }
  }
  forces(tile, qvel, whole);
  return result;
}

// a tree whose forces are smooth: no limit holds any
ModelArrays smooth_tree(unsigned seed, int integrator) {
  ModelArrays m = wet_tree(seed, integrator);
  std::fill(m.actuator_forcelimited.begin(), m.actuator_forcelimited.end(), 0);
  std::fill(m.tendon_actfrclimited.begin(), m.tendon_actfrclimited.end(), 0);
  return m;
}

// f64: rounding over the step, and the step squared; f32 likewise, at a step of 1/64
const Tolerance difference_bar{3e-7, 3e-2};

double largest(const std::vector<double>& values) {
  double size = 1;
  for (const double x : values) {
    size = std::max(size, std::abs(x));
  }
  return size;
}

TEST(Implicit, TheWholeDerivativeIsThatOfTheForces) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const ModelArrays m = smooth_tree(seed, integrator_implicit);
    HostTile tile(m, 1);
    fill_state(&tile, m, 0, seed);
    const std::vector<double> want = differences(&tile, true);
    velocity_derivative(Serial{}, tile.model_at(0), tile.data_at(0));
    const std::vector<double> lower = tile.read(&Layout::qH, 0), upper = tile.read(&Layout::qHU, 0);
    const double bar = largest(want) * difference_bar.bar(test::default_bar);
    for (int i = 0; i < m.nv; ++i) {
      for (int k = m.M_rowadr[at(i)]; k < m.M_rowadr[at(i)] + m.M_rownnz[at(i)]; ++k) {
        const int j = m.M_colind[at(k)];
        ASSERT_NEAR(lower[at(k)], want[at(i * m.nv + j)], bar)
            << "tree " << seed << " entry " << i << ", " << j;
        if (i != j) {
          ASSERT_NEAR(upper[at(k)], want[at(j * m.nv + i)], bar)
              << "tree " << seed << " entry " << j << ", " << i;
        }
      }
    }
  }
}

TEST(Implicit, TheFastDerivativeIsTheSymmetricPartWithoutTheBias) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const ModelArrays m = smooth_tree(seed, integrator_implicitfast);
    HostTile tile(m, 1);
    fill_state(&tile, m, 0, seed);
    const std::vector<double> full = differences(&tile, false);
    const ModelAt<real> model = tile.model_at(0);
    velocity_derivative(Serial{}, model, tile.data_at(0));
    const std::vector<double> lower = tile.read(&Layout::qH, 0);
    const double bar = largest(full) * difference_bar.bar(test::default_bar);
    for (int i = 0; i < m.nv; ++i) {
      if (is_free_body(model, m.dof_jntid[at(i)])) {
        continue;
      }
      for (int k = m.M_rowadr[at(i)]; k < m.M_rowadr[at(i)] + m.M_rownnz[at(i)]; ++k) {
        const int j = m.M_colind[at(k)];
        const double want = (full[at(i * m.nv + j)] + full[at(j * m.nv + i)]) / 2;
        ASSERT_NEAR(lower[at(k)], want, bar) << "tree " << seed << " entry " << i << ", " << j;
      }
    }
  }
}

// a x, row by row, minus b
double misfit(const std::vector<double>& a, const std::vector<double>& x,
              const std::vector<double>& b) {
  double size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double sum = -b[i];
    for (std::size_t j = 0; j < x.size(); ++j) {
      sum += a[i * x.size() + j] * x[j];
    }
    size = std::max(size, std::abs(sum));
  }
  return size;
}

// M - h D of a tile, whole, with the library's treatment of free bodies under implicitfast
std::vector<double> dense_equations(HostTile* tile, const ModelArrays& m, bool whole) {
  const std::vector<double> with_bias = differences(tile, true),
                            forces_only = differences(tile, false);
  const ModelAt<real> model = tile->model_at(0);
  std::vector<double> a = tile->dense(&Layout::M, 0);
  const double h = m.opt_timestep[0];
  for (int i = 0; i < m.nv; ++i) {
    for (int j = 0; j < m.nv; ++j) {
      const int low = std::max(i, j), high = std::min(i, j);
      if (low >= high + m.dof_subtreenum[at(high)]) {
        continue;
      }
      const std::size_t ij = at(i * m.nv + j), ji = at(j * m.nv + i);
      const bool apart = whole || is_free_body(model, m.dof_jntid[at(i)]);
      a[ij] -= h * (apart ? with_bias[ij] : (forces_only[ij] + forces_only[ji]) / 2);
    }
  }
  return a;
}

TEST(Implicit, TheAccelerationSolvesTheEquations) {
  for (const int integrator : implicit_integrators) {
    for (unsigned seed = 1; seed <= 40; ++seed) {
      ModelArrays m = smooth_tree(seed, integrator);
      m.opt_timestep = {0.02};
      HostTile tile(m, 1);
      fill_state(&tile, m, 0, seed);
      const std::vector<double> a = dense_equations(&tile, m, integrator == integrator_implicit);
      const std::vector<double> force = tile.read(&Layout::qfrc_smooth, 0);
      implicit_acceleration(Serial{}, tile.model_at(0), tile.data_at(0));
      const std::vector<double> x = tile.read(&Layout::dof_work, 0);
      // that of the differences, times the time step and the acceleration
      EXPECT_LE(misfit(a, x, force),
                largest(a) * largest(x) * difference_bar.bar(test::default_bar))
          << "tree " << seed << " integrator " << integrator;
    }
  }
}

TEST(Implicit, TheDerivativesGiveTheBitsOfPacksForOneEnvironment) {
  for (const int integrator : implicit_integrators) {
    const ModelArrays m = wet_tree(3, integrator);
    HostTile packs(m, W), each(m, W);
    for (int env = 0; env < W; ++env) {
      fill_state(&packs, m, env, static_cast<unsigned>(env));
      fill_state(&each, m, env, static_cast<unsigned>(env));
      forward(Serial{}, each.model_at(env), each.data_at(env));
      velocity_derivative(Serial{}, each.model_at(env), each.data_at(env));
    }
    forward(Serial{}, packs->model_at<pack>(0, 0), packs->data_at<pack>(0, 0));
    velocity_derivative(Serial{}, packs->model_at<pack>(0, 0), packs->data_at<pack>(0, 0));
    for (int env = 0; env < W; ++env) {
      for (int Layout::*const field : {&Layout::qH, &Layout::qHU, &Layout::qfrc_fluid}) {
        EXPECT_EQ(packs.read(field, env), each.read(field, env)) << "environment " << env;
      }
    }
  }
}

TEST(Implicit, AMediumOfItsOwnChangesNoOtherEnvironment) {
  for (const int integrator : implicit_integrators) {
    ModelArrays dry = wet_tree(4, integrator);
    dry.opt_density = dry.opt_viscosity = {0};
    const ModelArrays wet = wet_tree(4, integrator);
    HostTile mixed(dry, 2), all_dry(dry, 2), all_wet(wet, 2);
    const auto only_second = [&](const std::vector<double>& values) {
      return [&values](int env, int) { return env == 1 ? values[0] : 0.0; };
    };
    mixed.vary(&ModelView::opt_density, 1, only_second(wet.opt_density));
    mixed.vary(&ModelView::opt_viscosity, 1, only_second(wet.opt_viscosity));
    for (HostTile* tile : {&mixed, &all_dry, &all_wet}) {
      for (int env = 0; env < W; ++env) {
        fill_state(tile, dry, env, 7);
      }
      step_packs(tile, integrator);
    }
    EXPECT_EQ(mixed.read(&Layout::qpos, 0), all_dry.read(&Layout::qpos, 0));
    EXPECT_EQ(mixed.read(&Layout::qfrc_passive, 0), all_dry.read(&Layout::qfrc_passive, 0));
    EXPECT_EQ(mixed.read(&Layout::qpos, 1), all_wet.read(&Layout::qpos, 1));
    EXPECT_NE(mixed.read(&Layout::qpos, 1), all_dry.read(&Layout::qpos, 1));
  }
}

// ---- one free body ------------------------------------------------------------------------------

// a free brick with its centre of mass at the joint
ModelArrays brick(int integrator, double timestep) {
  ModelArrays m;
  m.nbody = 2;
  m.njnt = 1;
  m.nq = 7;
  m.nv = 6;
  m.resize();
  m.body_quat = m.body_iquat = {1, 0, 0, 0, 1, 0, 0, 0};
  m.body_rootid = {0, 1};
  m.body_jntadr = m.body_dofadr = {-1, 0};
  m.body_jntnum = {0, 1};
  m.body_dofnum = {0, 6};
  m.body_mass = {0, 48};
  m.body_subtreemass = {48, 48};
  m.body_inertia = {0, 0, 0, 2.08, 1.6, 0.8};
  m.jnt_type = {joint_free};
  m.jnt_bodyid = {1};
  m.jnt_actuatorid = {-1};
  m.qpos0 = {0, 0, 0, 1, 0, 0, 0};
  for (int i = 0; i < 6; ++i) {
    m.dof_bodyid[at(i)] = 1;
    m.dof_parentid[at(i)] = i - 1;
  }
  m.opt_timestep = {timestep};
  m.opt.integrator = integrator;
  finish_tree(&m);
  return m;
}

double rotation_energy(const HostTile& tile, const ModelArrays& m) {
  const std::vector<double> v = tile.read(&Layout::qvel, 0);
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    sum += m.body_inertia[3 + k] * v[3 + k] * v[3 + k] / 2;
  }
  return sum;
}

TEST(Implicit, ASpinningBodyGainsNoEnergyAtStepsThatEulerDoesNotBear) {
  const std::vector<double> spin = {0, 0, 0, 1, 30, 2};
  const auto energy_ratio = [&](int integrator) {
    const ModelArrays m = brick(integrator, 0.02);
    HostTile tile(m, 1);
    tile.write(&Layout::qvel, 0, spin.data());
    const double before = rotation_energy(tile, m);
    double most = 1;
    for (int step = 0; step < 200; ++step) {
      step_one(&tile, 0, integrator);
      most = std::max(most, rotation_energy(tile, m) / before);
    }
    return most;
  };
  EXPECT_GT(energy_ratio(integrator_euler), 2);
  for (const int integrator : implicit_integrators) {
    // linearly implicit in an energy that bounds the motion: no gain beyond rounding
    EXPECT_LE(energy_ratio(integrator), 1 + 1e-3) << integrator;
  }
}

TEST(Implicit, ABallInAViscousMediumReachesTheSpeedOfStokes) {
  // the box of a ball of mass m and radius r has sides b = sqrt(6 I / m), I = 2/5 m r^2; the drag
  // is 3 pi b beta v
  const double mass = 48, radius = 0.5, moment = 0.4 * mass * radius * radius;
  for (const int integrator : implicit_integrators) {
    ModelArrays m = brick(integrator, 0.05);
    m.body_inertia = {0, 0, 0, moment, moment, moment};
    m.opt_gravity = {0, 0, -10};
    m.opt_viscosity = {20};
    m.opt_wind = {3, 0, 0};
    HostTile tile(m, 1);
    for (int step = 0; step < 2000; ++step) {
      step_one(&tile, 0, integrator);
    }
    const double side = std::sqrt(6 * moment / mass), pi = std::acos(-1.0);
    const double fall = mass * 10 / (3 * pi * side * 20);
    // at rest in the falling frame: rounding of the force over the drag
    EXPECT_TRUE(near_all(tile.read(&Layout::qvel, 0), std::vector<double>{3, 0, -fall, 0, 0, 0},
                         {1e-12, 1e-5}))
        << integrator;
  }
}

TEST(Implicit, LinearForcesAreStableAtAnyStiffnessAndExactlyThoseOfTheFormula) {
  for (const int integrator : implicit_integrators) {
    for (const double damping : {0.1, 10.0, 1e6}) {
      ModelArrays m = brick(integrator, 0.01);
      m.nu = 1;
      m.resize();
      m.actuator_trntype = {transmission_joint};
      m.actuator_trnid = {0, -1};
      m.actuator_actadr = {-1};
      m.actuator_biastype = {bias_affine};
      m.actuator_biasprm[2] = -damping;
      m.actuator_gear = {2, 0, 0, 0, 0, 0};
      m.dof_damping[1] = damping;
      HostTile tile(m, 1);
      const std::vector<double> speed = {3, 5, 0, 0, 0, 0};
      tile.write(&Layout::qvel, 0, speed.data());
      step_one(&tile, 0, integrator);
      // v / (1 + h b / m), with b = gear^2 damping for the actuator
      const std::vector<double> v = tile.read(&Layout::qvel, 0);
      EXPECT_TRUE(near(v[0], 3 / (1 + 0.01 * 4 * damping / 48), {1e-12, 1e-5})) << damping;
      EXPECT_TRUE(near(v[1], 5 / (1 + 0.01 * damping / 48), {1e-12, 1e-5})) << damping;
    }
  }
}

// numbers of the official library 4.0.0, ten digits written down
TEST(ImplicitGolden, ABoxAndAnEllipsoidInWind) {
  const Tolerance digits{2e-10, 3e-6};
  for (const bool ellipsoid : {false, true}) {
    ModelArrays m = brick(integrator_implicit, 0.01);
    m.ngeom = 1;
    m.resize();
    m.body_geomadr = {-1, 0};
    m.body_geomnum = {0, 1};
    m.geom_bodyid = {1};
    m.geom_quat = {1, 0, 0, 0};
    m.geom_size = {0.1, 0.2, 0.3};
    m.geom_type = {ellipsoid ? geom_ellipsoid : geom_box};
    // a box with half sides 0.1, 0.2, 0.3 has the sides 0.2, 0.4, 0.6
    const double mass = m.body_mass[1] = 48;
    m.body_inertia = {
        0, 0, 0, mass * (0.16 + 0.36) / 12, mass * (0.04 + 0.36) / 12, mass * (0.04 + 0.16) / 12};
    if (ellipsoid) {
      m.geom_fluid = {1,
                      0.5,
                      0.25,
                      1.5,
                      1,
                      1,
                      0.03421892335,
                      0.009161969686,
                      0.004656001295,
                      3.914190145e-05,
                      3.559983763e-04,
                      9.632561919e-05};
    }
    m.opt_density = {1.2};
    m.opt_viscosity = {0.01};
    m.opt_wind = {0, 1, 0};
    HostTile tile(m, 1);
    const std::vector<double> speed = {1, 0, 2, 1, 2, 3};
    tile.write(&Layout::qvel, 0, speed.data());
    forward(Serial{}, tile.model_at(0), tile.data_at(0));
    const std::vector<double> box = {-0.1816991118,   0.1096991118,    -0.2673982237,
                                     -0.002592619298, -0.007957238597, -0.008785857895};
    const std::vector<double> round = {-0.6234543718,  0.1843995237,   -0.3398720932,
                                       -0.02280246007, -0.09846071111, -0.07240213928};
    EXPECT_TRUE(near_all(tile.read(&Layout::qfrc_fluid, 0), ellipsoid ? round : box, digits));
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS
