// SPDX-License-Identifier: Apache-2.0
// Every stage of a forward pass of one scene against the official library, at many states, in both
// precisions: kinematics, inertia, bias, passive forces, actuation, smooth forces, contacts, rows
// and the solution. A stage is judged on what the stages before it gave: rows only where contacts
// are the same, the solution only where rows are.
#pragma once

#include "parity/contact_lists.h"
#include "parity/table.h"

#include <memory>
#include <vector>

namespace swept::test {

/// An empty table with a column and its bars {f64, f32} per stage. Differences are relative to the
/// field's largest number.
///   factor   multiplies the bars
Table stage_table(const std::string& title, double factor = 1);

/// Whether a scene's bars need room: distances of curved shapes and hulls are found by iteration, and
/// rows and accelerations follow them; forces of a medium go with squares of velocities; transmissions
/// between sites subtract their places.
bool needs_room(const Scene& scene);
constexpr double room = 20;

/// How a scene is compared.
struct StagePlan {
  int states = 100;
  int longest_roll = 300;  ///< steps before a state
  /// The solution is judged by its gradient in the official objective instead of against the
  /// official solution, whose dense factor of M + J^T D J costs nv^3.
  bool by_gradient = false;
  std::vector<Bar> precisions = {Bar::f64, Bar::f32};
};

/// One scene against the official library.
class StageComparison {
 public:
  StageComparison(Scene* scene, Table* table, const StagePlan& plan = {});

  void run();
  int contacts() const { return contacts_; }  ///< of all states

 private:
  void compare_smooth(Bar precision, const Readback& readback);
  void compare_lists(std::size_t env, Bar precision, const Readback& readback, double gradient);
  void compare_solution(std::size_t env, Bar precision, const Readback& readback,
                        const ContactPairing& pairing);
  double gradient_at(std::span<const double> qacc);
  double official_force() const;
  double official_gradient() const;

  Scene& scene_;
  Table& table_;
  StagePlan plan_;
  std::vector<State> states_;
  std::vector<std::unique_ptr<Readback>> readbacks_;
  std::vector<std::vector<std::vector<double>>> official_;  // [field][state]
  int contacts_ = 0;
};

}  // namespace swept::test
