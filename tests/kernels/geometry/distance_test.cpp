// SPDX-License-Identifier: Apache-2.0
// Laws of the distance of two convex shapes, on random poses of every pair of kinds and on ones that
// are made to break algorithms. SWEPT_LONG in the environment takes 20,000 poses per pair; laws_test takes
// a million.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "kernels/geometry/distance.h"
#include "kernels/geometry/exact.h"
#include "kernels/geometry/poses.h"
#include "kernels/geometry/statistics.h"

namespace swept::SWEPT_NS {
namespace {

constexpr real far_away = 1e9_r;
constexpr bool single = sizeof(real) == 4;

/// Length of the numbers that the distance of a pair is computed from.
double scale_of(const Shape& a, const Shape& b) {
  return static_cast<double>(Poses::bound(a) + Poses::bound(b) + norm(b.pos - a.pos));
}

/// The error of a distance allowed [m]. Polytopes: roundings; round shapes: the gap at which the
/// search ends and, in f32, roundings; degenerate ones: minima within 1e-6 count as one (see
/// laws_test). In f32 a place far from the origin has no digits for sizes of 1e-6.
double bar_of(const Shape& a, const Shape& b, Draw draw) {
  const bool round = a.type == geom_ellipsoid || a.type == geom_cylinder ||
                     b.type == geom_ellipsoid || b.type == geom_cylinder;
  const bool hard = draw != Draw::general && draw != Draw::deep;
  if (single && draw == Draw::sizes) {
    return scale_of(a, b) * 5e-3;
  }
  if (round && hard) {
    return scale_of(a, b) * (single ? 5e-4 : 1e-6);
  }
  if (hard && !single) {
    return scale_of(a, b) * 1e-8;  // short distances between long shapes
  }
  return scale_of(a, b) * (single ? (round ? 2e-5 : 4e-6) : (round ? 4e-9 : 2e-14));
}

/// Run a check on random pairs of every pair of kinds.
template <class Check>
void for_pairs(unsigned seed, int few, int many, const Check& check) {
  Poses poses(seed);
  const int count = case_count(few, many);
  for (int k1 = 0; k1 < nkind; ++k1) {
    for (int k2 = k1; k2 < nkind; ++k2) {
      for (int i = 0; i < count; ++i) {
        const Draw draw = draws[i % 5];
        Shape a, b;
        poses.couple(k1, k2, draw, &a, &b);
        check(poses, a, b, draw,
              std::string(kinds[k1].name) + " " + kinds[k2].name + ", pose " + std::to_string(i));
        if (testing::Test::HasFailure()) {
          return;
        }
      }
    }
  }
}

TEST(Distance, IsTheSameFromBothSides) {
  for_pairs(1, 100, 20000,
            [](Poses&, const Shape& a, const Shape& b, Draw draw, const std::string& what) {
              Nearest n = {}, back = {};
              const real x = convex_distance(a, b, far_away, &n),
                         y = convex_distance(b, a, far_away, &back);
              ASSERT_NEAR(x, y, 2 * bar_of(a, b, draw)) << what;
            });
}

TEST(Distance, DoesNotChangeWhenBothShapesMoveTogether) {
  for_pairs(2, 50, 20000,
            [](Poses& poses, const Shape& a, const Shape& b, Draw draw, const std::string& what) {
              const Mat3<real> turn = poses.rotation();
              const Vec3<real> shift = poses.direction();
              Shape c = a, d = b;
              for (Shape* const s : {&c, &d}) {
                s->pos = turn * s->pos + shift;
                s->mat = Poses::product(turn, s->mat);
              }
              Nearest n = {};
              const real x = convex_distance(a, b, far_away, &n);
              const real y = convex_distance(c, d, far_away, &n);
              // the move itself rounds positions and axes
              const double moved = (single ? 3e-7 : 2e-15) * (1 + scale_of(a, b)) * 4;
              ASSERT_NEAR(x, y, 2 * bar_of(a, b, draw) + moved) << what;
            });
}

TEST(Distance, ChangesByNoMoreThanAShapeMoves) {
  for_pairs(3, 50, 20000,
            [](Poses& poses, const Shape& a, const Shape& b, Draw draw, const std::string& what) {
              Shape moved = b;
              const double step = std::pow(10.0, poses.uniform(-6, 0));
              moved.pos = b.pos + static_cast<real>(step) * poses.direction();
              Nearest n = {};
              const double x = static_cast<double>(convex_distance(a, b, far_away, &n));
              const double y = static_cast<double>(convex_distance(a, moved, far_away, &n));
              const double way = static_cast<double>(norm(moved.pos - b.pos));
              ASSERT_LE(std::abs(x - y), way * (1 + 1e-6) + 2 * bar_of(a, b, draw)) << what;
            });
}

// Points on the surfaces, a unit normal between them, and both shapes behind the planes through the
// points: that proves a positive distance, and that a negative one is enough to part the shapes.
TEST(Distance, HasWitnessesThatProveIt) {
  for_pairs(
      4, 250, 20000,
      [](Poses&, const Shape& a, const Shape& b, Draw draw, const std::string& what) {
        Nearest n = {};
        const double x = static_cast<double>(convex_distance(a, b, far_away, &n));
        const double bar = 3 * bar_of(a, b, draw);
        // positions in the world round to their own length
        // and the direction between cores is as good as the digits of their distance
        const auto radius = [](const Shape& s) {
          return static_cast<double>(s.type == geom_sphere || s.type == geom_capsule ? s.size.x
                                                                                     : 0_r);
        };
        const double apart = std::abs(x + radius(a) + radius(b));
        const double turned = 32 * static_cast<double>(epsilon) * scale_of(a, b) / apart;
        const double place = bar + (single ? 2e-6 : 4e-15) * static_cast<double>(norm(a.pos)) +
                             std::min(1.0, turned) * scale_of(a, b);
        const Point normal = point_of(n.normal), p1 = point_of(n.point1), p2 = point_of(n.point2);
        ASSERT_TRUE(std::isfinite(x)) << what;
        ASSERT_NEAR(length(normal), 1, single ? 1e-6 : 1e-14) << what;
        ASSERT_NEAR(product(minus(p2, p1), normal), x, place) << what;
        ASSERT_NEAR(reach(a, normal), product(p1, normal), place) << what;
        ASSERT_NEAR(reach(b, times(normal, -1)), -product(p2, normal), place) << what;
        // a gap g leaves the points of round shapes sqrt(g) aside
        const double aside = place + (single ? 1e-3 : 3e-6) * scale_of(a, b);
        ASSERT_LE(off_surface(a, n.point1), aside) << what;
        ASSERT_LE(off_surface(b, n.point2), aside) << what;
      });
}

TEST(Distance, StopsAtTheCutoff) {
  for_pairs(6, 50, 100000,
            [](Poses& poses, const Shape& a, const Shape& b, Draw draw, const std::string& what) {
              Nearest n = {};
              const real x = convex_distance(a, b, far_away, &n);
              const real cutoff = static_cast<real>(poses.uniform(-0.2, 0.5));
              const real y = convex_distance(a, b, cutoff, &n);
              if (x < cutoff - static_cast<real>(bar_of(a, b, draw))) {
                ASSERT_NEAR(x, y, 2 * bar_of(a, b, draw)) << what;
              } else {
                ASSERT_NEAR(y, cutoff, 2 * bar_of(a, b, draw)) << what;
              }
              ASSERT_EQ(n.dist, y) << what;
            });
}

// Powers of two round nothing, so neither may the distance: searches that compare products of lengths
// with absolute numbers, or lose them below the range, differ.
TEST(Distance, ScalesWithTheShapes) {
  Poses poses(9);
  for (int i = 0; i < case_count(4000, 1000000); ++i) {
    Shape a, b;
    poses.couple(poses.integer(0, 4), poses.integer(0, 4), draws[i % 4], &a, &b);
    b.pos = b.pos - a.pos;
    a.pos = zero3<real>();
    const real factor = static_cast<real>(std::ldexp(1.0, 4 * poses.integer(-6, 6)));
    Shape c = a, d = b;
    for (Shape* const s : {&c, &d}) {
      s->pos = factor * s->pos;
      s->size = factor * s->size;
    }
    Nearest n = {}, scaled = {};
    const real x = convex_distance(a, b, far_away, &n);
    const real y = convex_distance(c, d, 1e30_r, &scaled) / factor;
    // a few guards against division by zero are absolute: roundings
    ASSERT_NEAR(x, y, 4 * static_cast<double>(epsilon) * scale_of(a, b)) << i << " by " << factor;
    ASSERT_NEAR(dot(n.normal, scaled.normal), 1, 8 * static_cast<double>(epsilon)) << i;
  }
}

TEST(Distance, IsFiniteForAnySizes) {
  Poses poses(8);
  for (int i = 0; i < case_count(40000, 1000000); ++i) {
    Shape a, b;
    poses.couple(poses.integer(0, nkind - 1), poses.integer(0, nkind - 1), Draw::wild, &a, &b);
    Nearest n = {};
    const real x = convex_distance(a, b, 1e30_r, &n);
    ASSERT_TRUE(is_finite(x) && is_finite(dot(n.point1, n.normal) + dot(n.point2, n.normal))) << i;
    ASSERT_NEAR(static_cast<double>(norm(n.normal)), 1, 1e-5) << i;
    ASSERT_LE(std::abs(static_cast<double>(x)), 4 * scale_of(a, b)) << i;
  }
}

// A failure is a distance whose own bounds do not meet: |v| and v . w of GJK, faces and supports of
// EPA (with the faces that a descent closed: the sampled depths above check those). f32 bounds are as
// good as the directions they are computed from.
TEST(Distance, IsBoundedFromBothSidesAlways) {
  Poses poses(7);
  std::printf("%-24s  failures   GJK mean p99 max   EPA mean p99 max\n", "per million");
  for (int k1 = 0; k1 < nkind; ++k1) {
    for (int k2 = k1; k2 < nkind; ++k2) {
      const int count = case_count(300, 20000);
      int failures = 0;
      std::vector<int> gjk, epa;
      for (int i = 0; i < count; ++i) {
        Shape a, b;
        const Draw draw = draws[i % 5];
        poses.couple(k1, k2, draw, &a, &b);
        Nearest n = {};
        DistanceWork work;
        const real x = convex_distance(a, b, far_away, &n, nullptr, &work);
        const bool bounded = static_cast<double>(work.gap) <= 4 * bar_of(a, b, draw);
        failures += bounded && is_finite(x) && work.gjk_end != GjkEnd::capped ? 0 : 1;
        gjk.push_back(work.gjk_rounds);
        if (work.epa_rounds > 0) {
          epa.push_back(work.epa_rounds);
        }
      }
      const std::string name = std::string(kinds[k1].name) + " " + kinds[k2].name;
      std::printf("%-24s  %8.0f   %s      %s\n", name.c_str(), 1e6 * failures / count,
                  statistics(gjk).c_str(), statistics(epa).c_str());
      EXPECT_EQ(failures, 0) << name;
    }
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS
