// SPDX-License-Identifier: Apache-2.0
// Meter: follows the measures of a plan through the steps of a batch.
//
// A moment is a step that is measured. What is computed from the state belongs to the state before
// the step that computes it; the two kinds of fields are therefore asked for at different times:
//
//   state_moment      before step k, with the times of step k
//   derived_moment    after step k, or after a forward pass, with the same times
//
// An environment that stands still is measured no more.
#pragma once

#include "tools/swept/sweep/fields.h"
#include "tools/swept/sweep/plan.h"

#include <swept/batch.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace swept::cli {

class Meter {
 public:
  /// Hold the measures of a plan against a scene; the plan has to outlive this. Throws Error for
  /// numbers that do not exist, and for several of which nothing says how they become one.
  Meter(const Plan& plan, const Model& model);

  const std::string& unit(std::size_t measure) const { return units_[measure]; }
  /// What is measured of which field.
  std::string meaning(std::size_t measure) const;
  /// Is there a measure of a derived field.
  bool derived() const;

  /// Begin anew with a batch; binds what it needs.
  void begin(Batch& batch);
  /// Take the numbers of all environments at `times` [nenv, s].
  void state_moment(Batch& batch, std::span<const double> times);
  void derived_moment(Batch& batch, std::span<const double> times);
  /// The measures of an environment. `stopped`: it stands still, so all but the times of events
  /// that were seen are not a number. Nor is that of an event that was not seen, nor of a window
  /// without a moment.
  std::vector<double> results(int env, bool stopped) const;

 private:
  /// What is kept of one measure in one environment.
  struct Total {
    double value;  ///< last, sum, sum of squares, least, largest, or the time of the event
    std::int64_t count = 0;
  };

  void take(Batch& batch, bool derived, std::span<const double> times);
  void add(const Measure& measure, double number, double time, Total* total) const;

  const Plan& plan_;
  std::vector<Numbers> numbers_;
  std::vector<std::string> units_;
  std::vector<Total> totals_;  ///< [nenv, measures]
};

}  // namespace swept::cli
