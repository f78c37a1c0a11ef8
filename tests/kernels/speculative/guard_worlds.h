// SPDX-License-Identifier: Apache-2.0
// Small worlds whose geoms the tests of the guard let move for one step.
#pragma once

#include <string>
#include <vector>

#include "kernels/speculative/arcs.h"
#include "kernels/speculative/guard.h"

namespace swept::SWEPT_NS {

constexpr double timestep = 0.002;
/// Times are quotients of lengths of order 1; f32: lengths near 1 over ways of order 0.1.
constexpr double time_bar = single ? 1e-5 : 1e-12;

/// A world with these bodies; velocities per step.
inline ArcWorld world_of(const std::string& bodies, const std::vector<double>& per_step) {
  return ArcWorld(RandomChains::scene_of(bodies, timestep), per_step);
}
inline std::string at_height(double z) {
  return "pos='0 0 " + std::to_string(z) + "'";
}
inline GuardState guard(const ArcWorld& world, const GuardSettings& settings = {}) {
  return guard_to_end(world.pair(0, 1), settings);
}
inline double time_of(const GuardState& s) {
  return static_cast<double>(s.t);
}

inline const std::string ground = "<geom type='plane' size='0 0 1'/>";
inline const std::string table = "<geom type='box' size='3 3 .1' pos='0 0 -.1'/>";
inline const std::string free_body = "><freejoint/>";

/// A cube of half 0.1 over the table, `dist` apart, that moves up by `rise`.
inline ArcWorld cube(double dist, double rise, double aside = 0) {
  return world_of(table + "<body " + at_height(0.1 + dist) + free_body +
                      "<geom type='box' size='.1 .1 .1'/></body>",
                  {aside, 0, rise, 0, 0, 0});
}

}  // namespace swept::SWEPT_NS
