// SPDX-License-Identifier: Apache-2.0
// Counts and options of a compiled scene; what host and kernels share of `Model`.
#pragma once

#include <array>

#include <swept/types.h>

namespace swept {

/// Counts of everything in the scene, under MuJoCo's names.
struct Sizes {
  int nq = 0;             ///< positions
  int nv = 0;             ///< dofs
  int nu = 0;             ///< controls, one per actuator
  int na = 0;             ///< activations
  int nbody = 0;          ///< bodies, the world included
  int njnt = 0;           ///< joints
  int ngeom = 0;          ///< geoms
  int nsite = 0;          ///< sites
  int ncam = 0;           ///< cameras
  int nlight = 0;         ///< lights
  int ntendon = 0;        ///< tendons
  int nwrap = 0;          ///< joints in all fixed tendons
  int nmesh = 0;          ///< meshes
  int nmeshvert = 0;      ///< vertices of all meshes
  int nmeshface = 0;      ///< their faces
  int nmeshgraph = 0;     ///< integers of the graphs of their hulls
  int nmeshpoly = 0;      ///< polygons of their hulls
  int nmeshpolyvert = 0;  ///< vertices of those
  int nmeshpolymap = 0;   ///< polygons around vertices
  int nmeshhull = 0;      ///< blocks of vertices of their hulls
  int nmeshseed = 0;      ///< cells of directions of large hulls
  int nmeshbvh = 0;       ///< nodes of the trees of face boxes
  int nmeshfacemap = 0;   ///< faces around vertices, of meshes that collide as they are
  int nhfield = 0;        ///< height fields
  int nhfielddata = 0;    ///< elevations of all height fields
  int npair = 0;          ///< predefined contact pairs
  int nexclude = 0;       ///< excluded body pairs
  int nkey = 0;           ///< keyframes
  int nmocap = 0;         ///< mocap bodies
  int ntree = 0;          ///< kinematic trees
  int nM = 0;             ///< entries of M: sum over dofs of the length of their chain
  int nnumeric = 0;       ///< custom numerics
  int nnumericdata = 0;   ///< numbers in them
  int ncandidate = 0;     ///< geom pairs that may collide, where they are listed
  int nsweep = 0;         ///< items of the sweep that finds pairs instead of the list, 0: none
  int nsweepplane = 0;    ///< planes beside it
  int nlevelp1 = 0;       ///< tree levels, plus one
  int ndoflevelp1 = 0;    ///< levels of dofs, plus one
  int nplace = 0;         ///< places of dofs in the solver's vectors: nv, gaps, whole strips
  int nstrip = 0;         ///< strips of these: nplace / 8
  int ncluster = 0;       ///< clusters: consecutive strips that share trees
  int nclusterp1 = 0;     ///< the same, plus one
  int nprecond = 0;       ///< reals of the solver's preconditioner
  int nv4 = 0;            ///< 4 nv
  int na4 = 0;            ///< 4 na
  // of the integrator's scratch, set where that is laid out: 0 unless
  int nbodyderiv = 0;  ///< nbody: implicit or implicitfast
  int nuderiv = 0;     ///< nu: implicit or implicitfast
  int nvderiv = 0;     ///< nv: implicit
  int nMupper = 0;     ///< nM: implicit
  int ngeomswept = 0;    ///< ngeom: speculative contacts
  int nspeculative = 0;  ///< 1: speculative contacts
  int nbodyswept = 0;    ///< nbody: speculative contacts, robust
  int ntreeswept = 0;    ///< ntree: the same
};

/// Simulation options that are the same in all environments. timestep, gravity, impratio and
/// the medium (wind, density, viscosity) stand in the field table.
struct Option {
  double tolerance = 1e-8;     ///< solver: stop below this scaled improvement or gradient
  double ls_tolerance = 0.01;  ///< line search: gradient tolerance relative to the solver's
  int iterations = 100;        ///< solver: most iterations
  int ls_iterations = 50;      ///< line search: most evaluations
  int integrator = integrator_euler;
  int cone = cone_pyramidal;
  int jacobian = jacobian_auto;                ///< read and kept; rows are always sparse here
  int solver = solver_newton;                  ///< what the scene asks for
  int disableflags = 0;                        ///< DisableFlag bits
  int enableflags = 0;                         ///< EnableFlag bits
  int disableactuator = 0;                     ///< bit g: actuators of group g give no force
  std::array<double, 3> magnetic{0, -0.5, 0};  ///< read and kept
  double ccd_tolerance = 1e-6;                 ///< [m] speculative contacts in the mode parity
  int speculative_mode = speculative_robust;   ///< SpeculativeMode
  int speculative_cap = 64;  ///< speculative contacts, robust: rounds of a pair on the device
  int speculative_iterations = 4;  ///< the same: how often a step is solved again at most
};

}  // namespace swept
