// SPDX-License-Identifier: Apache-2.0
// Shots of the tunnelling census: two geoms of random types and sizes, one of which is thrown at the
// other so that they would be in each other at some time of the step, and apart before it.
#pragma once

#include <mujoco/mujoco.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace swept::census {

constexpr double timestep = 0.002;  ///< [s]

/// What holds the two geoms. The second one hangs on a free joint always.
enum class Arrangement : int {
  fixed,     ///< the first one is a part of the world
  free,      ///< it is a free body
  hinged,    ///< it swings on a hinge that stands
  pendulum,  ///< it is the second link of a double pendulum
  flail,     ///< the first one stands; the second one hangs on a hinge of a free body
  count
};
const char* name_of(Arrangement arrangement);

/// A scene of the census, by its number.
struct CensusScene {
  std::uint64_t number = 0;
  Arrangement arrangement = Arrangement::fixed;
  std::string text;    ///< MJCF for the engines: flag on, no gravity
  std::string judged;  ///< the same with boxes as meshes, for the judge
  double spin = 0;     ///< [rad/s] at most
};

/// The scene with a number: types, sizes from half a millimetre on, densities, friction.
///   iterations   custom numeric speculative_iterations; negative: the default
CensusScene census_scene(std::uint64_t number, int iterations = -1);

/// One start.
struct CensusShot {
  std::vector<double> qpos, qvel;
};

/// A random shot: 0.05 to 20 lengths per step.
///   m, d   of the judged scene; d is changed
/// Whether they are apart at the beginning is for the judge to say.
CensusShot random_shot(const CensusScene& scene, const mjModel& m, mjData* d,
                       std::mt19937_64* random);

}  // namespace swept::census
