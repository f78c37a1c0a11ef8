// SPDX-License-Identifier: Apache-2.0
// Questions about where the geoms of a batch are: what rays hit, and how far geoms are apart.
//
// Both answer for the present state of every environment, whether it was stepped, reset or written
// since the last forward pass or not: positions are computed for the question, and nothing else of
// the batch changes.
//
//   // a ring of 16 rays around the robot of every environment
//   std::vector<double> origin, direction;
//   for (int i = 0; i < 16; ++i) {
//     const double angle = 2 * std::numbers::pi * i / 16;
//     origin.insert(origin.end(), {0.0, 0.0, 0.5});
//     direction.insert(direction.end(), {std::cos(angle), std::sin(angle), 0.0});
//   }
//   const swept::RayHits hits = batch.ray({16, origin, direction}, {.exclude_body = 1});
//   hits.distance[env * 16 + i];  // [m], because the directions are unit vectors; -1: nothing
//
//   // how far two geoms are apart in every environment, up to half a metre
//   const std::array<int, 2> pairs[] = {{ball, wall}};
//   const swept::GeomDistances near = batch.geom_distance(pairs, 0.5);
//   near.distance[env];  // [m], 0.5: not nearer
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace swept {

/// Rays to cast in every environment. Origins and directions are shared by all environments,
/// [count, 3], or each has its own, [nenv, count, 3]; one may be shared and the other not.
struct RaySet {
  int count = 0;                      ///< rays per environment
  std::span<const double> origin;     ///< [m] world
  std::span<const double> direction;  ///< world, of any length but 0
};

/// What rays see. Never seen are geoms whose material, or colour where they have none, is fully
/// transparent (alpha 0).
struct RayOptions {
  /// Geom groups that are seen; a geom of a group below 0 or above 5 counts as of 0 or 5.
  std::array<bool, 6> groups{true, true, true, true, true, true};
  bool include_static = true;  ///< also geoms of the world and of bodies welded to it
  int exclude_body = -1;       ///< geoms of this body are not seen; -1: all bodies are
  /// In lengths of the direction, as distances are; what is farther away is not seen.
  double cutoff = std::numeric_limits<double>::infinity();
};

/// What each ray hits first.
struct RayHits {
  int count = 0;                 ///< rays per environment
  std::vector<double> distance;  ///< [nenv, count] in lengths of the direction; -1: nothing
  std::vector<int> geom;         ///< [nenv, count] geom; -1: nothing
  std::vector<double> normal;    ///< [nenv, count, 3] unit, out of the geom, world; 0: nothing
};

/// How far pairs of geoms are apart.
struct GeomDistances {
  int count = 0;                 ///< pairs
  std::vector<double> distance;  ///< [nenv, count] [m] negative: depth of overlap; maxdist: not
                                 ///< nearer than that
  std::vector<double> fromto;    ///< [nenv, count, 6] [m] nearest points of the first and of the
                                 ///< second geom, world; 0: not nearer than maxdist
  std::vector<double> normal;    ///< [nenv, count, 3] unit, from the first geom to the second, the
                                 ///< way to move the second one apart; 0: as above
};

}  // namespace swept
