// SPDX-License-Identifier: Apache-2.0
// Recording of a visit's graph.
#include "kernels/cuda/visit_graph.h"

namespace swept::SWEPT_NS {

#if CUDART_VERSION >= 12040

namespace {

/// The driver that conditional nodes came with.
constexpr int first_driver = 12040;

/// The condition of the loop: nothing has halted, and passes through the program are left.
__device__ unsigned substeps_left(const Control& control) {
  return control.halt == 0 && control.substep < control.repeats ? 1u : 0u;
}

__global__ void decide_visit(const Tile* t, cudaGraphConditionalHandle open,
                             cudaGraphConditionalHandle loop) {
  const Control& control = *t->control;
  cudaGraphSetConditional(open, control.halt == 0 && control.fresh != 0 ? 1u : 0u);
  cudaGraphSetConditional(loop, substeps_left(control));
}

__global__ void decide_substep(const Tile* t, cudaGraphConditionalHandle loop) {
  cudaGraphSetConditional(loop, substeps_left(*t->control));
}

/// Whether a call was done; false if the driver or the GPU cannot do it. Throws if it failed.
bool done(cudaError_t status) {
  if (status == cudaErrorNotSupported) {
    cudaGetLastError();  // handled: the next check must not report it
    return false;
  }
  check(status);
  return true;
}

/// A stream of its own that records and never runs anything: the caller's may be one that cannot be
/// recorded. Relaxed, because the first launch of a kernel may load its code.
class Recorder {
 public:
  Recorder() { check(cudaStreamCreateWithFlags(&ctx_.stream, cudaStreamNonBlocking)); }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder() { cudaStreamDestroy(ctx_.stream); }

  /// Append what `work` launches to a graph, after the node `before` (null: at its start).
  template <class Work>
  void append(cudaGraph_t graph, cudaGraphNode_t before, const Work& work) {
    check(cudaStreamBeginCaptureToGraph(ctx_.stream, graph, before != nullptr ? &before : nullptr,
                                        nullptr, before != nullptr ? 1 : 0,
                                        cudaStreamCaptureModeRelaxed));
    try {
      work(ctx_);
    } catch (...) {
      cudaGraph_t broken = nullptr;
      cudaStreamEndCapture(ctx_.stream, &broken);
      throw;
    }
    cudaGraph_t same = nullptr;
    check(cudaStreamEndCapture(ctx_.stream, &same));
  }

 private:
  Context ctx_;
};

/// The node of a graph that has one.
cudaGraphNode_t only_node(cudaGraph_t graph) {
  cudaGraphNode_t node = nullptr;
  std::size_t count = 1;
  check(cudaGraphGetNodes(graph, &node, &count));
  return node;
}

/// A conditional node after `before`, and the graph that it guards.
struct Conditional {
  cudaGraphNode_t node = nullptr;
  cudaGraph_t body = nullptr;
};

/// Its node is null where there are no such nodes.
Conditional add_conditional(cudaGraph_t graph, cudaGraphNode_t before,
                            cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type) {
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = 1;
  Conditional made;
#if CUDART_VERSION >= 13000
  const cudaError_t status = cudaGraphAddNode(&made.node, graph, &before, nullptr, 1, &params);
#else
  const cudaError_t status = cudaGraphAddNode(&made.node, graph, &before, 1, &params);
#endif
  if (!done(status)) {
    return {};
  }
  made.body = params.conditional.phGraph_out[0];
  return made;
}

}  // namespace

std::unique_ptr<VisitGraph> VisitGraph::record(const Tile* t, const VisitParts& parts) {
  int driver = 0;
  check(cudaDriverGetVersion(&driver));
  if (driver < first_driver) {
    return nullptr;
  }
  auto made = std::make_unique<VisitGraph>();
  check(cudaGraphCreate(&made->graph_, 0));
  const cudaGraph_t graph = made->graph_;
  cudaGraphConditionalHandle open = {}, loop = {};
  for (cudaGraphConditionalHandle* handle : {&open, &loop}) {
    if (!done(cudaGraphConditionalHandleCreate(handle, graph, 0, cudaGraphCondAssignDefault))) {
      return nullptr;
    }
  }

  Recorder recorder;
  recorder.append(graph, nullptr, [&](const Context& ctx) {
    decide_visit<<<1, 1, 0, ctx.stream>>>(t, open, loop);
    check(cudaGetLastError());
  });
  const Conditional opening = add_conditional(graph, only_node(graph), open, cudaGraphCondTypeIf);
  if (opening.node == nullptr) {
    return nullptr;
  }
  recorder.append(opening.body, nullptr, parts.open);
  const Conditional looping = add_conditional(graph, opening.node, loop, cudaGraphCondTypeWhile);
  if (looping.node == nullptr) {
    return nullptr;
  }
  recorder.append(looping.body, nullptr, [&](const Context& ctx) {
    parts.program(ctx);
    decide_substep<<<1, 1, 0, ctx.stream>>>(t, loop);
    check(cudaGetLastError());
  });
  recorder.append(graph, looping.node, parts.close);
  return done(cudaGraphInstantiate(&made->exec_, graph, 0)) ? std::move(made) : nullptr;
}

VisitGraph::~VisitGraph() {
  if (exec_ != nullptr) {
    cudaGraphExecDestroy(exec_);
  }
  if (graph_ != nullptr) {
    cudaGraphDestroy(graph_);
  }
}

void VisitGraph::launch(const Context& ctx) const {
  check(cudaGraphLaunch(exec_, ctx.stream));
}

#else

std::unique_ptr<VisitGraph> VisitGraph::record(const Tile*, const VisitParts&) {
  return nullptr;
}
VisitGraph::~VisitGraph() = default;
void VisitGraph::launch(const Context&) const {}

#endif

}  // namespace swept::SWEPT_NS
