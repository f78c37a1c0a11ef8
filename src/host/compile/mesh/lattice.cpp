// SPDX-License-Identifier: Apache-2.0
// Builtin shapes on a lattice of nx x ny x nz points: grids, boxes, cylinders and ellipsoids, and
// flat squares and discs. Of the hollow ones only the points on the surface exist; they are those
// of the cube [-1, 1]^3, pushed out to the shape, in the order bottom and top (z), front and back
// (y), left and right (x).
#include "host/compile/mesh/builtin.h"

#include "host/compile/frames.h"

#include <utility>

namespace swept::compiler {
namespace {

constexpr double most_points = 1 << 24;

class Lattice {
 public:
  Lattice(MeshBuiltin shape, const std::vector<double>& p, MeshContent* content)
      : shape_(shape), content_(*content) {
    for (std::size_t k = 0; k < 3; ++k) {
      count_[k] = static_cast<int>(p[k]);
      spacing_[k] = p[3 + k];
      half_[k] = 0.5 * spacing_[k] * (count_[k] - 1);
    }
  }

  /// All points of the lattice; their hull is the shape.
  void fill() {
    for (int x = 0; x < count_[0]; ++x) {
      for (int y = 0; y < count_[1]; ++y) {
        for (int z = 0; z < count_[2]; ++z) {
          add({at(0, x), at(1, y), at(2, z)});
        }
      }
    }
  }

  /// A flat net with two triangles to a cell.
  void flat() {
    const bool disc = shape_ == MeshBuiltin::disc;
    for (int x = 0; x < count_[0]; ++x) {
      for (int y = 0; y < count_[1]; ++y) {
        const Vec3 point{at(0, x), at(1, y), 0.0};
        add(disc ? on_disc(point) : point);
        if (x == count_[0] - 1 || y == count_[1] - 1) {
          continue;
        }
        const int a = x * count_[1] + y;
        const int b = a + count_[1];
        // on a disc the diagonal points along the circle
        if (disc && crosses(point)) {
          face(a, b, a + 1);
          face(b, b + 1, a + 1);
        } else {
          face(a, b, b + 1);
          face(a, b + 1, a + 1);
        }
      }
    }
  }

  /// The points of the surface and one in the middle; their hull is the shape.
  void hull() {
    add({});
    for (const int z : ends(2)) {
      each(0, 1, 0, [&](int x, int y) { add(pushed_out(x, y, z)); });
    }
    for (const int y : ends(1)) {
      for (int x = 0; x < count_[0]; ++x) {
        for (int z = 1; z < count_[2] - 1; ++z) {
          add(pushed_out(x, y, z));
        }
      }
    }
    for (const int x : ends(0)) {
      for (int y = 1; y < count_[1] - 1; ++y) {
        for (int z = 1; z < count_[2] - 1; ++z) {
          add(pushed_out(x, y, z));
        }
      }
    }
  }

  /// The surface without its top.
  void open() {
    number_.assign(static_cast<std::size_t>(count_[0]) * static_cast<std::size_t>(count_[1]) *
                       static_cast<std::size_t>(count_[2]),
                   -1);
    each(0, 1, 0, [&](int x, int y) { put(x, y, 0); });
    for (const int y : ends(1)) {
      for (int x = 0; x < count_[0]; ++x) {
        for (int z = 1; z < count_[2]; ++z) {
          put(x, y, z);
        }
      }
    }
    for (const int x : ends(0)) {
      for (int y = 1; y < count_[1] - 1; ++y) {
        for (int z = 1; z < count_[2]; ++z) {
          put(x, y, z);
        }
      }
    }

    // the bottom looks down, the sides look outwards
    each(0, 1, 1, [&](int x, int y) {
      face(on(x, y, 0), on(x + 1, y + 1, 0), on(x + 1, y, 0));
      face(on(x, y, 0), on(x, y + 1, 0), on(x + 1, y + 1, 0));
    });
    for (const int y : ends(1)) {
      each(0, 2, 1, [&](int x, int z) {
        const int from = y == 0 ? x : x + 1;
        const int to = y == 0 ? x + 1 : x;
        face(on(from, y, z), on(to, y, z), on(to, y, z + 1));
        face(on(from, y, z), on(to, y, z + 1), on(from, y, z + 1));
      });
    }
    for (const int x : ends(0)) {
      each(1, 2, 1, [&](int y, int z) {
        const int from = x != 0 ? y : y + 1;
        const int to = x != 0 ? y + 1 : y;
        face(on(x, from, z), on(x, to, z), on(x, to, z + 1));
        face(on(x, from, z), on(x, to, z + 1), on(x, from, z + 1));
      });
    }
  }

 private:
  /// Coordinate of a point of the plain lattice, whose middle is the origin.
  double at(std::size_t axis, int i) const {
    return spacing_[axis] * (i - 0.5 * (count_[axis] - 1));
  }

  /// The first and the last index along an axis.
  std::array<int, 2> ends(std::size_t axis) const { return {0, count_[axis] - 1}; }

  /// Calls f(i, j) for all indices along two axes but the last `less`.
  template <class F>
  void each(std::size_t axis1, std::size_t axis2, int less, const F& f) const {
    for (int i = 0; i < count_[axis1] - less; ++i) {
      for (int j = 0; j < count_[axis2] - less; ++j) {
        f(i, j);
      }
    }
  }

  /// Is the cell in a quadrant where x and y have other signs?
  static bool crosses(const Vec3& p) {
    constexpr double zero = 1e-14;
    return (p[0] < -zero && p[1] > -zero) || (p[0] > -zero && p[1] < -zero);
  }

  /// Squares around the origin become circles.
  Vec3 on_disc(Vec3 p) const {
    const double ring = std::max(std::fabs(p[0]), std::fabs(p[1]));
    const Vec3 unit = normalized_in_plane(p);
    return {unit[0] * (half_[0] * ring), unit[1] * (half_[1] * ring), 0.0};
  }

  static Vec3 normalized_in_plane(Vec3 p) {
    const double length = std::sqrt(p[0] * p[0] + p[1] * p[1]);
    if (length < 1e-14) {
      return {1.0, 0.0, p[2]};
    }
    return {p[0] / length, p[1] / length, p[2]};
  }

  /// A point of the cube's surface on the surface of the shape.
  Vec3 pushed_out(int x, int y, int z) const {
    Vec3 p{2.0 * x / (count_[0] - 1) - 1, 2.0 * y / (count_[1] - 1) - 1,
           2.0 * z / (count_[2] - 1) - 1};
    if (shape_ == MeshBuiltin::cylinder) {
      const double ring = std::max(std::fabs(p[0]), std::fabs(p[1]));
      p = normalized_in_plane(p);
      return {p[0] * (half_[0] * ring), p[1] * (half_[1] * ring), p[2] * half_[2]};
    }
    if (shape_ == MeshBuiltin::ellipsoid) {
      const double length = norm(p);
      p = {p[0] / length, p[1] / length, p[2] / length};
    }
    return {p[0] * half_[0], p[1] * half_[1], p[2] * half_[2]};
  }

  void put(int x, int y, int z) {
    number_[slot(x, y, z)] = static_cast<int>(content_.vertex.size() / 3);
    add(pushed_out(x, y, z));
  }

  std::size_t slot(int x, int y, int z) const {
    return (static_cast<std::size_t>(x) * static_cast<std::size_t>(count_[1]) +
            static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(count_[2]) +
           static_cast<std::size_t>(z);
  }

  int on(int x, int y, int z) const { return number_[slot(x, y, z)]; }

  void add(const Vec3& point) {
    for (const double x : point) {
      content_.vertex.push_back(static_cast<float>(x));
    }
  }

  void face(int a, int b, int c) { content_.face.insert(content_.face.end(), {a, b, c}); }

  MeshBuiltin shape_;
  MeshContent& content_;
  std::array<int, 3> count_{};
  Vec3 spacing_{};
  Vec3 half_{};
  std::vector<int> number_;  ///< of the points of the surface, by their place in the lattice
};

}  // namespace

std::string make_lattice(MeshBuiltin shape, const std::vector<double>& params,
                         MeshContent* content) {
  const bool sheet = shape == MeshBuiltin::square || shape == MeshBuiltin::disc;
  const bool grid = shape == MeshBuiltin::grid;
  if (params.size() != 6 && (sheet || params.size() != 7)) {
    return "the shape takes three counts and three spacings" +
           std::string(sheet ? "" : ", and 2 or 3 dimensions if wanted");
  }
  const double dim = sheet ? 2.0 : params.size() == 7 ? params[6] : 3.0;
  if (dim != 2.0 && dim != 3.0) {
    return "the shape has 2 or 3 dimensions";
  }
  const bool flat = sheet || (grid && dim == 2.0);
  double points = 1.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const bool single = flat && k == 2;
    if (single ? params[k] != 1.0 : !(params[k] >= 2.0)) {
      return single ? "the third count of a flat shape is 1" : "counts are at least 2";
    }
    points *= params[k];
  }
  if (!(points <= most_points)) {
    return "the shape has too many points";
  }
  if (dim == 2.0 && content->inertia == MeshInertia::legacy) {
    content->inertia = MeshInertia::shell;
  }
  Lattice lattice(shape, params, content);
  if (flat) {
    lattice.flat();
  } else if (dim == 2.0) {
    lattice.open();
  } else if (grid) {
    lattice.fill();
  } else {
    lattice.hull();
  }
  return {};
}

}  // namespace swept::compiler
