// SPDX-License-Identifier: Apache-2.0
// The queue of visits and its answer to a halt.
#include "host/step/queue.h"

#include <algorithm>
#include <stdexcept>

namespace swept {

Queue::Queue(Visitor* engine, int worker, std::atomic<std::int64_t>* growths, const Tail* tail)
    : engine_(engine), worker_(worker), growths_(growths), tail_(tail) {}

void Queue::push(const Work& work) {
  if (pending_.size() == longest) {
    finish();
  } else if (pending_.empty()) {
    steps_done_ = 0;
  }
  const Visit visit{pending_.empty() ? 0 : pending_.back().visit.number + 1, work.tile,
                    work.program, work.repeats, work.store};
  try {
    engine_->queue(worker_, visit);
  } catch (...) {
    finish();
    touched_ = tiles_done(work.call);
    throw;
  }
  pending_.push_back({visit, work.call, work.steps});
}

void Queue::finish() {
  Halt halt;
  try {
    while (!pending_.empty() && engine_->halted(worker_, &halt)) {
      answer(halt);
    }
  } catch (...) {
    // the rest has done nothing, and will not
    touched_ = tiles_done(pending_.front().call);
    touched_.push_back(pending_.front().visit.tile);
    pending_.clear();
    throw;
  }
  complete(pending_.size());
}

/// Tiles that a call has been through.
std::vector<int> Queue::tiles_done(std::int64_t call) const {
  return call == last_call_ ? done_tiles_ : std::vector<int>{};
}

/// The first `count` visits are done.
void Queue::complete(std::size_t count) {
  const auto end = pending_.begin() + static_cast<std::ptrdiff_t>(count);
  for (auto done = pending_.begin(); done != end; ++done) {
    if (done->call != last_call_) {
      last_call_ = done->call;
      done_tiles_.clear();
    }
    done_tiles_.push_back(done->visit.tile);
    steps_done_ += done->steps;
  }
  pending_.erase(pending_.begin(), end);
}

/// Make room for what did not fit, or do what the device leaves to the host; then everything from
/// there on is in the queue again.
void Queue::answer(const Halt& halt) {
  const auto halted = std::find_if(pending_.begin(), pending_.end(), [&halt](const Pending& p) {
    return p.visit.number == halt.visit;
  });
  if (halted == pending_.end()) {
    throw std::runtime_error("it stopped in work that it was not given");
  }
  complete(static_cast<std::size_t>(halted - pending_.begin()));
  if (halt.tail) {
    std::vector<TailPair> pairs = engine_->hand_over(worker_, pending_.front().visit);
    tail_->follow(pairs);
    engine_->take_back(worker_, pairs);
  } else {
    engine_->grow(worker_, halt.need);
    ++*growths_;
  }
  engine_->resume(worker_, pending_.front().visit, halt);
  for (std::size_t i = 1; i < pending_.size(); ++i) {
    engine_->queue(worker_, pending_[i].visit);
  }
}

}  // namespace swept
