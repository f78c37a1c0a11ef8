// SPDX-License-Identifier: Apache-2.0
// Spec: bodies and what hangs on them. What default classes, frames and replicas did to it is done.
#pragma once

#include <swept/spec/item.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace swept {

/// `joint` or `freejoint`.
struct Joint : Item {
  JointType type = JointType::hinge;
  int group = 0;
  Vec3 pos{0.0, 0.0, 0.0};
  Vec3 axis{0.0, 0.0, 1.0};     ///< as given, not normalized
  Vec2 springdamper{0.0, 0.0};  ///< if both positive: (time constant, damping ratio)
  Tristate limited = Tristate::automatic;
  Vec2 range{0.0, 0.0};  ///< [rad] for hinge and ball if limited, else as given; [m] for slide
  Tristate actuatorfrclimited = Tristate::automatic;
  Vec2 actuatorfrcrange{0.0, 0.0};  ///< [N or N m]
  bool actuatorgravcomp = false;
  Solref solreflimit = default_solref;
  Solimp solimplimit = default_solimp;
  Solref solreffriction = default_solref;
  Solimp solimpfriction = default_solimp;
  Polynomial stiffness{0.0, 0.0, 0.0};
  Polynomial damping{0.0, 0.0, 0.0};
  double margin = 0.0;
  double ref = 0.0;        ///< [rad or m]
  double springref = 0.0;  ///< [rad or m]
  double armature = 0.0;
  double frictionloss = 0.0;
  Tristate align = Tristate::automatic;  ///< free joints only
  std::vector<double> user;
};

/// `geom`.
struct Geom : Item {
  GeomType type = GeomType::sphere;
  Vec3 size{0.0, 0.0, 0.0};  ///< as MuJoCo stores it by type; half lengths, radius first
  Vec3 pos{0.0, 0.0, 0.0};
  Quat quat = identity_quat;
  int contype = 1;
  int conaffinity = 1;
  int condim = 3;
  int group = 0;
  int priority = 0;
  Vec3 friction{1.0, 0.005, 0.0001};
  std::optional<double> mass;  ///< [kg]; absent: density times volume
  double density = 1000.0;     ///< [kg/m^3], or [kg/m^2] with shellinertia
  bool shellinertia = false;
  double solmix = 1.0;
  Solref solref = default_solref;
  Solimp solimp = default_solimp;
  double margin = 0.0;
  double gap = 0.0;
  std::array<double, 6> surfacevel{};  ///< velocity of the surface, geom axes [m/s, rad/s]
  bool fluid_ellipsoid = false;        ///< a medium sees it as an ellipsoid, and not its body
  std::array<double, 5> fluidcoef{0.5, 0.25, 1.5, 1.0, 1.0};  ///< drag: blunt, slender, angular;
                                                              ///< lift: Kutta, Magnus
  std::string mesh;       ///< of a mesh; of another type: the mesh that it is fitted to
  std::string hfield;     ///< of a height field
  double fitscale = 1.0;  ///< factor on the size of a fitted primitive
  std::string material;
  Rgba rgba{0.5, 0.5, 0.5, 1.0};
  bool castshadow = true;
  std::vector<double> user;
};

/// `site`.
struct Site : Item {
  GeomType type = GeomType::sphere;
  Vec3 size{0.005, 0.005, 0.005};
  Vec3 pos{0.0, 0.0, 0.0};
  Quat quat = identity_quat;
  int group = 0;
  std::string material;
  Rgba rgba{0.5, 0.5, 0.5, 1.0};
  std::vector<double> user;
};

/// `camera`: read so that poses and names are known; nothing is rendered.
struct Camera : Item {
  TrackMode mode = TrackMode::fixed;
  std::string target;  ///< body name, for the target modes
  Vec3 pos{0.0, 0.0, 0.0};
  Quat quat = identity_quat;
  double fovy = 45.0;  ///< [degree]
  double ipd = 0.068;  ///< [m]
  std::array<int, 2> resolution{1, 1};
  bool orthographic = false;
  std::vector<double> user;
};

/// `light`: read so that poses and names are known; nothing is rendered.
struct Light : Item {
  TrackMode mode = TrackMode::fixed;
  std::string target;
  std::string type = "spot";
  bool active = true;
  bool castshadow = true;
  Vec3 pos{0.0, 0.0, 0.0};
  Vec3 dir{0.0, 0.0, -1.0};  ///< as given (rotated by enclosing frames), not normalized
};

/// `inertial`: at most one of diaginertia and fullinertia is present; none means zero inertia.
/// Both are about the axes of the frame (pos, quat).
struct Inertial {
  Source source;
  Vec3 pos{0.0, 0.0, 0.0};
  Quat quat = identity_quat;
  double mass = 0.0;                                 ///< [kg]
  std::optional<Vec3> diaginertia;                   ///< [kg m^2]
  std::optional<std::array<double, 6>> fullinertia;  ///< xx yy zz xy xz yz [kg m^2]
};

/// `body`, and `worldbody` for the root.
struct Body : Item {
  Vec3 pos{0.0, 0.0, 0.0};
  Quat quat = identity_quat;
  double gravcomp = 0.0;  ///< fraction of the weight that is held up
  bool mocap = false;     ///< its pose is an input; a child of the world, without joints
  bool simple = true;     ///< false: never treat the body as having a diagonal mass matrix
  std::optional<Inertial> inertial;
  std::vector<Joint> joints;
  std::vector<Geom> geoms;
  std::vector<Site> sites;
  std::vector<Camera> cameras;
  std::vector<Light> lights;
  std::vector<Body> bodies;
  std::vector<double> user;
};

}  // namespace swept
