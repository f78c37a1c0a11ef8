// SPDX-License-Identifier: Apache-2.0
// A judge of what happens between a convex geom and a height field. It shares nothing with the engine:
// the surface is that of the triangles as MuJoCo's documentation has them, the motion is looked at
// closely along what was really made, and a geom counts as inside where a point of it lies in the solid
// that is deeper in the geom than it may be deep in the field.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <swept/model.h>

namespace swept::test {

using Point = std::array<double, 3>;

/// Where a body is: position [m] and unit quaternion.
struct Pose {
  Point pos;
  std::array<double, 4> quat;

  /// A point of the body, in the world.
  Point out(const Point& p) const {
    const auto& [w, x, y, z] = quat;
    const Point t = {2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]),
                     2 * (x * p[1] - y * p[0])};
    return {pos[0] + p[0] + w * t[0] + y * t[2] - z * t[1],
            pos[1] + p[1] + w * t[1] + z * t[0] - x * t[2],
            pos[2] + p[2] + w * t[2] + x * t[1] - y * t[0]};
  }
  /// A point of the world, in the body.
  Point in(const Point& p) const {
    const Pose back = {{0, 0, 0}, {quat[0], -quat[1], -quat[2], -quat[3]}};
    return back.out({p[0] - pos[0], p[1] - pos[1], p[2] - pos[2]});
  }
};

/// A free body after a part of a step.
///   qpos, qvel   of the body, from its first number on
///   time         [s]
inline Pose moved(const double* qpos, const double* qvel, double time) {
  const double w[3] = {qvel[3], qvel[4], qvel[5]};
  const double speed = std::hypot(w[0], w[1], w[2]), half = 0.5 * time * speed;
  const double s = speed > 0 ? std::sin(half) / speed : 0, c = std::cos(half);
  const double* const a = qpos + 3;
  return {{qpos[0] + time * qvel[0], qpos[1] + time * qvel[1], qpos[2] + time * qvel[2]},
          {a[0] * c - s * (a[1] * w[0] + a[2] * w[1] + a[3] * w[2]),
           a[1] * c + s * (a[0] * w[0] + a[2] * w[2] - a[3] * w[1]),
           a[2] * c + s * (a[0] * w[1] + a[3] * w[0] - a[1] * w[2]),
           a[3] * c + s * (a[0] * w[2] + a[1] * w[1] - a[2] * w[0])}};
}

/// The part of a step that a free body has moved.
inline double part_moved(const double* from, const double* qvel, const double* to,
                         double timestep) {
  double made = 0, all = 0;
  for (int k = 0; k < 3; ++k) {
    made += timestep * qvel[k] * (to[k] - from[k]);
    all += timestep * qvel[k] * timestep * qvel[k];
  }
  return all > 0 ? std::clamp(made / all, 0.0, 1.0) : 1;
}

/// The solid below a height field.
class FieldSolid {
 public:
  FieldSolid(const Model& m, int field)
      : rows_(m.hfield_nrow[static_cast<std::size_t>(field)]),
        columns_(m.hfield_ncol[static_cast<std::size_t>(field)]) {
    const auto f = static_cast<std::size_t>(field);
    std::copy_n(m.hfield_size.begin() + 4 * field, 4, size_.begin());
    const auto first = static_cast<std::size_t>(m.hfield_adr[f]);
    for (int i = 0; i < rows_ * columns_; ++i) {
      height_.push_back(size_[2] * m.hfield_data[first + static_cast<std::size_t>(i)]);
    }
  }
  const std::array<double, 4>& size() const { return size_; }

  /// The height of the surface [m]; the place must be over the field.
  double surface(double x, double y) const {
    const double u = (x + size_[0]) / (2 * size_[0]) * (columns_ - 1);
    const double v = (y + size_[1]) / (2 * size_[1]) * (rows_ - 1);
    const int c = std::clamp(static_cast<int>(u), 0, columns_ - 2);
    const int r = std::clamp(static_cast<int>(v), 0, rows_ - 2);
    const double a = u - c, b = v - r;
    const double low = at(r, c), high = at(r + 1, c + 1);
    return a > b ? low + a * (at(r, c + 1) - low) + b * (high - at(r, c + 1))
                 : low + b * (at(r + 1, c) - low) + a * (high - at(r + 1, c));
  }
  /// The highest point of the surface [m] that is no further away from a place than that in x and y.
  double highest(double x, double y, double around) const {
    double most = -1e9;
    for (int r = 0; r < rows_; ++r) {
      for (int c = 0; c < columns_; ++c) {
        const double px = 2 * size_[0] * c / (columns_ - 1) - size_[0];
        const double py = 2 * size_[1] * r / (rows_ - 1) - size_[1];
        const double reach_x = around + 2 * size_[0] / (columns_ - 1);
        const double reach_y = around + 2 * size_[1] / (rows_ - 1);
        if (std::abs(px - x) <= reach_x && std::abs(py - y) <= reach_y) {
          most = std::max(most, at(r, c));
        }
      }
    }
    return most;
  }
  /// Whether a ball may reach into the box around the solid.
  bool is_near(const Point& p, double radius) const {
    return std::abs(p[0]) < size_[0] + radius && std::abs(p[1]) < size_[1] + radius &&
           p[2] > -size_[3] - radius && p[2] < size_[2] + radius;
  }
  /// Whether a point lies in the solid, by more than a hair.
  bool holds(const Point& p) const {
    constexpr double hair = 1e-6;
    return std::abs(p[0]) < size_[0] - hair && std::abs(p[1]) < size_[1] - hair &&
           p[2] > -size_[3] + hair && p[2] < surface(p[0], p[1]) - hair;
  }

 private:
  double at(int r, int c) const { return height_[static_cast<std::size_t>(r * columns_ + c)]; }

  int rows_, columns_;
  std::array<double, 4> size_ = {};
  std::vector<double> height_;
};

/// Points of a geom, in its frame: all of them as deep in it as said.
///   depth   part of its smallest half size
inline std::vector<Point> points_within(const Model& m, int geom, double depth) {
  const auto g = static_cast<std::size_t>(geom);
  const int type = m.geom_type[g];
  const double* const size = m.geom_size.data() + 3 * g;
  const double* const half = m.geom_aabb.data() + 6 * g + 3;
  const double off = depth * std::min({half[0], half[1], half[2]});
  std::vector<Point> points = {{0, 0, 0}};
  if (type == geom_mesh) {
    // a ball of 0.79 of the half size fits into the meshes used here
    const auto mesh = static_cast<std::size_t>(m.geom_dataid[g]);
    const auto first = static_cast<std::size_t>(m.mesh_vertadr[mesh]);
    for (std::size_t i = first; i < first + static_cast<std::size_t>(m.mesh_vertnum[mesh]); ++i) {
      const double part = std::max(1 - depth / 0.79, 0.0);
      points.push_back({part * m.mesh_vert[3 * i], part * m.mesh_vert[3 * i + 1],
                        part * m.mesh_vert[3 * i + 2]});
    }
    return points;
  }
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 60; ++i) {
    Point u = {normal(random), normal(random), normal(random)};
    const double length = std::hypot(u[0], u[1], u[2]), flat = std::hypot(u[0], u[1]);
    const double side[3] = {u[0] < 0 ? -1.0 : 1.0, u[1] < 0 ? -1.0 : 1.0, u[2] < 0 ? -1.0 : 1.0};
    // along edges and sides as well
    const double part = i % 2 == 0 ? 1 : u[2] / length;
    switch (type) {
      case geom_sphere:
        points.push_back({u[0] / length * (size[0] - off), u[1] / length * (size[0] - off),
                          u[2] / length * (size[0] - off)});
        break;
      case geom_capsule:
        points.push_back({u[0] / length * (size[0] - off), u[1] / length * (size[0] - off),
                          part * side[2] * size[1] + u[2] / length * (size[0] - off)});
        break;
      case geom_ellipsoid:
        points.push_back({u[0] / length * size[0] * (1 - depth),
                          u[1] / length * size[1] * (1 - depth),
                          u[2] / length * size[2] * (1 - depth)});
        break;
      case geom_cylinder:
        points.push_back({u[0] / flat * (size[0] - off), u[1] / flat * (size[0] - off),
                          part * side[2] * (size[1] - off)});
        break;
      default:
        points.push_back({side[0] * (size[0] - off),
                          (i % 3 == 0 ? part : 1) * side[1] * (size[1] - off),
                          (i % 3 == 0 ? 1 : part) * side[2] * (size[2] - off)});
    }
  }
  return points;
}

}  // namespace swept::test
