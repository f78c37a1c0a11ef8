// SPDX-License-Identifier: Apache-2.0
// Scenes for the parity of rays and distances: random crowds of geoms of all types, and pairs.
#pragma once

#include "parity/scenes.h"

#include <random>
#include <string>

namespace swept::test {

/// Names of the types of geoms, by GeomType.
extern const char* const geom_type_names[8];

/// The mesh "stone" (36 vertices, no convex body) and the height field "hills" (5 x 6: its 40
/// prisms are fewer than the 50 contacts that the official library looks at) that geoms of these types
/// need.
std::string query_assets();

/// The attributes of a random geom of a type, with a place in the world.
std::string random_geom(int type, std::mt19937* random);

/// A crowd: `n` geoms of every type, on bodies that fall, hang and stand, in several groups, some
/// of them transparent.
Scene crowd(unsigned seed, int n);

/// Two geoms of random sizes; the second moves freely, and the first too unless it is a plane or a
/// height field.
Scene couple(int type1, int type2, unsigned seed);

}  // namespace swept::test
