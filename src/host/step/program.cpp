// SPDX-License-Identifier: Apache-2.0
// The order of the stages.
#include "host/step/program.h"

#include <algorithm>

#include <swept/error.h>

namespace swept {

std::vector<Call> forward_program(const Model& model) {
  std::vector<Call> calls = {{Stage::position},
                             {Stage::velocity},
                             {Stage::actuation},
                             {Stage::acceleration},
                             {Stage::broadphase}};
  if ((model.opt.enableflags & enable_speculative) != 0) {
    calls.push_back({Stage::list_fast});
    calls.push_back({Stage::advance});
  }
  for (const Stage stage : {Stage::narrowphase, Stage::rows, Stage::solve}) {
    calls.push_back({stage});
  }
  return calls;
}

namespace {

/// The end of a step that is guarded: the velocity, what it leads to, more contacts and another solve
/// as long as it leads geoms through each other, then the move.
void end_guarded(int iterations, std::vector<Call>* calls) {
  calls->push_back({Stage::next_velocity});
  const auto push_again = [&](Stage stage, int argument = 0) {
    calls->push_back({stage, argument, -1, true});
  };
  for (int i = 0; i < iterations; ++i) {
    push_again(Stage::guard, i);
    push_again(Stage::rows);
    push_again(Stage::solve);
    push_again(Stage::next_velocity);
  }
  push_again(Stage::guard, iterations);
  calls->push_back({Stage::move});
}

/// What the guard finds too small is made anew with all that was in it.
void go_on_from_broadphase(std::vector<Call>* calls) {
  const auto at = std::find_if(calls->begin(), calls->end(),
                               [](const Call& c) { return c.stage == Stage::broadphase; });
  for (Call& call : *calls) {
    if (call.again) {
      call.from = static_cast<int>(at - calls->begin());
    }
  }
}

}  // namespace

std::vector<Call> step_program(const Model& model, std::optional<int> auto_reset) {
  const std::vector<Call> forward = forward_program(model);
  std::vector<Call> calls;
  const bool guarded = (model.opt.enableflags & enable_speculative) != 0 &&
                       model.opt.speculative_mode == speculative_robust;
  switch (model.opt.integrator) {
    case integrator_euler:
      calls = forward;
      guarded ? end_guarded(model.opt.speculative_iterations, &calls)
              : calls.push_back({Stage::euler});
      break;
    case integrator_implicit:
    case integrator_implicitfast:
      calls = forward;
      guarded ? end_guarded(model.opt.speculative_iterations, &calls)
              : calls.push_back({Stage::implicit});
      break;
    case integrator_rk4:
      for (int stage = 0; stage < 4; ++stage) {
        calls.insert(calls.end(), forward.begin(), forward.end());
        calls.push_back({Stage::rk4, stage});
      }
      break;
    default:
      throw Error("integrator " + std::to_string(model.opt.integrator) + " is not supported",
                  "use Euler, RK4, implicit or implicitfast");
  }
  calls.push_back({Stage::count});

  // before a step for what was bad already, after it for what went bad
  if (auto_reset) {
    const Call reset{Stage::revive, *auto_reset};
    calls.insert(calls.begin(), reset);
    calls.push_back(reset);
  }
  go_on_from_broadphase(&calls);
  return calls;
}

}  // namespace swept
