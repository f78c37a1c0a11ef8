// SPDX-License-Identifier: Apache-2.0
// The mass matrix at one pose and its sparse factor, in double and plainly written, for the
// compiler.
#pragma once

#include "host/compile/setconst/reference_pose.h"

#include <span>
#include <vector>

namespace swept::compiler {

/// One number of a vector over the dofs.
struct DofEntry {
  int dof;
  double value;
};

/// A vector over the dofs that is zero but for a few: its entries, dofs ascending.
using SparseDofs = std::vector<DofEntry>;

/// M over the chains of ancestors, composed from body inertias, armature of joints and actuators,
/// and armature of tendons (what couples dofs of different branches is left out, as in MuJoCo).
/// Factor: M = L^T D L with L unit lower triangular; a pivot below 1e-15 counts as 1e-15. The model
/// must outlive it.
class MassMatrix {
 public:
  MassMatrix(const Model& model, const ReferencePose& pose);

  /// The diagonal without what tendons add: dof_M0. [nv]
  const std::vector<double>& joint_diagonal() const { return joint_diagonal_; }

  /// The diagonal of M. [nv]
  const std::vector<double>& diagonal() const { return diagonal_; }

  /// x^T M^-1 x. Costs what the chains of x's dofs cost, however large the scene is.
  double inverse_norm(const SparseDofs& x) const;

  /// M^-1 x: an entry for every dof of the trees that x touches.
  SparseDofs solve(const SparseDofs& x) const;

 private:
  void add_bodies(const ReferencePose& pose);
  void add_tendons();
  void factorize();
  void solve_tree(int first, std::vector<double>* x) const;
  std::size_t row(int dof) const { return at(model_.M_rowadr[at(dof)]); }
  std::span<const int> chain(int dof) const;

  const Model& model_;
  std::vector<double> factor_;          ///< [nM] L below the diagonal, D on it
  std::vector<double> joint_diagonal_;  ///< [nv]
  std::vector<double> diagonal_;        ///< [nv]
};

/// The row of a tendon's Jacobian: d length / d qpos.
SparseDofs tendon_jacobian(const Model& model, int tendon);

}  // namespace swept::compiler
