// SPDX-License-Identifier: Apache-2.0
// Round builtin shapes, cones, wedges and plates; see the header.
#include "host/compile/mesh/builtin.h"

#include "host/compile/frames.h"

#include <map>
#include <utility>

namespace swept::compiler {
namespace {

constexpr double pi = 3.14159265358979323846;

/// No shape has more rings or edges than this.
constexpr int most = 2048;

void add_vertex(MeshContent* content, double x, double y, double z) {
  for (const double coordinate : {x, y, z}) {
    content->vertex.push_back(static_cast<float>(coordinate));
  }
}

void add_face(MeshContent* content, int a, int b, int c) {
  content->face.insert(content->face.end(), {a, b, c});
}

/// Two triangles for the four corners a, b, c, d in turn, split between b and d.
void add_quad(MeshContent* content, int a, int b, int c, int d) {
  add_face(content, a, b, d);
  add_face(content, b, c, d);
}

/// Each triangle becomes four; new vertices are numbered as edges are met, and lie on the sphere.
class Icosphere {
 public:
  Icosphere() {
    const float golden = static_cast<float>((1.0 + std::sqrt(5.0)) / 2.0);
    // three golden rectangles, one in each plane of two axes
    const float corners[4][2] = {{-1, golden}, {1, golden}, {-1, -golden}, {1, -golden}};
    for (int plane = 0; plane < 3; ++plane) {
      for (const auto& corner : corners) {
        float v[3] = {};
        v[plane] = corner[0];
        v[(plane + 1) % 3] = corner[1];
        vertex_.insert(vertex_.end(), v, v + 3);
      }
    }
    const double length = std::sqrt(1.0 + golden * golden);
    for (float& x : vertex_) {
      x = static_cast<float>(x / length);
    }
    face_ = {0, 11, 5,  0, 5,  1, 0, 1, 7, 0, 7,  10, 0, 10, 11, 1, 5, 9, 5, 11,
             4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,  9,  4, 3,  4,  2, 3, 2, 6, 3,
             6, 8,  3,  8, 9,  4, 9, 5, 2, 4, 11, 6,  2, 10, 8,  6, 7, 9, 8, 1};
  }

  void subdivide() {
    middle_.clear();
    std::vector<int> finer;
    finer.reserve(4 * face_.size());
    for (std::size_t f = 0; f < face_.size(); f += 3) {
      const int a = face_[f];
      const int b = face_[f + 1];
      const int c = face_[f + 2];
      const int ab = middle(a, b);
      const int bc = middle(b, c);
      const int ca = middle(c, a);
      finer.insert(finer.end(), {a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca});
    }
    face_ = std::move(finer);
  }

  void move_to(MeshContent* content) {
    content->vertex = std::move(vertex_);
    content->face = std::move(face_);
  }

 private:
  int middle(int a, int b) {
    const auto [known, fresh] =
        middle_.emplace(std::minmax(a, b), static_cast<int>(vertex_.size() / 3));
    if (fresh) {
      float v[3];
      for (std::size_t k = 0; k < 3; ++k) {
        v[k] = (vertex_[3 * static_cast<std::size_t>(a) + k] +
                vertex_[3 * static_cast<std::size_t>(b) + k]) /
               2.0F;
      }
      const float length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      for (const float x : v) {
        vertex_.push_back(x / length);
      }
    }
    return known->second;
  }

  std::vector<float> vertex_;
  std::vector<int> face_;
  std::map<std::pair<int, int>, int> middle_;
};

std::string make_sphere(const std::vector<double>& p, MeshContent* content) {
  if (p.size() != 1 || !(p[0] >= 0.0 && p[0] < 5.0)) {
    return "a sphere takes one number, its subdivisions, 0 to 4";
  }
  Icosphere sphere;
  for (int i = 0; i < static_cast<int>(p[0]); ++i) {
    sphere.subdivide();
  }
  sphere.move_to(content);
  return {};
}

/// Rows from the pole to the equator; row r has r + 1 vertices in each of four sides.
std::string make_hemisphere(const std::vector<double>& p, MeshContent* content) {
  if (p.size() != 1 || !(p[0] >= 0.0 && p[0] < 11.0)) {
    return "a hemisphere takes one number, its resolution, 0 to 10";
  }
  const int resolution = static_cast<int>(p[0]);
  constexpr Vec3 pole{0, 0, 1};
  constexpr Vec3 corner[4] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};

  // points on the sides of an octahedron, pushed out to the sphere
  add_vertex(content, 0, 0, 1);
  for (int row = 0; row <= resolution; ++row) {
    const double down = static_cast<double>(row + 1) / (resolution + 1);
    for (std::size_t side = 0; side < 4; ++side) {
      const Vec3 start = pole + (corner[side] - pole) * down;
      const Vec3 end = pole + (corner[(side + 1) % 4] - pole) * down;
      const Vec3 edge = end - start;
      const Vec3 step{edge[0] / (row + 1), edge[1] / (row + 1), edge[2] / (row + 1)};
      for (int i = 0; i <= row; ++i) {
        const Vec3 point = start + step * i;
        const double length = norm(point);
        add_vertex(content, point[0] / length, point[1] / length, point[2] / length);
      }
    }
  }
  add_vertex(content, 0, 0, 0);

  // the first vertex of a row, and around it
  const auto first = [](int row) { return 2 * row * (row + 1) + 1; };
  const auto on_row = [&](int row, int i) { return first(row) + i % (4 * (row + 1)); };
  for (int i = 0; i < 4; ++i) {
    add_face(content, 0, on_row(0, i), on_row(0, i + 1));
  }
  for (int row = 0; row < resolution; ++row) {
    for (int side = 0; side < 4; ++side) {
      for (int i = 0; i < row + 2; ++i) {
        const int upper = i + (row + 1) * side;
        const int lower = i + (row + 2) * side;
        add_face(content, on_row(row, upper), on_row(row + 1, lower), on_row(row + 1, lower + 1));
        if (i < row + 1) {
          add_face(content, on_row(row, upper), on_row(row + 1, lower + 1), on_row(row, upper + 1));
        }
      }
    }
  }
  const int centre = static_cast<int>(content->vertex.size() / 3) - 1;
  for (int i = 0; i < 4 * (resolution + 1); ++i) {
    add_face(content, on_row(resolution, i), centre, on_row(resolution, i + 1));
  }
  return {};
}

std::string make_cone(const std::vector<double>& p, MeshContent* content) {
  if (p.size() != 2 || !(p[0] >= 3.0 && p[0] <= most) || !(p[1] >= 0.0 && p[1] <= 1.0)) {
    return "a cone takes two numbers, the edges of its bottom, at least 3, and the radius of its "
           "top, 0 to 1";
  }
  const int edges = static_cast<int>(p[0]);
  const auto angle = [edges](int i) { return 2 * i * pi / edges; };
  for (int i = 0; i < edges; ++i) {
    add_vertex(content, std::cos(angle(i)), std::sin(angle(i)), -1);
  }
  if (p[1] > 0.0) {
    // once more around: the same angles up to rounding
    for (int i = edges; i < 2 * edges; ++i) {
      add_vertex(content, p[1] * std::cos(angle(i)), p[1] * std::sin(angle(i)), 1);
    }
  } else {
    add_vertex(content, 0, 0, 1);
  }
  return {};
}

/// |c|^m with the sign of c.
double signed_power(double c, double m) {
  return std::copysign(std::pow(std::fabs(c), m), c);
}

std::string make_supersphere(const std::vector<double>& p, MeshContent* content) {
  if (p.size() != 3 || !(p[0] >= 3.0 && p[0] <= most) || !(p[1] >= 0.0) || !(p[2] >= 0.0)) {
    return "a supersphere takes three numbers, its resolution, at least 3, and two exponents, at "
           "least 0";
  }
  const int n = static_cast<int>(p[0]);
  add_vertex(content, 0, 0, -1);
  for (int i = 1; i < n; ++i) {
    const double v = -pi / 2 + i * pi / n;
    for (int j = 0; j < n; ++j) {
      const double u = -pi + j * 2 * pi / n;
      const double ring = signed_power(std::cos(v), p[2]);
      add_vertex(content, ring * signed_power(std::cos(u), p[1]),
                 ring * signed_power(std::sin(u), p[1]), signed_power(std::sin(v), p[2]));
    }
  }
  add_vertex(content, 0, 0, 1);
  const auto on_ring = [n](int ring, int i) { return 1 + ring * n + i % n; };
  for (int j = 0; j < n; ++j) {
    add_face(content, 0, on_ring(0, j + 1), on_ring(0, j));
  }
  for (int i = 0; i < n - 2; ++i) {
    for (int j = 0; j < n; ++j) {
      add_quad(content, on_ring(i, j), on_ring(i, j + 1), on_ring(i + 1, j + 1), on_ring(i + 1, j));
    }
  }
  for (int j = 0; j < n; ++j) {
    add_face(content, on_ring(n - 2, j), on_ring(n - 2, j + 1), 1 + (n - 1) * n);
  }
  return {};
}

std::string make_supertorus(const std::vector<double>& p, MeshContent* content) {
  if (p.size() != 4 || !(p[0] >= 3.0 && p[0] <= most) || !(p[1] > 0.0 && p[1] <= 1.0) ||
      !(p[2] > 0.0) || !(p[3] > 0.0)) {
    return "a supertorus takes four numbers, its resolution, at least 3, its minor radius, above 0 "
           "and at most 1, and two exponents above 0";
  }
  const int n = static_cast<int>(p[0]);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double u = 2 * pi * i / n;
      const double v = 2 * pi * j / n;
      const double reach = 1 + p[1] * signed_power(std::cos(v), p[2]);
      add_vertex(content, reach * signed_power(std::cos(u), p[3]),
                 reach * signed_power(std::sin(u), p[3]), p[1] * signed_power(std::sin(v), p[2]));
    }
  }
  const auto on = [n](int i, int j) { return (i % n) * n + j % n; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      add_quad(content, on(i, j), on(i + 1, j), on(i + 1, j + 1), on(i, j + 1));
    }
  }
  return {};
}

/// Borders of n bins over [-angle, angle], denser in the middle.
std::vector<double> bin_borders(int n, double degrees, double gamma) {
  std::vector<double> borders;
  double x = -1.0;
  const double step = 2.0 / n;
  for (int i = 0; i <= n; ++i) {
    const double bent = gamma == 0.0 ? x : gamma * std::pow(x, 5) + (1 - gamma) * x;
    borders.push_back(bent * (degrees * pi / 180));
    x += step;
  }
  return borders;
}

std::string make_wedge(const std::vector<double>& p, MeshContent* content) {
  if (p.size() != 5 || !(p[0] >= 1.0 && p[0] <= most) || !(p[1] >= 1.0 && p[1] <= most) ||
      !(p[2] > 0.0 && p[2] <= 180.0) || !(p[3] > 0.0 && p[3] <= 90.0) ||
      !(p[4] >= 0.0 && p[4] <= 1.0)) {
    return "a wedge takes five numbers, two resolutions, at least 1, two fields of view, above 0 "
           "and at most 180 and 90 degrees, and a deformation, 0 to 1";
  }
  const auto nx = static_cast<std::size_t>(p[0]);
  const auto ny = static_cast<std::size_t>(p[1]);
  const std::vector<double> across = bin_borders(static_cast<int>(nx), p[2], p[4]);
  const std::vector<double> up = bin_borders(static_cast<int>(ny), p[3], p[4]);
  for (std::size_t i = 0; i < nx; ++i) {
    for (std::size_t j = 0; j < ny; ++j) {
      const double azimuth = 0.5 * (across[i + 1] + across[i]);
      const double elevation = 0.5 * (up[j + 1] + up[j]);
      add_vertex(content, std::cos(elevation) * std::sin(azimuth), std::sin(elevation),
                 -std::cos(elevation) * std::cos(azimuth));
    }
  }
  return {};
}

std::string make_plate(const std::vector<double>& p, MeshContent* content) {
  if (p.size() != 2 || !(p[0] >= 1.0 && p[0] <= most) || !(p[1] >= 1.0 && p[1] <= most)) {
    return "a plate takes two numbers, its resolutions, at least 1";
  }
  const int nx = static_cast<int>(p[0]);
  const int ny = static_cast<int>(p[1]);
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) {
      add_vertex(content, -1 + (i + 0.5) * (2. / nx), -1 + (j + 0.5) * (2. / ny), -1);
    }
  }
  for (int i = 1; i < nx; ++i) {
    for (int j = 1; j < ny; ++j) {
      const int behind = (i - 1) * ny + j;
      const int here = i * ny + j;
      add_face(content, behind - 1, here - 1, behind);
      add_face(content, here, behind, here - 1);
    }
  }
  content->inertia = MeshInertia::shell;
  return {};
}

}  // namespace

std::string make_builtin(MeshBuiltin shape, const std::vector<double>& params,
                         MeshContent* content) {
  switch (shape) {
    case MeshBuiltin::none:
      return "there is no such shape";
    case MeshBuiltin::sphere:
      return make_sphere(params, content);
    case MeshBuiltin::hemisphere:
      return make_hemisphere(params, content);
    case MeshBuiltin::cone:
      return make_cone(params, content);
    case MeshBuiltin::supersphere:
      return make_supersphere(params, content);
    case MeshBuiltin::supertorus:
      return make_supertorus(params, content);
    case MeshBuiltin::wedge:
      return make_wedge(params, content);
    case MeshBuiltin::plate:
      return make_plate(params, content);
    default:
      return make_lattice(shape, params, content);
  }
}

}  // namespace swept::compiler
