// SPDX-License-Identifier: Apache-2.0
// What is measured at qpos0: inverse weights of bodies, dofs and tendons (diagonals of J M^-1 J^T,
// averaged), lengths, and accelerations per unit force; and what the text of a scene gives by time
// constant and damping ratio, or by the length at rest.
#include "host/compile/passes.h"

#include <algorithm>

#include "host/compile/setconst/actuator_moment.h"
#include "host/compile/setconst/constants.h"
#include "host/compile/setconst/statistic.h"

namespace swept::compiler {
namespace {

/// One row of the Jacobian of a body's centre of mass (k < 3: translation along axis k; else
/// rotation about axis k - 3).
SparseDofs body_jacobian(const Model& m, const ReferencePose& pose, int body, std::size_t k) {
  SparseDofs jacobian;
  const Vec3 arm = pose.xipos[at(body)] - pose.root_com[at(body)];
  for (int i = m.body_lastdof[at(body)]; i >= 0; i = m.dof_parentid[at(i)]) {
    const Vec6& axis = pose.cdof[at(i)];
    const Vec3 angular{axis[0], axis[1], axis[2]};
    const Vec3 linear = Vec3{axis[3], axis[4], axis[5]} + cross(angular, arm);
    jacobian.push_back({i, k < 3 ? linear[k] : angular[k - 3]});
  }
  std::reverse(jacobian.begin(), jacobian.end());
  return jacobian;
}

void fill_body_invweight(const ReferencePose& pose, const MassMatrix& mass, Model& m) {
  for (int b = 1; b < m.nbody; ++b) {
    if (m.body_lastdof[at(b)] < 0) {
      continue;
    }
    Vec2 weight{};
    if (m.body_simple[at(b)] == 2) {
      weight[0] = 1.0 / m.body_mass[at(b)];
    } else {
      for (std::size_t k = 0; k < 6; ++k) {
        weight[k / 3] += mass.inverse_norm(body_jacobian(m, pose, b, k)) / 3.0;
      }
    }
    set_row(m.body_invweight0, b, weight);
  }
}

void fill_dof_invweight(const MassMatrix& mass, Model& m) {
  // the diagonal of M^-1
  for (int i = 0; i < m.nv; ++i) {
    const int body = m.dof_bodyid[at(i)];
    if (m.body_simple[at(body)] == 2) {
      m.dof_invweight0[at(i)] = 1.0 / m.body_mass[at(body)];
      continue;
    }
    m.dof_invweight0[at(i)] = mass.inverse_norm({{i, 1.0}});
  }

  // averaged over the three axes of a rotation or of a translation
  for (int j = 0; j < m.njnt; ++j) {
    const int type = m.jnt_type[at(j)];
    const int triples = type == joint_free ? 2 : type == joint_ball ? 1 : 0;
    for (int t = 0; t < triples; ++t) {
      double* w = &m.dof_invweight0[at(m.jnt_dofadr[at(j)] + 3 * t)];
      const double mean = (w[0] + w[1] + w[2]) / 3.0;
      w[0] = w[1] = w[2] = mean;
    }
  }
}

/// Length of a tendon at a configuration.
double tendon_length(const Model& m, int tendon, const std::vector<double>& qpos) {
  double length = 0.0;
  for (int k = 0; k < m.tendon_num[at(tendon)]; ++k) {
    const std::size_t wrap = at(m.tendon_adr[at(tendon)] + k);
    length += m.wrap_prm[wrap] * qpos[at(m.jnt_qposadr[at(m.wrap_objid[wrap])])];
  }
  return length;
}

void fill_tendon_constants(const MassMatrix& mass, Model& m) {
  for (int t = 0; t < m.ntendon; ++t) {
    m.tendon_length0[at(t)] = tendon_length(m, t, m.qpos0);
    m.tendon_invweight0[at(t)] = mass.inverse_norm(tendon_jacobian(m, t));
  }
}

/// A spring length of -1 -1 means the length at rest.
void resolve_spring_lengths(Model& m) {
  for (int t = 0; t < m.ntendon; ++t) {
    if (get_row<2>(m.tendon_lengthspring, t) == Vec2{-1.0, -1.0}) {
      const double rest = tendon_length(m, t, m.qpos_spring);
      set_row(m.tendon_lengthspring, t, Vec2{rest, rest});
    }
  }
}

void fill_actuator_constants(const RestState& rest, Model& m) {
  for (int a = 0; a < m.nu; ++a) {
    m.actuator_length0[at(a)] = actuator_length(m, rest.pose, a);
    double sum = 0.0;
    for (const DofEntry& entry : rest.mass.solve(actuator_moment(m, rest.pose, a))) {
      sum += entry.value * entry.value;
    }
    m.actuator_acc0[at(a)] = std::sqrt(sum);
  }
}

/// A positive coefficient of velocity in a position servo is a damping ratio.
void resolve_damping_ratios(const RestState& rest, Model& m) {
  for (int a = 0; a < m.nu; ++a) {
    const double kp = m.actuator_gainprm[10 * at(a)];
    double& kv = m.actuator_biasprm[10 * at(a) + 2];
    if (kv > 0.0 && kp == -m.actuator_biasprm[10 * at(a) + 1]) {
      const double inverse_mass = rest.mass.inverse_norm(actuator_moment(m, rest.pose, a));
      kv *= inverse_mass > 0.0 ? -2.0 * std::sqrt(kp / inverse_mass) : 0.0;
    }
  }
}

/// springdamper = (time constant, damping ratio): stiffness and damping that give them at qpos0.
void fill_springs(const Scene& scene, Model& m) {
  for (int j = 0; j < m.njnt; ++j) {
    const Vec2 given = scene.joints[at(j)].item->springdamper;
    if (given[0] <= 0.0 || given[1] <= 0.0) {
      continue;
    }
    const int type = m.jnt_type[at(j)];
    const int width = type == joint_free ? 6 : type == joint_ball ? 3 : 1;
    double inverse = 0.0;
    for (int k = 0; k < width; ++k) {
      inverse += m.dof_invweight0[at(m.jnt_dofadr[at(j)] + k)];
    }
    const double inertia = width / std::max(1e-15, inverse);
    m.jnt_stiffness[at(j)] = inertia / (given[0] * given[0] * given[1] * given[1]);
    for (int k = 0; k < width; ++k) {
      m.dof_damping[at(m.jnt_dofadr[at(j)] + k)] = 2.0 * inertia / given[0];
    }
  }
}

}  // namespace

void fill_constants(const RestState& rest, Model& model) {
  model.dof_M0 = rest.mass.joint_diagonal();
  fill_body_invweight(rest.pose, rest.mass, model);
  fill_dof_invweight(rest.mass, model);
  fill_tendon_constants(rest.mass, model);
  fill_actuator_constants(rest, model);
  fill_dof_length(rest.pose, model);
}

void resolve_constants(const Scene& scene, const RestState& rest, Model& model) {
  resolve_spring_lengths(model);
  resolve_damping_ratios(rest, model);
  fill_statistic(scene, rest.pose, rest.mass, model);
  fill_springs(scene, model);
}

}  // namespace swept::compiler
