// SPDX-License-Identifier: Apache-2.0
// Composite inertias, armatures, the sparse factor and its solves; see the header.
#include "host/compile/setconst/mass_matrix.h"

#include <algorithm>

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

/// Armature that actuators give to joints, in whichever axes, or to tendons: sums of
/// gear^2 armature.
std::vector<double> actuator_armatures(const Model& m, bool tendon) {
  std::vector<double> sum(at(tendon ? m.ntendon : m.njnt), 0.0);
  for (int a = 0; a < m.nu; ++a) {
    const int type = m.actuator_trntype[at(a)];
    const bool fits = tendon ? type == transmission_tendon
                             : type == transmission_joint || type == transmission_jointinparent;
    if (fits) {
      const double gear = m.actuator_gear[6 * at(a)];
      sum[at(m.actuator_trnid[2 * at(a)])] += gear * gear * m.actuator_armature[at(a)];
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
  std::vector<double> armature = actuator_armatures(m, false);
  for (int j = 0; j < m.njnt; ++j) {
    if (m.jnt_actuatorid[at(j)] == -1) {
      armature[at(j)] = 0.0;
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
  const std::vector<double> lent = actuator_armatures(m, true);
  for (int t = 0; t < m.ntendon; ++t) {
    const double armature =
        m.tendon_armature[at(t)] + (m.tendon_actuatorid[at(t)] != -1 ? lent[at(t)] : 0.0);
    if (armature == 0.0) {
      continue;
    }
    const SparseDofs jacobian = tendon_jacobian(m, t);
    for (auto entry = jacobian.begin(); entry != jacobian.end(); ++entry) {
      const int i = entry->dof;
      factor_[row(i) + at(m.dof_depth[at(i)])] += armature * entry->value * entry->value;
      // a simple dof has no place for couplings
      if (m.dof_simplenum[at(i)] > 0) {
        continue;
      }
      const std::span<const int> carriers = chain(i).first(at(m.dof_depth[at(i)]));
      for (auto other = jacobian.begin(); other != entry; ++other) {
        const auto place = std::lower_bound(carriers.begin(), carriers.end(), other->dof);
        if (place != carriers.end() && *place == other->dof) {
          factor_[row(i) + at(static_cast<int>(place - carriers.begin()))] +=
              armature * entry->value * other->value;
        }
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

/// A dof's chain of ancestors from the tree's root on, and the dof.
std::span<const int> MassMatrix::chain(int dof) const {
  return std::span(model_.M_colind).subspan(row(dof), at(model_.dof_depth[at(dof)]) + 1);
}

double MassMatrix::inverse_norm(const SparseDofs& x) const {
  // x on its dofs and all that carry them. Dofs are numbered depth first, so of an entry's chain
  // the part that is new stands behind everything before it
  std::vector<int> dofs;
  std::vector<double> y;
  for (const DofEntry& entry : x) {
    const std::span<const int> carriers = chain(entry.dof);
    const auto fresh =
        std::upper_bound(carriers.begin(), carriers.end(), dofs.empty() ? -1 : dofs.back());
    dofs.insert(dofs.end(), fresh, carriers.end());
    y.resize(dofs.size(), 0.0);
    y.back() = entry.value;
  }

  // y = L^-T x
  for (std::size_t j = dofs.size(); j-- > 0;) {
    const std::span<const int> carriers = chain(dofs[j]);
    std::size_t place = j;
    for (std::size_t p = carriers.size() - 1; p-- > 0;) {
      --place;
      if (dofs[place] != carriers[p]) {
        const auto end = dofs.begin() + static_cast<std::ptrdiff_t>(place);
        place = static_cast<std::size_t>(std::lower_bound(dofs.begin(), end, carriers[p]) -
                                         dofs.begin());
      }
      y[place] -= factor_[row(dofs[j]) + p] * y[j];
    }
  }

  double sum = 0.0;
  for (std::size_t j = 0; j < dofs.size(); ++j) {
    sum += y[j] * y[j] / factor_[row(dofs[j]) + at(model_.dof_depth[at(dofs[j])])];
  }
  return sum;
}

SparseDofs MassMatrix::solve(const SparseDofs& x) const {
  SparseDofs result;
  for (auto entry = x.begin(); entry != x.end();) {
    // a tree's dofs follow each other
    const int first = chain(entry->dof).front();
    std::vector<double> y(at(model_.dof_subtreenum[at(first)]), 0.0);
    const int end = first + model_.dof_subtreenum[at(first)];
    for (; entry != x.end() && entry->dof < end; ++entry) {
      y[at(entry->dof - first)] = entry->value;
    }
    solve_tree(first, &y);
    for (int k = first; k < end; ++k) {
      result.push_back({k, y[at(k - first)]});
    }
  }
  return result;
}

/// M^-1 x of the tree that begins with a dof.
void MassMatrix::solve_tree(int first, std::vector<double>* x) const {
  std::vector<double>& y = *x;
  const int end = first + static_cast<int>(y.size());
  for (int k = end - 1; k >= first; --k) {
    if (y[at(k - first)] == 0.0) {
      continue;
    }
    const std::span<const int> carriers = chain(k);
    for (std::size_t p = 0; p + 1 < carriers.size(); ++p) {
      y[at(carriers[p] - first)] -= factor_[row(k) + p] * y[at(k - first)];
    }
  }
  for (int k = first; k < end; ++k) {
    const std::span<const int> carriers = chain(k);
    const std::size_t depth = carriers.size() - 1;
    y[at(k - first)] /= factor_[row(k) + depth];
    for (std::size_t p = 0; p < depth; ++p) {
      y[at(k - first)] -= factor_[row(k) + p] * y[at(carriers[p] - first)];
    }
  }
}

SparseDofs tendon_jacobian(const Model& m, int tendon) {
  SparseDofs all;
  for (int k = 0; k < m.tendon_num[at(tendon)]; ++k) {
    const std::size_t wrap = at(m.tendon_adr[at(tendon)] + k);
    all.push_back({m.jnt_dofadr[at(m.wrap_objid[wrap])], m.wrap_prm[wrap]});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const DofEntry& a, const DofEntry& b) { return a.dof < b.dof; });

  // a joint may be named twice
  SparseDofs jacobian;
  for (const DofEntry& entry : all) {
    if (!jacobian.empty() && jacobian.back().dof == entry.dof) {
      jacobian.back().value += entry.value;
    } else {
      jacobian.push_back(entry);
    }
  }
  return jacobian;
}

}  // namespace swept::compiler
