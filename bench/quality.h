// SPDX-License-Identifier: Apache-2.0
// What stands beside every speed: how much the engine had to do, how well it did it, and what it
// left out.
#pragma once

#include <swept/batch.h>

#include <cstdint>
#include <vector>

namespace swept::bench {

/// Measures of one or several sampled steps. A spread's mean and p95 are averages over the samples
/// of the mean and the 95th percentile over environments; its max, and the penetration, are the
/// largest seen.
struct Quality {
  int samples = 0;           ///< sampled steps
  Spread contacts;           ///< contacts per environment
  Spread rows;               ///< constraint rows per environment
  Spread iterations;         ///< solver iterations
  Spread residual;           ///< norm of the objective's gradient over the trace of M, 1
  double penetration = 0;    ///< largest penetration [m]
  std::int64_t dropped = 0;  ///< contacts or rows left out, all samples together
  std::int64_t unstable =
      0;  ///< environments that stand still, or were reset, because a number diverged

  /// Add a sampled step.
  void add(const Quality& sample);
};

/// The measures of a batch's last step.
Quality quality_of(const Report& report);

/// Mean, 95th percentile (nearest rank) and maximum of some numbers; zeros for none.
Spread spread(std::vector<double> numbers);

}  // namespace swept::bench
