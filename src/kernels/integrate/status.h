// SPDX-License-Identifier: Apache-2.0
// The status of environments during a step: which lanes are frozen, and the test of the state at
// the start of a step.
//
// A frozen environment takes no further part: its scratch holds harmless numbers so that no stage
// sees a NaN, and its state in the batch stays as it was.
#pragma once

#include "kernels/base/tile.h"
#include "kernels/smooth/access.h"
#include "kernels/smooth/actuation.h"

namespace swept::SWEPT_NS {

/// Lanes whose environment is frozen; `frozen` stands at the status of lane 0 of V.
template <class V>
SWEPT_FN mask_t<V> is_frozen(const int* frozen) {
  if constexpr (lanes_of<V> == 1) {
    return frozen[0] != 0;
  } else {
    return V([&](auto l) { return frozen[l] != 0 ? 1_r : 0_r; }) != V(0_r);
  }
}

/// Freeze the lanes of `bad` that are well, with this status.
template <class V>
SWEPT_FN void freeze(int* frozen, mask_t<V> bad, Status status) {
  if (!any_of(bad)) {
    return;
  }
  for (int l = 0; l < lanes_of<V>; ++l) {
    if (lane(bad, l) && frozen[l] == 0) {
      frozen[l] = status;
    }
  }
}

/// Lanes in which any of the n elements of a field is bad.
template <class V>
SWEPT_FN mask_t<V> any_bad(Slice<V> field, int n) {
  mask_t<V> bad(false);
  for (int i = 0; i < n; ++i) {
    bad = bad || is_bad(V(field(i)));
  }
  return bad;
}

/// Set the frozen lanes of the n elements of a field to value(i).
template <class V, class Value>
SWEPT_FN void overwrite(const Group auto g, mask_t<V> lanes, Slice<V> field, int n,
                        const Value& value) {
  for (int i = g.lane(); i < n; i += g.size()) {
    field(i) = select(lanes, V(value(i)), V(field(i)));
  }
}

/// Start of a step: freeze environments with a bad qpos, qvel, ctrl or applied force, and give all
/// frozen lanes the scene's default pose at rest, without any input. Visible to all lanes.
template <class V>
SWEPT_FN void check_state(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d,
                          int* frozen) {
  if (g.lane() == 0) {
    freeze<V>(frozen, any_bad(slice(d.qpos(0)), m->nq), status_bad_qpos);
    freeze<V>(frozen, any_bad(slice(d.qvel(0)), m->nv), status_bad_qvel);
    freeze<V>(frozen, any_bad(slice(d.ctrl(0)), m->nu), status_bad_ctrl);
    const mask_t<V> force =
        any_bad(slice(d.qfrc_applied(0)), m->nv) || any_bad(slice(d.xfrc_applied(0)), 6 * m->nbody);
    freeze<V>(frozen, force, status_bad_force);
  }
  g.sync();
  const mask_t<V> lanes = is_frozen<V>(frozen);
  if (any_of(lanes)) {
    const auto zero = [](int) { return V(0_r); };
    overwrite(g, lanes, slice(d.time(0)), 1, zero);
    overwrite(g, lanes, slice(d.qpos(0)), m->nq, [&](int i) { return m.qpos0(i); });
    overwrite(g, lanes, slice(d.qvel(0)), m->nv, zero);
    overwrite(g, lanes, slice(d.act(0)), m->na, zero);
    overwrite(g, lanes, slice(d.qacc_warmstart(0)), m->nv, zero);
    overwrite(g, lanes, slice(d.ctrl(0)), m->nu, zero);
    overwrite(g, lanes, slice(d.qfrc_applied(0)), m->nv, zero);
    overwrite(g, lanes, slice(d.xfrc_applied(0)), 6 * m->nbody, zero);
  }
  g.sync();
}

}  // namespace swept::SWEPT_NS
