// SPDX-License-Identifier: Apache-2.0
#include "host/compile/shape.h"

#include <gtest/gtest.h>

#include <random>

namespace swept::compiler {
namespace {

constexpr GeomType solids[] = {GeomType::sphere, GeomType::capsule, GeomType::cylinder,
                               GeomType::ellipsoid, GeomType::box};

/// The shape with its surface moved outwards by e.
Vec3 grown(GeomType type, Vec3 size, double e) {
  return type == GeomType::capsule ? Vec3{size[0] + e, size[1], size[2]} : size + Vec3{e, e, e};
}

/// Is a point inside the shape?
bool inside(GeomType type, Vec3 s, Vec3 p) {
  const double across = std::hypot(p[0], p[1]);
  switch (type) {
    case GeomType::sphere:
      return norm(p) < s[0];
    case GeomType::capsule:
      return std::hypot(across, std::max(0.0, std::fabs(p[2]) - s[1])) < s[0];
    case GeomType::cylinder:
      return across < s[0] && std::fabs(p[2]) < s[1];
    case GeomType::ellipsoid:
      return norm({p[0] / s[0], p[1] / s[1], p[2] / s[2]}) < 1.0;
    default:
      return std::fabs(p[0]) < s[0] && std::fabs(p[1]) < s[1] && std::fabs(p[2]) < s[2];
  }
}

TEST(Shape, VolumeAndInertiaAreIntegralsOverTheShape) {
  const Vec3 size{0.3, 0.4, 0.2};
  for (const GeomType type : solids) {
    // the mid-point rule on a fine grid over the bounding box
    constexpr int n = 120;
    const auto box = bounding_box(type, size);
    const double cell = 8.0 * box[3] * box[4] * box[5] / (double{n} * n * n);
    double sum = 0.0;
    Vec3 moments{};
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        for (int k = 0; k < n; ++k) {
          const Vec3 p{box[3] * ((2 * i + 1.0) / n - 1.0), box[4] * ((2 * j + 1.0) / n - 1.0),
                       box[5] * ((2 * k + 1.0) / n - 1.0)};
          if (inside(type, size, p)) {
            sum += cell;
            moments = moments + Vec3{p[1] * p[1] + p[2] * p[2], p[0] * p[0] + p[2] * p[2],
                                     p[0] * p[0] + p[1] * p[1]} *
                                    cell;
          }
        }
      }
    }
    // the grid resolves curved surfaces to a few 1e-4
    EXPECT_NEAR(sum / volume(type, size), 1.0, 1e-3) << type_name(type);
    const Vec3 exact = solid_inertia(type, size, volume(type, size));
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(moments[k] / exact[k], 1.0, 2e-3) << type_name(type) << " axis " << k;
    }
  }
}

TEST(Shape, AShellIsTheDifferenceOfTwoSolids) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(0.1, 1.0);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 size{uniform(random), uniform(random), uniform(random)};
    for (const GeomType type : solids) {
      constexpr double e = 1e-4;
      const Vec3 outer = grown(type, size, e);
      const Vec3 inner = grown(type, size, -e);
      const double shell = volume(type, outer) - volume(type, inner);
      const Vec3 difference = solid_inertia(type, outer, volume(type, outer)) -
                              solid_inertia(type, inner, volume(type, inner));
      const Vec3 moments = shell_inertia(type, size, shell);
      for (std::size_t k = 0; k < 3; ++k) {
        // second order in e; a shell of an ellipsoid is 1e-6 thick and one-sided
        EXPECT_NEAR(difference[k] / moments[k], 1.0, 1e-4) << type_name(type) << " axis " << k;
      }
      // Thomsen's formula is good to about 1 percent, and an ellipsoid does not grow evenly
      if (type != GeomType::ellipsoid) {
        EXPECT_NEAR(shell / (2.0 * e) / surface(type, size), 1.0, 1e-4) << type_name(type);
      }
    }
  }
}

TEST(Shape, BoundsHoldEveryPointOfTheShape) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const Vec3 size{0.3, 0.4, 0.2};
  for (const GeomType type : solids) {
    const double radius = bounding_radius(type, size);
    const auto box = bounding_box(type, size);
    double reached = 0.0;
    for (int trial = 0; trial < 50000; ++trial) {
      const Vec3 p = Vec3{uniform(random), uniform(random), uniform(random)} * 0.8;
      if (inside(type, size, p)) {
        reached = std::max(reached, norm(p));
        for (std::size_t k = 0; k < 3; ++k) {
          EXPECT_LE(std::fabs(p[k]), box[3 + k]);
        }
      }
    }
    EXPECT_LE(reached, radius);
    EXPECT_GE(reached, 0.85 * radius) << type_name(type);
  }
}

}  // namespace
}  // namespace swept::compiler
