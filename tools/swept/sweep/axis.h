// SPDX-License-Identifier: Apache-2.0
// Axis: from numbers to places on a picture, and where its ticks are.
#pragma once

#include <string>
#include <vector>

namespace swept::cli {

class Axis {
 public:
  /// An axis whose number `low` is at place `begin` and `high` at `end`. Equal ratios make equal
  /// distances if `log`, which needs low > 0. low = high is widened.
  Axis(double low, double high, double begin, double end, bool log);

  double place(double number) const;
  /// Numbers that are 1, 2 or 5 times a power of ten, four to ten of them where the range allows it.
  std::vector<double> ticks() const;

 private:
  double low_, high_;  ///< their logarithms if log_
  double begin_, end_;
  bool log_;
};

/// A number beside a tick.
std::string tick_text(double number);

}  // namespace swept::cli
