// SPDX-License-Identifier: Apache-2.0
// The distance of two moving bodies at a time, by another way than the library's: extended
// precision, every pair of facets, Rodrigues' formula in the world frame. For bodies of about unit
// size.
#pragma once

#include "ccd/shapes.h"

namespace swept::test {

/// Distance of the facets of two shapes that have moved to s; 0 if any two of them intersect.
template <int D>
double oracle_distance(const Shape<D>& a, const Shape<D>& b, const ccd::Motion<D>& motion_a,
                       const ccd::Motion<D>& motion_b, double s);

/// Whether that distance is at least `bar`: the same answer at a tenth of the price, since facets
/// that are clearly farther apart are looked at in double only.
template <int D>
bool oracle_apart(const Shape<D>& a, const Shape<D>& b, const ccd::Motion<D>& motion_a,
                  const ccd::Motion<D>& motion_b, double s, double bar);

/// Distance of two triangles [3][3] or segments [2][2].
template <int D>
double oracle_facet_distance(const std::array<ccd::Vector<D>, D>& a,
                             const std::array<ccd::Vector<D>, D>& b);

}  // namespace swept::test
