// SPDX-License-Identifier: Apache-2.0
// Shapes and checks for the tests of contacts: bodies as shapes, boxes as meshes, height fields, and
// what every list of contacts must hold.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "kernels/collide/random_shapes.h"
#include "kernels/geometry/shape.h"

namespace swept::SWEPT_NS {

inline Vec3<real> to_vec(const std::array<double, 3>& p) {
  return {static_cast<real>(p[0]), static_cast<real>(p[1]), static_cast<real>(p[2])};
}

/// A body of a random couple as a shape.
inline Shape to_shape(const test::Body& body) {
  real m[9];
  for (std::size_t i = 0; i < 9; ++i) {
    m[i] = static_cast<real>(body.mat[i]);
  }
  return {body.type,
          to_vec(body.pos),
          {m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]},
          to_vec(body.size)};
}

/// A shape in the world's frame.
inline Shape upright(int type, Vec3<real> pos, Vec3<real> size) {
  return {type, pos, {1_r, 0_r, 0_r, 0_r, 1_r, 0_r, 0_r, 0_r, 1_r}, size};
}

/// The rotation by an angle [degrees] about the axis x, y or z (0, 1, 2).
inline Mat3<real> turn_about(int axis, double degrees) {
  const double angle = degrees * 3.14159265358979323846 / 180;
  const real c = static_cast<real>(std::cos(angle)), s = static_cast<real>(std::sin(angle));
  return axis == 0   ? Mat3<real>{1_r, 0_r, 0_r, 0_r, c, -s, 0_r, s, c}
         : axis == 1 ? Mat3<real>{c, 0_r, s, 0_r, 1_r, 0_r, -s, 0_r, c}
                     : Mat3<real>{c, -s, 0_r, s, c, 0_r, 0_r, 0_r, 1_r};
}

/// A box as a mesh: vertices in the order of their signs, and the six polygons of its hull.
struct BoxMesh {
  std::vector<real> vert, normal;
  std::vector<int> polyvertadr, polyvertnum, polyvert, mapadr, mapnum, map;

  explicit BoxMesh(Vec3<real> half) {
    for (int i = 0; i < 8; ++i) {
      vert.push_back((i & 1) != 0 ? half.x : -half.x);
      vert.push_back((i & 2) != 0 ? half.y : -half.y);
      vert.push_back((i & 4) != 0 ? half.z : -half.z);
    }
    // corners counter-clockwise from outside
    const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                             {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int f = 0; f < 6; ++f) {
      polyvertadr.push_back(4 * f);
      polyvertnum.push_back(4);
      polyvert.insert(polyvert.end(), faces[f], faces[f] + 4);
      for (int k = 0; k < 3; ++k) {
        normal.push_back(k == f / 2 ? (f % 2 == 1 ? 1_r : -1_r) : 0_r);
      }
    }
    for (int i = 0; i < 8; ++i) {
      mapadr.push_back(static_cast<int>(map.size()));
      mapnum.push_back(3);
      for (int f = 0; f < 6; ++f) {
        if (((i >> (f / 2)) & 1) == f % 2) {
          map.push_back(f);
        }
      }
    }
  }

  Shape at(Vec3<real> pos, Mat3<real> mat) const {
    Shape s = {geom_mesh, pos, mat, zero3<real>()};
    s.mesh.vert = vert.data();
    s.mesh.vertnum = 8;
    s.mesh.polynum = 6;
    s.mesh.polyvertadr = polyvertadr.data();
    s.mesh.polyvertnum = polyvertnum.data();
    s.mesh.polyvert = polyvert.data();
    s.mesh.polynormal = normal.data();
    s.mesh.polymapadr = mapadr.data();
    s.mesh.polymapnum = mapnum.data();
    s.mesh.polymap = map.data();
    return s;
  }
};

/// A height field.
struct Field {
  int nrow, ncol;
  std::vector<real> data;
  Vec3<real> half_and_height;  ///< half x, half y, elevation of a datum of 1

  Shape at(Vec3<real> pos, Mat3<real> mat) const {
    Shape s = {geom_hfield, pos, mat, zero3<real>()};
    s.hfield.data = data.data();
    s.hfield.nrow = nrow;
    s.hfield.ncol = ncol;
    s.hfield.size[0] = half_and_height.x;
    s.hfield.size[1] = half_and_height.y;
    s.hfield.size[2] = half_and_height.z;
    s.hfield.size[3] = 0.2_r;
    return s;
  }
};

/// Signed distance [m] of a point from the surface of a box.
inline double off_box(const Shape& s, Vec3<real> point) {
  const Vec3<real> p = transpose_mul(s.mat, point - s.pos);
  const double over[3] = {static_cast<double>(abs(p.x) - s.size.x),
                          static_cast<double>(abs(p.y) - s.size.y),
                          static_cast<double>(abs(p.z) - s.size.z)};
  double outside = 0, inside = -1e30;
  for (const double x : over) {
    outside += x > 0 ? x * x : 0;
    inside = std::max(inside, x);
  }
  return outside > 0 ? std::sqrt(outside) : inside;
}

/// The smallest distance of some contacts.
inline real least_dist(const Witness* contacts, int count) {
  real least = 1e30_r;
  for (int i = 0; i < count; ++i) {
    least = min(least, contacts[i].dist);
  }
  return least;
}

}  // namespace swept::SWEPT_NS
