// SPDX-License-Identifier: Apache-2.0
// The queue of visits against an engine that runs nothing before it is waited for: whatever does
// not fit and wherever, every call of every visit runs once and in order, and the host waits only
// to answer.
#include "host/step/queue.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "host/step/queued_engine.h"

namespace swept::test {
namespace {

const std::vector<Call> program_a = {{Stage::position}, {Stage::broadphase}, {Stage::narrowphase},
                                     {Stage::rows},     {Stage::solve},      {Stage::count}};
const std::vector<Call> program_b = {{Stage::broadphase}, {Stage::rows}};

/// What follows pairs further.
const Tail& tail() {
  static const Model none;
  static const Tail made(none);
  return made;
}

/// A call of the batch: every tile goes through a program.
struct BatchCall {
  const std::vector<Call>* program;
  int repeats;
  bool store;
};

/// Put a call into the queue, as a batch does.
void push(Queue* queue, const BatchCall& call, std::int64_t number, int tiles) {
  for (int tile = 0; tile < tiles; ++tile) {
    const int steps = call.store && tile == tiles - 1 ? call.repeats : 0;
    queue->push({tile, call.program, call.repeats, call.store, number, steps});
  }
}

/// What must have run, in order, for these calls.
std::vector<Event> expected_log(const std::vector<BatchCall>& calls, int tiles) {
  std::vector<Event> log;
  int visit = 0;
  for (const BatchCall& call : calls) {
    for (int tile = 0; tile < tiles; ++tile, ++visit) {
      log.push_back({Event::open, visit, tile});
      for (int pass = 0; pass < call.repeats; ++pass) {
        for (int k = 0; k < static_cast<int>(call.program->size()); ++k) {
          log.push_back({Event::call, visit, tile, pass, k});
        }
      }
      log.push_back({Event::close, visit, tile});
    }
  }
  return log;
}

/// Random calls, and random points of them that do not fit, some more than once, or need the host
/// once they do.
struct Case {
  int tiles;
  std::vector<BatchCall> calls;
  std::map<QueuedEngine::Point, int> misfits, tails;
  int halts = 0, handed = 0;

  explicit Case(unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&random](int n) { return static_cast<int>(random() % unsigned(n)); };
    tiles = 1 + below(3);
    for (int n = 1 + below(6); n > 0; --n) {
      calls.push_back({below(2) == 0 ? &program_a : &program_b, 1 + below(4), below(4) != 0});
    }
    for (int n = below(8); n > 0; --n) {
      const int call = below(static_cast<int>(calls.size()));
      const BatchCall& at = calls[static_cast<std::size_t>(call)];
      const QueuedEngine::Point point{call * tiles + below(tiles), below(at.repeats),
                                      below(static_cast<int>(at.program->size()))};
      misfits[point] = 1 + below(2);
      if (below(2) == 0) {
        tails[point] = 1 + below(2);
      }
    }
    for (const auto& [point, times] : misfits) {
      halts += times;
    }
    for (const auto& [point, times] : tails) {
      handed += times;
    }
  }
};

TEST(Queue, RunsEveryCallOnceAndInOrderWhateverDoesNotFit) {
  for (unsigned seed = 0; seed < 4000; ++seed) {
    const Case c(seed);
    QueuedEngine engine(c.tiles);
    engine.misfits = c.misfits;
    engine.tails = c.tails;
    std::atomic<std::int64_t> growths{0};
    Queue queue(&engine, 0, &growths, &tail());
    std::mt19937 random(seed);
    int waits = 0;
    for (std::size_t k = 0; k < c.calls.size(); ++k) {
      push(&queue, c.calls[k], static_cast<std::int64_t>(k), c.tiles);
      EXPECT_EQ(engine.waits - waits, 0) << "queueing waited";
      if (random() % 3 == 0) {
        const int answered = engine.grown + engine.followed;
        queue.finish();
        EXPECT_EQ(engine.waits - waits, engine.grown + engine.followed - answered + 1);
        waits = engine.waits;
      }
    }
    queue.finish();
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(growths, c.halts);
    EXPECT_EQ(engine.followed, c.handed);
    ASSERT_EQ(engine.log, expected_log(c.calls, c.tiles)) << "case " << seed;
  }
}

TEST(Queue, NeverWaitsWhileEverythingFits) {
  QueuedEngine engine(1);
  std::atomic<std::int64_t> growths{0};
  Queue queue(&engine, 0, &growths, &tail());
  for (int k = 0; k < 1000; ++k) {
    push(&queue, {&program_a, 1, true}, k, 1);
  }
  EXPECT_EQ(engine.waits, 0);
  EXPECT_TRUE(engine.log.empty()) << "the double ran something before it was waited for";
  queue.finish();
  EXPECT_EQ(engine.waits, 1);
  EXPECT_EQ(growths, 0);
  EXPECT_EQ(queue.steps_done(), 1000);
  queue.finish();
  EXPECT_EQ(engine.waits, 1) << "an empty queue waited";
}

TEST(Queue, HoldsSoManyVisitsAndThenWaitsOnce) {
  QueuedEngine engine(1);
  std::atomic<std::int64_t> growths{0};
  Queue queue(&engine, 0, &growths, &tail());
  const std::vector<Call> tiny = {{Stage::count}};
  for (std::size_t k = 0; k <= Queue::longest; ++k) {
    push(&queue, {&tiny, 1, true}, static_cast<std::int64_t>(k), 1);
  }
  EXPECT_EQ(engine.waits, 1);
  queue.finish();
  EXPECT_EQ(queue.steps_done(), static_cast<std::int64_t>(Queue::longest) + 1);
}

/// How many events of the log a case has before the halt at which memory ends, and of which call.
struct End {
  std::size_t events = 0;
  std::int64_t call = 0;
  int tile = 0;
};

End end_of(const Case& c, int grows) {
  const std::vector<Event> log = expected_log(c.calls, c.tiles);
  for (std::size_t i = 0; i < log.size(); ++i) {
    const auto misfit = c.misfits.find({log[i].visit, log[i].substep, log[i].number});
    const int times = log[i].kind == Event::call && misfit != c.misfits.end() ? misfit->second : 0;
    if (times > grows) {
      return {i, log[i].visit / c.tiles, log[i].tile};
    }
    grows -= times;
  }
  return {log.size(), -1, 0};
}

TEST(Queue, GivesBackTheStateBeforeTheCallThatRanOutOfMemory) {
  int ended = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    const Case c(seed);
    if (c.halts == 0) {
      continue;
    }
    const int grows = static_cast<int>(seed) % c.halts;
    const End end = end_of(c, grows);
    QueuedEngine engine(c.tiles);
    engine.misfits = c.misfits;
    engine.grows_left = grows;
    std::atomic<std::int64_t> growths{0};
    Queue queue(&engine, 0, &growths, &tail());
    for (std::size_t k = 0; k < c.calls.size(); ++k) {
      push(&queue, c.calls[k], static_cast<std::int64_t>(k), c.tiles);
    }
    EXPECT_THROW(queue.finish(), OutOfMemory);
    ++ended;

    // what ran ends at the call that did not fit
    std::vector<Event> log = expected_log(c.calls, c.tiles);
    log.resize(end.events);
    ASSERT_EQ(engine.log, log) << "case " << seed;
    EXPECT_TRUE(queue.empty());

    // the steps that are said to be done are those of the calls before
    long long steps = 0;
    for (std::int64_t k = 0; k < end.call; ++k) {
      const BatchCall& call = c.calls[static_cast<std::size_t>(k)];
      steps += call.store ? call.repeats : 0;
    }
    EXPECT_EQ(queue.steps_done(), steps);

    // undone, every tile is where those calls left it
    EXPECT_EQ(queue.touched().size(), static_cast<std::size_t>(end.tile) + 1);
    for (const int tile : queue.touched()) {
      engine.restore(tile);
    }
    std::vector<long long> state(static_cast<std::size_t>(c.tiles), 0);
    for (std::int64_t k = 0; k < end.call; ++k) {
      const BatchCall& call = c.calls[static_cast<std::size_t>(k)];
      for (long long& tile : state) {
        tile += call.store ? call.repeats : 0;
      }
    }
    ASSERT_EQ(engine.state, state) << "case " << seed;

    // with memory again the next call runs whole
    engine.grows_left = 1 << 30;
    engine.misfits.clear();
    const std::size_t before = engine.log.size();
    push(&queue, {&program_a, 2, true}, 100, c.tiles);
    queue.finish();
    EXPECT_EQ(engine.log.size() - before, static_cast<std::size_t>(c.tiles) * 14);
    EXPECT_EQ(queue.steps_done(), 2);
  }
  EXPECT_GT(ended, 3000) << "too few cases ran out of memory";
}

}  // namespace
}  // namespace swept::test
