// SPDX-License-Identifier: Apache-2.0
// Options, worker threads, and the run of all tiles.
#include "host/batch/impl.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <thread>

#include <swept/error.h>

#include "host/batch/memory.h"
#include "host/step/program.h"

namespace swept {

namespace {

/// The keyframe of the automatic reset must exist and be good itself.
void check_auto_reset(const BatchOptions& options, const Model& model) {
  const int key = options.auto_reset.value_or(-1);
  if (key < -1 || key >= model.nkey) {
    throw Error("auto_reset is keyframe " + std::to_string(key) + ", which does not exist",
                model.nkey == 0 ? "use -1, the default state; the model has no keyframes"
                                : "use 0 to " + std::to_string(model.nkey - 1) +
                                      ", or -1 for the default state");
  }
  if (key < 0) {
    return;
  }
  for (const auto& [field, width] : {std::pair(&model.key_time, 1),
                                     {&model.key_qpos, model.nq},
                                     {&model.key_qvel, model.nv},
                                     {&model.key_act, model.na},
                                     {&model.key_ctrl, model.nu},
                                     {&model.key_mpos, 3 * model.nmocap},
                                     {&model.key_mquat, 4 * model.nmocap}}) {
    for (int i = key * width; i < (key + 1) * width; ++i) {
      if (!(std::abs((*field)[static_cast<std::size_t>(i)]) <= 1e10)) {
        throw Error(
            "keyframe " + std::to_string(key) + " has a number that is not finite or above 1e10",
            "environments cannot be reset to it; choose another for auto_reset");
      }
    }
  }
}

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
  for (const int size :
       {options.capacity.pairs, options.capacity.contacts, options.capacity.rows,
        options.capacity.nonzeros, options.capacity.slots, options.capacity.fast}) {
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
      edits(model, options.nenv),
      device(parse_device(options.device)),
      workers(worker_count(options, device)),
      step_calls(step_program(model, options.auto_reset)),
      forward_calls(forward_program(model)),
      tail(model) {
  check_auto_reset(options, model);
  EngineOptions wanted;
  wanted.nenv = options.nenv;
  wanted.workers = workers;
  wanted.tile = options.tile;
  wanted.device = device.index;
  wanted.stream = options.stream;
  wanted.capacity = options.capacity;
  wanted.memory_left = process_memory_left;
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
  if (device.kind != "cpu") {
    queue_ = std::make_unique<Queue>(engine.get(), 0, &growths, &tail);
  }
}

void Batch::Impl::run(const std::vector<Call>& program, int repeats, bool store) {
  apply_edits();
  ++passes;
  if (queue_ == nullptr) {
    opened_ = std::vector<std::atomic<bool>>(static_cast<std::size_t>(engine->tiles()));
    guarded([&] { arena_->execute([&] { visit_all(program, repeats, store); }); });
    return;
  }
  guarded([&] {
    const int last = engine->tiles() - 1;
    for (int tile = 0; tile <= last; ++tile) {
      const int steps = store && tile == last ? repeats : 0;
      queue_->push({tile, &program, repeats, store, passes, steps});
    }
  });
}

void Batch::Impl::finish() {
  if (queue_ != nullptr && !queue_->empty()) {
    guarded([&] { queue_->finish(); });
    steps_done = queue_->steps_done();
  }
  engine->sync();
}

void Batch::Impl::step(int n) {
  // so many passes that the calls of a visit can be numbered
  constexpr int most = 1 << 24;
  if (queue_ == nullptr || queue_->empty()) {
    steps_done = 0;
  }
  for (int queued = 0; queued < n; queued += most) {
    const int now = std::min(most, n - queued);
    run(step_calls, now, true);
    if (queue_ == nullptr) {
      steps_done += now;
    }
  }
}

/// Tiles are given to the workers of the arena one at a time.
void Batch::Impl::visit_all(const std::vector<Call>& program, int repeats, bool store) {
  tbb::parallel_for(
      tbb::blocked_range<int>(0, engine->tiles(), 1),
      [&](const tbb::blocked_range<int>& range) {
        for (int tile = range.begin(); tile < range.end(); ++tile) {
          const int worker = tbb::this_task_arena::current_thread_index();
          Queue queue(engine.get(), worker, &growths, &tail);
          queue.push({tile, &program, repeats, store, passes, 0});
          opened_[static_cast<std::size_t>(tile)] = true;
          queue.finish();
        }
      },
      tbb::simple_partitioner{});
}

/// Run `work`. When memory ends in it, the state comes back and an Error says what to do.
void Batch::Impl::guarded(const std::function<void()>& work) {
  const auto undo = [this] {
    if (queue_ != nullptr) {
      steps_done = queue_->steps_done();
      bring_back(queue_->touched());
      return;
    }
    std::vector<int> tiles;
    for (int tile = 0; tile < engine->tiles(); ++tile) {
      if (opened_[static_cast<std::size_t>(tile)]) {
        tiles.push_back(tile);
      }
    }
    bring_back(tiles);
  };
  try {
    work();
  } catch (const OutOfMemory& shortage) {
    undo();
    refuse_step(shortage);
  } catch (const std::bad_alloc&) {
    undo();
    throw Error("memory ended while a buffer had to grow; the state is the one before the call",
                "use fewer environments, fewer threads, or a smaller tile");
  } catch (const std::exception& failure) {
    throw Error(std::string("the device failed (") + failure.what() + ")",
                "the state is lost; make a new batch");
  }
}

/// Undo what the call that failed has stored.
void Batch::Impl::bring_back(const std::vector<int>& tiles) {
  for (const int tile : tiles) {
    engine->restore(tile);
  }
  engine->sync();
}

}  // namespace swept
