// SPDX-License-Identifier: Apache-2.0
// Length and moment of an actuator at one pose; see the header.
#include "host/compile/setconst/actuator_moment.h"

#include <algorithm>
#include <cmath>

namespace swept::compiler {
namespace {

/// Force and torque of an actuator on a site: the parts of its gear.
Vec3 gear_part(const Model& m, int actuator, std::size_t first) {
  const std::size_t i = 6 * at(actuator) + first;
  return {m.actuator_gear[i], m.actuator_gear[i + 1], m.actuator_gear[i + 2]};
}

/// Orientation of a site as its own numbers give it.
Quat site_quat(const Model& m, const ReferencePose& pose, int site) {
  return pose.body[at(m.site_bodyid[at(site)])].quat * get_row<4>(m.site_quat, site);
}

/// Orientation of a site as kinematics gives it: coinciding frames are copied.
Quat site_axes(const Model& m, const ReferencePose& pose, int site) {
  const std::size_t body = at(m.site_bodyid[at(site)]);
  switch (m.site_sameframe[at(site)]) {
    case sameframe_body:
    case sameframe_bodyrot:
      return pose.body[body].quat;
    case sameframe_inertia:
    case sameframe_inertiarot:
      return pose.xiquat[body];
    default:
      return site_quat(m, pose, site);
  }
}

/// The rotation vector of a unit quaternion, at most pi long.
Vec3 rotation_vector(const Quat& q) {
  const Vec3 v{q[1], q[2], q[3]};
  const double length = norm(v);
  if (length < 1e-15) {
    return {};
  }
  constexpr double pi = 3.14159265358979323846;
  const double angle = 2.0 * std::atan2(length, q[0]);
  return v * ((angle > pi ? angle - 2.0 * pi : angle) / length);
}

/// Force on dof i of a force and a torque at a point of a body that it moves.
double along_dof(const ReferencePose& pose, int dof, Vec3 arm, Vec3 force, Vec3 torque) {
  const Vec6& axis = pose.cdof[at(dof)];
  const Vec3 angular{axis[0], axis[1], axis[2]};
  const Vec3 linear = Vec3{axis[3], axis[4], axis[5]} + cross(angular, arm);
  return dot(linear, force) + dot(angular, torque);
}

/// Moment on the dofs that move one of the sites and not both.
SparseDofs site_moment(const Model& m, const ReferencePose& pose, int actuator) {
  SparseDofs moment;
  const int site = m.actuator_trnid[2 * at(actuator)];
  const int reference = m.actuator_trnid[2 * at(actuator) + 1];
  const Quat axes = site_axes(m, pose, reference < 0 ? site : reference);
  const Vec3 force = rotate(axes, gear_part(m, actuator, 0));
  const Vec3 torque = rotate(axes, gear_part(m, actuator, 3));
  const auto arm = [&](int s) {
    return pose.site_xpos[at(s)] - pose.root_com[at(m.site_bodyid[at(s)])];
  };
  int i = m.body_lastdof[at(m.site_bodyid[at(site)])];
  int j = reference < 0 ? -1 : m.body_lastdof[at(m.site_bodyid[at(reference)])];
  while (i != j) {
    if (i > j) {
      moment.push_back({i, along_dof(pose, i, arm(site), force, torque)});
      i = m.dof_parentid[at(i)];
    } else {
      moment.push_back({j, -along_dof(pose, j, arm(reference), force, torque)});
      j = m.dof_parentid[at(j)];
    }
  }
  std::reverse(moment.begin(), moment.end());
  return moment;
}

/// Moment on the dofs of a joint: a free joint takes six numbers, a ball three. In the parent's axes
/// those of rotations are turned into the body's.
SparseDofs joint_moment(const Model& m, int actuator) {
  const int joint = m.actuator_trnid[2 * at(actuator)];
  const int dof = m.jnt_dofadr[at(joint)];
  const int type = m.jnt_type[at(joint)];
  if (type != joint_free && type != joint_ball) {
    return {{dof, m.actuator_gear[6 * at(actuator)]}};
  }
  SparseDofs moment;
  const bool in_parent = m.actuator_trntype[at(actuator)] == transmission_jointinparent;
  const std::size_t adr = at(m.jnt_qposadr[at(joint)]) + (type == joint_free ? 3 : 0);
  const Quat turn =
      normalized({m.qpos0[adr], m.qpos0[adr + 1], m.qpos0[adr + 2], m.qpos0[adr + 3]});
  for (std::size_t first = 0; first < (type == joint_free ? 6u : 3u); first += 3) {
    Vec3 gear = gear_part(m, actuator, first);
    const bool turns = type == joint_ball || first == 3;
    if (in_parent && turns) {
      gear = rotate({turn[0], -turn[1], -turn[2], -turn[3]}, gear);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      moment.push_back({dof + static_cast<int>(first + k), gear[k]});
    }
  }
  return moment;
}

/// Place and orientation of a site seen from the reference, times gear.
double site_length(const Model& m, const ReferencePose& pose, int actuator) {
  const int site = m.actuator_trnid[2 * at(actuator)];
  const int reference = m.actuator_trnid[2 * at(actuator) + 1];
  if (reference < 0) {
    return 0.0;
  }
  const auto inverse = [](const Quat& q) { return Quat{q[0], -q[1], -q[2], -q[3]}; };
  const Vec3 apart = rotate(inverse(site_axes(m, pose, reference)),
                            pose.site_xpos[at(site)] - pose.site_xpos[at(reference)]);
  const Vec3 turn =
      rotation_vector(inverse(site_quat(m, pose, reference)) * site_quat(m, pose, site));
  return dot(apart, gear_part(m, actuator, 0)) + dot(turn, gear_part(m, actuator, 3));
}

}  // namespace

double actuator_length(const Model& m, const ReferencePose& pose, int actuator) {
  const std::size_t target = at(m.actuator_trnid[2 * at(actuator)]);
  const double gear = m.actuator_gear[6 * at(actuator)];
  switch (m.actuator_trntype[at(actuator)]) {
    case transmission_tendon:
      return gear * m.tendon_length0[target];
    case transmission_site:
      return site_length(m, pose, actuator);
    default: {
      // free joints have no length, balls are at the identity
      const int type = m.jnt_type[target];
      const bool scalar = type == joint_slide || type == joint_hinge;
      return scalar ? gear * m.qpos0[at(m.jnt_qposadr[target])] : 0.0;
    }
  }
}

SparseDofs actuator_moment(const Model& m, const ReferencePose& pose, int actuator) {
  switch (m.actuator_trntype[at(actuator)]) {
    case transmission_tendon: {
      SparseDofs moment = tendon_jacobian(m, m.actuator_trnid[2 * at(actuator)]);
      for (DofEntry& entry : moment) {
        entry.value *= m.actuator_gear[6 * at(actuator)];
      }
      return moment;
    }
    case transmission_site:
      return site_moment(m, pose, actuator);
    default:
      return joint_moment(m, actuator);
  }
}

}  // namespace swept::compiler
