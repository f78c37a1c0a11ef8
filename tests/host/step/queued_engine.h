// SPDX-License-Identifier: Apache-2.0
// An engine without physics whose queue is real, as a GPU's is: nothing runs before the host waits.
// It keeps a log of what ran, and halts at points that the test chooses.
//
// Its state is one number per tile, the passes that have been stored.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "kernels/engine/engine.h"

namespace swept::test {

/// A line of the log: what ran, for which visit of all those that began.
struct Event {
  enum Kind { open, call, close } kind;
  int visit;  ///< how many visits had begun before
  int tile;
  int substep = 0;  ///< of a call
  int number = 0;   ///< of a call: its place in the program
  bool operator==(const Event&) const = default;
};

class QueuedEngine final : public Visitor {
 public:
  /// A call of a visit: (visits begun before, substep, place in the program).
  using Point = std::tuple<int, int, int>;

  explicit QueuedEngine(int tiles)
      : state(static_cast<std::size_t>(tiles)), kept(static_cast<std::size_t>(tiles)) {}

  // ---- what the test sets and sees ----
  std::map<Point, int> misfits;  ///< how often a call does not fit before it does
  std::map<Point, int> tails;    ///< how often a call, once it fits, waits for the host's tail
  int grows_left = 1 << 30;      ///< memory ends at the growth after so many
  std::vector<Event> log;
  std::vector<long long> state, kept;
  int waits = 0;
  int grown = 0;
  int followed = 0;

  // ---- the seam ----
  void queue(int worker, const Visit& visit) override {
    EXPECT_EQ(worker, 0);
    if (visit.number == 0) {
      EXPECT_TRUE(queue_.empty()) << "a first visit stands behind others";
    }
    queue_.push_back([this, visit] { begin(visit); });
    passes(visit, 0);
  }

  bool halted(int, Halt* halt) override {
    wait();
    *halt = {visit_, substep_, call_, {0, need_, 0, 0}, tail_ != 0};
    return halt_;
  }

  void grow(int, const Capacity& need) override {
    EXPECT_TRUE(queue_.empty()) << "buffers move while the queue uses them";
    EXPECT_TRUE(halt_ && tail_ == 0) << "growth that nothing asked for";
    EXPECT_EQ(need.contacts, capacity_ + 1);
    if (grows_left-- == 0) {
      throw OutOfMemory(1, 0, 0);
    }
    capacity_ = need.contacts;
    ++grown;
    --misfits.at({begun_ - 1, substep_, call_});
  }

  /// A ball that flies at another one: they meet in the middle of the step.
  std::vector<TailPair> hand_over(int, const Visit& visit) override {
    EXPECT_TRUE(queue_.empty()) << "a pair is read while the queue writes it";
    EXPECT_TRUE(halt_ && tail_ == 1) << "a tail that nothing asked for";
    EXPECT_EQ(visit.number, visit_);
    tail_ = 2;
    TailPair pair{};
    for (TailGeom<double>* const geom : {&pair.geom1, &pair.geom2}) {
      geom->type = geom_sphere;
      geom->size[0] = geom->bound = 0.25;
      geom->mat[0] = geom->mat[4] = geom->mat[8] = 1;
    }
    pair.thickness = 0.25;
    pair.geom2.pos[0] = 1.5;
    pair.geom2.way[0] = -2;
    pair.geom2.travel = 2;
    pair.state.first = 1;
    pair.state.rounds = 1;
    return {pair};
  }

  void take_back(int, std::span<const TailPair> pairs) override {
    EXPECT_EQ(tail_, 2) << "an answer to no question";
    ASSERT_EQ(pairs.size(), 1u);
    EXPECT_GT(pairs[0].state.rounds, 1) << "the host has not followed it";
    EXPECT_NEAR(pairs[0].state.t, 0.5, 1e-12);
    tail_ = 3;
    ++followed;
    --tails.at({begun_ - 1, substep_, call_});
  }

  void resume(int, const Visit& visit, const Halt& from) override {
    EXPECT_TRUE(queue_.empty()) << "something stands before the rest of the halted visit";
    EXPECT_EQ(visit.number, visit_);
    const int tile = visit.tile;
    EXPECT_EQ(tile, tile_);
    EXPECT_TRUE(tail_ == 0 || tail_ == 3) << "pairs still wait";
    tail_ = 0;
    queue_.push_back([this] { halt_ = false; });
    calls(visit, from.call);
    passes(visit, from.substep + 1);
  }

  void restore(int tile) override { state[at(tile)] = kept[at(tile)]; }

 private:
  static std::size_t at(int tile) { return static_cast<std::size_t>(tile); }

  void wait() {
    ++waits;
    while (!queue_.empty()) {
      queue_.front()();
      queue_.pop_front();
    }
  }

  void begin(const Visit& visit) {
    if (visit.number == 0) {
      halt_ = false;
      tail_ = 0;
    }
    if (halt_) {
      return;
    }
    visit_ = visit.number;
    tile_ = visit.tile;
    substep_ = 0;
    ++begun_;
    kept[at(tile_)] = state[at(tile_)];
    log.push_back({Event::open, begun_ - 1, tile_});
  }

  void calls(const Visit& visit, int from) {
    for (int call = from; call < static_cast<int>(visit.program->size()); ++call) {
      queue_.push_back([this, call] { run(call); });
    }
    queue_.push_back([this] { substep_ += halt_ ? 0 : 1; });
  }

  void passes(const Visit& visit, int done) {
    for (int pass = done; pass < visit.repeats; ++pass) {
      calls(visit, 0);
    }
    queue_.push_back([this, visit] {
      if (!halt_) {
        log.push_back({Event::close, begun_ - 1, tile_});
        state[at(tile_)] += visit.store ? substep_ : 0;
      }
    });
  }

  void run(int call) {
    if (halt_) {
      return;
    }
    call_ = call;
    const auto misfit = misfits.find({begun_ - 1, substep_, call});
    if (misfit != misfits.end() && misfit->second > 0) {
      halt_ = true;
      need_ = capacity_ + 1;
      return;
    }
    const auto tail = tails.find({begun_ - 1, substep_, call});
    if (tail != tails.end() && tail->second > 0) {
      halt_ = true;
      tail_ = 1;
      return;
    }
    log.push_back({Event::call, begun_ - 1, tile_, substep_, call});
  }

  std::deque<std::function<void()>> queue_;
  // the device's memory
  bool halt_ = false;
  int tail_ = 0;  ///< 1: pairs wait, 2: they have been read, 3: and answered
  int visit_ = 0, substep_ = 0, call_ = 0, need_ = 0, tile_ = 0;
  int begun_ = 0;
  int capacity_ = 1;
};

}  // namespace swept::test
