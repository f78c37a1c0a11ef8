// SPDX-License-Identifier: Apache-2.0
// What stands behind a Batch: its engine, its worker threads, and the work that is queued.
#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <swept/batch.h>

#include "host/batch/backend.h"
#include "host/step/visit.h"

namespace swept {

class Batch::Impl {
 public:
  Impl(const Model& model, const BatchOptions& options);

  /// Take all tiles through a program `repeats` times. On a GPU the batch is one tile and this
  /// returns with the work queued. Throws Error when memory ends; the state is then as before.
  void run(const std::vector<Call>& program, int repeats, bool store);

  /// Wait for queued work, and answer what it asks for.
  void finish();

  Model model;
  BatchOptions options;
  Device device;
  int workers;
  std::vector<Call> step_calls;
  std::vector<Call> forward_calls;
  std::unique_ptr<Engine> engine;
  std::atomic<std::int64_t> growths{0};
  int steps_done = 0;

 private:
  void visit_all(const std::vector<Call>& program, int repeats, bool store);
  void guarded(const std::function<void()>& work);
  void bring_back();

  std::unique_ptr<tbb::global_control> allowed_;  ///< more threads than processors
  std::unique_ptr<tbb::task_arena> arena_;
  std::vector<std::atomic<bool>> opened_;  ///< tiles whose state may have moved
  std::unique_ptr<Visit> pending_;         ///< queued and not yet waited for
};

}  // namespace swept
