// SPDX-License-Identifier: Apache-2.0
// Centres of mass of subtrees, and everything expressed about them: inertias and the axes of dofs.
//
// All spatial quantities of a tree share one origin, the tree's centre of mass, and the axes of the
// world; so they add without being moved, and stay small far from the world's origin.
#pragma once

#include "kernels/math/spatial.h"
#include "kernels/smooth/access.h"

namespace swept::SWEPT_NS {

/// subtree_com: mean of the bodies' centres of mass, from the leaves to the world; visible to all
/// lanes.
template <class V>
SWEPT_FN void subtree_com(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  for (int level = m->nlevelp1 - 2; level >= 0; --level) {
    for (int k = m.level_bodyadr(level) + g.lane(); k < m.level_bodyadr(level + 1); k += g.size()) {
      const int body = m.level_bodyid(k);
      const Vec3<V> own = vec3(d.xipos(3 * body));
      Vec3<V> moment = own * m.body_mass(body);
      for (int c = m.body_childadr(body), end = c + m.body_childnum(body); c < end; ++c) {
        const int child = m.body_childid(c);
        moment = add_scaled(moment, vec3(d.subtree_com(3 * child)), m.body_subtreemass(child));
      }
      const V mass = m.body_subtreemass(body);
      const mask_t<V> massless = mass < V(1e-15_r);
      const V scale = V(1_r) / select(massless, V(1_r), mass);
      put(d.subtree_com(3 * body), select(massless, own, moment * scale));
    }
    g.sync();
  }
}

/// cinert: inertia of each body about its tree's centre of mass; zero for the world.
template <class V>
SWEPT_FN void body_inertias(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  for (int body = g.lane(); body < m->nbody; body += g.size()) {
    if (body == 0) {
      const V zero = V(0_r);
      put(d.cinert(0), Inertia<V>{zero, zero, zero, zero, zero, zero, zero3<V>(), zero});
      continue;
    }
    const Vec3<V> offset = vec3(d.xipos(3 * body)) - vec3(d.subtree_com(3 * m.body_rootid(body)));
    put(d.cinert(10 * body),
        body_inertia(mat3(d.ximat(9 * body)), param3(m, m->body_inertia, 3 * body),
                     m.body_mass(body), offset));
  }
}

/// cdof: motion that a unit velocity of each dof makes, seen at the tree's centre of mass.
template <class V>
SWEPT_FN void dof_axes(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  for (int j = g.lane(); j < m->njnt; j += g.size()) {
    const int body = m.jnt_bodyid(j), type = m.jnt_type(j);
    const Vec3<V> axis = vec3(d.xaxis(3 * j));
    const Vec3<V> lever = vec3(d.subtree_com(3 * m.body_rootid(body))) - vec3(d.xanchor(3 * j));
    int dof = m.jnt_dofadr(j);
    if (type == joint_slide) {
      put(d.cdof(6 * dof), Motion<V>{zero3<V>(), axis});
      continue;
    }
    if (type == joint_hinge) {
      put(d.cdof(6 * dof), Motion<V>{axis, fcross(axis, lever)});
      continue;
    }
    const V one = V(1_r), zero = V(0_r);
    if (type == joint_free) {
      put(d.cdof(6 * dof), Motion<V>{zero3<V>(), {one, zero, zero}});
      put(d.cdof(6 * dof + 6), Motion<V>{zero3<V>(), {zero, one, zero}});
      put(d.cdof(6 * dof + 12), Motion<V>{zero3<V>(), {zero, zero, one}});
      dof += 3;
    }
    // rotations about the axes of the body
    const Mat3<V> axes = mat3(d.xmat(9 * body));
    put(d.cdof(6 * dof), Motion<V>{column_x(axes), fcross(column_x(axes), lever)});
    put(d.cdof(6 * dof + 6), Motion<V>{column_y(axes), fcross(column_y(axes), lever)});
    put(d.cdof(6 * dof + 12), Motion<V>{column_z(axes), fcross(column_z(axes), lever)});
  }
}

/// In: frames. Out, visible to all lanes: subtree_com, cinert, cdof.
template <class V>
SWEPT_FN void com_pos(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  subtree_com(g, m, d);
  body_inertias(g, m, d);
  dof_axes(g, m, d);
  g.sync();
}

}  // namespace swept::SWEPT_NS
