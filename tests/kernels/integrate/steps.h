// SPDX-License-Identifier: Apache-2.0
// Whole steps without constraints, made of the functions of the smooth dynamics and the
// integrators.
#pragma once

#include "kernels/integrate/euler.h"
#include "kernels/integrate/implicit.h"
#include "kernels/integrate/rk4.h"
#include "kernels/smooth/forward.h"
#include "support/host_tile.h"

namespace swept::SWEPT_NS {

/// One step of the given integrator with any group and value type. Of implicit and implicitfast the
/// model's option says which.
template <class V>
void step_once(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d, int* frozen,
               int integrator) {
  check_state(g, m, d, frozen);
  if (integrator == integrator_euler) {
    forward(g, m, d);
    euler(g, m, d, frozen);
  } else if (integrator != integrator_rk4) {
    forward(g, m, d);
    implicit(g, m, d, frozen);
  } else {
    for (int stage = 0; stage < 4; ++stage) {
      forward(g, m, d);
      rk4_stage(g, m, d, frozen, stage);
    }
  }
  g.sync();
}

/// One step of all environments on packs.
inline void step_packs(HostTile* tile, int integrator) {
  tile->model().opt.integrator = integrator;
  for (int block = 0; block < (*tile)->nblocks; ++block) {
    step_once(Serial{}, (*tile)->model_at<pack>(block, 0), (*tile)->data_at<pack>(block, 0),
              (*tile)->frozen + block * W, integrator);
  }
}

/// One step of one environment.
inline void step_one(HostTile* tile, int env, int integrator) {
  tile->model().opt.integrator = integrator;
  step_once(Serial{}, tile->model_at(env), tile->data_at(env), (*tile)->frozen + env, integrator);
}

}  // namespace swept::SWEPT_NS
