// SPDX-License-Identifier: Apache-2.0
// Two geoms of which one or both are meshes that collide as they are.
#pragma once

#include "kernels/collide/pairs.h"
#include "kernels/geometry/surface_surface.h"

namespace swept::SWEPT_NS {

/// Contacts of a pair, no further apart than `detect` [m].
///   out   room for ContactSet::most; normals from geom 1 to geom 2
SWEPT_FN int surface_contacts(const ModelAt<real>& m, const DataAt<real>& d, const GeomPair& pair,
                              real detect, ContactCount wanted, Witness* out) {
  const Shape a = shape_of(m, d, pair.geom1), b = shape_of(m, d, pair.geom2);
  const bool first = m.geom_surface(pair.geom1) != 0, second = m.geom_surface(pair.geom2) != 0;
  if (first && second) {
    return surface_surface(a, surface_of(m, pair.geom1), b, surface_of(m, pair.geom2), detect,
                           wanted, out);
  }
  if (second) {
    return surface_convex(a, b, surface_of(m, pair.geom2), detect, wanted, out);
  }
  const int n = surface_convex(b, a, surface_of(m, pair.geom1), detect, wanted, out);
  for (int i = 0; i < n; ++i) {
    out[i].normal = -out[i].normal;
  }
  return n;
}

}  // namespace swept::SWEPT_NS
