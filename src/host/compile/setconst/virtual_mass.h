// SPDX-License-Identifier: Apache-2.0
// The virtual mass and inertia of geoms that a medium sees as ellipsoids.
#pragma once

#include <swept/model.h>

#include <array>

namespace swept::compiler {

/// Mass [m^3] and moments of inertia [m^5], per density of the medium, of what an ellipsoid with
/// these semi-axes [m] drags along: x, y, z of the mass, then of the inertia.
std::array<double, 6> virtual_mass(const std::array<double, 3>& semi_axes);

/// Columns 6 to 11 of geom_fluid, of geoms whose interaction (column 0) is positive.
void fill_virtual_masses(Model& model);

}  // namespace swept::compiler
