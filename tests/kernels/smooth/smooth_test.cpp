// SPDX-License-Identifier: Apache-2.0
// Laws of the smooth dynamics on random trees: equal bits for packs, groups and per-environment
// fields; energy, power, potential and the equation of motion.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "kernels/smooth/forward.h"
#include "kernels/smooth/random_tree.h"
#include "support/near.h"
#include "support/thread_group.h"

namespace swept::SWEPT_NS {
namespace {

using swept::test::near;
using swept::test::near_all;

// every field of scratch has the same bits in both tiles, up to the sign of NaN
void expect_same_bits(const HostTile& a, const HostTile& b, const std::string& what) {
  const std::size_t n =
      static_cast<std::size_t>(a->layout.size) * static_cast<std::size_t>(a->nblocks) * W;
  for (std::size_t i = 0; i < n; ++i) {
    if (std::memcmp(a->scratch + i, b->scratch + i, sizeof(real)) != 0) {
      const int element = static_cast<int>(i / W) % a->layout.size;
      ADD_FAILURE() << what << ": element " << element << " of scratch (qpos at " << a->layout.qpos
                    << ", xpos at " << a->layout.xpos << ", M at " << a->layout.M << ", qacc at "
                    << a->layout.qacc << "): " << a->scratch[i] << " and " << b->scratch[i];
      return;
    }
  }
}

void fill_all(HostTile* tile, const ModelArrays& m) {
  for (int env = 0; env < (*tile)->nblocks * W; ++env) {
    fill_state(tile, m, env, static_cast<unsigned>(env) + 17);
  }
}

void run_packs(HostTile* tile) {
  for (int block = 0; block < (*tile)->nblocks; ++block) {
    forward(Serial{}, (*tile)->model_at<pack>(block, 0), (*tile)->data_at<pack>(block, 0));
  }
}

void run_each(HostTile* tile) {
  for (int env = 0; env < (*tile)->nblocks * W; ++env) {
    forward(Serial{}, tile->model_at(env), tile->data_at(env));
  }
}

TEST(Smooth, GivesTheBitsOfPacksForOneEnvironment) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const ModelArrays m = RandomTree(seed, {}).scene();
    HostTile packs(m, 2 * W), each(m, 2 * W);
    fill_all(&packs, m);
    fill_all(&each, m);
    // one environment without any force on its bodies, which a lane of others' packs still adds up
    packs.write(&Layout::xfrc_applied, 1,
                std::vector<double>(6u * static_cast<std::size_t>(m.nbody)).data());
    each.write(&Layout::xfrc_applied, 1,
               std::vector<double>(6u * static_cast<std::size_t>(m.nbody)).data());
    run_packs(&packs);
    run_each(&each);
    expect_same_bits(packs, each, "tree " + std::to_string(seed));
  }
}

TEST(Smooth, GivesTheSameBitsForEveryGroupSize) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const ModelArrays m = RandomTree(seed, {}).scene();
    HostTile serial(m, 1);
    fill_all(&serial, m);
    forward(Serial{}, serial.model_at(0), serial.data_at(0));
    for (const int size : {1, 4, 8, 32}) {
      HostTile lanes(m, 1);
      fill_all(&lanes, m);
      test::run_lanes(size, [&](const test::ThreadGroup g) {
        forward(g, lanes.model_at(0), lanes.data_at(0));
      });
      // the first environment alone was computed
      for (int i = 0; i < lanes->layout.size; ++i) {
        ASSERT_EQ(lanes->scratch[i * W], serial->scratch[i * W])
            << "size " << size << ", element " << i;
      }
    }
  }
}

TEST(Smooth, GivesTheBitsOfSharedFieldsWhenTheyStandPerEnvironment) {
  const ModelArrays m = RandomTree(3, {}).scene();
  HostTile shared(m, W + 1), each(m, W + 1);
  fill_all(&shared, m);
  fill_all(&each, m);
#define SWEPT_MODEL_INT(name, rows, cols, meaning)
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning)      \
  each.vary(&ModelView::name, static_cast<int>(m.name.size()), \
            [&](int, int i) { return m.name[static_cast<std::size_t>(i)]; });
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
  run_packs(&shared);
  run_packs(&each);
  expect_same_bits(shared, each, "per environment");
}

// ½ qvelᵀ M qvel
double kinetic_energy(const HostTile& tile, int env) {
  const std::vector<double> inertia = tile.dense(&Layout::M, env),
                            v = tile.read(&Layout::qvel, env);
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    for (std::size_t j = 0; j < v.size(); ++j) {
      sum += 0.5 * v[i] * inertia[i * v.size() + j] * v[j];
    }
  }
  return sum;
}

TEST(Smooth, TurnsBodiesAboutTheAnchorOfTheirLastJoint) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const ModelArrays m = RandomTree(seed, {}).scene();
    HostTile tile(m, 1);
    fill_all(&tile, m);
    run_each(&tile);
    const DataAt<real> d = tile.data_at(0);
    const ModelAt<real> model = tile.model_at(0);
    for (int body = 1; body < m.nbody; ++body) {
      const int last = model.body_jntadr(body) + model.body_jntnum(body) - 1;
      if (model.body_jntnum(body) > 0 && model.jnt_type(last) != joint_slide) {
        const Vec3<real> local = param3(model, model->jnt_pos, 3 * last);
        const Vec3<real> point = vec3(d.xpos(3 * body)) + rotate(quat(d.xquat(4 * body)), local),
                         anchor = vec3(d.xanchor(3 * last));
        // a sum of four products of order one
        EXPECT_TRUE(near(static_cast<double>(norm(point - anchor)), 0, {3e-15, 2e-6}))
            << "tree " << seed << " body " << body;
      }
    }
  }
}

TEST(Smooth, HasTheKineticEnergyOfItsBodies) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    TreeOptions options;
    options.actuated = false;
    options.floating = true;  // without armature, which belongs to no body
    const ModelArrays m = RandomTree(seed, options).scene();
    HostTile tile(m, 1);
    fill_all(&tile, m);
    run_each(&tile);
    double bodies = 0;
    const DataAt<real> d = tile.data_at(0);
    for (int body = 1; body < m.nbody; ++body) {
      const Motion<real> v = motion(d.cvel(6 * body));
      bodies += 0.5 * static_cast<double>(dot(v, inertia(d.cinert(10 * body)) * v));
    }
    // sums of some hundred products of order ten
    EXPECT_TRUE(near(kinetic_energy(tile, 0) / bodies, 1, {2e-14, 2e-6})) << "tree " << seed;
  }
}

TEST(Smooth, SolvesTheEquationOfMotion) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const ModelArrays m = RandomTree(seed, {}).scene();
    HostTile tile(m, 1);
    fill_all(&tile, m);
    run_each(&tile);
    const std::vector<double> inertia = tile.dense(&Layout::M, 0),
                              a = tile.read(&Layout::qacc_smooth, 0),
                              f = tile.read(&Layout::qfrc_smooth, 0);
    double scale = 1;
    std::vector<double> product(f.size(), 0.0);
    for (std::size_t i = 0; i < f.size(); ++i) {
      for (std::size_t j = 0; j < f.size(); ++j) {
        product[i] += inertia[i * f.size() + j] * a[j];
        scale = std::max(scale, std::abs(inertia[i * f.size() + j] * a[j]));
      }
    }
    for (std::size_t i = 0; i < f.size(); ++i) {
      // backward stable: the residual is a few roundings of the largest product
      EXPECT_TRUE(near(product[i] / scale, f[i] / scale, {5e-15, 2e-6}))
          << "tree " << seed << " dof " << i;
    }
  }
}

// potential energy of gravity at the environment's frames
double potential_energy(const HostTile& tile, const ModelArrays& m, int env) {
  const std::vector<double> x = tile.read(&Layout::xipos, env);
  double sum = 0;
  for (std::size_t body = 1; body < static_cast<std::size_t>(m.nbody); ++body) {
    for (std::size_t k = 0; k < 3; ++k) {
      sum -= m.body_mass[body] * m.opt_gravity[k] * x[3 * body + k];
    }
  }
  return sum;
}

TEST(Smooth, HasGravityForcesThatAreTheGradientOfThePotential) {
  if (sizeof(real) == 4) {
    GTEST_SKIP() << "finite differences need f64";
  }
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const ModelArrays m = RandomTree(seed, {}).scene();
    HostTile tile(m, 1), moved(m, 1);
    fill_state(&tile, m, 0, seed);
    tile.write(&Layout::qvel, 0, std::vector<double>(static_cast<std::size_t>(m.nv), 0.0).data());
    run_each(&tile);
    const std::vector<double> bias = tile.read(&Layout::qfrc_bias, 0),
                              qpos = tile.read(&Layout::qpos, 0);
    const double step = 1e-5;
    for (int i = 0; i < m.nv; ++i) {
      double energy[2];
      for (int side = 0; side < 2; ++side) {
        moved.write(&Layout::qpos, 0, qpos.data());
        const DataAt<real> d = moved.data_at(0);
        const ModelAt<real> model = moved.model_at(0);
        const int joint = m.dof_jntid[static_cast<std::size_t>(i)], type = model.jnt_type(joint),
                  k = i - model.jnt_dofadr(joint);
        int q = model.jnt_qposadr(joint);
        const double h = side == 0 ? -step : step;
        if (type == joint_slide || type == joint_hinge || (type == joint_free && k < 3)) {
          d.qpos(q + k) += static_cast<real>(h);
        } else {
          q += type == joint_free ? 3 : 0;
          const int axis = type == joint_free ? k - 3 : k;
          const Vec3<real> w = {axis == 0 ? 1_r : 0_r, axis == 1 ? 1_r : 0_r,
                                axis == 2 ? 1_r : 0_r};
          put(d.qpos(q), quat_integrate(quat(d.qpos(q)), w, static_cast<real>(h)));
        }
        kinematics(Serial{}, model, d);
        energy[side] = potential_energy(moved, m, 0);
      }
      // central differences: error of order step², and roundings of 1e-15 / step
      EXPECT_TRUE(
          near((energy[1] - energy[0]) / (2 * step), bias[static_cast<std::size_t>(i)], {1e-8, 0}))
          << "tree " << seed << " dof " << i;
    }
  }
}

TEST(Smooth, FindsNothingWhereThereIsNothing) {
  // the world alone: no bodies, joints or actuators
  TreeOptions options;
  options.nbody = 1;
  const ModelArrays m = RandomTree(1, options).scene();
  HostTile tile(m, 1);
  run_packs(&tile);
  EXPECT_EQ(tile.read(&Layout::xquat, 0)[0], 1);
}

}  // namespace
}  // namespace swept::SWEPT_NS
