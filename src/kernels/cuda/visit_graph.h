// SPDX-License-Identifier: Apache-2.0
// A visit as one CUDA graph, recorded once and replayed for any number of substeps:
//
//   decide ──► if the visit is fresh: open ──► while substeps are left: program, decide ──► close
//
// Both conditions are read on the device from the tile's Control, so a halt ends the loop without
// the host, and a visit that goes on after a halt skips what opens it. Growth records nothing anew:
// kernels read the table, whose address stays. Needs conditional nodes (CUDA 12.4); without them,
// and on the CPU, there is no graph and the kernels are launched one by one.
#pragma once

#include <functional>
#include <memory>

#include "kernels/base/context.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// What goes into the graph: each part launches its kernels into the context that it is given.
struct VisitParts {
  std::function<void(const Context&)> open;
  std::function<void(const Context&)> program;  ///< one substep, counted with next_substep()
  std::function<void(const Context&)> close;
};

class VisitGraph {
 public:
  VisitGraph() = default;
  VisitGraph(const VisitGraph&) = delete;
  VisitGraph& operator=(const VisitGraph&) = delete;
  ~VisitGraph();

  /// Record the parts for the calling thread's device. Nothing runs, nothing waits. Null where
  /// toolkit or driver have no conditional nodes. `t` is the device's table.
  static std::unique_ptr<VisitGraph> record(const Tile* t, const VisitParts& parts);

  /// Put the graph into the queue. The Control must say which visit it is.
  void launch(const Context& ctx) const;

 private:
#ifdef __CUDACC__
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
#endif
};

#ifndef __CUDACC__
inline VisitGraph::~VisitGraph() = default;
inline std::unique_ptr<VisitGraph> VisitGraph::record(const Tile*, const VisitParts&) {
  return nullptr;
}
inline void VisitGraph::launch(const Context&) const {}
#endif

}  // namespace swept::SWEPT_NS
