// SPDX-License-Identifier: Apache-2.0
// Random rays, and what must hold of a hit in a solid that is given by a function of the place.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "kernels/query/ray_shapes.h"

namespace swept::SWEPT_NS::test {

/// Draws numbers, vectors and rays. Equal seeds give equal draws.
class RandomRays {
 public:
  explicit RandomRays(unsigned seed) : random_(seed) {}

  real uniform(double lo, double hi) {
    return static_cast<real>(std::uniform_real_distribution<double>(lo, hi)(random_));
  }
  /// Of any order of magnitude between the two.
  real logarithmic(double lo, double hi) {
    return static_cast<real>(std::exp(uniform(std::log(lo), std::log(hi))));
  }
  int integer(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  Vec3<real> in_box(double half) {
    return {uniform(-half, half), uniform(-half, half), uniform(-half, half)};
  }

  /// A unit vector; one in four lies along an axis.
  Vec3<real> direction() {
    if (integer(4) == 0) {
      const int axis = integer(3);
      const real sign = integer(2) == 0 ? -1_r : 1_r;
      return {axis == 0 ? sign : 0_r, axis == 1 ? sign : 0_r, axis == 2 ? sign : 0_r};
    }
    Vec3<real> v = in_box(1);
    while (norm(v) < 0.1_r) {
      v = in_box(1);
    }
    return normalize(v);
  }

  /// From a place in a box of this half size; every second ray aims at a place in one of half size
  /// `aim`.
  Ray ray(double half, double aim) {
    const Vec3<real> from = in_box(half), to = in_box(aim);
    const bool aimed = integer(2) == 0 && norm(to - from) > 0.01_r;
    return {from, aimed ? normalize(to - from) : direction(), 0_r};
  }

 private:
  std::mt19937_64 random_;
};

/// A place in double precision.
struct Place {
  double x, y, z;
};

inline Place place_at(const Ray& ray, double s) {
  return {static_cast<double>(ray.p.x) + s * static_cast<double>(ray.u.x),
          static_cast<double>(ray.p.y) + s * static_cast<double>(ray.u.y),
          static_cast<double>(ray.p.z) + s * static_cast<double>(ray.u.z)};
}

inline Place beside(Place at, Vec3<real> normal, double offset) {
  return {at.x + offset * static_cast<double>(normal.x),
          at.y + offset * static_cast<double>(normal.y),
          at.z + offset * static_cast<double>(normal.z)};
}

/// Depth [m] of a place below the surface of a solid, negative outside. Near the surface it must be
/// about right, elsewhere only its sign counts.
using Depth = std::function<double(Place)>;

/// What must hold of a hit, and of a miss: the point lies on the surface, the normal is a unit
/// vector that leads from the solid, and the ray does not cross the surface before.
///   size     [m] of the solid
///   bar      [m] that rounding moves a point of it
inline void expect_law(const Ray& ray, const RayHit& hit, const Depth& depth, double size,
                       double bar) {
  const bool is_hit = hit.at < ray_miss;
  const double end = is_hit ? static_cast<double>(hit.at) : 20 * size;
  if (is_hit) {
    const Place at = place_at(ray, end);
    ASSERT_GE(hit.at, ray.first);
    ASSERT_LE(std::abs(depth(at)), bar);
    ASSERT_NEAR(static_cast<double>(norm(hit.normal)), 1.0, sizeof(real) == 4 ? 1e-6 : 1e-14);
    // a step out leaves it, also where an edge is near
    ASSERT_LT(depth(beside(at, hit.normal, 100 * bar)), 0.0);
    ASSERT_GT(depth(beside(at, hit.normal, -100 * bar)), -3 * bar);
  }
  // one side of the surface up to there
  const double start = static_cast<double>(ray.first);
  const double first = depth(place_at(ray, start));
  constexpr int samples = 100;
  for (int i = 0; i < samples; ++i) {
    const double here = depth(place_at(ray, start + (end - start) * i / samples));
    if (std::abs(first) > bar) {
      ASSERT_TRUE(first > 0 ? here > -bar : here < bar)
          << "depth " << first << " at the start and " << here << " before the end";
    } else {
      ASSERT_LT(std::min(here, is_hit ? here : 0.0), bar);
    }
  }
  if (!is_hit) {
    ASSERT_LE(first, bar) << "a ray from inside misses";
  }
}

}  // namespace swept::SWEPT_NS::test
