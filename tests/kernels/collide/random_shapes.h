// SPDX-License-Identifier: Apache-2.0
// Random pairs of shapes for the tests of colliders: in general position, and degenerate ones,
// whose sizes, positions and axes are multiples of 1/8 and right angles, so that faces touch, axes
// are parallel, centres coincide and every rounding is exact.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include <swept/types.h>

namespace swept::test {

/// Pose and sizes of a geom; mat is row-major.
struct Body {
  int type = geom_sphere;
  std::array<double, 3> pos{};
  std::array<double, 9> mat{1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::array<double, 3> size{};
};

/// Two geoms, the smaller type first, and the pair's margin and gap.
struct Couple {
  Body a, b;
  double margin = 0, gap = 0;
};

/// Types of the geoms of a ColliderKind.
inline std::array<int, 2> types_of(int kind) {
  switch (kind) {
    case collide_plane_sphere:
      return {geom_plane, geom_sphere};
    case collide_plane_capsule:
      return {geom_plane, geom_capsule};
    case collide_plane_box:
      return {geom_plane, geom_box};
    case collide_sphere_sphere:
      return {geom_sphere, geom_sphere};
    case collide_sphere_capsule:
      return {geom_sphere, geom_capsule};
    case collide_sphere_box:
      return {geom_sphere, geom_box};
    case collide_plane_ellipsoid:
      return {geom_plane, geom_ellipsoid};
    case collide_plane_cylinder:
      return {geom_plane, geom_cylinder};
    case collide_sphere_cylinder:
      return {geom_sphere, geom_cylinder};
    case collide_capsule_box:
      return {geom_capsule, geom_box};
    case collide_box_box:
      return {geom_box, geom_box};
    default:
      return {geom_capsule, geom_capsule};
  }
}

/// Radius of the bounding sphere; 0 for a plane.
inline double bound_of(const Body& body) {
  const auto& s = body.size;
  switch (body.type) {
    case geom_sphere:
      return s[0];
    case geom_capsule:
      return s[0] + s[1];
    case geom_ellipsoid:
      return std::max({s[0], s[1], s[2]});
    case geom_cylinder:
      return std::hypot(s[0], s[1]);
    case geom_box:
      return std::sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    default:
      return 0;
  }
}

/// Half sizes of the box around a geom that is no plane, along its own axes.
inline std::array<double, 3> half_of(const Body& body) {
  const auto& s = body.size;
  switch (body.type) {
    case geom_sphere:
      return {s[0], s[0], s[0]};
    case geom_capsule:
      return {s[0], s[0], s[0] + s[1]};
    case geom_cylinder:
      return {s[0], s[0], s[1]};
    default:
      return s;
  }
}

/// How a pair of shapes is drawn.
enum class Draw { general, degenerate, near_parallel };

/// Draws pairs of shapes; rounds all numbers to T, so that both sides of a comparison start from
/// the same ones.
template <class T>
class RandomShapes {
 public:
  explicit RandomShapes(unsigned seed) : random_(seed) {}

  double uniform(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random_);
  }
  int integer(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random_); }

  /// The matrix of a uniformly random rotation.
  std::array<double, 9> rotation() {
    std::normal_distribution<double> normal;
    double q[4], length = 0;
    for (double& x : q) {
      x = normal(random_);
      length += x * x;
    }
    for (double& x : q) {
      x /= std::sqrt(length);
    }
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
            2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  }

  /// One of the 24 rotations by right angles.
  std::array<double, 9> right_angles() {
    const int permutations[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                    {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const int which = integer(0, 5);
    const double sx = 1 - 2 * integer(0, 1), sy = 1 - 2 * integer(0, 1);
    const double sz = (which < 3 ? 1 : -1) * sx * sy;
    std::array<double, 9> mat{};
    mat[static_cast<std::size_t>(3 * permutations[which][0])] = sx;
    mat[static_cast<std::size_t>(3 * permutations[which][1] + 1)] = sy;
    mat[static_cast<std::size_t>(3 * permutations[which][2] + 2)] = sz;
    return mat;
  }

  /// A pair of a ColliderKind, mostly in contact or close to it.
  Couple couple(int kind, Draw draw) {
    Couple c;
    c.a = body(types_of(kind)[0], draw);
    c.b = body(types_of(kind)[1], draw);
    if (draw == Draw::degenerate) {
      c.margin = integer(0, 2) / 8.0;
      c.gap = integer(0, 1) / 8.0;
    } else {
      c.margin = integer(0, 1) * uniform(0, 0.1);
      c.gap = integer(0, 1) * uniform(0, 0.1);
    }
    if (draw == Draw::near_parallel) {
      tilt(c.a.mat, &c.b.mat);
    }
    place(&c, draw);
    round(&c.a);
    round(&c.b);
    c.margin = static_cast<T>(c.margin);
    c.gap = static_cast<T>(c.gap);
    return c;
  }

 private:
  Body body(int type, Draw draw) {
    Body body;
    body.type = type;
    body.mat = draw == Draw::degenerate ? right_angles() : rotation();
    for (double& s : body.size) {
      s = draw == Draw::degenerate ? integer(1, 4) / 8.0 : uniform(0.05, 0.4);
    }
    return body;
  }

  // positions: shape 2 around shape 1, up to somewhat more than where the bounds touch
  void place(Couple* c, Draw draw) {
    for (std::size_t i = 0; i < 3; ++i) {
      c->a.pos[i] = draw == Draw::degenerate ? integer(-8, 8) / 8.0 : uniform(-1, 1);
    }
    const double reach = bound_of(c->a) + bound_of(c->b) + c->margin + c->gap;
    std::array<double, 3> apart;
    for (double& x : apart) {
      x = draw == Draw::degenerate ? integer(-4, 4) / 8.0 : uniform(-0.8, 0.8) * reach;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      c->b.pos[i] = c->a.pos[i] + apart[i];
    }
  }

  // mat2 = mat1 turned by a small angle about a random axis, half of them upside down
  void tilt(const std::array<double, 9>& mat1, std::array<double, 9>* mat2) {
    const double angle = std::pow(10.0, uniform(-7, -1));
    const double turn = uniform(0, 6.283185307179586);
    const double flip = 1 - 2 * integer(0, 1);
    const double z[3] = {std::sin(angle) * std::cos(turn), std::sin(angle) * std::sin(turn),
                         flip * std::cos(angle)};
    const double x[3] = {-std::sin(turn), std::cos(turn), 0};
    const double y[3] = {z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2],
                         z[0] * x[1] - z[1] * x[0]};
    for (std::size_t i = 0; i < 3; ++i) {
      const double* const row = mat1.data() + 3 * i;
      const double* const columns[3] = {x, y, z};
      for (std::size_t j = 0; j < 3; ++j) {
        (*mat2)[3 * i + j] =
            row[0] * columns[j][0] + row[1] * columns[j][1] + row[2] * columns[j][2];
      }
    }
  }

  static void round(Body* body) {
    for (double& x : body->pos) {
      x = static_cast<T>(x);
    }
    for (double& x : body->mat) {
      x = static_cast<T>(x);
    }
    for (double& x : body->size) {
      x = static_cast<T>(x);
    }
  }

  std::mt19937_64 random_;
};

}  // namespace swept::test
