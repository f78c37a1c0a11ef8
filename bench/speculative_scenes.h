// SPDX-License-Identifier: Apache-2.0
// Scenes of fast bodies and thin walls for the bench of speculative contacts, with random starts, and
// who has left the place where it belongs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace swept::bench {

/// Where all environments start.
struct ShotStart {
  std::vector<double> qpos;  ///< [nenv, nq]
  std::vector<double> qvel;  ///< [nenv, nv]
};

/// Free bodies inside a box: nobody gets out of it by itself.
struct ShotScene {
  std::string name;
  int bodies = 0;
  std::string text;           ///< MJCF; all joints are free
  double low[3], high[3];     ///< [m] centres belong between these
  std::vector<double> place;  ///< [bodies, 3] first centres
  double speed[3];            ///< [m/s] mean velocity
  double speed_noise = 0;     ///< [m/s] random part of each component, at most
  double spin = 0;            ///< [rad/s] the same
  bool turned = true;         ///< first orientations are random

  /// Random starts; the same for the same seed.
  ShotStart start(int nenv, std::uint64_t seed) const;
  /// Bodies of all environments whose centres are not where they belong.
  int outside(const std::vector<double>& qpos) const;
};

/// How a scene is to be stepped.
struct ShotOptions {
  bool speculative = true;
  double timestep = 0.002;   ///< [s]
  std::string solref;        ///< of all geoms; empty: the default
  std::string more_options;  ///< further attributes of `option`
};

/// Bullets of 5 mm radius, 1 m per step, against a wall of 1 mm; they meet the wall alone.
ShotScene bullet_scene(int bullets, const ShotOptions& options);
/// Ten bodies of all types in a closed room with walls of 2 mm, up to 0.5 m per step.
ShotScene room_scene(const ShotOptions& options);
/// Thin rods in such a room: 2 mm thick, 20 cm long.
ShotScene rod_scene(int rods, const ShotOptions& options);
/// Eight pellets of 2 mm radius in a box of 20 cm with walls of 1 mm, up to 20 m/s along each axis: 2 mm
/// in 0.1 ms.
ShotScene pellet_scene(const ShotOptions& options);

}  // namespace swept::bench
