// SPDX-License-Identifier: Apache-2.0
// Integer constants of the compiled scene. The numbers are MuJoCo's, so that compiled arrays
// compare equal; kernels and host share them. (The typed spellings that a Spec uses, such as
// JointType::hinge, stand in spec_types.h and have the same numbers.)
#pragma once

namespace swept {

/// Dofs in a strip of the solver's vectors. A kinematic tree of up to so many stands in one strip.
constexpr int strip_size = 8;

enum : int { joint_free = 0, joint_ball = 1, joint_slide = 2, joint_hinge = 3 };

enum : int {
  geom_plane = 0,
  geom_hfield = 1,
  geom_sphere = 2,
  geom_capsule = 3,
  geom_ellipsoid = 4,
  geom_cylinder = 5,
  geom_box = 6,
  geom_mesh = 7,
};

/// Which frame a geom, site or inertial frame coincides with (to 1e-6); kinematics then copies
/// instead of multiplying.
enum SameFrame : int {
  sameframe_none = 0,
  sameframe_body = 1,
  sameframe_inertia = 2,
  sameframe_bodyrot = 3,
  sameframe_inertiarot = 4,
};

enum : int {
  integrator_euler = 0,
  integrator_rk4 = 1,
  integrator_implicit = 2,
  integrator_implicitfast = 3,
  integrator_discrete = 4
};
enum : int { cone_pyramidal = 0, cone_elliptic = 1 };
enum : int { jacobian_dense = 0, jacobian_sparse = 1, jacobian_auto = 2 };
enum Solver : int { solver_pgs = 0, solver_cg = 1, solver_newton = 2 };

enum WrapType : int {
  wrap_none = 0,
  wrap_joint = 1,
  wrap_pulley = 2,
  wrap_site = 3,
  wrap_sphere = 4,
  wrap_cylinder = 5
};

enum : int {
  transmission_joint = 0,
  transmission_jointinparent = 1,
  transmission_slidercrank = 2,
  transmission_tendon = 3,
  transmission_site = 4,
  transmission_body = 5,
  transmission_so3 = 6,
};

enum : int {
  dyn_none = 0,
  dyn_integrator = 1,
  dyn_filter = 2,
  dyn_filterexact = 3,
  dyn_muscle = 4,
  dyn_dcmotor = 5,
  dyn_pid = 6,
  dyn_user = 7
};
enum : int {
  gain_fixed = 0,
  gain_affine = 1,
  gain_muscle = 2,
  gain_dcmotor = 3,
  gain_so3 = 4,
  gain_pid = 5,
  gain_user = 6
};
enum : int {
  bias_none = 0,
  bias_affine = 1,
  bias_muscle = 2,
  bias_dcmotor = 3,
  bias_so3 = 4,
  bias_user = 5
};

/// Kinds of constraint rows, in the order in which they stand.
enum RowType : int {
  row_equality = 0,
  row_friction_dof = 1,
  row_friction_tendon = 2,
  row_limit_joint = 3,
  row_limit_tendon = 4,
  row_contact_frictionless = 5,
  row_contact_pyramidal = 6,
  row_contact_elliptic = 7,
};

/// Bits of Option::disableflags.
enum DisableFlag : int {
  disable_constraint = 1 << 0,
  disable_equality = 1 << 1,
  disable_frictionloss = 1 << 2,
  disable_limit = 1 << 3,
  disable_contact = 1 << 4,
  disable_spring = 1 << 5,
  disable_damper = 1 << 6,
  disable_gravity = 1 << 7,
  disable_clampctrl = 1 << 8,
  disable_warmstart = 1 << 9,
  disable_filterparent = 1 << 10,
  disable_actuation = 1 << 11,
  disable_refsafe = 1 << 12,
  disable_sensor = 1 << 13,
  disable_midphase = 1 << 14,
  disable_eulerdamp = 1 << 15,
  disable_autoreset = 1 << 16,
  disable_nativeccd = 1 << 17,
  disable_island = 1 << 18,
  disable_multiccd = 1 << 19,
};

/// Bits of Option::enableflags.
enum EnableFlag : int {
  enable_override = 1 << 0,
  enable_energy = 1 << 1,
  enable_fwdinv = 1 << 2,
  enable_invdiscrete = 1 << 3,
  enable_sleep = 1 << 4,
  enable_diagexact = 1 << 5,
  enable_ipc = 1 << 6,
  enable_speculative = 1 << 7,
};

/// Behaviour of speculative contacts (`enable_speculative`).
enum SpeculativeMode : int {
  speculative_robust = 0,  ///< nothing passes through
  speculative_parity = 1,  ///< as the official library 4.0.0 does it
};

/// The collider of a candidate pair; geom 1 has the smaller type.
enum ColliderKind : int {
  // on packs: the same few operations for every pose
  collide_plane_sphere = 0,
  collide_plane_capsule,
  collide_plane_box,
  collide_sphere_sphere,
  collide_sphere_capsule,
  collide_sphere_box,
  collide_capsule_capsule,
  collide_plane_ellipsoid,
  collide_plane_cylinder,
  collide_sphere_cylinder,
  collide_capsule_box,
  // a pair at a time: the work depends on the pose
  collide_plane_mesh,
  collide_box_box,
  collide_convex,
  collide_hfield,
  collide_surface,  ///< a mesh that collides as it is, with anything but planes and height fields
  collider_kinds,
};

}  // namespace swept
