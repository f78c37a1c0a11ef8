// SPDX-License-Identifier: Apache-2.0
// Forward kinematics: qpos and mocap poses to the frames of bodies, joints, geoms and sites.
//
// From the root outwards, a body's frame is the parent's frame, then its fixed offset, then its
// joints in order. A joint's axis and anchor are those of the frame before it moves; a slide moves
// the origin along the axis, a hinge or ball turns about the anchor. A free joint alone replaces
// all of it by qpos, and a mocap body stands where mocap_pos and mocap_quat say. (A quaternion of
// the state is normalised on reading; the state stays as it is.) Frames that coincide with the
// body's or its inertial frame are copied, as SameFrame says, which may differ between
// environments.
#pragma once

#include "kernels/math/quaternion.h"
#include "kernels/smooth/access.h"

namespace swept::SWEPT_NS {

/// Frame of a body while its joints are applied: origin, orientation and its matrix.
template <class V>
struct Frame {
  Vec3<V> pos;
  Quat<V> rot;
  Mat3<V> mat;
};

/// Store anchor and axis of joint j, then move the body's frame by it.
template <class V>
[[gnu::always_inline]] SWEPT_FN Frame<V> apply_joint(const ModelAt<V>& m, const DataAt<V>& d, int j,
                                                     Frame<V> x) {
  const int adr = m.jnt_qposadr(j), type = m.jnt_type(j);
  const Vec3<V> local_axis = param3(m, m->jnt_axis, 3 * j),
                local_pos = param3(m, m->jnt_pos, 3 * j);
  const Vec3<V> axis = x.mat * local_axis, anchor = x.pos + x.mat * local_pos;
  put(d.xanchor(3 * j), anchor);
  put(d.xaxis(3 * j), axis);
  if (type == joint_slide) {
    x.pos = x.pos + axis * (d.qpos(adr) - m.qpos0(adr));
    return x;
  }
  if (type == joint_ball) {
    x.rot = x.rot * normalize(quat(d.qpos(adr)));
  } else {
    x.rot = x.rot * axis_angle_to_quat(local_axis, d.qpos(adr) - m.qpos0(adr));
  }
  x.mat = matrix(x.rot);
  x.pos = anchor - x.mat * local_pos;
  return x;
}

/// The frame of a body after its joints; the parent's is known.
template <class V>
SWEPT_FN Frame<V> body_frame(const ModelAt<V>& m, const DataAt<V>& d, int body) {
  const int adr = m.body_jntadr(body), num = m.body_jntnum(body);
  if (num == 1 && m.jnt_type(adr) == joint_free) {
    const int q = m.jnt_qposadr(adr);
    const Vec3<V> pos = vec3(d.qpos(q));
    const Quat<V> rot = normalize(quat(d.qpos(q + 3)));
    put(d.xanchor(3 * adr), pos);
    put(d.xaxis(3 * adr), param3(m, m->jnt_axis, 3 * adr));
    return {pos, rot, matrix(rot)};
  }
  const int mocap = m->nmocap > 0 ? m.body_mocapid(body) : -1;
  if (mocap >= 0) {
    const Quat<V> rot = normalize(quat(d.mocap_quat(4 * mocap)));
    return {vec3(d.mocap_pos(3 * mocap)), rot, matrix(rot)};
  }
  const int parent = m.body_parentid(body);
  Frame<V> x;
  x.pos = vec3(d.xpos(3 * parent)) + mat3(d.xmat(9 * parent)) * param3(m, m->body_pos, 3 * body);
  x.rot = quat(d.xquat(4 * parent)) * param4(m, m->body_quat, 4 * body);
  if (num > 0) {
    x.mat = matrix(x.rot);
    for (int j = adr; j < adr + num; ++j) {
      x = apply_joint(m, d, j, x);
    }
  }
  x.rot = normalize(x.rot);
  x.mat = matrix(x.rot);
  return x;
}

/// Store a body's frame and its inertial frame.
template <class V>
SWEPT_FN void put_body_frames(const ModelAt<V>& m, const DataAt<V>& d, int body, Frame<V> x) {
  put(d.xpos(3 * body), x.pos);
  put(d.xquat(4 * body), x.rot);
  put(d.xmat(9 * body), x.mat);
  const Param own = m->own_body_sameframe;
  if (own.p != nullptr) {
    const Vec3<V> pos = x.pos + x.mat * param3(m, m->body_ipos, 3 * body);
    const Mat3<V> mat = matrix(x.rot * param4(m, m->body_iquat, 4 * body));
    put(d.xipos(3 * body), select(is_own(m, own, body, sameframe_body), x.pos, pos));
    put(d.ximat(9 * body), select(is_own(m, own, body, sameframe_none), mat, x.mat));
    return;
  }
  const int same = m.body_sameframe(body);
  put(d.xipos(3 * body),
      same == sameframe_body ? x.pos : x.pos + x.mat * param3(m, m->body_ipos, 3 * body));
  put(d.ximat(9 * body),
      same == sameframe_none ? matrix(x.rot * param4(m, m->body_iquat, 4 * body)) : x.mat);
}

/// Offset of a geom or site in its body's frame, and how its SameFrame is known: `same` in all
/// environments, or `own` where that is not null.
struct Attached {
  int body;
  int same;
  Param own, pos, rot;
};

/// Store the frame of geom or site i where coincidence differs between environments.
template <class V>
SWEPT_FN void put_own_frame(const ModelAt<V>& m, const DataAt<V>& d, int i, const Attached& a,
                            Ref<V> xpos, Ref<V> xmat) {
  const Vec3<V> origin = vec3(d.xpos(3 * a.body)), centre = vec3(d.xipos(3 * a.body));
  const Mat3<V> axes = mat3(d.xmat(9 * a.body)), principal = mat3(d.ximat(9 * a.body));
  const Vec3<V> pos = origin + axes * param3(m, a.pos, 3 * i);
  const Mat3<V> mat = matrix(quat(d.xquat(4 * a.body)) * param4(m, a.rot, 4 * i));
  const mask_t<V> inertia = is_own(m, a.own, i, sameframe_inertia),
                  turned = inertia || is_own(m, a.own, i, sameframe_inertiarot),
                  body = is_own(m, a.own, i, sameframe_body),
                  none = is_own(m, a.own, i, sameframe_none);
  put(xpos, select<V>(inertia, centre, select<V>(body, origin, pos)));
  put(xmat, select<V>(none, mat, select<V>(turned, principal, axes)));
}

/// Store the frame of geom or site i, which is fixed to a body.
template <class V>
SWEPT_FN void put_attached_frame(const ModelAt<V>& m, const DataAt<V>& d, int i, const Attached& a,
                                 Ref<V> xpos, Ref<V> xmat) {
  if (a.own.p != nullptr) {
    put_own_frame(m, d, i, a, xpos, xmat);
    return;
  }
  const int body = a.body, same = a.same;
  if (same == sameframe_inertia) {
    put(xpos, vec3(d.xipos(3 * body)));
    put(xmat, mat3(d.ximat(9 * body)));
    return;
  }
  const Vec3<V> origin = vec3(d.xpos(3 * body));
  const Mat3<V> axes = mat3(d.xmat(9 * body));
  put(xpos, same == sameframe_body ? origin : origin + axes * param3(m, a.pos, 3 * i));
  if (same == sameframe_none) {
    put(xmat, matrix(quat(d.xquat(4 * body)) * param4(m, a.rot, 4 * i)));
  } else {
    put(xmat, same == sameframe_inertiarot ? mat3(d.ximat(9 * body)) : axes);
  }
}

/// All frames. In: qpos, mocap_pos, mocap_quat. Out, visible to all lanes: xpos, xquat, xmat,
/// xipos, ximat, xanchor, xaxis, geom_*, site_*.
template <class V>
SWEPT_FN void kinematics(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  // the world
  if (g.lane() == 0) {
    const V one = V(1_r), zero = V(0_r);
    const Frame<V> world = {
        zero3<V>(), {one, zero, zero, zero}, {one, zero, zero, zero, one, zero, zero, zero, one}};
    put(d.xpos(0), world.pos);
    put(d.xquat(0), world.rot);
    put(d.xmat(0), world.mat);
    put(d.xipos(0), world.pos);
    put(d.ximat(0), world.mat);
  }
  g.sync();

  // bodies, level by level
  for (int level = 1; level < m->nlevelp1 - 1; ++level) {
    for (int k = m.level_bodyadr(level) + g.lane(); k < m.level_bodyadr(level + 1); k += g.size()) {
      const int body = m.level_bodyid(k);
      put_body_frames(m, d, body, body_frame(m, d, body));
    }
    g.sync();
  }

  // what is fixed to them
  for (int i = g.lane(); i < m->ngeom; i += g.size()) {
    put_attached_frame(m, d, i,
                       {m.geom_bodyid(i), m.geom_sameframe(i), m->own_geom_sameframe, m->geom_pos,
                        m->geom_quat},
                       d.geom_xpos(3 * i), d.geom_xmat(9 * i));
  }
  for (int i = g.lane(); i < m->nsite; i += g.size()) {
    put_attached_frame(m, d, i,
                       {m.site_bodyid(i), m.site_sameframe(i), m->own_site_sameframe, m->site_pos,
                        m->site_quat},
                       d.site_xpos(3 * i), d.site_xmat(9 * i));
  }
  g.sync();
}

}  // namespace swept::SWEPT_NS
