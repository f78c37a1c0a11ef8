// SPDX-License-Identifier: Apache-2.0
// The enumerations and small fixed arrays that a scene is described with. Every enumerator has the
// integer value that MuJoCo 4.0 writes into its compiled arrays, so the compiler only has to cast.
#pragma once

#include <swept/types.h>

#include <array>

namespace swept {

using Vec2 = std::array<double, 2>;
using Vec3 = std::array<double, 3>;
using Quat = std::array<double, 4>;  ///< w x y z, of unit length in a Spec
using Rgba = std::array<double, 4>;

/// Yes, no, or "decide from whether a range was given" (see is_limited).
enum class Tristate { no = 0, yes = 1, automatic = 2 };

enum class JointType { free = 0, ball = 1, slide = 2, hinge = 3 };

enum class GeomType {
  plane = 0,
  hfield = 1,
  sphere = 2,
  capsule = 3,
  ellipsoid = 4,
  cylinder = 5,
  box = 6,
  mesh = 7,
  sdf = 8
};

enum class Integrator { euler = 0, rk4 = 1, implicit = 2, implicitfast = 3, discrete = 4 };

enum class Cone { pyramidal = 0, elliptic = 1 };

enum class Jacobian { dense = 0, sparse = 1, automatic = 2 };

enum class SolverType { pgs = 0, cg = 1, newton = 2 };

enum class TransmissionType {
  joint = 0,
  jointinparent = 1,
  slidercrank = 2,
  tendon = 3,
  site = 4,
  body = 5,
  so3 = 6
};

enum class DynType {
  none = 0,
  integrator = 1,
  filter = 2,
  filterexact = 3,
  muscle = 4,
  dcmotor = 5,
  pid = 6,
  user = 7
};

enum class GainType { fixed = 0, affine = 1, muscle = 2, dcmotor = 3, so3 = 4, pid = 5, user = 6 };

enum class BiasType { none = 0, affine = 1, muscle = 2, dcmotor = 3, so3 = 4, user = 5 };

/// How a camera or light follows its body.
enum class TrackMode { fixed = 0, track = 1, trackcom = 2, targetbody = 3, targetbodycom = 4 };

/// How mass and inertia follow from a mesh.
enum class MeshInertia {
  convex = 0,  ///< those of its convex hull
  exact = 1,   ///< those of the volume that its faces enclose
  legacy = 2,  ///< sum over pyramids on the faces, all counted as positive
  shell = 3    ///< those of its surface
};

/// Shapes that a mesh may be made of by parameters.
enum class MeshBuiltin {
  none,
  sphere,
  hemisphere,
  cone,
  supersphere,
  supertorus,
  wedge,
  plate,
  grid,
  box,
  cylinder,
  ellipsoid,
  square,
  disc
};

/// When the inertia of a body comes from its geoms.
enum class InertiaFromGeom { no = 0, yes = 1, automatic = 2 };

/// Bits of Actuator::ctrlspec: what kind of control input an actuator takes.
enum ControlBit : int {
  control_position = 1,
  control_velocity = 2,
  control_feedforward = 4,
  control_voltage = 8,
  control_none = 16,
  control_pressure = 32
};

/// True if a limit applies: switched on, or left to the range and the range is not empty.
constexpr bool is_limited(Tristate limited, const Vec2& range) {
  return limited == Tristate::yes || (limited == Tristate::automatic && range[0] < range[1]);
}

}  // namespace swept
