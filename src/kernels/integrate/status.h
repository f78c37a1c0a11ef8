// SPDX-License-Identifier: Apache-2.0
// The status of environments during a step: which lanes are frozen, the test of the state at the
// start of a step, and the automatic reset.
//
// A frozen environment takes no further part: its scratch holds harmless numbers so that no stage
// sees a NaN, and its state in the batch stays as it was. Where environments are reset
// automatically, what is frozen at the start or at the end of a step goes back to its start state
// instead and takes part again.
#pragma once

#include "kernels/base/tile.h"
#include "kernels/integrate/start_state.h"
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

/// Give some lanes the start state, in scratch. Each lane of the group writes some elements; not
/// synchronised.
template <class V>
SWEPT_FN void put_start(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d,
                        mask_t<V> lanes, int keyframe) {
  for_state_fields(StartState<V>{m, keyframe}, StateView{}, *d.at,
                   [&](real*, int place, int n, const auto& value) {
                     overwrite(g, lanes, Slice<V>{d.base + place * W}, n, value);
                   });
}

/// Start of a step: freeze environments with a bad number in their state, and give all frozen lanes
/// the scene's default pose at rest, without any input. Visible to all lanes.
template <class V>
SWEPT_FN void check_state(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d,
                          int* frozen) {
  if (g.lane() == 0) {
    freeze<V>(frozen, any_bad(slice(d.qpos(0)), m->nq), status_bad_qpos);
    freeze<V>(frozen, any_bad(slice(d.qvel(0)), m->nv), status_bad_qvel);
    freeze<V>(frozen, any_bad(slice(d.act(0)), m->na), status_bad_act);
    freeze<V>(frozen, any_bad(slice(d.ctrl(0)), m->nu), status_bad_ctrl);
    freeze<V>(frozen, any_bad(slice(d.qfrc_applied(0)), m->nv), status_bad_qfrc_applied);
    freeze<V>(frozen, any_bad(slice(d.xfrc_applied(0)), 6 * m->nbody), status_bad_xfrc_applied);
    freeze<V>(frozen, any_bad(slice(d.mocap_pos(0)), 3 * m->nmocap), status_bad_mocap_pos);
    freeze<V>(frozen, any_bad(slice(d.mocap_quat(0)), 4 * m->nmocap), status_bad_mocap_quat);
    freeze<V>(frozen, any_bad(slice(d.qacc_warmstart(0)), m->nv), status_bad_qacc_warmstart);
    freeze<V>(frozen, any_bad(slice(d.time(0)), 1), status_bad_time);
  }
  g.sync();
  const mask_t<V> lanes = is_frozen<V>(frozen);
  if (any_of(lanes)) {
    put_start(g, m, d, lanes, -1);
  }
  g.sync();
}

/// The flags of the environments of one value V, at its lane 0.
struct LaneFlags {
  int* frozen;
  int* aside;
  int* steps;
  int* resets;
  int* reset_status;
};

/// Put frozen environments back to their start state, which may take part in the next step, and
/// count it. Visible to all lanes.
template <class V>
SWEPT_FN void revive(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d, LaneFlags flags,
                     int keyframe) {
  const mask_t<V> lanes = is_frozen<V>(flags.frozen);
  if (any_of(lanes)) {
    put_start(g, m, d, lanes, keyframe);
  }
  g.sync();
  for (int l = 0; g.lane() == 0 && l < lanes_of<V>; ++l) {
    // a model of its own that cannot be stepped is not mended by a reset
    if (flags.frozen[l] != status_ok && flags.frozen[l] != status_bad_model) {
      flags.reset_status[l] = flags.frozen[l];
      ++flags.resets[l];
      flags.frozen[l] = status_ok;
      flags.aside[l] = 0;
      flags.steps[l] = 0;
    }
  }
  g.sync();
}

}  // namespace swept::SWEPT_NS
