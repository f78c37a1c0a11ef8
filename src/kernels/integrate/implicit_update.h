// SPDX-License-Identifier: Apache-2.0
// Where the velocity of a step moves by something else than qacc, because a part of the forces is
// implicit in it.
#pragma once

#include "kernels/base/data.h"

namespace swept::SWEPT_NS {

/// Lanes in which Euler treats damping implicitly.
template <class V>
SWEPT_FN mask_t<V> damps_implicitly(const ModelAt<V>& m) {
  const Param own = m->own_implicit_damping;
  const bool disabled = (m->opt.disableflags & (disable_eulerdamp | disable_damper)) != 0;
  return own.p == nullptr || disabled ? mask_t<V>(!disabled && m->opt.implicit_damping != 0)
                                      : m.at(own, 0) != V(0_r);
}

/// Lanes in which the velocity moves by something else than qacc.
template <class V>
SWEPT_FN mask_t<V> moves_implicitly(const ModelAt<V>& m) {
  return m->opt.integrator == integrator_euler ? damps_implicitly(m) : mask_t<V>(true);
}

}  // namespace swept::SWEPT_NS
