// SPDX-License-Identifier: Apache-2.0
// The state of all environments of a batch, environment-major, on the device; and a second copy,
// from which a refused step is undone.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/base/buffer.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// Bytes of one environment's state, once.
std::size_t state_bytes_per_env(const Sizes& sizes);

/// Owns the state of `nenv` environments.
class State {
 public:
  State(const Sizes& sizes, int nenv);

  const StateView& view() const { return view_; }
  /// Numbers per environment and their bytes.
  std::size_t reals_per_env() const { return reals_per_env_; }
  std::size_t bytes_per_env() const;

  /// Keep or bring back the environments [first, first + count), those of a tile. While the tile
  /// `t` is halted nothing is kept.
  void keep(const Context& ctx, const Tile* t, int first, int count);
  void bring_back(const Context& ctx, int first, int count);

  /// Environment to[i] becomes as from[i] is before the call. Entries of `to` differ.
  void copy_envs(const Context& ctx, std::span<const int> from, std::span<const int> to);

 private:
  void copy(const Context& ctx, const StateView& target, const StateView& source, int first,
            int count) const;

  Sizes sizes_;
  std::size_t reals_per_env_ = 0;
  Buffer<real> reals_, kept_reals_;
  Buffer<int> status_, kept_status_;      // status, then reset_status
  Buffer<long long> steps_, kept_steps_;  // steps, status_step, resets
  StateView view_, kept_;
};

}  // namespace swept::SWEPT_NS
