// SPDX-License-Identifier: Apache-2.0
// Random trees in a medium: their geoms get shapes, and some of them count as ellipsoids.
#pragma once

#include "kernels/smooth/random_tree.h"

namespace swept::SWEPT_NS {

/// A random tree under an integrator, in wind; every other body has one or two ellipsoids.
inline ModelArrays wet_tree(unsigned seed, int integrator, TreeOptions options = {}) {
  ModelArrays m = RandomTree(seed, options).scene();
  m.opt.integrator = integrator;
  Dice dice(seed + 1000);
  m.opt_density = {dice.uniform(0.5, 2)};
  m.opt_viscosity = {dice.uniform(0.01, 0.2)};
  m.opt_wind = {0.7, -0.4, 0.3};
  const int types[] = {geom_sphere, geom_capsule, geom_ellipsoid, geom_cylinder, geom_box};
  for (std::size_t b = 0; b < static_cast<std::size_t>(m.nbody); ++b) {
    m.body_geomadr[b] = static_cast<int>(2 * b);
    m.body_geomnum[b] = 2;
    for (std::size_t g = 2 * b; g < 2 * b + 2; ++g) {
      m.geom_type[g] = types[dice.integer(0, 4)];
      for (std::size_t k = 0; k < 3; ++k) {
        m.geom_size[3 * g + k] = dice.uniform(0.05, 0.3);
      }
      double* const fluid = &m.geom_fluid[12 * g];
      fluid[0] = b % 2 == 0 && dice.integer(0, 2) > 0 ? 1 : 0;
      for (int k = 1; k < 12; ++k) {
        fluid[k] = k < 6 ? dice.uniform(0.1, 1.5) : dice.uniform(0, 0.02);
      }
    }
  }
  return m;
}

}  // namespace swept::SWEPT_NS
