// SPDX-License-Identifier: Apache-2.0
#include "host/compile/setconst/mass_matrix.h"

#include <swept/compile.h>

#include "host/compile/random_scene.h"

#include <gtest/gtest.h>

namespace swept::compiler {
namespace {

/// qpos0 moved by dt along qvel; quaternions turn about body axes.
std::vector<double> moved(const Model& m, const std::vector<double>& qvel, double dt) {
  std::vector<double> qpos = m.qpos0;
  for (int j = 0; j < m.njnt; ++j) {
    std::size_t q = at(m.jnt_qposadr[at(j)]);
    std::size_t v = at(m.jnt_dofadr[at(j)]);
    const int type = m.jnt_type[at(j)];
    if (type == joint_slide || type == joint_hinge) {
      qpos[q] += dt * qvel[v];
      continue;
    }
    if (type == joint_free) {
      for (int k = 0; k < 3; ++k) {
        qpos[q++] += dt * qvel[v++];
      }
    }
    const Vec3 turn{qvel[v] * dt, qvel[v + 1] * dt, qvel[v + 2] * dt};
    const double angle = norm(turn);
    const Quat now{qpos[q], qpos[q + 1], qpos[q + 2], qpos[q + 3]};
    const Quat next = now * rotation(turn * (1.0 / angle), angle);
    for (std::size_t k = 0; k < 4; ++k) {
      qpos[q + k] = next[k];
    }
  }
  return qpos;
}

/// Kinetic energy from two poses, dt apart: what M must give as v^T M v / 2.
double kinetic_energy(const Model& m, const std::vector<double>& qvel) {
  constexpr double dt = 1e-5;
  const ReferencePose before = reference_pose(m, moved(m, qvel, -dt));
  const ReferencePose after = reference_pose(m, moved(m, qvel, dt));
  double energy = 0.0;
  for (int b = 1; b < m.nbody; ++b) {
    const Vec3 v = (after.xipos[at(b)] - before.xipos[at(b)]) * (0.5 / dt);
    energy += 0.5 * m.body_mass[at(b)] * dot(v, v);

    // angular velocity along the principal axes
    const Quat turn = conjugate(before.xiquat[at(b)]) * after.xiquat[at(b)];
    const double sign = turn[0] < 0.0 ? -1.0 : 1.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double w = sign * turn[k + 1] / dt;
      energy += 0.5 * m.body_inertia[3 * at(b) + k] * w * w;
    }
  }
  for (int i = 0; i < m.nv; ++i) {
    energy += 0.5 * m.dof_armature[at(i)] * qvel[at(i)] * qvel[at(i)];
  }
  return energy;
}

/// All numbers of a vector.
std::vector<double> dense(const Model& m, const SparseDofs& x) {
  std::vector<double> all(at(m.nv), 0.0);
  for (const DofEntry& entry : x) {
    all[at(entry.dof)] = entry.value;
  }
  return all;
}

TEST(MassMatrix, InvertsWhatGivesTheKineticEnergy) {
  test::SceneMaker maker(4);
  int dofs = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Model m = compile([&] {
      Spec spec = maker.scene(6);
      spec.option.disableflags = disable_contact;
      return spec;
    }());
    if (m.nv == 0) {
      continue;
    }
    dofs += m.nv;
    const MassMatrix mass(m, reference_pose(m, m.qpos0));
    SparseDofs momentum;
    for (int i = 0; i < m.nv; ++i) {
      momentum.push_back({i, maker.uniform(-1.0, 1.0)});
    }
    // with v = M^-1 p, the energy is p^T M^-1 p / 2
    const std::vector<double> velocity = dense(m, mass.solve(momentum));
    double product = 0.0;
    for (std::size_t i = 0; i < at(m.nv); ++i) {
      product += momentum[i].value * velocity[i];
    }
    EXPECT_NEAR(mass.inverse_norm(momentum) / product, 1.0, 1e-11);
    // central differences over 2e-5 s at speeds of up to 1e3 rad/s leave about 1e-5
    EXPECT_NEAR(kinetic_energy(m, velocity) / (0.5 * product), 1.0, 1e-4) << "trial " << trial;
  }
  EXPECT_GT(dofs, 500);
}

TEST(MassMatrix, OfFewNumbersTheInverseIsThatOfAllNumbers) {
  test::SceneMaker maker(6);
  int shorter = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Model m = compile(maker.scene(8));
    const MassMatrix mass(m, reference_pose(m, m.qpos0));
    SparseDofs few, all;
    for (int i = 0; i < m.nv; ++i) {
      const bool there = maker.uniform(0.0, 1.0) < 0.3;
      const double value = there ? maker.uniform(-1.0, 1.0) : 0.0;
      all.push_back({i, value});
      if (there) {
        few.push_back(all.back());
      }
    }
    // what is left out are zeros
    EXPECT_EQ(mass.inverse_norm(few), mass.inverse_norm(all));
    EXPECT_EQ(dense(m, mass.solve(few)), dense(m, mass.solve(all)));
    shorter += mass.solve(few).size() < all.size() ? 1 : 0;
  }
  EXPECT_GT(shorter, 30);
}

TEST(MassMatrix, InverseWeightsOfAFreeBodyAreItsInverseMassAndInertia) {
  test::SceneMaker maker(5);
  for (int trial = 0; trial < 500; ++trial) {
    Spec spec;
    Body body;
    body.pos = maker.vector(1.0);
    body.quat = maker.rotation();
    Inertial inertial;
    inertial.pos = maker.vector(1.0);
    inertial.quat = maker.rotation();
    inertial.mass = maker.uniform(0.1, 5.0);
    inertial.diaginertia =
        Vec3{maker.uniform(1.0, 2.0), maker.uniform(1.0, 2.0), maker.uniform(1.0, 2.0)};
    body.inertial = inertial;
    Joint joint;
    joint.type = JointType::free;
    body.joints.push_back(joint);
    spec.worldbody.bodies.push_back(body);
    const Model m = compile(spec);
    const Vec3 moments = *inertial.diaginertia;
    const double rotation = (1.0 / moments[0] + 1.0 / moments[1] + 1.0 / moments[2]) / 3.0;
    // a 6x6 inverse
    EXPECT_NEAR(m.body_invweight0[2] * inertial.mass, 1.0, 1e-12);
    EXPECT_NEAR(m.body_invweight0[3] / rotation, 1.0, 1e-12);
  }
}

}  // namespace
}  // namespace swept::compiler
