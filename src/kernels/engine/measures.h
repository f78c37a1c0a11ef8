// SPDX-License-Identifier: Apache-2.0
// Measures: per environment, the counts and the quality of the last step.
#pragma once

#include "kernels/base/buffer.h"
#include "kernels/base/tile.h"
#include "kernels/engine/engine.h"

namespace swept::SWEPT_NS {

/// Where the measures stand; one entry per environment of the batch.
struct MeasuresView {
  int* contacts = nullptr;           ///< contacts
  int* rows = nullptr;               ///< basis rows: entries of the efc_ lists
  int* edges = nullptr;              ///< rows as the official library counts them: pyramid edges
  int* iterations = nullptr;         ///< of the solver
  real* residual = nullptr;          ///< scaled gradient at the solver's end
  real* penetration = nullptr;       ///< largest, 0 if none [m]
  long long* speculative = nullptr;  ///< [speculative_counters] each, since the batch was made
};

class Measures {
 public:
  explicit Measures(int nenv);

  /// Copy the measures of a tile's environments.
  void take(const Context& ctx, const Tile& tile, const Tile* t);
  const MeasuresView& view() const { return view_; }
  /// All of them, on the host; `status` is left empty.
  EngineReport report() const;
  std::size_t bytes() const { return ints_.bytes() + reals_.bytes() + longs_.bytes(); }
  static constexpr std::size_t bytes_per_env() {
    return nints * sizeof(int) + nreals * sizeof(real) + speculative_counters * sizeof(long long);
  }

 private:
  static constexpr std::size_t nints = 4, nreals = 2;

  int nenv_;
  Buffer<int> ints_;
  Buffer<real> reals_;
  Buffer<long long> longs_;
  MeasuresView view_;
};

}  // namespace swept::SWEPT_NS
