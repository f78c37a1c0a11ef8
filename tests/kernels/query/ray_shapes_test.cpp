// SPDX-License-Identifier: Apache-2.0
// Rays against single shapes: laws that every hit and every miss obeys, for thousands of random
// sizes and rays; shapes and rays at the limits of sense give a miss or a proper hit, never a NaN.
#include "kernels/query/rays.h"

#include <array>
#include <limits>

namespace swept::SWEPT_NS {
namespace {

using test::Place;
using test::RandomRays;

constexpr int rays_per_shape = 4000;
// roundings of numbers up to 10 sizes, amplified where a ray grazes
constexpr double rounding = sizeof(real) == 4 ? 3e-5 : 1e-11;

/// Depth below the surface; the ellipsoid's to first order.
double depth_in(int type, Vec3<real> s, Place p) {
  const double a = static_cast<double>(s.x), b = static_cast<double>(s.y),
               c = static_cast<double>(s.z);
  const double across = std::hypot(p.x, p.y);
  switch (type) {
    case geom_sphere:
      return a - std::hypot(p.x, p.y, p.z);
    case geom_capsule:
      return a - std::hypot(p.x, p.y, p.z - std::clamp(p.z, -b, b));
    case geom_ellipsoid: {
      const double norm = std::hypot(p.x / a, p.y / b, p.z / c);
      const double slope = std::hypot(p.x / a / a, p.y / b / b, p.z / c / c) / std::max(norm, 1e-9);
      return (1 - norm) / std::max(slope, 1e-9);
    }
    case geom_cylinder:
      return std::min(a - across, b - std::abs(p.z));
    default:
      return std::min({a - std::abs(p.x), b - std::abs(p.y), c - std::abs(p.z)});
  }
}

TEST(RayShapes, HitsLieOnTheSurfaceAndNothingIsBeforeThem) {
  RandomRays random(1);
  for (const int type : {geom_sphere, geom_capsule, geom_ellipsoid, geom_cylinder, geom_box}) {
    int hits = 0, inside = 0;
    for (int i = 0; i < rays_per_shape; ++i) {
      const Vec3<real> size = {random.logarithmic(0.1, 1), random.logarithmic(0.1, 1),
                               random.logarithmic(0.1, 1)};
      const double extent = static_cast<double>(size.x + size.y + size.z);
      const Ray ray = random.ray(extent, 0.1);
      const RayHit hit = ray_shape(type, ray, size);
      hits += hit.at < ray_miss ? 1 : 0;
      inside += depth_in(type, size, test::place_at(ray, 0)) > 0 ? 1 : 0;
      test::expect_law(
          ray, hit, [&](Place p) { return depth_in(type, size, p); }, extent, rounding * extent);
      if (testing::Test::HasFatalFailure()) {
        FAIL() << "type " << type << ", ray " << i;
      }
    }
    EXPECT_GT(hits, rays_per_shape / 10) << type;
    EXPECT_GT(inside, rays_per_shape / 100) << type;
  }
}

TEST(RayShapes, AStartBehindTheFirstPointMovesAllHitsAlike) {
  RandomRays random(2);
  for (const int type : {geom_sphere, geom_capsule, geom_ellipsoid, geom_cylinder, geom_box}) {
    for (int i = 0; i < rays_per_shape; ++i) {
      const Vec3<real> size = {random.logarithmic(0.1, 1), random.logarithmic(0.1, 1),
                               random.logarithmic(0.1, 1)};
      const Ray ray = random.ray(2, 0.3);
      const real moved = random.uniform(-2, 2);
      const Ray same = {ray.p + ray.u * moved, ray.u, -moved};
      const RayHit a = ray_shape(type, ray, size), b = ray_shape(type, same, size);
      // a ray that grazes may hit as one and miss as the other
      if (a.at < ray_miss && b.at < ray_miss && dot(a.normal, ray.u) < -0.1_r) {
        EXPECT_NEAR(a.at, b.at + moved, 100 * rounding) << type;
      }
    }
  }
}

TEST(RayShapes, APlaneIsSeenFromAboveWithinItsSizes) {
  const Ray down = {{0.5_r, 1.5_r, 2_r}, {0, 0, -1_r}, 0_r};
  EXPECT_EQ(ray_plane(down, {0, 0, 1_r}).at, 2_r);
  EXPECT_EQ(ray_plane(down, {1_r, 2_r, 1_r}).at, 2_r);
  EXPECT_EQ(ray_plane(down, {0.5_r, 1.5_r, 1_r}).at, 2_r) << "the border belongs to it";
  EXPECT_EQ(ray_plane(down, {0.4_r, 2_r, 1_r}).at, ray_miss);
  EXPECT_EQ(ray_plane(down, {1_r, 1.4_r, 1_r}).at, ray_miss);
  EXPECT_EQ(ray_plane(down, {0_r, 1.4_r, 1_r}).at, ray_miss) << "one side may be without limit";
  EXPECT_EQ(ray_plane({{0, 0, -2_r}, {0, 0, 1_r}, 0_r}, {0, 0, 1_r}).at, ray_miss) << "from below";
  EXPECT_EQ(ray_plane({{0, 0, 2_r}, {0, 0, 1_r}, 0_r}, {0, 0, 1_r}).at, ray_miss) << "away";
  EXPECT_EQ(ray_plane({{0, 0, 2_r}, {1_r, 0, 0}, 0_r}, {0, 0, 1_r}).at, ray_miss) << "along it";
  EXPECT_EQ(ray_plane(down, {0, 0, 1_r}).normal.z, 1_r);
}

TEST(RayShapes, NoRayFromInsideABoxOrACylinderSlipsOutThroughAnEdge) {
  RandomRays random(3);
  for (int i = 0; i < rays_per_shape; ++i) {
    const Vec3<real> half = {random.logarithmic(0.1, 1), random.logarithmic(0.1, 1),
                             random.logarithmic(0.1, 1)};
    const Vec3<real> from = {half.x * random.uniform(-0.9, 0.9), half.y * random.uniform(-0.9, 0.9),
                             half.z * random.uniform(-0.9, 0.9)};
    // exactly at an edge or a corner
    const Vec3<real> corner = {random.integer(2) == 0 ? -half.x : half.x,
                               random.integer(2) == 0 ? -half.y : half.y,
                               random.integer(2) == 0 ? half.z : half.z * random.uniform(-1, 1)};
    const Ray ray = {from, normalize(corner - from), 0_r};
    EXPECT_NEAR(ray_box(ray, half).at, norm(corner - from), 10 * rounding);

    const real angle = random.uniform(0, 6.28), radius = half.x;
    const Vec3<real> rim = {radius * std::cos(angle), radius * std::sin(angle), half.z};
    const Vec3<real> inside = {from.x * 0.7_r, radius * random.uniform(-0.6, 0.6), from.z};
    EXPECT_NEAR(ray_cylinder({inside, normalize(rim - inside), 0_r}, radius, half.z).at,
                norm(rim - inside), 100 * rounding);
  }
}

TEST(RayShapes, NothingGivesANaN) {
  constexpr real nan = std::numeric_limits<real>::quiet_NaN();
  constexpr real infinity = std::numeric_limits<real>::infinity();
  const std::array<real, 7> sizes = {0_r, 1e-6_r, 1_r, 1e6_r, nan, infinity, -1_r};
  const std::array<real, 6> places = {0_r, 1_r, 1e-6_r, 1e6_r, nan, infinity};
  RandomRays random(4);
  int hits = 0;
  for (int type = geom_plane; type <= geom_mesh; ++type) {
    for (int i = 0; i < 20000; ++i) {
      const auto any = [&](const auto& list) {
        return list[static_cast<std::size_t>(random.integer(static_cast<int>(list.size())))];
      };
      const Vec3<real> size = {any(sizes), any(sizes), any(sizes)};
      Ray ray = {{any(places), any(places), any(places)}, random.direction(), any(places)};
      if (i % 3 == 0) {
        ray.u = {any(places), any(places), any(places)};
      }
      const RayHit hit = ray_shape(type, ray, size);
      ASSERT_EQ(hit.at, hit.at) << type;
      ASSERT_EQ(dot(hit.normal, hit.normal), dot(hit.normal, hit.normal)) << type;
      hits += hit.at < ray_miss ? 1 : 0;
    }
  }
  EXPECT_GT(hits, 1000);
}

}  // namespace
}  // namespace swept::SWEPT_NS
