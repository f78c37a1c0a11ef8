// SPDX-License-Identifier: Apache-2.0
// Bodies and poses for the measurements of continuous collision.
#pragma once

#include <swept/ccd.h>

#include <random>

namespace swept::bench {

using Random = std::mt19937_64;

double uniform(Random& random, double low, double high);

/// A pose with a random rotation, at a position.
ccd::Pose<3> random_pose(Random& random, const ccd::Vector<3>& position);

/// A sphere of radius 1 on a grid of latitude and longitude, with 5 % noise along the radius: rough,
/// and the rougher the more facets it has.
///   facets   about how many
ccd::Mesh noisy_sphere(int facets, Random& random);

/// A sphere of radius 1 with bumps of about 5 %, a sum of waves of lengths from 0.3 to 1.6: the same
/// surface for the same random numbers, however many facets it is made of. The grids of the six
/// sides of a cube, pressed onto the sphere.
///   facets   about how many
ccd::Mesh bumpy_sphere(int facets, Random& random);

}  // namespace swept::bench
