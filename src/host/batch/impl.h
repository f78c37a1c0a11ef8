// SPDX-License-Identifier: Apache-2.0
// What stands behind a Batch: its engine, its worker threads, and the work that is queued.
#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <swept/batch.h>

#include "host/batch/backend.h"
#include "host/batch/edits.h"
#include "host/step/queue.h"

namespace swept {

class Batch::Impl {
 public:
  Impl(const Model& model, const BatchOptions& options);

  /// Take all tiles through a program `repeats` times. On a GPU this returns with the work queued
  /// behind what was queued before, and waits for nothing. Throws Error when memory ends; the state
  /// is then as before the call that ran out of it.
  void run(const std::vector<Call>& program, int repeats, bool store);

  /// Wait for queued work, and answer what it asks for. Throws as run() does.
  void finish();

  /// step(): the program of a step, n times.
  void step(int n);

  /// A field by name, bound if it is derived. Throws Error if there is none, or memory ends.
  FieldInfo bind(std::string_view name);
  /// Wait for queued work and bind the fields of a group; throws Error if the last pass did not
  /// fill all of them.
  void need(std::string_view group);
  /// Throws Error if there is no such environment.
  void check_env(int env) const;

  /// Wait for queued work, hand a question to the engine by `ask`, and have all tiles answer it for
  /// their present state. Throws Error when memory ends.
  void answer(const std::function<void()>& ask);

  /// Bring edits of the model to the engine: constants of the environments that changed are computed
  /// again, in parallel. Costs nothing when there are none. Throws Error when memory ends; the edits
  /// then wait for the next call.
  void apply_edits();
  /// Do environments differ in a real model field; and its numbers, [nenv, n]: as written, or as
  /// computed from what was written. Both apply the edits first.
  bool has_own_numbers(std::string_view name);
  std::vector<double> numbers_of(std::string_view name);

  /// The model of an environment with everything that follows from its edits, and why it cannot be
  /// stepped; see find_problem().
  struct OwnModel {
    Model model;
    std::string problem;
  };
  /// Fills `own`, whose model starts as `slim_model()`.
  void make_own_model(int env, OwnModel* own) const;
  /// The compiled model without its lists of candidates, names and texts.
  const Model& slim_model();

  Model model;
  BatchOptions options;
  Edits edits;  ///< real model fields that environments have for themselves
  std::set<std::string, std::less<>> shown;  ///< names of those that users have views of
  Device device;
  int workers;
  std::vector<Call> step_calls;
  std::vector<Call> forward_calls;
  Tail tail;  ///< follows pairs further than the device does
  std::unique_ptr<Engine> engine;
  std::atomic<std::int64_t> growths{0};
  std::int64_t steps_done = 0;                                ///< see Batch::steps_done
  std::int64_t passes = 0;                                    ///< calls of run() so far
  std::map<std::string, std::int64_t, std::less<>> bound_at;  ///< `passes` when a name was bound

 private:
  void visit_all(const std::vector<Call>& program, int repeats, bool store);
  void guarded(const std::function<void()>& work);
  void bring_back(const std::vector<int>& tiles);

  void set_models(std::span<const int> envs, std::vector<OwnModel>* pool);

  std::unique_ptr<Model> slim_;                   ///< made by slim_model()
  std::unique_ptr<tbb::global_control> allowed_;  ///< more threads than processors
  std::unique_ptr<tbb::task_arena> arena_;
  std::vector<std::atomic<bool>> opened_;  ///< CPU: tiles whose state may have moved
  std::unique_ptr<Queue> queue_;           ///< GPU: what is queued and not yet waited for
};

}  // namespace swept
