// SPDX-License-Identifier: Apache-2.0
// Forward kinematics for the compiler; see the header.
#include "host/compile/setconst/reference_pose.h"

namespace swept::compiler {
namespace {

/// Column k of a matrix.
Vec3 column(const Mat3& m, std::size_t k) {
  return {m[k], m[3 + k], m[6 + k]};
}

/// Four consecutive numbers of qpos as a unit quaternion.
Quat quat_at(const std::vector<double>& qpos, int adr) {
  const std::size_t i = at(adr);
  return normalized({qpos[i], qpos[i + 1], qpos[i + 2], qpos[i + 3]});
}

/// Move a body through its joints, starting from the pose that it has when they are at rest.
Pose through_joints(const Model& m, const std::vector<double>& qpos, int body, Pose pose,
                    ReferencePose& out) {
  for (int k = 0; k < m.body_jntnum[at(body)]; ++k) {
    const int j = m.body_jntadr[at(body)] + k;
    const int adr = m.jnt_qposadr[at(j)];
    const Vec3 local_axis = get_row<3>(m.jnt_axis, j);
    const Vec3 anchor = pose.pos + rotate(pose.quat, get_row<3>(m.jnt_pos, j));
    out.xanchor[at(j)] = anchor;
    out.xaxis[at(j)] = rotate(pose.quat, local_axis);
    const double moved = qpos[at(adr)] - m.qpos0[at(adr)];
    switch (m.jnt_type[at(j)]) {
      case joint_free:
        pose = {{qpos[at(adr)], qpos[at(adr) + 1], qpos[at(adr) + 2]}, quat_at(qpos, adr + 3)};
        out.xanchor[at(j)] = pose.pos;
        break;
      case joint_slide:
        pose.pos = pose.pos + rotate(pose.quat, local_axis) * moved;
        break;
      default:
        pose.quat = pose.quat * (m.jnt_type[at(j)] == joint_ball ? quat_at(qpos, adr)
                                                                 : rotation(local_axis, moved));
        pose.pos = anchor - rotate(pose.quat, get_row<3>(m.jnt_pos, j));
        break;
    }
  }
  return pose;
}

/// The position of a frame on a body; coinciding frames are copied, as kinematics does.
Vec3 position_on(const ReferencePose& pose, int body, int sameframe, Vec3 local) {
  switch (sameframe) {
    case sameframe_body:
      return pose.body[at(body)].pos;
    case sameframe_inertia:
      return pose.xipos[at(body)];
    default:
      return pose.body[at(body)].pos + rotate(pose.body[at(body)].quat, local);
  }
}

/// Centre of mass of each body's tree.
void fill_root_com(const Model& m, ReferencePose& pose) {
  std::vector<Vec3> weighted(at(m.nbody));
  for (int b = m.nbody - 1; b >= 0; --b) {
    weighted[at(b)] = weighted[at(b)] + pose.xipos[at(b)] * m.body_mass[at(b)];
    if (b > 0) {
      Vec3& parent = weighted[at(m.body_parentid[at(b)])];
      parent = parent + weighted[at(b)];
    }
  }
  for (int b = 0; b < m.nbody; ++b) {
    const int root = m.body_rootid[at(b)];
    const double mass = m.body_subtreemass[at(root)];
    pose.root_com[at(b)] = mass < 1e-15 ? pose.xipos[at(root)] : weighted[at(root)] * (1.0 / mass);
  }
}

/// Motion axes: three unit translations, or rotations about an axis through the anchor.
void fill_cdof(const Model& m, ReferencePose& pose) {
  const auto turning = [](Vec3 axis, Vec3 arm) {
    const Vec3 linear = cross(axis, arm);
    return Vec6{axis[0], axis[1], axis[2], linear[0], linear[1], linear[2]};
  };
  for (int j = 0; j < m.njnt; ++j) {
    const int body = m.jnt_bodyid[at(j)];
    const Vec3 axis = pose.xaxis[at(j)];
    const Vec3 arm = pose.root_com[at(body)] - pose.xanchor[at(j)];
    std::size_t dof = at(m.jnt_dofadr[at(j)]);
    switch (m.jnt_type[at(j)]) {
      case joint_slide:
        pose.cdof[dof] = {0.0, 0.0, 0.0, axis[0], axis[1], axis[2]};
        break;
      case joint_hinge:
        pose.cdof[dof] = turning(axis, arm);
        break;
      default: {
        if (m.jnt_type[at(j)] == joint_free) {
          for (std::size_t k = 0; k < 3; ++k) {
            pose.cdof[dof++][3 + k] = 1.0;
          }
        }
        const Mat3 axes = matrix(pose.body[at(body)].quat);
        for (std::size_t k = 0; k < 3; ++k) {
          pose.cdof[dof++] = turning(column(axes, k), arm);
        }
        break;
      }
    }
  }
}

}  // namespace

ReferencePose reference_pose(const Model& m, const std::vector<double>& qpos) {
  ReferencePose pose;
  pose.body.resize(at(m.nbody));
  pose.xipos.resize(at(m.nbody));
  pose.xiquat.resize(at(m.nbody));
  pose.xanchor.resize(at(m.njnt));
  pose.xaxis.resize(at(m.njnt));
  pose.root_com.resize(at(m.nbody));
  pose.cdof.resize(at(m.nv));

  // bodies from the root outwards
  for (int b = 0; b < m.nbody; ++b) {
    Pose frame;
    if (b > 0) {
      const Pose local{get_row<3>(m.body_pos, b), get_row<4>(m.body_quat, b)};
      frame =
          through_joints(m, qpos, b, compose(pose.body[at(m.body_parentid[at(b)])], local), pose);
    }
    pose.body[at(b)] = frame;
    pose.xipos[at(b)] = position_on(pose, b, m.body_sameframe[at(b)], get_row<3>(m.body_ipos, b));
    pose.xiquat[at(b)] = frame.quat * get_row<4>(m.body_iquat, b);
  }

  // what hangs on them
  for (int g = 0; g < m.ngeom; ++g) {
    pose.geom_xpos.push_back(position_on(pose, m.geom_bodyid[at(g)], m.geom_sameframe[at(g)],
                                         get_row<3>(m.geom_pos, g)));
  }
  for (int s = 0; s < m.nsite; ++s) {
    pose.site_xpos.push_back(position_on(pose, m.site_bodyid[at(s)], m.site_sameframe[at(s)],
                                         get_row<3>(m.site_pos, s)));
  }
  fill_root_com(m, pose);
  fill_cdof(m, pose);
  return pose;
}

}  // namespace swept::compiler
