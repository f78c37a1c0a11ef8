// SPDX-License-Identifier: Apache-2.0
// Spec: the scene as a tree of plain structs, after reading and before compilation.
//
// What the loader has already done when a Spec exists:
//  - default classes are resolved: every element carries its final attribute values
//  - angles are radians and orientations are unit quaternions (w x y z); `fromto` has become pos,
//    quat and size
//  - `frame` and `replicate` are gone: poses are composed into their children, copies are made
//  - actuator shortcuts have the general form (gain, bias, dynamics)
//  - attributes are in range as far as one element can tell (numbers finite, counts right, keywords
//    valid), names are unique within a kind
// What is left to compile(): everything that needs more than one element (references, inertia from
// geoms, sizes by type, dampratio, inheritrange, statistics) and all derived arrays.
//
// Names, units and defaults are MuJoCo's: metre, kilogram, second, radian.
#pragma once

#include <swept/error.h>
#include <swept/spec_types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace swept {

/// Position of an element in the text it came from.
struct Source {
  int file = -1;  ///< index into Spec::files; -1: made by a program
  int line = 0;   ///< 1-based
};

using Solref = Vec2;
using Solimp = std::array<double, 5>;
inline constexpr Solref default_solref{0.02, 1.0};
inline constexpr Solimp default_solimp{0.9, 0.95, 0.001, 0.5, 2.0};
inline constexpr Quat identity_quat{1.0, 0.0, 0.0, 0.0};

/// Linear coefficient and the two polynomial ones: force = -(c0 + c1 |x| + c2 x^2) x.
using Polynomial = Vec3;

/// What every element has.
struct Item {
  std::string name;  ///< may be empty
  Source source;
};

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

/// `contact/pair`. Values that are not given are the pair's own defaults, not those of the geoms.
struct Pair : Item {
  std::string geom1;
  std::string geom2;
  int condim = 3;
  std::array<double, 5> friction{1.0, 1.0, 0.005, 0.0001, 0.0001};  ///< tan tan spin roll roll
  Solref solref = default_solref;
  Solref solreffriction{0.0, 0.0};  ///< 0 0: solref is used
  Solimp solimp = default_solimp;
  double margin = 0.0;
  double gap = 0.0;
};

/// `contact/exclude`.
struct Exclude : Item {
  std::string body1;
  std::string body2;
};

/// One `joint` of a fixed tendon.
struct TendonJoint {
  std::string joint;
  double coef = 0.0;
  Source source;
};

/// `tendon/fixed`: length = sum of coef * joint position.
struct Tendon : Item {
  int group = 0;
  Tristate limited = Tristate::automatic;
  Vec2 range{0.0, 0.0};
  Tristate actuatorfrclimited = Tristate::automatic;
  Vec2 actuatorfrcrange{0.0, 0.0};
  double margin = 0.0;
  Polynomial stiffness{0.0, 0.0, 0.0};
  Polynomial damping{0.0, 0.0, 0.0};
  double armature = 0.0;
  double frictionloss = 0.0;
  Vec2 springlength{-1.0, -1.0};  ///< -1 -1: the length at qpos0
  Solref solreflimit = default_solref;
  Solimp solimplimit = default_solimp;
  Solref solreffriction = default_solref;
  Solimp solimpfriction = default_solimp;
  std::vector<TendonJoint> joints;
  std::vector<double> user;
};

/// Any actuator, in general form.
struct Actuator : Item {
  std::string tag;  ///< the element it came from: general, motor, position …
  int group = 0;
  TransmissionType trntype = TransmissionType::joint;
  std::string target;   ///< name of the joint, tendon or site
  std::string refsite;  ///< site that the length is measured from; empty: none (site only)
  Tristate ctrllimited = Tristate::automatic;
  Tristate forcelimited = Tristate::automatic;
  Tristate actlimited = Tristate::automatic;
  Vec2 ctrlrange{0.0, 0.0};
  Vec2 forcerange{0.0, 0.0};
  Vec2 actrange{0.0, 0.0};
  Vec2 lengthrange{0.0, 0.0};
  std::array<double, 6> gear{1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  double cranklength = 0.0;
  DynType dyntype = DynType::none;
  GainType gaintype = GainType::fixed;
  BiasType biastype = BiasType::none;
  std::array<double, 10> dynprm{1.0};
  std::array<double, 10> gainprm{1.0};
  /// A positive biasprm[2] of a position-like actuator (gainprm[0] == -biasprm[1]) is a damping
  /// ratio, which the compiler turns into -kv.
  std::array<double, 10> biasprm{};
  int actdim = -1;  ///< -1: 1 if dyntype is not none, else 0
  bool actearly = false;
  /// If positive and the actuator is position-like, ctrlrange (actrange with an integrator) comes
  /// from the target's range, whatever it holds.
  double inheritrange = 0.0;
  int ctrlspec = 0;  ///< ControlBit
  Polynomial damping{0.0, 0.0, 0.0};
  double armature = 0.0;
  std::vector<double> user;
};

/// `keyframe/key`. An empty vector was not given; the compiler fills it and checks lengths.
struct Key : Item {
  double time = 0.0;
  std::vector<double> qpos;
  std::vector<double> qvel;
  std::vector<double> act;
  std::vector<double> ctrl;
  std::vector<double> mpos;
  std::vector<double> mquat;
};

/// `custom/numeric`.
struct Numeric : Item {
  int size = 0;  ///< number of elements; data is padded with zeros to it
  std::vector<double> data;
};

/// `custom/text`.
struct Text : Item {
  std::string data;
};

/// `custom/tuple`.
struct Tuple : Item {
  struct Entry {
    std::string objtype;
    std::string objname;
    double prm = 0.0;
  };
  std::vector<Entry> entries;
};

/// `asset/mesh`. The vertices come from one of: a file, the element itself, a builtin shape.
struct Mesh : Item {
  std::string file;          ///< path, meshdir included; absolute if a file named it
  std::string content_type;  ///< format of the file; empty: by its suffix
  Vec3 scale{1.0, 1.0, 1.0};
  MeshInertia inertia = MeshInertia::legacy;
  int maxhullvert = -1;  ///< most vertices of the hull, at least 4; -1: no limit
  bool smoothnormal = false;
  Vec3 refpos{0.0, 0.0, 0.0};    ///< taken from the vertices [m]
  Quat refquat = identity_quat;  ///< whose inverse then turns them
  std::vector<float> vertex;     ///< 3 each
  std::vector<float> normal;     ///< 3 each; rendering only
  std::vector<float> texcoord;   ///< 2 each; rendering only
  std::vector<int> face;         ///< 3 vertices each; none: the faces of the convex hull
  MeshBuiltin builtin = MeshBuiltin::none;
  std::vector<double> params;  ///< of the builtin shape
  std::string material;
};

/// `asset/hfield`. The elevations come from a file or from the element itself.
struct HField : Item {
  std::string file;              ///< path, meshdir included; absolute if a file named it
  std::string content_type;      ///< format of the file; empty: by its suffix
  int nrow = 0;                  ///< rows, along y; 0: the file says
  int ncol = 0;                  ///< columns, along x
  std::array<double, 4> size{};  ///< half x, half y, elevation of the highest point, base [m]
  std::vector<float> elevation;  ///< nrow x ncol from the lowest y on, in any unit; none: flat
};

/// `asset/texture`: only its name, kind and file are kept.
struct Texture : Item {
  std::string type = "cube";
  std::string file;
};

/// `asset/material`.
struct Material : Item {
  std::string texture;
  Rgba rgba{1.0, 1.0, 1.0, 1.0};
};

/// A whole scene.
struct Spec {
  std::string modelname = "MuJoCo Model";
  std::vector<std::string> files;  ///< the main file first, then included and attached ones
  CompilerSettings compiler;
  OptionSettings option;
  SizeSettings size;
  StatisticSettings statistic;
  Body worldbody;                 ///< named "world"
  std::vector<Pair> pairs;        ///< in document order; the compiler sorts
  std::vector<Exclude> excludes;  ///< in document order; the compiler sorts
  std::vector<Tendon> tendons;
  std::vector<Actuator> actuators;
  std::vector<Key> keys;
  std::vector<Numeric> numerics;
  std::vector<Text> texts;
  std::vector<Tuple> tuples;
  std::vector<Mesh> meshes;
  std::vector<HField> hfields;
  std::vector<Texture> textures;
  std::vector<Material> materials;

  /// The error to throw about an element of this scene.
  ///   source    Item::source of the element
  ///   element   what to call it, such as "joint 'hip'"
  ///   problem   what is wrong; remedy: what to do about it
  Error error(Source source, std::string element, std::string problem,
              std::string remedy = {}) const {
    const bool known = source.file >= 0 && static_cast<std::size_t>(source.file) < files.size();
    return Error(Place{known ? files[static_cast<std::size_t>(source.file)] : std::string(),
                       source.line, std::move(element)},
                 std::move(problem), std::move(remedy));
  }
};

}  // namespace swept
