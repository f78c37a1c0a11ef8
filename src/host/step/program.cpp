// SPDX-License-Identifier: Apache-2.0
// The order of the stages.
#include "host/step/program.h"

#include <swept/error.h>

namespace swept {

std::vector<Call> forward_program() {
  return {
      {Stage::position},   {Stage::velocity},    {Stage::actuation}, {Stage::acceleration},
      {Stage::broadphase}, {Stage::narrowphase}, {Stage::rows},      {Stage::solve},
  };
}

std::vector<Call> step_program(const Model& model, std::optional<int> auto_reset) {
  const std::vector<Call> forward = forward_program();
  std::vector<Call> calls;
  switch (model.opt.integrator) {
    case integrator_euler:
      calls = forward;
      calls.push_back({Stage::euler});
      break;
    case integrator_implicit:
    case integrator_implicitfast:
      calls = forward;
      calls.push_back({Stage::implicit});
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
  return calls;
}

}  // namespace swept
