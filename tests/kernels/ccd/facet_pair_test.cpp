// SPDX-License-Identifier: Apache-2.0
// Distances of two triangles against extended precision: the points' distance is never below the
// true one, the gap never above it, and for triangles with an area both are close to it.
#include "kernels/ccd/facet_pair.h"
#include "ccd/oracle.h"
#include "kernels/ccd/rounding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace swept::SWEPT_NS::test {
namespace {

using Random = std::mt19937_64;

real number(Random& random, double size) {
  return static_cast<real>(std::uniform_real_distribution<double>(-size, size)(random));
}

/// Triangles of any size and place in the unit of a query; some are edges or points.
Facet3 random_facet(Random& random) {
  const double size = std::pow(10, -static_cast<double>(random() % 5));
  const Vec3<real> at = {number(random, 0.3), number(random, 0.3), number(random, 0.3)};
  Facet3 f;
  for (Vec3<real>& v : f.v) {
    v = at + Vec3<real>{number(random, 0.3 * size), number(random, 0.3 * size),
                        number(random, 0.3 * size)};
  }
  switch (random() % 8) {
    case 0:  // an edge
      f.v[2] = f.v[1];
      break;
    case 1:  // a point
      f.v[2] = f.v[1] = f.v[0];
      break;
    case 2:  // a needle
      f.v[2] = f.v[0] + 0.4_r * (f.v[1] - f.v[0]);
      break;
    case 3:  // square to an axis
      f.v[1].z = f.v[2].z = f.v[0].z;
      break;
    default:
      break;
  }
  return f;
}

bool is_thick(const Facet3& f) {
  const Vec3<real> e = f.v[1] - f.v[0], g = f.v[2] - f.v[0];
  return norm(cross(e, g)) > 0.1_r * norm(e) * norm(g) && norm(e) > 0.01_r;
}

std::array<ccd::Vector<3>, 3> corners(const Facet3& f) {
  std::array<ccd::Vector<3>, 3> c;
  for (std::size_t i = 0; i < 3; ++i) {
    c[i] = {static_cast<double>(f.v[i].x), static_cast<double>(f.v[i].y),
            static_cast<double>(f.v[i].z)};
  }
  return c;
}

TEST(CcdFacetPair, BoundsHoldOnEitherSideOfTheDistance) {
  Random random(1);
  constexpr double u = half_ulp;
  int met = 0, thick = 0;
  for (int i = 0; i < 40'000; ++i) {
    const Facet3 a = random_facet(random);
    Facet3 b = random_facet(random);
    if (random() % 4 == 0) {
      // a common corner, or nearly
      b.v[random() % 3] = a.v[random() % 3] + Vec3<real>{number(random, 1e-4), 0_r, 0_r};
    }
    real size = 0;
    for (int c = 0; c < 3; ++c) {
      size = max(size, max(norm(a.v[c]), norm(b.v[c])));
    }
    const double error = 2 * facet_roundings * u * static_cast<double>(size);
    const FacetBounds d = measure(a, b, static_cast<real>(error));
    const double want = swept::test::oracle_facet_distance<3>(corners(a), corners(b));
    EXPECT_GE(static_cast<double>(d.above), want - error) << i;
    EXPECT_LE(static_cast<double>(d.gap), want + error) << i;
    EXPECT_NEAR(static_cast<double>(norm(d.q - d.p)), static_cast<double>(d.above), error);
    met += want < error;
    if (is_thick(a) && is_thick(b)) {
      ++thick;
      EXPECT_LE(static_cast<double>(d.above), want + 40 * error) << i;
      // the direction between near points is off by error / want, along facets of up to 0.6
      const double slant = 0.6 * error / std::max(want, error);
      EXPECT_GE(static_cast<double>(max(d.gap, 0_r)), (1 - 2e-6) * want - 40 * error - slant) << i;
    }
  }
  EXPECT_GT(met, 100);
  EXPECT_GT(thick, 1'000);
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
