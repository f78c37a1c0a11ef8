// SPDX-License-Identifier: Apache-2.0
// Short forms for the inner loops: consecutive elements of a scratch field, several numbers of a
// model field at once, and who owns an element.
//
// [[gnu::always_inline]] on functions of this folder: a frame or an inertia of packs that is passed
// through memory costs more than the arithmetic on it (measured: a fifth of all smooth stages).
#pragma once

#include "kernels/base/group.h"
#include "kernels/math/vec.h"

namespace swept::SWEPT_NS {

/// Consecutive elements of a scratch field; slice(d.M(0))(k) is element k. It keeps the address in
/// a register where d.M(k) looks it up.
template <class V>
struct Slice {
  real* p;
  SWEPT_FN Ref<V> operator()(int i) const { return Ref<V>(p + i * W); }
};

template <class V>
SWEPT_FN Slice<V> slice(Ref<V> first) {
  return {first.p};
}

/// Three numbers of a model field from element i on.
template <class V>
SWEPT_FN Vec3<V> param3(const ModelAt<V>& m, Param f, int i) {
  if (f.n == 0) {
    return {V(element(f.p + i)), V(element(f.p + i + 1)), V(element(f.p + i + 2))};
  }
  return {m.at(f, i), m.at(f, i + 1), m.at(f, i + 2)};
}

/// Four numbers of a model field from element i on.
template <class V>
SWEPT_FN Quat<V> param4(const ModelAt<V>& m, Param f, int i) {
  if (f.n == 0) {
    return {V(element(f.p + i)), V(element(f.p + i + 1)), V(element(f.p + i + 2)),
            V(element(f.p + i + 3))};
  }
  return {m.at(f, i), m.at(f, i + 1), m.at(f, i + 2), m.at(f, i + 3)};
}

/// Lanes in which an integer of the environment's own is `value`; `own` must not be null.
template <class V>
SWEPT_FN mask_t<V> is_own(const ModelAt<V>& m, Param own, int i, int value) {
  return m.at(own, i) == V(static_cast<real>(value));
}

/// Whether element i is zero in every environment, so that what it multiplies need not be computed.
SWEPT_FN bool is_zero(Param f, int i) {
  return f.n == 0 && element(f.p + i) == 0;
}

/// Whether this lane is the one that writes element i. Loops over i = lane, lane + size, ... visit
/// exactly the owned elements.
SWEPT_FN bool owns(const Group auto g, int i) {
  return i % g.size() == g.lane();
}

}  // namespace swept::SWEPT_NS
