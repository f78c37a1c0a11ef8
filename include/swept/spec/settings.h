// SPDX-License-Identifier: Apache-2.0
// Spec: `compiler`, `option`, `size` and `statistic`, of which a scene has one each.
#pragma once

#include <swept/spec/item.h>

#include <array>
#include <optional>
#include <string>

namespace swept {

/// `compiler`: how the rest is understood. Angles and Euler sequences are already applied.
struct CompilerSettings {
  bool autolimits = true;
  double boundmass = 0.0;      ///< lower bound of every body mass [kg]
  double boundinertia = 0.0;   ///< lower bound of every principal inertia [kg m^2]
  double settotalmass = -1.0;  ///< if positive, rescale to this total [kg]
  bool balanceinertia = false;
  bool degree = true;  ///< angles in the file were degrees
  std::string eulerseq = "xyz";
  bool discardvisual = false;
  bool fusestatic = false;
  InertiaFromGeom inertiafromgeom = InertiaFromGeom::automatic;
  std::array<int, 2> inertiagrouprange{0, 5};
  bool alignfree = false;
  bool fitaabb = false;    ///< primitives are fitted to the boxes of meshes, not to their inertia
  bool strippath = false;  ///< folders in the names of asset files are ignored
  std::string meshdir;     ///< folder of mesh and height-field files
  std::string texturedir;  ///< folder of texture files
};

/// `option` with its `flag` child.
struct OptionSettings {
  double timestep = 0.002;  ///< [s]
  double impratio = 1.0;
  double tolerance = 1e-8;
  double ls_tolerance = 0.01;
  double noslip_tolerance = 1e-6;
  double ccd_tolerance = 1e-6;
  double sleep_tolerance = 1e-3;
  Vec3 gravity{0.0, 0.0, -9.81};  ///< [m/s^2]
  Vec3 wind{0.0, 0.0, 0.0};       ///< [m/s]
  Vec3 magnetic{0.0, -0.5, 0.0};
  double density = 0.0;    ///< of the medium [kg/m^3]
  double viscosity = 0.0;  ///< of the medium [Pa s]
  double o_margin = 0.0;
  Solref o_solref = default_solref;
  Solimp o_solimp = default_solimp;
  std::array<double, 5> o_friction{1.0, 1.0, 0.005, 0.0001, 0.0001};
  Integrator integrator = Integrator::euler;
  Cone cone = Cone::pyramidal;
  Jacobian jacobian = Jacobian::automatic;
  SolverType solver = SolverType::newton;
  int iterations = 100;
  int ls_iterations = 50;
  int noslip_iterations = 0;  ///< only 0 is loaded
  int ccd_iterations = 35;
  int sdf_iterations = 10;
  int sdf_initpoints = 40;
  int disableactuator = 0;  ///< bit i: actuators of group i are disabled (actuatorgroupdisable)
  int disableflags = 0;     ///< DisableFlag bits
  int enableflags = 0;      ///< EnableFlag bits
};

/// `size`. Only nkey, nuserdata and the nuser_* change the compiled model; -1: the longest `user`.
struct SizeSettings {
  int nuserdata = 0;
  int nkey = 0;  ///< at least this many keyframes
  int nuser_body = -1;
  int nuser_jnt = -1;
  int nuser_geom = -1;
  int nuser_site = -1;
  int nuser_cam = -1;
  int nuser_tendon = -1;
  int nuser_actuator = -1;
  int nuser_sensor = -1;
};

/// `statistic`: what is given here replaces what the compiler would compute.
struct StatisticSettings {
  std::optional<double> meaninertia;
  std::optional<double> meanmass;
  std::optional<double> meansize;
  std::optional<double> extent;
  std::optional<Vec3> center;
};

}  // namespace swept
