// SPDX-License-Identifier: Apache-2.0
// Joints and the attributes of their dofs.
#include "host/compile/passes.h"

#include "host/compile/limits.h"

namespace swept::compiler {
namespace {

constexpr double shortest_axis = 1e-7;

/// The axis of a joint, of unit length.
Vec3 joint_axis(const Scene& scene, const Joint& joint) {
  if (joint.type == JointType::free || joint.type == JointType::ball) {
    return {0.0, 0.0, 1.0};
  }
  const double length = norm(joint.axis);
  if (length < shortest_axis) {
    throw scene.error("joint", joint, "the axis is too short", "give a direction");
  }
  return std::fabs(length - 1.0) <= 1e-14 ? joint.axis : joint.axis * (1.0 / length);
}

/// Is the joint limited? Checks the range if so.
bool joint_limited(const Scene& scene, const Joint& joint) {
  if (joint.type == JointType::free) {
    return false;
  }
  // the range of a ball may be the single angle 0
  if (joint.type == JointType::ball && joint.limited == Tristate::yes && joint.range == Vec2{}) {
    return true;
  }
  const bool limited =
      resolve_limit(scene, joint, joint.limited, joint.range, {"joint", "limited", "range"});
  if (limited && joint.type == JointType::ball && joint.range[0] != 0.0) {
    throw scene.error("joint", joint, "the range of a ball joint must start at 0",
                      "write range=\"0 ANGLE\"");
  }
  return limited;
}

/// Is the total actuator force on the joint limited?
bool force_limited(const Scene& scene, const Joint& joint) {
  const bool limited = resolve_limit(scene, joint, joint.actuatorfrclimited, joint.actuatorfrcrange,
                                     {"joint", "actuatorfrclimited", "actuatorfrcrange"});
  return limited && (joint.type == JointType::slide || joint.type == JointType::hinge);
}

/// A body's joints: a free one stands alone and on a child of the world; nothing rotates after a
/// ball.
void check_joints(const Scene& scene, const BodyEntry& entry) {
  const Body& body = *entry.body;
  bool ball = false;
  std::size_t dofs = 0;
  for (const Joint& joint : body.joints) {
    if (entry.depth == 0) {
      throw scene.error("joint", joint, "the world cannot have joints", "put it into a body");
    }
    if (joint.type == JointType::free && entry.depth != 1) {
      throw scene.error("joint", joint, "a free joint needs a body that is a child of the world",
                        "move " + label("body", body) + " to the top level");
    }
    if (ball && (joint.type == JointType::ball || joint.type == JointType::hinge)) {
      throw scene.error("joint", joint, "a rotation cannot follow a ball joint in the same body",
                        "put it into a body of its own");
    }
    ball = ball || joint.type == JointType::ball;
    dofs += joint.type == JointType::free ? 6 : joint.type == JointType::ball ? 3 : 1;
    if (dofs > 6) {
      throw scene.error("joint", joint, label("body", body) + " has more than 6 dofs",
                        "spread its joints over several bodies");
    }
  }
}

/// qpos0 and qpos_spring of one joint.
void fill_qpos(const Body& body, const Joint& joint, int adr, Model& model) {
  switch (joint.type) {
    case JointType::free: {
      const Quat quat = normalized(body.quat);
      for (std::size_t k = 0; k < 3; ++k) {
        model.qpos0[at(adr) + k] = body.pos[k];
      }
      for (std::size_t k = 0; k < 4; ++k) {
        model.qpos0[at(adr) + 3 + k] = quat[k];
      }
      for (std::size_t k = 0; k < 7; ++k) {
        model.qpos_spring[at(adr) + k] = model.qpos0[at(adr) + k];
      }
      break;
    }
    case JointType::ball:
      model.qpos0[at(adr)] = 1.0;
      model.qpos_spring[at(adr)] = 1.0;
      break;
    default:
      model.qpos0[at(adr)] = joint.ref;
      model.qpos_spring[at(adr)] = joint.springref;
      break;
  }
}

/// The attributes of one joint that each of its dofs repeats.
void fill_dof(const Joint& joint, int j, int body, int dof, Model& model) {
  model.dof_bodyid[at(dof)] = body;
  model.dof_jntid[at(dof)] = j;
  set_row(model.dof_solref, dof, joint.solreffriction);
  set_row(model.dof_solimp, dof, joint.solimpfriction);
  model.dof_frictionloss[at(dof)] = joint.frictionloss;
  model.dof_armature[at(dof)] = joint.armature;
  model.dof_damping[at(dof)] = joint.damping[0];
  set_row(model.dof_dampingpoly, dof, Vec2{joint.damping[1], joint.damping[2]});
}

}  // namespace

void fill_joints(const Scene& scene, Model& model) {
  for (const BodyEntry& entry : scene.bodies) {
    check_joints(scene, entry);
  }
  for (int b = 0; b < model.nbody; ++b) {
    model.body_jntadr[at(b)] = -1;
    model.body_dofadr[at(b)] = -1;
  }
  int qposadr = 0;
  int dofadr = 0;
  for (int j = 0; j < model.njnt; ++j) {
    const Joint& joint = *scene.joints[at(j)].item;
    const int body = scene.joints[at(j)].body;
    const bool is_free = joint.type == JointType::free;
    const int nq = is_free ? 7 : joint.type == JointType::ball ? 4 : 1;
    const int nv = is_free ? 6 : joint.type == JointType::ball ? 3 : 1;

    // addresses
    if (model.body_jntnum[at(body)]++ == 0) {
      model.body_jntadr[at(body)] = j;
      model.body_dofadr[at(body)] = dofadr;
    }
    model.body_dofnum[at(body)] += nv;
    model.jnt_type[at(j)] = static_cast<int>(joint.type);
    model.jnt_qposadr[at(j)] = qposadr;
    model.jnt_dofadr[at(j)] = dofadr;
    model.jnt_bodyid[at(j)] = body;

    // attributes
    model.jnt_group[at(j)] = joint.group;
    model.jnt_limited[at(j)] = joint_limited(scene, joint);
    model.jnt_actfrclimited[at(j)] = force_limited(scene, joint);
    model.jnt_actgravcomp[at(j)] = joint.actuatorgravcomp;
    set_row(model.jnt_solref, j, joint.solreflimit);
    set_row(model.jnt_solimp, j, joint.solimplimit);
    set_row(model.jnt_pos, j, is_free ? Vec3{} : joint.pos);
    set_row(model.jnt_axis, j, joint_axis(scene, joint));
    model.jnt_stiffness[at(j)] = joint.stiffness[0];
    set_row(model.jnt_stiffnesspoly, j, Vec2{joint.stiffness[1], joint.stiffness[2]});
    set_row(model.jnt_range, j, joint.range);
    set_row(model.jnt_actfrcrange, j,
            is_limited(joint.actuatorfrclimited, joint.actuatorfrcrange) ? joint.actuatorfrcrange
                                                                         : Vec2{});
    model.jnt_margin[at(j)] = joint.margin;

    // dofs and positions
    fill_qpos(*scene.bodies[at(body)].body, joint, qposadr, model);
    for (int k = 0; k < nv; ++k) {
      fill_dof(joint, j, body, dofadr + k, model);
    }
    qposadr += nq;
    dofadr += nv;
  }
}

}  // namespace swept::compiler
