// SPDX-License-Identifier: Apache-2.0
// Making the bodies.
#include "bench/ccd_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace swept::bench {

namespace {

struct Wave {
  ccd::Vector<3> number;  // per length
  double phase;
};

ccd::Vector<3> random_direction(Random& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random), y = normal(random), z = normal(random);
  const double length = std::sqrt(x * x + y * y + z * z);
  return {x / length, y / length, z / length};
}

std::vector<Wave> random_waves(Random& random) {
  std::vector<Wave> waves;
  for (int i = 0; i < 32; ++i) {
    const double number = uniform(random, 4, 20);
    ccd::Vector<3> k = random_direction(random);
    for (double& x : k) {
      x *= number;
    }
    waves.push_back({k, uniform(random, 0, 2 * std::numbers::pi)});
  }
  return waves;
}

double radius(const std::vector<Wave>& waves, const ccd::Vector<3>& x) {
  double r = 1;
  for (const Wave& w : waves) {
    r += 0.0125 * std::sin(w.number[0] * x[0] + w.number[1] * x[1] + w.number[2] * x[2] + w.phase);
  }
  return r;
}

}  // namespace

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

ccd::Pose<3> random_pose(Random& random, const ccd::Vector<3>& position) {
  std::normal_distribution<double> normal;
  ccd::Pose<3> pose;
  pose.rotation =
      ccd::rotation_of_quaternion({normal(random), normal(random), normal(random), normal(random)});
  pose.position = position;
  return pose;
}

ccd::Mesh noisy_sphere(int facets, Random& random) {
  const int around = std::max(3, static_cast<int>(std::sqrt(facets)));
  const int rings = std::max(2, facets / (2 * around));
  std::vector<double> vertices;
  std::vector<int> triangles;
  for (int i = 0; i <= rings; ++i) {
    for (int j = 0; j < around; ++j) {
      const double height = std::numbers::pi * i / rings, angle = 2 * std::numbers::pi * j / around;
      const double r = uniform(random, 0.95, 1.05), flat = r * std::sin(height);
      vertices.insert(vertices.end(),
                      {flat * std::cos(angle), flat * std::sin(angle), r * std::cos(height)});
      if (i < rings) {
        const int a = i * around + j, b = i * around + (j + 1) % around;
        triangles.insert(triangles.end(), {a, a + around, b, b, a + around, b + around});
      }
    }
  }
  return {vertices, triangles};
}

ccd::Mesh bumpy_sphere(int facets, Random& random) {
  const std::vector<Wave> waves = random_waves(random);
  const int n = std::max(1, static_cast<int>(std::lround(std::sqrt(facets / 12.0))));
  std::vector<double> vertices;
  std::vector<int> triangles;
  for (int side = 0; side < 6; ++side) {
    const int first = static_cast<int>(vertices.size() / 3);
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= n; ++j) {
        // equal angles, so that facets are of about equal size
        ccd::Vector<3> x{};
        x[side % 3] = side < 3 ? 1 : -1;
        x[(side + 1) % 3] = std::tan((2.0 * i / n - 1) * std::numbers::pi / 4);
        x[(side + 2) % 3] = std::tan((2.0 * j / n - 1) * std::numbers::pi / 4);
        const double length = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        const double r = radius(waves, {x[0] / length, x[1] / length, x[2] / length}) / length;
        vertices.insert(vertices.end(), {r * x[0], r * x[1], r * x[2]});
        if (i < n && j < n) {
          const int a = first + i * (n + 1) + j, b = a + n + 1;
          triangles.insert(triangles.end(), {a, b, a + 1, a + 1, b, b + 1});
        }
      }
    }
  }
  return {vertices, triangles};
}

}  // namespace swept::bench
