// SPDX-License-Identifier: Apache-2.0
// Composite inertias, armatures, the sparse factor and its solves; see the header.
#include "host/compile/setconst/mass_matrix.h"

namespace swept::compiler {
namespace {

/// A spatial inertia about the origin of the tree: tensor, mass times offset, mass.
struct SpatialInertia {
  Mat3 tensor{};
  Vec3 moment{};
  double mass = 0.0;
};

/// Momentum (angular, linear) of an inertia that moves by v.
Vec6 momentum(const SpatialInertia& inertia, const Vec6& v) {
  const Vec3 w{v[0], v[1], v[2]};
  const Vec3 u{v[3], v[4], v[5]};
  const Vec3 angular = inertia.tensor * w + cross(inertia.moment, u);
  const Vec3 linear = u * inertia.mass - cross(inertia.moment, w);
  return {angular[0], angular[1], angular[2], linear[0], linear[1], linear[2]};
}

double dot6(const Vec6& a, const Vec6& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < 6; ++k) {
    sum += a[k] * b[k];
  }
  return sum;
}

/// Inertias of subtrees.
std::vector<SpatialInertia> composite_inertias(const Model& m, const ReferencePose& pose) {
  std::vector<SpatialInertia> crb(at(m.nbody));
  for (int b = 1; b < m.nbody; ++b) {
    const Vec3 offset = pose.xipos[at(b)] - pose.root_com[at(b)];
    const double mass = m.body_mass[at(b)];
    crb[at(b)] = {inertia_about(pose.xiquat[at(b)], get_row<3>(m.body_inertia, b), mass, offset),
                  offset * mass, mass};
  }
  for (int b = m.nbody - 1; b > 0; --b) {
    const int parent = m.body_parentid[at(b)];
    if (parent > 0) {
      for (std::size_t k = 0; k < 9; ++k) {
        crb[at(parent)].tensor[k] += crb[at(b)].tensor[k];
      }
      crb[at(parent)].moment = crb[at(parent)].moment + crb[at(b)].moment;
      crb[at(parent)].mass += crb[at(b)].mass;
    }
  }
  return crb;
}

/// Armature that actuators give to a joint, in whichever axes, or to a tendon: sum of gear^2
/// armature.
double actuator_armature(const Model& m, bool tendon, int target) {
  double sum = 0.0;
  for (int a = 0; a < m.nu; ++a) {
    const int type = m.actuator_trntype[at(a)];
    const bool fits = tendon ? type == transmission_tendon
                             : type == transmission_joint || type == transmission_jointinparent;
    if (fits && m.actuator_trnid[2 * at(a)] == target) {
      const double gear = m.actuator_gear[6 * at(a)];
      sum += gear * gear * m.actuator_armature[at(a)];
    }
  }
  return sum;
}

}  // namespace

MassMatrix::MassMatrix(const Model& model, const ReferencePose& pose)
    : model_(model), factor_(at(model.nM)) {
  add_bodies(pose);
  for (int i = 0; i < model.nv; ++i) {
    joint_diagonal_.push_back(factor_[row(i) + at(model.dof_depth[at(i)])]);
  }
  add_tendons();
  for (int i = 0; i < model.nv; ++i) {
    diagonal_.push_back(factor_[row(i) + at(model.dof_depth[at(i)])]);
  }
  factorize();
}

void MassMatrix::add_bodies(const ReferencePose& pose) {
  const Model& m = model_;
  const auto crb = composite_inertias(m, pose);
  std::vector<double> armature(at(m.njnt), 0.0);
  for (int j = 0; j < m.njnt; ++j) {
    if (m.jnt_actuatorid[at(j)] != -1) {
      armature[at(j)] = actuator_armature(m, false, j);
    }
  }
  for (int i = 0; i < m.nv; ++i) {
    const Vec6 force = momentum(crb[at(m.dof_bodyid[at(i)])], pose.cdof[at(i)]);
    const std::size_t diagonal = row(i) + at(m.dof_depth[at(i)]);
    factor_[diagonal] =
        dot6(pose.cdof[at(i)], force) + m.dof_armature[at(i)] + armature[at(m.dof_jntid[at(i)])];
    // simple dofs are coupled with no other by definition
    if (m.dof_simplenum[at(i)] == 0) {
      for (std::size_t k = row(i); k < diagonal; ++k) {
        factor_[k] = dot6(pose.cdof[at(m.M_colind[k])], force);
      }
    }
  }
}

void MassMatrix::add_tendons() {
  const Model& m = model_;
  for (int t = 0; t < m.ntendon; ++t) {
    double armature = m.tendon_armature[at(t)];
    if (m.tendon_actuatorid[at(t)] != -1) {
      armature += actuator_armature(m, true, t);
    }
    if (armature == 0.0) {
      continue;
    }
    const std::vector<double> jacobian = tendon_jacobian(m, t);
    for (int i = 0; i < m.nv; ++i) {
      if (jacobian[at(i)] == 0.0) {
        continue;
      }
      // a simple dof has no place for couplings
      const std::size_t diagonal = row(i) + at(m.dof_depth[at(i)]);
      for (std::size_t k = m.dof_simplenum[at(i)] > 0 ? diagonal : row(i); k <= diagonal; ++k) {
        factor_[k] += armature * jacobian[at(i)] * jacobian[at(m.M_colind[k])];
      }
    }
  }
}

void MassMatrix::factorize() {
  constexpr double smallest_pivot = 1e-15;
  const Model& m = model_;
  for (int k = m.nv - 1; k >= 0; --k) {
    const std::size_t start = row(k);
    const std::size_t depth = at(m.dof_depth[at(k)]);
    double& pivot = factor_[start + depth];
    pivot = std::max(pivot, smallest_pivot);
    // take dof k out of the rows of its ancestors, deepest first
    for (std::size_t p = depth; p-- > 0;) {
      const double scale = factor_[start + p] / pivot;
      const std::size_t ancestor = row(m.M_colind[start + p]);
      for (std::size_t q = 0; q <= p; ++q) {
        factor_[ancestor + q] -= factor_[start + q] * scale;
      }
    }
    for (std::size_t p = 0; p < depth; ++p) {
      factor_[start + p] /= pivot;
    }
  }
}

void MassMatrix::solve_transposed(std::vector<double>& x) const {
  for (int k = model_.nv - 1; k >= 0; --k) {
    if (x[at(k)] == 0.0) {
      continue;
    }
    for (std::size_t p = 0; p < at(model_.dof_depth[at(k)]); ++p) {
      x[at(model_.M_colind[row(k) + p])] -= factor_[row(k) + p] * x[at(k)];
    }
  }
}

double MassMatrix::inverse_norm(std::vector<double> x) const {
  solve_transposed(x);
  double sum = 0.0;
  for (int k = 0; k < model_.nv; ++k) {
    sum += x[at(k)] * x[at(k)] / factor_[row(k) + at(model_.dof_depth[at(k)])];
  }
  return sum;
}

std::vector<double> MassMatrix::solve(std::vector<double> x) const {
  solve_transposed(x);
  for (int k = 0; k < model_.nv; ++k) {
    const std::size_t depth = at(model_.dof_depth[at(k)]);
    x[at(k)] /= factor_[row(k) + depth];
    for (std::size_t p = 0; p < depth; ++p) {
      x[at(k)] -= factor_[row(k) + p] * x[at(model_.M_colind[row(k) + p])];
    }
  }
  return x;
}

std::vector<double> tendon_jacobian(const Model& m, int tendon) {
  std::vector<double> jacobian(at(m.nv), 0.0);
  for (int k = 0; k < m.tendon_num[at(tendon)]; ++k) {
    const std::size_t wrap = at(m.tendon_adr[at(tendon)] + k);
    jacobian[at(m.jnt_dofadr[at(m.wrap_objid[wrap])])] += m.wrap_prm[wrap];
  }
  return jacobian;
}

}  // namespace swept::compiler
