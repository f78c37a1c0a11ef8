// SPDX-License-Identifier: Apache-2.0
// Every stage of a forward pass of one scene against the official library, at many states, in both
// precisions: kinematics, inertia, bias, passive forces, actuation, smooth forces, contacts, rows
// and the solution. A stage is judged on what the stages before it gave: where contacts are found by
// iteration, or rounding decides them, the official library's rows and solution are those of swept's
// contacts.
#pragma once

#include "parity/contact_lists.h"
#include "parity/smooth_fields.h"
#include "parity/table.h"

#include <array>
#include <memory>
#include <vector>

namespace swept::test {

/// An empty table with a column and its bars {f64, f32} per stage. Differences are relative to the
/// field's largest number.
Table stage_table(const std::string& title);

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

  /// Pairs of geoms whose contacts are found by iteration, and how many of them differ, by reason.
  struct Choices {
    int searched = 0;
    std::array<int, choices_number> by_reason = {};

    void add(const Choices& other);
    void print(const char* title) const;
    /// Fails the test unless nearly all are the same, and none of the others are ours to blame.
    void expect_few() const;
  };
  const Choices& choices(Bar precision) const {
    return choices_[static_cast<std::size_t>(precision)];
  }

 private:
  const char* stage_of(const SmoothField& field) const;
  void compare_smooth(Bar precision, const Readback& readback);
  void compare_contacts_of(std::size_t env, Bar precision, const Readback& readback, bool edge);
  void compare_rows(std::size_t env, Bar precision, const Readback& readback);
  void compare_solution(std::size_t env, Bar precision, const Readback& readback);
  double gradient_at(std::span<const double> qacc);
  double official_force() const;
  double official_gradient() const;

  Scene& scene_;
  Table& table_;
  StagePlan plan_;
  std::vector<State> states_;
  std::vector<std::unique_ptr<Readback>> readbacks_;
  std::vector<std::vector<std::vector<double>>> official_;  // [field][state]
  std::vector<std::vector<double>> official_terms_;         // [field][state]
  int contacts_ = 0;
  Choices choices_[2];
};

}  // namespace swept::test
