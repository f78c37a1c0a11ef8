// SPDX-License-Identifier: Apache-2.0
// Actuators on sites. A unit of force is a wrench at the site, gear[0:3] its force and gear[3:6] its
// torque, along the axes of the site (without reference) or of the reference site:
//
//   moment of dof i   axis_i . wrench, both about the centre of mass of the tree
//   with reference    the reference's body feels the opposite at the reference's own place; dofs
//                     that move both sites have no moment
//   length            0 without reference, else the place of the site seen from the reference times
//                     gear[0:3], plus the rotation vector from the reference to the site times
//                     gear[3:6]
//
// The moment is never stored: its dofs are the chain above the site.
#pragma once

#include "kernels/math/quaternion.h"
#include "kernels/smooth/body_force.h"

namespace swept::SWEPT_NS {

/// A force and a torque at a site, seen at the centre of mass of its tree.
template <class V>
SWEPT_FN Force<V> wrench_at_com(const ModelAt<V>& m, const DataAt<V>& d, int site, Vec3<V> force,
                                Vec3<V> torque) {
  const int root = m.body_rootid(m.site_bodyid(site));
  const Vec3<V> lever = vec3(d.site_xpos(3 * site)) - vec3(d.subtree_com(3 * root));
  return {cross_add(lever, force, torque), force};
}

/// Call f(dof, moment) for each dof that moves one of the sites of actuator u and not both, in
/// descending order.
template <class V, class F>
SWEPT_FN void for_each_site_moment(const ModelAt<V>& m, const DataAt<V>& d, int u, const F& f) {
  const int site = m.actuator_trnid(2 * u), reference = m.actuator_trnid(2 * u + 1);
  const Mat3<V> axes = mat3(d.site_xmat(9 * (reference < 0 ? site : reference)));
  const Vec3<V> force = axes * param3(m, m->actuator_gear, 6 * u);
  const Vec3<V> torque = axes * param3(m, m->actuator_gear, 6 * u + 3);
  const Force<V> pull = wrench_at_com(m, d, site, force, torque);
  Force<V> back = pull;
  int i = m.body_lastdof(m.site_bodyid(site)), j = -1;
  if (reference >= 0) {
    back = wrench_at_com(m, d, reference, -force, -torque);
    j = m.body_lastdof(m.site_bodyid(reference));
  }
  while (i != j) {
    const bool on_site = i > j;
    int& dof = on_site ? i : j;
    f(dof, dot(motion(d.cdof(6 * dof)), on_site ? pull : back));
    dof = m.dof_parentid(dof);
  }
}

/// Orientation of a site.
template <class V>
SWEPT_FN Quat<V> site_xquat(const ModelAt<V>& m, const DataAt<V>& d, int site) {
  return quat(d.xquat(4 * m.site_bodyid(site))) * param4(m, m->site_quat, 4 * site);
}

/// Length of actuator u, which acts on a site.
template <class V>
SWEPT_FN V site_length(const ModelAt<V>& m, const DataAt<V>& d, int u) {
  const int site = m.actuator_trnid(2 * u), reference = m.actuator_trnid(2 * u + 1);
  if (reference < 0) {
    return V(0_r);
  }
  const Vec3<V> apart = vec3(d.site_xpos(3 * site)) - vec3(d.site_xpos(3 * reference));
  const V length = dot(transpose_mul(mat3(d.site_xmat(9 * reference)), apart),
                       param3(m, m->actuator_gear, 6 * u));
  const Param gear = m->actuator_gear;
  if (is_zero(gear, 6 * u + 3) && is_zero(gear, 6 * u + 4) && is_zero(gear, 6 * u + 5)) {
    return length;
  }
  const Vec3<V> turn = sub_quat(site_xquat(m, d, site), site_xquat(m, d, reference));
  return length + dot(turn, param3(m, gear, 6 * u + 3));
}

}  // namespace swept::SWEPT_NS
