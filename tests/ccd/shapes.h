// SPDX-License-Identifier: Apache-2.0
// Bodies that tests collide: boxes, spheres with noise, soups of triangles, polylines.
#pragma once

#include <swept/ccd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace swept::test {

/// The arrays of a body, to be changed before it is made.
template <int D>
struct Shape {
  std::vector<double> vertices;  // [n, D]
  std::vector<int> facets;       // [m, D]

  ccd::Body<D> body(double thickness = 0) const { return {vertices, facets, thickness}; }

  /// Moved by a vector and scaled about the origin before that.
  Shape placed(const ccd::Vector<D>& shift, double scale = 1) const {
    Shape there = *this;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      there.vertices[i] = scale * vertices[i] + shift[i % D];
    }
    return there;
  }

  /// Both shapes as one body.
  Shape with(const Shape& other) const {
    Shape both = *this;
    const int first = static_cast<int>(vertices.size()) / D;
    both.vertices.insert(both.vertices.end(), other.vertices.begin(), other.vertices.end());
    for (const int v : other.facets) {
      both.facets.push_back(first + v);
    }
    return both;
  }
};

using Random = std::mt19937_64;

inline double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

/// A box about the origin with half sides; 12 triangles.
Shape<3> box(double hx, double hy, double hz);

/// A closed surface around the origin: a sphere of radius 1 whose vertices are moved along the
/// radius by up to `noise` of it. About `facets` triangles.
Shape<3> noisy_sphere(int facets, double noise, std::uint64_t seed);

/// Triangles anywhere in a box of half side `size`, each with sides of up to `side`.
Shape<3> soup(int facets, double size, double side, Random& random);

/// The triangles of a tetrahedron with random corners in a box of half side 1.
Shape<3> tetrahedron(Random& random);

/// A body of about unit size of one of six kinds: a box that may be thin, one facet, a soup, a noisy
/// sphere, a corner that is not convex, a tetrahedron.
///   around   facets around the sphere
///   kind     any number that is not negative
Shape<3> random_shape(Random& random, int around, int kind);

/// A prism with a regular base of radius r about the z axis, z in [-h, h], without lids.
Shape<3> tube(int sides, double r, double h);

/// A closed polygon about the origin in the plane, with noise along the radius.
Shape<2> noisy_polygon(int segments, double noise, std::uint64_t seed);

/// A rectangle about the origin; 4 segments.
Shape<2> rectangle(double hx, double hy);

/// Segments anywhere in a square of half side `size`, with lengths of up to `side`.
Shape<2> segments(int count, double size, double side, Random& random);

/// A pose with a random rotation, at a position.
ccd::Pose<3> random_pose(Random& random, const ccd::Vector<3>& position);
ccd::Pose<2> random_pose(Random& random, const ccd::Vector<2>& position);

/// A unit vector.
template <int D>
ccd::Vector<D> random_direction(Random& random) {
  std::normal_distribution<double> normal;
  ccd::Vector<D> v;
  double square = 0;
  for (double& x : v) {
    x = normal(random);
    square += x * x;
  }
  for (double& x : v) {
    x /= std::sqrt(square);
  }
  return v;
}

/// The pose without a turn at a position.
inline ccd::Pose<3> at(double x, double y, double z) {
  ccd::Pose<3> pose;
  pose.position = {x, y, z};
  return pose;
}
inline ccd::Pose<2> at(double x, double y) {
  ccd::Pose<2> pose;
  pose.position = {x, y};
  return pose;
}

/// The rotation about an axis (of any length) by an angle [rad].
ccd::Matrix<3> turned(const ccd::Vector<3>& axis, double angle);

}  // namespace swept::test
