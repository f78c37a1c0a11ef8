// SPDX-License-Identifier: Apache-2.0
// Distances of facets and of bodies from both sides, against an oracle in extended precision.
#include "ccd/facet_pair.h"
#include "ccd/oracle.h"
#include "ccd/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace swept::test {
namespace {

template <int D>
using Facet = ccd::detail::Facet<D>;

template <int D>
Facet<D> random_facet(Random& random) {
  Facet<D> facet;
  for (auto& corner : facet) {
    for (double& x : corner) {
      x = uniform(random, -1, 1);
    }
  }
  return facet;
}

/// How well distances of facets were bounded.
struct Tally {
  double above_error = 0;  // largest difference of the bound from above and the oracle
  double gap_excess = 0;   // by how much a gap was larger than the oracle's distance
  int loose = 0;           // pairs whose gap misses the distance by a share of 1e-8

  template <int D>
  void add(const Facet<D>& a, const Facet<D>& b) {
    const auto got = ccd::detail::FacetPair<D>(a, b).distance(1e-15);
    const double want = oracle_facet_distance<D>(a, b);
    above_error = std::max(above_error, std::abs(got.above - want));
    gap_excess = std::max(gap_excess, got.gap - want);
    loose += want > 1e-13 && got.gap < (1 - 1e-8) * want - 1e-14;
  }
};

// rounding of coordinates of about 1; the oracle is as good
constexpr double rounding = 4e-15;

TEST(FacetDistance, OfRandomTrianglesIsExactFromBothSides) {
  Random random(1);
  Tally tally;
  for (int i = 0; i < 20000; ++i) {
    tally.add<3>(random_facet<3>(random), random_facet<3>(random));
  }
  EXPECT_LT(tally.above_error, rounding);
  EXPECT_LT(tally.gap_excess, rounding);
  EXPECT_EQ(tally.loose, 0);
}

TEST(FacetDistance, OfRandomSegmentsIsExactFromBothSides) {
  Random random(2);
  Tally tally;
  for (int i = 0; i < 20000; ++i) {
    Facet<2> a = random_facet<2>(random), b = random_facet<2>(random);
    if (i % 3 == 0) {
      b[0] = a[1];  // a common corner
    } else if (i % 3 == 1) {
      b[1] = b[0];  // a point
    }
    tally.add<2>(a, b);
  }
  EXPECT_LT(tally.above_error, rounding);
  EXPECT_LT(tally.gap_excess, rounding);
  EXPECT_EQ(tally.loose, 0);
}

TEST(FacetDistance, OfNearlyParallelTrianglesIsNeverTooLargeFromBelow) {
  Random random(3);
  Tally tally;
  for (int i = 0; i < 20000; ++i) {
    Facet<3> a = random_facet<3>(random), b = random_facet<3>(random);
    const double tilt = std::pow(10, uniform(random, -14, -2));
    const double gap = std::pow(10, uniform(random, -8, 0));
    for (int k = 0; k < 3; ++k) {
      a[k][2] *= tilt;
      b[k][2] = tilt * b[k][2] + gap;
    }
    tally.add<3>(a, b);
  }
  EXPECT_LT(tally.gap_excess, rounding);
  // edges that are nearly parallel have a distance of which 1e-8 is uncertain, here and in the
  // oracle
  EXPECT_LT(tally.above_error, 1e-8);
  EXPECT_EQ(tally.loose, 0);
}

TEST(FacetDistance, OfNeedlesAndPointsIsNeverTooLargeFromBelow) {
  Random random(4);
  Tally tally;
  for (int i = 0; i < 20000; ++i) {
    Facet<3> a = random_facet<3>(random), b = random_facet<3>(random);
    const double width = i % 4 == 0 ? 0 : std::pow(10, uniform(random, -15, -3));
    for (int k = 0; k < 3; ++k) {
      const double t = uniform(random, 0, 1);
      a[2][k] = a[0][k] + t * (a[1][k] - a[0][k]) + width * uniform(random, -1, 1);
    }
    if (i % 5 == 0) {
      b[1] = b[2] = b[0];
    }
    tally.add<3>(a, b);
  }
  EXPECT_LT(tally.gap_excess, rounding);
  EXPECT_LT(tally.above_error, 1e-8);
  EXPECT_EQ(tally.loose, 0);
}

// two bodies against all pairs of their facets
template <int D>
void compare_bodies(const Shape<D>& a, const Shape<D>& b, const ccd::Pose<D>& pose_a,
                    const ccd::Pose<D>& pose_b) {
  const auto got = ccd::separation(a.body(), b.body(), pose_a, pose_b);
  const double want =
      oracle_distance<D>(a, b, ccd::Motion<D>::resting(pose_a), ccd::Motion<D>::resting(pose_b), 0);
  EXPECT_NEAR(got.distance, want, 1e-13);
  EXPECT_LE(got.lower_bound, want);
  // 1e-12: the error that is taken off, for bodies of a few units
  EXPECT_GE(got.lower_bound, want - 1e-12 - 1e-8 * want);
  double square = 0;
  for (int k = 0; k < D; ++k) {
    square += (got.point_a[k] - got.point_b[k]) * (got.point_a[k] - got.point_b[k]);
  }
  EXPECT_NEAR(std::sqrt(square), want, 1e-13);
  EXPECT_GE(got.facet_a, 0);
  EXPECT_LT(got.facet_a, a.body().facets());
  EXPECT_LT(got.facet_b, b.body().facets());
}

TEST(BodyDistance, IsThatOfAllPairsOfFacets) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Shape<3> a = i % 2 ? noisy_sphere(100, 0.3, i) : soup(40, 1, 0.5, random);
    const Shape<3> b = i % 3 ? soup(30, 1, 0.5, random) : noisy_sphere(60, 0.1, i + 7);
    compare_bodies<3>(a, b, random_pose(random, ccd::Vector<3>{uniform(random, 0, 3), 0, 0}),
                      random_pose(random, ccd::Vector<3>{0, uniform(random, 0, 1), 0}));
    const Shape<2> c = i % 2 ? noisy_polygon(50, 0.3, i) : segments(40, 1, 0.3, random);
    const Shape<2> d = segments(30, 1, 0.3, random);
    compare_bodies<2>(c, d, random_pose(random, ccd::Vector<2>{uniform(random, 0, 3), 0}),
                      random_pose(random, ccd::Vector<2>{0, uniform(random, 0, 1)}));
  }
}

}  // namespace
}  // namespace swept::test
