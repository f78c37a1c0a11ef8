// SPDX-License-Identifier: Apache-2.0
// What a geom's type and size say about it: volume, surface, inertia, bounding sphere and box.
// `size` is MuJoCo's: sphere (r), capsule and cylinder (r, half length), ellipsoid and box (half
// axes), plane (half x, half y, spacing). Capsules and cylinders lie along z. A height field weighs
// as a box of its size; a mesh has numbers of its own.
#pragma once

#include "host/compile/frames.h"

#include <array>
#include <string_view>

namespace swept::compiler {

/// The name of a geom type as MJCF writes it.
std::string_view type_name(GeomType type);

/// How many leading sizes of a type must be positive; for a plane none of them.
int positive_sizes(GeomType type);

/// Volume [m^3]. A plane has none.
double volume(GeomType type, Vec3 size);

/// Surface area [m^2]. An ellipsoid's is Thomsen's approximation with p = 1.6075.
double surface(GeomType type, Vec3 size);

/// Principal moments [kg m^2] of a solid of the given mass, along the geom's axes.
Vec3 solid_inertia(GeomType type, Vec3 size, double mass);

/// Principal moments [kg m^2] of an infinitely thin shell of the given mass. An ellipsoid's shell
/// is 1e-6 m thick.
Vec3 shell_inertia(GeomType type, Vec3 size, double mass);

/// Radius of the bounding sphere [m]; 0 for a plane.
double bounding_radius(GeomType type, Vec3 size);

/// Axis-aligned box in the geom's frame: centre and half sizes [m].
std::array<double, 6> bounding_box(GeomType type, Vec3 size);

}  // namespace swept::compiler
