// SPDX-License-Identifier: Apache-2.0
// The resume loop of a visit.
#include "host/step/visit.h"

#include <algorithm>

namespace swept {

namespace {

/// Calls that are queued before the halt flag is looked at. On a CPU a look costs nothing; on a GPU
/// the host waits once per so many calls.
constexpr int calls_between_looks = 1024;

}  // namespace

Visit::Visit(Engine* engine, int worker, const std::vector<Call>& program, int repeats, bool store,
             std::atomic<std::int64_t>* growths)
    : engine_(engine),
      worker_(worker),
      program_(&program),
      total_(static_cast<int>(program.size()) * repeats),
      store_(store),
      growths_(growths) {}

void Visit::queue(int from, int to) {
  const int length = static_cast<int>(program_->size());
  for (int point = from; point < to; ++point) {
    engine_->run(worker_, (*program_)[static_cast<std::size_t>(point % length)], point);
  }
}

/// Wait for the queue. True if all of it was done; otherwise make room, and resume_ says where to
/// go on.
bool Visit::answered() {
  Halt halt;
  if (!engine_->halted(worker_, &halt)) {
    return true;
  }
  engine_->grow(worker_, halt.need);
  ++*growths_;
  resume_ = halt.point;
  return false;
}

void Visit::start(int tile) {
  engine_->open(worker_, tile);
  int done = 0;
  while (total_ - done > calls_between_looks) {
    const int end = done + calls_between_looks;
    queue(done, end);
    while (!answered()) {
      queue(resume_, end);
    }
    done = end;
  }
  queue(done, total_);
  engine_->close(worker_, store_);
}

void Visit::finish() {
  while (!answered()) {
    queue(resume_, total_);
    engine_->close(worker_, store_);
  }
}

}  // namespace swept
