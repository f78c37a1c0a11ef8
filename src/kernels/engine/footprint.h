// SPDX-License-Identifier: Apache-2.0
// Footprint: the bytes of a batch as a function of its number of environments.
//
//   held    fixed + nenv (state twice + measures + extra) + workers (slots of a tile) scratch
//   peak    held + what growing needs at a time, while the old buffer stands beside the new one
//
// `extra` is what a user has added per environment: bound fields. A growing buffer gets at least a
// quarter more, so the old one is at most four fifths of the new.
#pragma once

#include <swept/batch.h>
#include <swept/model.h>

#include "kernels/base/tile.h"
#include "kernels/engine/engine.h"

namespace swept::SWEPT_NS {

/// Environments per tile of a batch of `nenv`: a whole number of blocks. On the CPU one pack, whose
/// scratch stays in the cache; on a GPU the batch. options.nenv is not looked at.
int tile_size(const EngineOptions& options, int nenv);

class Footprint {
 public:
  Footprint(const Model& model, const EngineOptions& options);

  /// Bytes that do not depend on the number of environments: the model.
  std::size_t fixed_bytes() const { return fixed_; }
  /// Bytes of an environment, whether it is in a tile or not: state, its second copy, measures.
  std::size_t env_bytes() const { return env_; }
  /// Bytes of scratch per environment of a tile.
  std::size_t scratch_bytes(const Capacity& capacity) const;

  /// Bytes that a batch of `nenv` environments holds.
  ///   extra   bytes per environment beside env_bytes()
  std::size_t held(int nenv, const Capacity& capacity, std::size_t extra) const;
  /// The same and what is needed in between when it grows from its starting sizes to `capacity`.
  std::size_t peak(int nenv, const Capacity& capacity, std::size_t extra) const;
  /// What a batch will need that needs `wanted` so far: lists of contacts grow before the rows that
  /// follow from them.
  Capacity foreseen(const Capacity& wanted) const;
  /// The largest number of environments, at most `most`, whose peak is within `room` bytes; 0 if
  /// there is none.
  int largest(std::size_t room, const Capacity& capacity, std::size_t extra, int most) const;

 private:
  std::size_t slots(int nenv) const;

  Sizes sizes_;
  Layout layout_;
  EngineOptions options_;
  Capacity start_;
  Capacity one_, two_;  ///< usual sizes for one and for two contacts
  std::size_t fixed_ = 0;
  std::size_t env_ = 0;
};

}  // namespace swept::SWEPT_NS
