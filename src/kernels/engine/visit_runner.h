// SPDX-License-Identifier: Apache-2.0
// VisitRunner: takes workers through visits. Kernels are launched one by one, or, on a GPU, all at
// once by a graph that is recorded at the first visit of its kind.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "kernels/cuda/visit_graph.h"
#include "kernels/engine/exports.h"
#include "kernels/engine/measures.h"
#include "kernels/engine/progress.h"
#include "kernels/engine/state.h"
#include "kernels/engine/visit.h"
#include "kernels/engine/worker.h"

namespace swept::SWEPT_NS {

class VisitRunner {
 public:
  /// For a batch of `nenv` environments in tiles of `tile`; the others must outlive the runner.
  VisitRunner(int nenv, int tile, State* state, Exports* exports, Measures* measures)
      : nenv_(nenv), tile_(tile), state_(state), exports_(exports), measures_(measures) {}

  int tiles() const { return (nenv_ + tile_ - 1) / tile_; }
  int first_of(int tile) const { return tile * tile_; }
  /// Environments of a tile: the last one may have fewer.
  int count_of(int tile) const { return tile < tiles() - 1 ? tile_ : nenv_ - tile * tile_; }

  /// Point a worker at the tile of a visit; what the device must be told.
  VisitStart turn_to(Worker* w, const Visit& visit) const;

  /// Queue a visit.
  void start(Worker* w, const Visit& visit);
  /// Queue what is left of a visit that halted.
  void resume(Worker* w, const Visit& visit, const Halt& from);

  /// Kernels of one pass through the program that was queued last.
  int program_kernels() const { return kernels_; }

 private:
  struct Recorded {
    const Worker* worker;
    int nenv;
    bool store;
    std::vector<Call> program;
    std::unique_ptr<VisitGraph> graph;  ///< null: kernels are launched one by one
  };

  void finish(Worker* w, const Visit& visit, bool fresh, int done);
  void run_program(Context ctx, const Worker& w, const std::vector<Call>& program, int from);
  const VisitGraph* graph_of(Worker* w, const Visit& visit);

  int nenv_, tile_;
  State* state_;
  Exports* exports_;
  Measures* measures_;
  std::vector<Recorded> graphs_;
  std::atomic<int> kernels_ = 0;
};

}  // namespace swept::SWEPT_NS
