// SPDX-License-Identifier: Apache-2.0
// Frames that coincide, and bodies whose block of the mass matrix is diagonal.
#include "host/compile/passes.h"

namespace swept::compiler {
namespace {

constexpr double frame_eps = 1e-6;  ///< element-wise tolerance of coinciding frames
constexpr double axis_eps = 1e-14;  ///< below it a component of an axis is zero

/// The relation of a frame on a body to the body frame and to the inertial frame, tested in the
/// order in which MuJoCo prefers them.
int same_frame(const Model& model, int body, const Pose& pose) {
  if (same_rotation(pose.quat, identity_quat, frame_eps)) {
    return is_zero(pose.pos, frame_eps) ? sameframe_body : sameframe_bodyrot;
  }
  if (same_rotation(pose.quat, get_row<4>(model.body_iquat, body), frame_eps)) {
    return is_zero(pose.pos - get_row<3>(model.body_ipos, body), frame_eps) ? sameframe_inertia
                                                                            : sameframe_inertiarot;
  }
  return sameframe_none;
}

/// Do the joints of a body leave its own inertia diagonal and constant? They may: slide and turn
/// about coordinate axes through the body's origin, the one rotation last.
bool has_simple_joints(const Model& model, int body) {
  bool rotated = false;
  for (int k = 0; k < model.body_jntnum[at(body)]; ++k) {
    const int j = model.body_jntadr[at(body)] + k;
    const int type = model.jnt_type[at(j)];
    const Vec3 axis = get_row<3>(model.jnt_axis, j);
    int components = 0;
    for (const double x : axis) {
      components += std::fabs(x) > axis_eps;
    }
    const bool along_axis = components == 1;
    const bool needs_axis = type == joint_slide || type == joint_hinge;
    if (rotated || !is_zero(get_row<3>(model.jnt_pos, j), frame_eps) ||
        (needs_axis && !along_axis)) {
      return false;
    }
    rotated = type == joint_ball || type == joint_hinge;
  }
  return true;
}

/// Do all joints of a body slide? False without joints.
bool only_slides(const Model& model, int body) {
  for (int k = 0; k < model.body_jntnum[at(body)]; ++k) {
    if (model.jnt_type[at(model.body_jntadr[at(body)] + k)] != joint_slide) {
      return false;
    }
  }
  return model.body_jntnum[at(body)] > 0;
}

}  // namespace

void fill_same_frames(Model& model) {
  for (int b = 0; b < model.nbody; ++b) {
    const Pose pose{get_row<3>(model.body_ipos, b), get_row<4>(model.body_iquat, b)};
    const bool aligned = same_rotation(pose.quat, identity_quat, frame_eps);
    model.body_sameframe[at(b)] = !aligned                       ? sameframe_none
                                  : is_zero(pose.pos, frame_eps) ? sameframe_body
                                                                 : sameframe_bodyrot;
  }
  for (int g = 0; g < model.ngeom; ++g) {
    const Pose pose{get_row<3>(model.geom_pos, g), get_row<4>(model.geom_quat, g)};
    model.geom_sameframe[at(g)] = same_frame(model, model.geom_bodyid[at(g)], pose);
  }
  for (int s = 0; s < model.nsite; ++s) {
    const Pose pose{get_row<3>(model.site_pos, s), get_row<4>(model.site_quat, s)};
    model.site_sameframe[at(s)] = same_frame(model, model.site_bodyid[at(s)], pose);
  }
}

void allow_simple(const Scene& scene, Model& model) {
  for (int b = 0; b < model.nbody; ++b) {
    const int parent = model.body_parentid[at(b)];
    const bool on_static = model.body_rootid[at(b)] == b || (model.body_parentid[at(parent)] == 0 &&
                                                             model.body_dofnum[at(parent)] == 0);
    model.body_simple[at(b)] = on_static && scene.bodies[at(b)].body->simple;
  }

  // what carries another body is not simple
  for (int b = 1; b < model.nbody; ++b) {
    if (model.body_parentid[at(b)] > 0) {
      model.body_simple[at(model.body_parentid[at(b)])] = 0;
    }
  }
}

void fill_simple(Model& model) {
  for (int b = 0; b < model.nbody; ++b) {
    int& simple = model.body_simple[at(b)];
    const bool holds = simple != 0 && model.body_sameframe[at(b)] == sameframe_body &&
                       has_simple_joints(model, b);
    simple = !holds ? 0 : only_slides(model, b) ? 2 : 1;
  }

  // runs of simple dofs
  int run = 0;
  for (int i = model.nv - 1; i >= 0; --i) {
    run = model.body_simple[at(model.dof_bodyid[at(i)])] != 0 ? run + 1 : 0;
    model.dof_simplenum[at(i)] = run;
  }
}

}  // namespace swept::compiler
