// SPDX-License-Identifier: Apache-2.0
// Options, worker threads, and the run of all tiles.
#include "host/batch/impl.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <new>
#include <thread>

#include <swept/error.h>

#include "host/step/program.h"

namespace swept {

namespace {

BatchOptions checked(const BatchOptions& options) {
  if (options.nenv < 1) {
    throw Error("nenv is " + std::to_string(options.nenv),
                "a batch needs at least one environment");
  }
  if (options.nenv > 1 << 24) {
    throw Error("nenv is " + std::to_string(options.nenv),
                "a batch holds at most 16777216 environments; make several");
  }
  if (options.threads < 0 || options.tile < 0) {
    throw Error("threads and tile must not be negative", "0 lets the batch choose");
  }
  for (const int size : {options.capacity.pairs, options.capacity.contacts, options.capacity.rows,
                         options.capacity.nonzeros}) {
    if (size < 0) {
      throw Error("a capacity is " + std::to_string(size), "0 lets the batch estimate it");
    }
  }
  return options;
}

int worker_count(const BatchOptions& options, const Device& device) {
  if (device.kind != "cpu") {
    return 1;
  }
  const int machine = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return options.threads > 0 ? options.threads : machine;
}

}  // namespace

Batch::Impl::Impl(const Model& wanted_model, const BatchOptions& wanted_options)
    : model(wanted_model),
      options(checked(wanted_options)),
      device(parse_device(options.device)),
      workers(worker_count(options, device)),
      step_calls(step_program(model)),
      forward_calls(forward_program()) {
  EngineOptions wanted;
  wanted.nenv = options.nenv;
  wanted.workers = workers;
  wanted.tile = options.tile;
  wanted.device = device.index;
  wanted.stream = options.stream;
  wanted.capacity = options.capacity;
  engine = make_engine(model, device, options.precision, wanted);

  // the engine has no more workers than tiles, and a slot of the arena is a worker's number
  workers = std::clamp(engine->tiles(), 1, workers);
  if (workers > tbb::this_task_arena::max_concurrency()) {
    // more threads than processors: oneTBB warns and refuses unless it is told
    allowed_ = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                     static_cast<std::size_t>(workers));
  }
  arena_ = std::make_unique<tbb::task_arena>(workers, 1);
  // now, not at the first step: if memory ends while it starts itself up, oneTBB waits forever
  arena_->initialize();
}

void Batch::Impl::run(const std::vector<Call>& program, int repeats, bool store) {
  finish();
  opened_ = std::vector<std::atomic<bool>>(static_cast<std::size_t>(engine->tiles()));
  guarded([&] {
    if (device.kind != "cpu" && engine->tiles() == 1) {
      pending_ = std::make_unique<Visit>(engine.get(), 0, program, repeats, store, &growths);
      opened_[0] = true;
      pending_->start(0);
      return;
    }
    arena_->execute([&] { visit_all(program, repeats, store); });
  });
}

void Batch::Impl::finish() {
  if (pending_ != nullptr) {
    guarded([&] { pending_->finish(); });
    pending_.reset();
  }
  engine->sync();
}

/// Tiles are given to the workers of the arena one at a time.
void Batch::Impl::visit_all(const std::vector<Call>& program, int repeats, bool store) {
  tbb::parallel_for(
      tbb::blocked_range<int>(0, engine->tiles(), 1),
      [&](const tbb::blocked_range<int>& range) {
        for (int tile = range.begin(); tile < range.end(); ++tile) {
          const int worker = tbb::this_task_arena::current_thread_index();
          Visit visit(engine.get(), worker, program, repeats, store, &growths);
          opened_[static_cast<std::size_t>(tile)] = true;
          visit.start(tile);
          visit.finish();
        }
      },
      tbb::simple_partitioner{});
}

/// Run `work`. When memory ends in it, the state comes back and an Error says what to do.
void Batch::Impl::guarded(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    bring_back();
    throw Error("memory ended while a buffer had to grow; the state is the one before the call",
                "use fewer environments, fewer threads, or a smaller tile");
  } catch (const std::exception& failure) {
    pending_.reset();
    throw Error(std::string("the device failed (") + failure.what() + ")",
                "the state is lost; make a new batch");
  }
}

/// Undo what tiles have stored since run() began.
void Batch::Impl::bring_back() {
  pending_.reset();
  for (int tile = 0; tile < engine->tiles(); ++tile) {
    if (opened_[static_cast<std::size_t>(tile)]) {
      engine->restore(tile);
    }
  }
  engine->sync();
}

}  // namespace swept
