// SPDX-License-Identifier: Apache-2.0
// Rows of joint and tendon limits. With side s = -1 (lower) or +1 (upper) the distance to the limit
// is s (range_s - q), and J = -s; a row stands while the distance is below the margin, so a narrow
// range may have both. A ball's distance is its largest angle minus the angle of its quaternion.
#pragma once

#include <swept/types.h>

#include "kernels/constrain/tendon.h"
#include "kernels/math/vec.h"

namespace swept::SWEPT_NS {

/// Angle of a ball joint's rotation and its axis.
struct BallAngle {
  real angle;
  Vec3<real> axis;
};

/// The shorter of the two rotations that q stands for.
SWEPT_FN BallAngle ball_angle(Quat<real> q) {
  constexpr real pi = 3.14159265358979323846_r;
  q = normalize(q);
  const Vec3<real> v{q.x, q.y, q.z};
  real angle = 2 * atan2(norm(v), q.w);
  angle = angle > pi ? angle - 2 * pi : angle;
  const Vec3<real> axis = normalize(v);
  return angle < 0 ? BallAngle{-angle, -axis} : BallAngle{angle, axis};
}

/// Limits of hinges, slides and balls.
struct JointLimitRows {
  SWEPT_FN int items(const RowMaker& c) const {
    return (c.m->opt.disableflags & disable_limit) != 0 ? 0 : c.m->njnt;
  }
  SWEPT_FN Extent extent(const RowMaker& c, int jnt) const {
    const ModelAt<real>& m = c.m;
    if (m.jnt_limited(jnt) == 0) {
      return {};
    }
    const int type = m.jnt_type(jnt);
    const int dof = m.jnt_dofadr(jnt);
    const real margin = m.jnt_margin(jnt);
    if (type == joint_ball) {
      const bool active = ball_distance(c, jnt).angle < margin;
      return active ? Extent{1, 3, chain_strips(m, dof + 2)} : Extent{};
    }
    if (type != joint_hinge && type != joint_slide) {
      return {};
    }
    const int n = (distance(c, jnt, 0) < margin ? 1 : 0) + (distance(c, jnt, 1) < margin ? 1 : 0);
    return n == 0 ? Extent{} : Extent{n, n, n * chain_strips(m, dof)};
  }
  SWEPT_FN void fill(const RowMaker& c, int jnt, Place at) const {
    const int dof = c.m.jnt_dofadr(jnt);
    if (c.m.jnt_type(jnt) == joint_ball) {
      const BallAngle ball = ball_distance(c, jnt);
      const real axis[3] = {-ball.axis.x, -ball.axis.y, -ball.axis.z};
      for (int k = 0; k < 3; ++k) {
        c.rows.efc_J[at.adr + k] = axis[k];
        c.rows.efc_J_colind[at.adr + k] = dof + k;
      }
      write(c, jnt, at, 3, ball.angle);
      return;
    }
    for (int side = 0; side < 2; ++side) {
      const real dist = distance(c, jnt, side);
      if (dist < c.m.jnt_margin(jnt)) {
        c.rows.efc_J[at.adr] = side == 0 ? 1_r : -1_r;
        c.rows.efc_J_colind[at.adr] = dof;
        write(c, jnt, at, 1, dist);
        ++at.row;
        ++at.adr;
      }
    }
  }

 private:
  SWEPT_FN static real distance(const RowMaker& c, int jnt, int side) {
    const real q = c.d.qpos(c.m.jnt_qposadr(jnt));
    const real limit = c.m.jnt_range(2 * jnt + side);
    return side == 0 ? q - limit : limit - q;
  }
  // the distance in place of the angle
  SWEPT_FN static BallAngle ball_distance(const RowMaker& c, int jnt) {
    BallAngle ball = ball_angle(quat(c.d.qpos(c.m.jnt_qposadr(jnt))));
    ball.angle = max(c.m.jnt_range(2 * jnt), c.m.jnt_range(2 * jnt + 1)) - ball.angle;
    return ball;
  }
  SWEPT_FN static void write(const RowMaker& c, int jnt, Place at, int nnz, real dist) {
    const ModelAt<real>& m = c.m;
    write_row(c, at,
              {row_limit_joint,
               jnt,
               nnz,
               dist,
               m.jnt_margin(jnt),
               0,
               m.dof_invweight0(m.jnt_dofadr(jnt)),
               {m.jnt_solref(2 * jnt), m.jnt_solref(2 * jnt + 1)},
               checked_solimp([&](int i) { return m.jnt_solimp(5 * jnt + i); })});
  }
};

/// Limits of the length of tendons.
struct TendonLimitRows {
  SWEPT_FN int items(const RowMaker& c) const {
    return (c.m->opt.disableflags & disable_limit) != 0 ? 0 : c.m->ntendon;
  }
  SWEPT_FN Extent extent(const RowMaker& c, int tendon) const {
    if (c.m.tendon_limited(tendon) == 0) {
      return {};
    }
    const real margin = c.m.tendon_margin(tendon);
    return tendon_extent(
        c.m, tendon,
        (distance(c, tendon, 0) < margin ? 1 : 0) + (distance(c, tendon, 1) < margin ? 1 : 0));
  }
  SWEPT_FN void fill(const RowMaker& c, int tendon, Place at) const {
    const ModelAt<real>& m = c.m;
    for (int side = 0; side < 2; ++side) {
      const real dist = distance(c, tendon, side);
      if (dist < m.tendon_margin(tendon)) {
        const int nnz = write_tendon_jacobian(c, tendon, side == 0 ? 1_r : -1_r, at.adr);
        write_row(c, at,
                  {row_limit_tendon,
                   tendon,
                   nnz,
                   dist,
                   m.tendon_margin(tendon),
                   0,
                   m.tendon_invweight0(tendon),
                   {m.tendon_solref_lim(2 * tendon), m.tendon_solref_lim(2 * tendon + 1)},
                   checked_solimp([&](int i) { return m.tendon_solimp_lim(5 * tendon + i); })});
        ++at.row;
        at.adr += nnz;
      }
    }
  }

 private:
  SWEPT_FN static real distance(const RowMaker& c, int tendon, int side) {
    const real length = c.d.ten_length(tendon);
    const real limit = c.m.tendon_range(2 * tendon + side);
    return side == 0 ? length - limit : limit - length;
  }
};

}  // namespace swept::SWEPT_NS
