// SPDX-License-Identifier: Apache-2.0
// Making the shapes.
#include "ccd/shapes.h"

#include <algorithm>
#include <numbers>

namespace swept::test {

Shape<3> box(double hx, double hy, double hz) {
  Shape<3> made;
  for (int i = 0; i < 8; ++i) {
    made.vertices.insert(made.vertices.end(),
                         {i & 1 ? hx : -hx, i & 2 ? hy : -hy, i & 4 ? hz : -hz});
  }
  made.facets = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
  return made;
}

Shape<3> noisy_sphere(int facets, double noise, std::uint64_t seed) {
  // rings of latitude, and one vertex at each pole
  const int around = std::max(3, static_cast<int>(std::lround(std::sqrt(double(facets)))));
  const int rings = std::max(1, static_cast<int>(std::lround(double(facets) / (2 * around))));
  Random random(seed);
  Shape<3> made;
  const auto add = [&](double height, double angle) {
    const double r = 1 + uniform(random, -noise, noise), flat = std::sin(height);
    made.vertices.insert(made.vertices.end(), {r * flat * std::cos(angle),
                                               r * flat * std::sin(angle), r * std::cos(height)});
  };
  add(0, 0);
  for (int i = 1; i <= rings; ++i) {
    for (int j = 0; j < around; ++j) {
      add(std::numbers::pi * i / (rings + 1), 2 * std::numbers::pi * j / around);
    }
  }
  add(std::numbers::pi, 0);
  const auto vertex = [&](int ring, int j) { return 1 + ring * around + j % around; };
  const int last = 1 + rings * around;
  for (int j = 0; j < around; ++j) {
    made.facets.insert(made.facets.end(), {0, vertex(0, j), vertex(0, j + 1)});
    for (int i = 0; i + 1 < rings; ++i) {
      made.facets.insert(made.facets.end(), {vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1),
                                             vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)});
    }
    made.facets.insert(made.facets.end(), {last, vertex(rings - 1, j + 1), vertex(rings - 1, j)});
  }
  return made;
}

namespace {

template <int D>
Shape<D> scattered(int facets, double size, double side, Random& random) {
  Shape<D> made;
  for (int f = 0; f < facets; ++f) {
    ccd::Vector<D> middle;
    for (double& x : middle) {
      x = uniform(random, -size, size);
    }
    for (int k = 0; k < D; ++k) {
      made.facets.push_back(f * D + k);
      for (int i = 0; i < D; ++i) {
        made.vertices.push_back(middle[i] + uniform(random, -side / 2, side / 2));
      }
    }
  }
  return made;
}

}  // namespace

Shape<3> soup(int facets, double size, double side, Random& random) {
  return scattered<3>(facets, size, side, random);
}

Shape<2> segments(int count, double size, double side, Random& random) {
  return scattered<2>(count, size, side, random);
}

Shape<3> tetrahedron(Random& random) {
  Shape<3> made;
  for (int i = 0; i < 12; ++i) {
    made.vertices.push_back(uniform(random, -1, 1));
  }
  made.facets = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
  return made;
}

Shape<3> random_shape(Random& random, int around, int kind) {
  switch (kind % 6) {
    case 0:
      return box(uniform(random, 0.1, 1), uniform(random, 0.001, 1), uniform(random, 0.1, 1));
    case 1:
      return soup(1, 0.1, 1.5, random);
    case 2:
      return soup(6, 0.7, 0.7, random);
    case 3:
      return noisy_sphere(around, 0.4, random());
    case 4:  // a corner that is not convex, off its own origin
      return box(0.8, 0.1, 0.3).placed({0.5, 0, 0}).with(box(0.1, 0.8, 0.2).placed({0, 0.5, 0}));
    default:
      return tetrahedron(random);
  }
}

Shape<3> tube(int sides, double r, double h) {
  Shape<3> made;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * std::numbers::pi * i / sides;
    for (const double z : {-h, h}) {
      made.vertices.insert(made.vertices.end(), {r * std::cos(angle), r * std::sin(angle), z});
    }
    const int a = 2 * i, b = 2 * ((i + 1) % sides);
    made.facets.insert(made.facets.end(), {a, b, b + 1, a, b + 1, a + 1});
  }
  return made;
}

Shape<2> noisy_polygon(int segments, double noise, std::uint64_t seed) {
  Random random(seed);
  Shape<2> made;
  for (int i = 0; i < segments; ++i) {
    const double angle = 2 * std::numbers::pi * i / segments;
    const double r = 1 + uniform(random, -noise, noise);
    made.vertices.insert(made.vertices.end(), {r * std::cos(angle), r * std::sin(angle)});
    made.facets.insert(made.facets.end(), {i, (i + 1) % segments});
  }
  return made;
}

Shape<2> rectangle(double hx, double hy) {
  return {{-hx, -hy, hx, -hy, hx, hy, -hx, hy}, {0, 1, 1, 2, 2, 3, 3, 0}};
}

ccd::Pose<3> random_pose(Random& random, const ccd::Vector<3>& position) {
  std::normal_distribution<double> normal;
  ccd::Pose<3> pose;
  pose.rotation =
      ccd::rotation_of_quaternion({normal(random), normal(random), normal(random), normal(random)});
  pose.position = position;
  return pose;
}

ccd::Pose<2> random_pose(Random& random, const ccd::Vector<2>& position) {
  ccd::Pose<2> pose;
  pose.rotation = ccd::rotation_of_angle(uniform(random, -std::numbers::pi, std::numbers::pi));
  pose.position = position;
  return pose;
}

ccd::Matrix<3> turned(const ccd::Vector<3>& axis, double angle) {
  const double s =
      std::sin(angle / 2) / std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  return ccd::rotation_of_quaternion({std::cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]});
}

}  // namespace swept::test
