// SPDX-License-Identifier: Apache-2.0
// Questions about where geoms are: rays and distances, for all environments of a tile whose
// position stage has run. Arrays are the device's.
#pragma once

#include "kernels/base/context.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// Rays against every environment of the batch, and room for the answers.
struct RayJob {
  int count = 0;                    ///< rays per environment
  const real* origin = nullptr;     ///< [m] [count, 3] or [nenv, count, 3], world
  const real* direction = nullptr;  ///< the same, of any length
  long long origin_stride = 0;      ///< numbers per environment; 0: shared
  long long direction_stride = 0;
  int groups = 63;  ///< bit k: geoms of group k
  int include_static = 1;
  int exclude_body = -1;
  real cutoff = 0;           ///< in lengths of the direction
  real* distance = nullptr;  ///< [nenv, count] in lengths of the direction, -1: nothing hit
  int* geom = nullptr;       ///< [nenv, count] -1: nothing hit
  real* normal = nullptr;    ///< [nenv, count, 3] unit, 0: nothing hit
};

/// Pairs of geoms to measure in every environment, and room for the answers.
struct DistanceJob {
  int count = 0;
  const int* pairs = nullptr;  ///< [count, 2] geoms
  real maxdist = 0;            ///< [m]
  real* distance = nullptr;    ///< [nenv, count] [m] signed; maxdist: none nearer
  real* fromto = nullptr;      ///< [nenv, count, 6] [m] the two nearest points; 0: none nearer
  real* normal = nullptr;      ///< [nenv, count, 3] unit, from the first geom to the second
};

/// Environments that are frozen see nothing.
void cast_rays(const Context& ctx, const Tile* t, int nenv, const RayJob& job);
void measure_distances(const Context& ctx, const Tile* t, int nenv, const DistanceJob& job);

}  // namespace swept::SWEPT_NS
