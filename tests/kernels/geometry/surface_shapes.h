// SPDX-License-Identifier: Apache-2.0
// Meshes that collide as they are, without the compiler of scenes: closed and open, and what the exact
// answers are, computed in double and in another way than the code under test.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "kernels/geometry/surface.h"
#include "support/face_boxes.h"

namespace swept::SWEPT_NS {

using Point = std::array<double, 3>;

inline Point operator-(const Point& a, const Point& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline double dot(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vec3<real> to_real(const Point& p) {
  return {static_cast<real>(p[0]), static_cast<real>(p[1]), static_cast<real>(p[2])};
}
inline Point to_point(Vec3<real> p) {
  return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
}

/// Vertices and faces.
struct RawMesh {
  std::vector<Point> vertex;
  std::vector<std::array<int, 3>> face;
};

/// The arrays of a model with one mesh.
class SurfaceModel {
 public:
  SurfaceModel(RawMesh mesh, bool closed) : raw_(std::move(mesh)) {
    ModelArrays& m = arrays_;
    m.nmesh = 1;
    m.nmeshvert = static_cast<int>(raw_.vertex.size());
    m.nmeshface = static_cast<int>(raw_.face.size());
    m.mesh_vertadr = m.mesh_faceadr = {0};
    m.mesh_vertnum = {m.nmeshvert};
    m.mesh_facenum = {m.nmeshface};
    m.mesh_closed = {closed ? 1 : 0};
    for (Point& p : raw_.vertex) {
      for (double& x : p) {
        x = static_cast<double>(static_cast<float>(x));  // as the compiler of scenes rounds
        m.mesh_vert.push_back(x);
      }
    }
    for (const std::array<int, 3>& f : raw_.face) {
      m.mesh_face.insert(m.mesh_face.end(), f.begin(), f.end());
    }
    test::add_face_boxes(&m);
    for (int v = 0; v < m.nmeshvert; ++v) {
      m.mesh_facemapadr.push_back(static_cast<int>(m.mesh_facemap.size()));
      for (int f = 0; f < m.nmeshface; ++f) {
        const std::array<int, 3>& corners = raw_.face[static_cast<std::size_t>(f)];
        if (std::find(corners.begin(), corners.end(), v) != corners.end()) {
          m.mesh_facemap.push_back(f);
        }
      }
      m.mesh_facemapnum.push_back(static_cast<int>(m.mesh_facemap.size()) -
                                  m.mesh_facemapadr.back());
    }
    vert_.assign(m.mesh_vert.begin(), m.mesh_vert.end());
    // boxes that still hold their faces when they are rounded
    for (std::size_t i = 0; i < m.meshbvh_aabb.size(); ++i) {
      const bool half = i % 6 > 2;
      aabb_.push_back(static_cast<real>(m.meshbvh_aabb[i] + (half ? 1e-6 : 0.0)));
    }
    view_.mesh_vertadr = m.mesh_vertadr.data();
    view_.mesh_faceadr = m.mesh_faceadr.data();
    view_.mesh_face = m.mesh_face.data();
    view_.mesh_closed = m.mesh_closed.data();
    view_.mesh_facemapadr = m.mesh_facemapadr.data();
    view_.mesh_facemapnum = m.mesh_facemapnum.data();
    view_.mesh_facemap = m.mesh_facemap.data();
    view_.meshbvh_adr = m.meshbvh_adr.data();
    view_.meshbvh_num = m.meshbvh_num.data();
    view_.meshbvh_face = m.meshbvh_face.data();
    view_.meshbvh_next = m.meshbvh_next.data();
    view_.mesh_vert = {vert_.data(), 0};
    view_.meshbvh_aabb = {aabb_.data(), 0};
  }
  SurfaceModel(const SurfaceModel&) = delete;
  SurfaceModel& operator=(const SurfaceModel&) = delete;

  Surface surface() const { return {{&view_, 0, 0}, 0, arrays_.mesh_closed[0] != 0}; }
  const RawMesh& raw() const { return raw_; }
  /// The mesh as a geom that stands somewhere.
  Shape shape(Vec3<real> pos, const Mat3<real>& mat) const {
    Shape s = {geom_mesh, pos, mat, zero3<real>()};
    s.mesh.vert = vert_.data();
    s.mesh.vertnum = arrays_.nmeshvert;
    return s;
  }

 private:
  RawMesh raw_;
  ModelArrays arrays_;
  std::vector<real> vert_, aabb_;
  ModelView view_;
};

// ---- meshes -----------------------------------------------------------------------------------------

/// An octahedron whose faces are halved along all sides a number of times, put on a unit sphere, and
/// whose vertices are then moved along their directions by random factors: closed, with dents.
inline RawMesh dented_ball(int halvings, double least, std::mt19937* random) {
  RawMesh m;
  m.vertex = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  m.face = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int k = 0; k < halvings; ++k) {
    std::map<std::array<int, 2>, int> middles;
    const auto middle = [&](int a, int b) {
      const std::array<int, 2> key = {std::min(a, b), std::max(a, b)};
      const auto [at, fresh] = middles.try_emplace(key, static_cast<int>(m.vertex.size()));
      if (fresh) {
        const Point p = m.vertex[static_cast<std::size_t>(a)],
                    q = m.vertex[static_cast<std::size_t>(b)];
        m.vertex.push_back({p[0] + q[0], p[1] + q[1], p[2] + q[2]});
      }
      return at->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : m.face) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    m.face = finer;
  }
  std::uniform_real_distribution<double> factor(least, 1);
  for (Point& p : m.vertex) {
    const double scale = factor(*random) / std::sqrt(dot(p, p));
    p = {scale * p[0], scale * p[1], scale * p[2]};
  }
  return m;
}

/// A slab with a flat top at z = 0 of n x n squares of this side, cut along diagonals at random, with
/// a flat bottom: closed.
inline RawMesh slab(int n, double side, std::mt19937* random) {
  RawMesh m;
  const double half = 0.5 * n * side;
  const auto number = [n](int i, int j) { return i * (n + 1) + j; };
  for (int layer = 0; layer < 2; ++layer) {
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= n; ++j) {
        m.vertex.push_back({i * side - half, j * side - half, -0.5 * layer});
      }
    }
  }
  const int below = (n + 1) * (n + 1);
  const auto square = [&](int a, int b, int c, int d) {
    if ((*random)() % 2 == 0) {
      m.face.insert(m.face.end(), {{a, b, c}, {a, c, d}});
    } else {
      m.face.insert(m.face.end(), {{a, b, d}, {b, c, d}});
    }
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const int a = number(i, j), b = number(i + 1, j), c = number(i + 1, j + 1),
                d = number(i, j + 1);
      square(a, b, c, d);
      square(below + a, below + d, below + c, below + b);
    }
    const int ends[4][2] = {{number(i, 0), number(i + 1, 0)},
                            {number(n, i), number(n, i + 1)},
                            {number(i + 1, n), number(i, n)},
                            {number(0, i + 1), number(0, i)}};
    for (const auto& [a, b] : ends) {
      square(b, a, below + a, below + b);
    }
  }
  return m;
}

// ---- exact answers ----------------------------------------------------------------------------------

/// The distance of a point from a segment [m].
inline double off_segment(const Point& p, const Point& a, const Point& b) {
  const Point e = b - a, d = p - a;
  const double t = std::clamp(dot(d, e) / dot(e, e), 0.0, 1.0);
  const Point off = {d[0] - t * e[0], d[1] - t * e[1], d[2] - t * e[2]};
  return std::sqrt(dot(off, off));
}

/// The distance of a point from a triangle [m]: its plane where the foot is inside, else the sides.
inline double off_triangle(const Point& p, const Point& a, const Point& b, const Point& c) {
  const Point n = cross(b - a, c - a);
  const bool over = dot(cross(n, b - a), p - a) >= 0 && dot(cross(n, c - b), p - b) >= 0 &&
                    dot(cross(n, a - c), p - c) >= 0;
  if (over) {
    return std::abs(dot(n, p - a)) / std::sqrt(dot(n, n));
  }
  return std::min({off_segment(p, a, b), off_segment(p, b, c), off_segment(p, c, a)});
}

/// The distance of a point from a mesh [m]; negative inside a closed one, which the solid angle of all
/// faces tells (van Oosterom and Strackee 1983).
inline double signed_distance(const RawMesh& m, const Point& p, bool closed) {
  double least = 1e300, angle = 0;
  for (const auto& f : m.face) {
    const Point a = m.vertex[static_cast<std::size_t>(f[0])],
                b = m.vertex[static_cast<std::size_t>(f[1])],
                c = m.vertex[static_cast<std::size_t>(f[2])];
    least = std::min(least, off_triangle(p, a, b, c));
    const Point u = a - p, v = b - p, w = c - p;
    const double lu = std::sqrt(dot(u, u)), lv = std::sqrt(dot(v, v)), lw = std::sqrt(dot(w, w));
    angle += 2 * std::atan2(dot(u, cross(v, w)),
                            lu * lv * lw + dot(u, v) * lw + dot(v, w) * lu + dot(w, u) * lv);
  }
  return closed && angle > 6.28 ? -least : least;
}

/// Random numbers, places and turns.
class Uniform {
 public:
  explicit Uniform(unsigned seed) : random_(seed) {}
  double operator()(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Point in_box(double half) {
    return {(*this)(-half, half), (*this)(-half, half), (*this)(-half, half)};
  }
  Mat3<real> turn() {
    std::normal_distribution<double> normal;
    const Quat<real> q = {static_cast<real>(normal(random_)), static_cast<real>(normal(random_)),
                          static_cast<real>(normal(random_)), static_cast<real>(normal(random_))};
    return matrix(normalize(q));
  }
  std::mt19937* engine() { return &random_; }

 private:
  std::mt19937 random_;
};

}  // namespace swept::SWEPT_NS
