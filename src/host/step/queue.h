// SPDX-License-Identifier: Apache-2.0
// Queue: the visits of one worker that have been queued since it was last waited for.
//
//   push()     put a visit behind the others                      never waits on a GPU
//   finish()   wait; while a visit has halted: grow, or follow pairs further that the device has not
//              followed to their end; then queue the rest of it and all visits behind it
//
// Nothing is known on the host between the two: a stage that does not fit, or needs the host, halts the worker on the
// device, and every visit behind it does nothing. finish() learns from one look which visit halted
// and where; those before it are done. On a CPU the engine's queue has no length, and the look
// costs nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/engine/engine.h"

namespace swept {

class Queue {
 public:
  /// A queue that holds this many visits is finished before the next one: a bound on the host's
  /// list, of one wait in so many.
  static constexpr std::size_t longest = std::size_t{1} << 16;

  /// One visit as the batch sees it.
  struct Work {
    int tile = 0;
    const std::vector<Call>* program = nullptr;  ///< must outlive the queue's next finish()
    int repeats = 1;
    bool store = true;
    std::int64_t call = 0;  ///< the call of the batch that it belongs to; one call visits all tiles
    int steps = 0;          ///< steps of the batch that are done when this visit is
  };

  /// `growths` counts over all queues; `tail`, which must outlive this, follows pairs further.
  Queue(Visitor* engine, int worker, std::atomic<std::int64_t>* growths, const Tail* tail);

  /// Throws what Engine::queue throws, and what finish() throws when the queue is full. The queue is
  /// then empty, and the visit has not begun.
  void push(const Work& work);

  /// Returns when all visits are done, with the queue empty. Throws what Engine::grow throws, and
  /// std::bad_alloc; the
  /// queue is then empty too, the visits before the one that halted are done, those behind it have
  /// done nothing, and touched() says what must be undone.
  void finish();

  bool empty() const { return pending_.empty(); }
  /// Steps done by visits that finish() has seen end, since push() found the queue empty.
  std::int64_t steps_done() const { return steps_done_; }
  /// After push() or finish() threw: tiles that the call which failed has visited, the halted one
  /// included. Restoring them gives the state before that call.
  const std::vector<int>& touched() const { return touched_; }

 private:
  struct Pending {
    Visit visit;
    std::int64_t call;
    int steps;
  };

  void answer(const Halt& halt);
  void complete(std::size_t count);
  std::vector<int> tiles_done(std::int64_t call) const;

  Visitor* engine_;
  int worker_;
  std::atomic<std::int64_t>* growths_;
  const Tail* tail_;
  std::vector<Pending> pending_;
  std::int64_t steps_done_ = 0;
  std::int64_t last_call_ = -1;  ///< the call of the visit that was done last
  std::vector<int> done_tiles_;  ///< tiles that it has been through
  std::vector<int> touched_;
};

}  // namespace swept
