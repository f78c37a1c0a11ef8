// SPDX-License-Identifier: Apache-2.0
// Surfaces that move over their bodies, such as belts and turntables. A geom's surface has the
// velocity field v + w x (x - p) about the geom's frame origin p, v and w in the geom's axes. A
// contact sees that of geom 2 less that of geom 1: its parts along the two tangents, and the turn
// about the normal. They add to the velocities of its rows.
#pragma once

#include "kernels/constrain/row.h"
#include "kernels/math/vec.h"

namespace swept::SWEPT_NS {

/// Whether the surface of some geom of some environment moves.
SWEPT_FN bool moving_surfaces(const ModelView& m) {
  return m.opt.surface_velocity != 0 || m.geom_surfacevel.n != 0;
}

/// Write surfacevel of contact `con`: that of its point, in its frame.
SWEPT_FN void write_surface_velocity(const RowMaker& c, int con) {
  const ContactsAt& contacts = c.contacts;
  const Vec3<real> pos = {contacts.pos(con, 0), contacts.pos(con, 1), contacts.pos(con, 2)};
  Vec3<real> linear = zero3<real>(), angular = zero3<real>();
  const auto add = [&](int geom, real sign) {
    const Mat3<real> axes = mat3(c.d.geom_xmat(9 * geom));
    const auto local = [&](int k) {
      return Vec3<real>{c.m.geom_surfacevel(6 * geom + k), c.m.geom_surfacevel(6 * geom + k + 1),
                        c.m.geom_surfacevel(6 * geom + k + 2)};
    };
    const Vec3<real> w = axes * local(3);
    linear = linear + sign * (axes * local(0) + cross(w, pos - vec3(c.d.geom_xpos(3 * geom))));
    angular = angular + sign * w;
  };
  add(contacts.geom2(con), 1_r);
  add(contacts.geom1(con), -1_r);

  const auto axis = [&](int k) {
    return Vec3<real>{contacts.frame(con, 3 * k), contacts.frame(con, 3 * k + 1),
                      contacts.frame(con, 3 * k + 2)};
  };
  contacts.surfacevel(con, 0) = dot(axis(1), linear);
  contacts.surfacevel(con, 1) = dot(axis(2), linear);
  contacts.surfacevel(con, 2) = dot(axis(0), angular);
}

}  // namespace swept::SWEPT_NS
