// SPDX-License-Identifier: Apache-2.0
// Joint-space inertia by composite rigid bodies (Featherstone, chapter 6): with C_b the inertia of
// b's subtree as one body,
//
//   M_ij = cdof_j . C_body(i) cdof_i        for i and its ancestors j
//
// plus the armature of dofs, of actuators (times gear^2) and of tendons (times J^T J, where M has
// entries). Simple dofs have no entries off the diagonal.
#pragma once

#include "kernels/math/spatial.h"
#include "kernels/smooth/transmission.h"

namespace swept::SWEPT_NS {

/// crb: inertias of subtrees, from the leaves; the world's stays zero. Visible to all lanes.
template <class V>
SWEPT_FN void composite_inertias(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  for (int level = m->nlevelp1 - 2; level >= 0; --level) {
    for (int k = m.level_bodyadr(level) + g.lane(); k < m.level_bodyadr(level + 1); k += g.size()) {
      const int body = m.level_bodyid(k);
      Inertia<V> sum = inertia(d.cinert(10 * body));
      const int end = body == 0 ? 0 : m.body_childadr(body) + m.body_childnum(body);
      for (int c = m.body_childadr(body); c < end; ++c) {
        sum = sum + inertia(d.crb(10 * m.body_childid(c)));
      }
      put(d.crb(10 * body), sum);
    }
    g.sync();
  }
}

/// Lanes in which dof i is simple.
template <class V>
SWEPT_FN mask_t<V> is_simple(const ModelAt<V>& m, int i) {
  const Param own = m->own_dof_simplenum;
  return own.p == nullptr ? mask_t<V>(m.dof_simplenum(i) > 0) : m.at(own, i) > V(0_r);
}

/// Add a tendon's armature to the rows of M that this lane owns.
template <class V>
SWEPT_FN void add_tendon_armature(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d,
                                  int tendon) {
  const int attached = m.tendon_actuatorid(tendon);
  if (is_zero(m->tendon_armature, tendon) && attached == -1) {
    return;
  }
  const V armature =
      m.tendon_armature(tendon) + attached_sum(m, attached, transmission_tendon, tendon,
                                               [&](int u) { return m.actuator_armature(u); });
  for_each_tendon_dof(m, tendon, [&](int i, V ci) {
    if (!owns(g, i)) {
      return;
    }
    for_each_tendon_dof(m, tendon, [&](int j, V cj) {
      const bool chain = j <= i && i < j + m.dof_subtreenum(j);
      if (chain) {
        // without armature not even the sign of a zero may change
        const mask_t<V> here =
            armature != V(0_r) && (i == j ? mask_t<V>(true) : !is_simple(m, i));
        const Ref<V> entry = d.M(m.M_rowadr(i) + m.dof_depth(j));
        entry = select(here, V(entry.get() + armature * ci * cj), entry.get());
      }
    });
  });
}

/// In: cinert, cdof. Out, visible to all lanes: crb, M.
template <class V>
SWEPT_FN void make_m(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  composite_inertias(g, m, d);
  const Slice<V> axes = slice(d.cdof(0));
  for (int i = g.lane(); i < m->nv; i += g.size()) {
    const int adr = m.M_rowadr(i), depth = m.dof_depth(i), joint = m.dof_jntid(i);
    const Slice<V> row = slice(d.M(adr));
    const Motion<V> axis = motion(axes(6 * i));
    const Force<V> momentum = inertia(d.crb(10 * m.dof_bodyid(i))) * axis;
    // ancestors
    const mask_t<V> diagonal = is_simple(m, i);
    const bool all = all_of(diagonal);
    for (int c = 0; c < depth; ++c) {
      row(c) = all ? V(0_r)
                   : select(diagonal, V(0_r),
                            V(dot(motion(axes(6 * m.M_colind(adr + c))), momentum)));
    }
    // the dof itself
    const V lent = attached_sum(m, m.jnt_actuatorid(joint), transmission_joint, joint,
                                [&](int u) { return m.actuator_armature(u); });
    row(depth) = dot(axis, momentum) + m.dof_armature(i) + lent;
  }
  for (int tendon = 0; tendon < m->ntendon; ++tendon) {
    add_tendon_armature(g, m, d, tendon);
  }
  g.sync();
}

}  // namespace swept::SWEPT_NS
