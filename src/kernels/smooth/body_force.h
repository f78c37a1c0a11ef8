// SPDX-License-Identifier: Apache-2.0
// Forces on bodies, brought to dofs: the part along dof i of the forces on all bodies that it
// moves.
#pragma once

#include "kernels/math/spatial.h"
#include "kernels/smooth/access.h"

namespace swept::SWEPT_NS {

/// A force and a torque at a body's centre of mass, seen at its tree's centre of mass.
template <class V>
SWEPT_FN Force<V> force_at_com(const ModelAt<V>& m, const DataAt<V>& d, int body, Vec3<V> f,
                               Vec3<V> torque) {
  const Vec3<V> lever = vec3(d.xipos(3 * body)) - vec3(d.subtree_com(3 * m.body_rootid(body)));
  return {cross_add(lever, f, torque), f};
}

/// Sum over the bodies b that dof i moves of cdof_i . get(b); bodies for which has(b) is false are
/// left out. It starts at +0, so that leaving out a zero changes no bit.
template <class V, class Has, class Get>
SWEPT_FN V along_dof(const ModelAt<V>& m, const DataAt<V>& d, int i, const Has& has,
                     const Get& get) {
  const Motion<V> axis = motion(d.cdof(6 * i));
  V sum = V(0_r);
  for (int body = m.dof_bodyid(i), end = body + m.body_subtreenum(body); body < end; ++body) {
    if (has(body)) {
      sum += dot(axis, get(body));
    }
  }
  return sum;
}

}  // namespace swept::SWEPT_NS
