// SPDX-License-Identifier: Apache-2.0
// The kernels of a visit in their order, launched or recorded.
#include "kernels/engine/visit_runner.h"

namespace swept::SWEPT_NS {

VisitStart VisitRunner::turn_to(Worker* w, const Visit& visit) const {
  const int first = first_of(visit.tile), nenv = count_of(visit.tile);
  w->point_at(first, nenv);
  return {visit.number, visit.repeats, first, nenv};
}

void VisitRunner::start(Worker* w, const Visit& visit) {
  begin_visit(w->context(), w->device_table(), turn_to(w, visit), visit.number == 0);
  finish(w, visit, true, 0);
}

void VisitRunner::resume(Worker* w, const Visit& visit, const Halt& from) {
  resume_visit(w->context(), w->device_table(), turn_to(w, visit), from.substep);
  // the pass that halted to its end, then the others
  run_program(w->context(), *w, *visit.program, from.call);
  finish(w, visit, false, from.substep + 1);
}

/// Queue what is left of a visit after `done` passes, by its graph where there is one.
void VisitRunner::finish(Worker* w, const Visit& visit, bool fresh, int done) {
  const Context& ctx = w->context();
  if (const VisitGraph* graph = graph_of(w, visit); graph != nullptr) {
    graph->launch(ctx);
  } else {
    if (fresh) {
      open_visit(ctx, *w, state_);
    }
    for (int pass = done; pass < visit.repeats && !w->known_halted(); ++pass) {
      run_program(ctx, *w, *visit.program, 0);
    }
    close_visit(ctx, *w, measures_, visit.store);
  }
  if (!exports_->empty()) {
    exports_->run(ctx, w->host(), w->table());
  }
}

/// Queue the calls of a program from one of them on, as the end of a pass.
void VisitRunner::run_program(Context ctx, const Worker& w, const std::vector<Call>& program,
                              int from) {
  long long launches = 0;
  ctx.launches = &launches;
  for (int call = from; call < static_cast<int>(program.size()); ++call) {
    run_call(ctx, w, program[static_cast<std::size_t>(call)], call);
  }
  next_substep(ctx, w.table());
  if (from == 0 && kernels_ != launches) {
    kernels_ = static_cast<int>(launches);
  }
}

/// The graph of visits like this one, recorded at the first of them; null: there is none.
const VisitGraph* VisitRunner::graph_of(Worker* w, const Visit& visit) {
  if (!memory_on_device || w->context().profile != nullptr) {
    return nullptr;
  }
  for (const Recorded& r : graphs_) {
    if (r.worker == w && r.nenv == w->host().nenv && r.store == visit.store &&
        r.program == *visit.program) {
      return r.graph.get();
    }
  }
  const std::vector<Call>& program = *visit.program;
  const bool store = visit.store;
  VisitParts parts;
  parts.open = [&](const Context& ctx) { open_visit(ctx, *w, state_); };
  parts.program = [&](const Context& ctx) { run_program(ctx, *w, program, 0); };
  parts.close = [&](const Context& ctx) { close_visit(ctx, *w, measures_, store); };
  graphs_.push_back({w, w->host().nenv, store, program, VisitGraph::record(w->table(), parts)});
  return graphs_.back().graph.get();
}

}  // namespace swept::SWEPT_NS
