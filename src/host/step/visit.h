// SPDX-License-Identifier: Apache-2.0
// Visit: take one tile through a program several times over, answering when a buffer is too small.
//
//   start()    open the tile, queue every call, queue the store          returns at once on a GPU
//   finish()   wait; while the tile is halted: grow, queue again from the stage that did not fit
//
// A stage that does not fit raises the tile's halt flag, and everything queued after it, the store
// included, does nothing. Its inputs have not moved, so the program goes on from there once the
// buffer has grown.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "kernels/engine/engine.h"

namespace swept {

class Visit {
 public:
  /// `growths` counts over all visits. The program must outlive the visit.
  Visit(Engine* engine, int worker, const std::vector<Call>& program, int repeats, bool store,
        std::atomic<std::int64_t>* growths);

  void start(int tile);
  /// Throws what Engine::grow throws; the tile's state in the batch is then still the one before
  /// start().
  void finish();

 private:
  void queue(int from, int to);
  bool answered();

  Engine* engine_;
  int worker_;
  const std::vector<Call>* program_;
  int total_;  ///< calls
  bool store_;
  std::atomic<std::int64_t>* growths_;
  int resume_ = 0;  ///< call to go on from after a halt
};

}  // namespace swept
