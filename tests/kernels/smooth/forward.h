// SPDX-License-Identifier: Apache-2.0
// One forward pass without constraints, on packs through the stages or with any group and value
// type through the functions that they are made of.
#pragma once

#include "kernels/smooth/acceleration.h"
#include "kernels/smooth/actuation.h"
#include "kernels/smooth/com_pos.h"
#include "kernels/smooth/factor.h"
#include "kernels/smooth/fluid.h"
#include "kernels/smooth/inertia.h"
#include "kernels/smooth/kinematics.h"
#include "kernels/smooth/passive.h"
#include "kernels/smooth/rne.h"
#include "kernels/smooth/transmission.h"

namespace swept::SWEPT_NS {

/// All of the smooth dynamics; then qacc = qacc_smooth and no constraint force.
template <class V>
void forward(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  kinematics(g, m, d);
  com_pos(g, m, d);
  transmission(g, m, d);
  make_m(g, m, d);
  factor_m(g, m, slice(d.M(0)), slice(d.qLD(0)), slice(d.qLDiagInv(0)), [](int) { return V(0_r); });
  rne(g, m, d);
  transmission_velocity(g, m, d);
  g.sync();
  fluid(g, m, d);
  passive(g, m, d);
  actuation(g, m, d);
  g.sync();
  smooth_acceleration(g, m, d);
  for (int i = g.lane(); i < m->nv; i += g.size()) {
    d.qacc(i) = d.qacc_smooth(i).get();
    d.qfrc_constraint(i) = V(0_r);
  }
  g.sync();
}

}  // namespace swept::SWEPT_NS
