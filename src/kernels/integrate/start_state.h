// SPDX-License-Identifier: Apache-2.0
// The state that a reset gives, element by element: the scene's default pose at rest without any
// input, or a keyframe. One function per row of the state's field table.
#pragma once

#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// start.qpos(i) is element i of qpos after a reset; so for every field of the state.
template <class V>
struct StartState {
  ModelAt<V> m;
  int keyframe;  ///< -1: the default state

  SWEPT_FN V time(int) const { return keyframe < 0 ? V(0_r) : m.key_time(keyframe); }
  SWEPT_FN V qpos(int i) const {
    return keyframe < 0 ? m.qpos0(i) : m.key_qpos(keyframe * m->nq + i);
  }
  SWEPT_FN V qvel(int i) const { return keyframe < 0 ? V(0_r) : m.key_qvel(keyframe * m->nv + i); }
  SWEPT_FN V act(int i) const { return keyframe < 0 ? V(0_r) : m.key_act(keyframe * m->na + i); }
  SWEPT_FN V ctrl(int i) const { return keyframe < 0 ? V(0_r) : m.key_ctrl(keyframe * m->nu + i); }
  SWEPT_FN V qacc_warmstart(int) const { return V(0_r); }
  SWEPT_FN V qfrc_applied(int) const { return V(0_r); }
  SWEPT_FN V xfrc_applied(int) const { return V(0_r); }
  SWEPT_FN V mocap_pos(int i) const {
    return keyframe < 0 ? m.body_pos(3 * m.mocap_bodyid(i / 3) + i % 3)
                        : m.key_mpos(keyframe * 3 * m->nmocap + i);
  }
  SWEPT_FN V mocap_quat(int i) const {
    return keyframe < 0 ? m.body_quat(4 * m.mocap_bodyid(i / 4) + i % 4)
                        : m.key_mquat(keyframe * 4 * m->nmocap + i);
  }
};

/// visit(field of the batch's state, its place in scratch, its elements, its value after a reset)
/// for every row of the field table; the value is a function of the element.
template <class V, class Visit>
SWEPT_FN void for_state_fields(const StartState<V>& start, const StateView& state,
                               const Layout& layout, const Visit& visit) {
  const ModelView& sizes = *start.m.view;
  const int nq = sizes.nq, nv = sizes.nv, na = sizes.na, nu = sizes.nu, nbody = sizes.nbody,
            nmocap = sizes.nmocap;
#define SWEPT_STATE(name, rows, cols, unit, meaning) \
  visit(state.name, layout.name, (rows) * (cols), [&start](int i) { return start.name(i); });
#include <swept/fields/state.def>
#undef SWEPT_STATE
}

}  // namespace swept::SWEPT_NS
