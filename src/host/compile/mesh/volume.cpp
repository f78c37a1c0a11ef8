// SPDX-License-Identifier: Apache-2.0
// Sums over faces; see the header.
#include "host/compile/mesh/volume.h"

namespace swept::compiler {
namespace {

constexpr double smallest = 1e-15;

struct Triangle {
  double area = 0.0;
  Vec3 normal{};  ///< of unit length unless the triangle is too small to have an area
  Vec3 centre{};
};

Triangle triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  Triangle t;
  for (std::size_t k = 0; k < 3; ++k) {
    t.centre[k] = (a[k] + b[k] + c[k]) / 3;
  }
  t.normal = cross(b - a, c - a);
  const double length = norm(t.normal);
  if (length < smallest) {
    return t;
  }
  t.normal = {t.normal[0] / length, t.normal[1] / length, t.normal[2] / length};
  t.area = 0.5 * length;
  return t;
}

/// Calls f with the three corners of each face.
template <class F>
void for_each_face(const std::vector<Vec3>& vertices, const std::vector<int>& face, const F& f) {
  const auto vertex = [&](std::size_t i) -> const Vec3& {
    return vertices[static_cast<std::size_t>(face[i])];
  };
  for (std::size_t i = 0; i + 2 < face.size(); i += 3) {
    f(vertex(i), vertex(i + 1), vertex(i + 2));
  }
}

Vec3 divided(const Vec3& v, double by) {
  return {v[0] / by, v[1] / by, v[2] / by};
}

/// The inertia about the origin, and the content anew, now with the tips there.
void sum_inertia(const std::vector<Vec3>& vertices, const std::vector<int>& face, MeshInertia kind,
                 MassProperties* result) {
  constexpr std::size_t pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  const bool shell = kind == MeshInertia::shell;
  double content = 0.0;
  double p[6] = {};
  for_each_face(vertices, face, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 d = a - result->centre;
    const Vec3 e = b - result->centre;
    const Vec3 f = c - result->centre;
    const Triangle t = triangle(d, e, f);
    double part = shell ? t.area : dot(t.centre, t.normal) * t.area / 3;
    part = kind == MeshInertia::legacy ? std::fabs(part) : part;
    content += part;
    for (std::size_t n = 0; n < 6; ++n) {
      const auto [j, k] = pairs[n];
      p[n] += part / (shell ? 12 : 20) *
              (2 * (d[j] * d[k] + e[j] * e[k] + f[j] * f[k]) + d[j] * e[k] + d[k] * e[j] +
               d[j] * f[k] + d[k] * f[j] + e[j] * f[k] + e[k] * f[j]);
    }
  });
  result->content = content;
  result->inertia = {p[1] + p[2], -p[3],       -p[4],  //
                     -p[3],       p[0] + p[2], -p[5],  //
                     -p[4],       -p[5],       p[0] + p[1]};
}

}  // namespace

MassProperties measure(const std::vector<Vec3>& vertices, const std::vector<int>& face,
                       const std::vector<int>& all, MeshInertia kind, std::string* problem) {
  problem->clear();
  // the centroid of the surface
  Vec3 tip{};
  double area = 0.0;
  for_each_face(vertices, all, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const Triangle t = triangle(a, b, c);
    tip = tip + t.centre * t.area;
    area += t.area;
  });
  if (area < smallest) {
    *problem = "the area of its surface is 0";
    return {};
  }
  tip = divided(tip, area);

  // the centre of mass
  MassProperties result;
  double content = 0.0;
  const bool shell = kind == MeshInertia::shell;
  for_each_face(vertices, face, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const Triangle t = triangle(a, b, c);
    double part = shell ? t.area : dot(t.centre - tip, t.normal) * t.area / 3;
    part = kind == MeshInertia::legacy ? std::fabs(part) : part;
    content += part;
    for (std::size_t k = 0; k < 3; ++k) {
      result.centre[k] += part * (t.centre[k] * 3.0 / 4.0 + tip[k] / 4.0);
    }
  });
  if (content < smallest) {
    *problem = content < 0.0 ? "its volume is negative; turn its faces, which look inwards"
                             : "its volume is 0; give it inertia=\"shell\"";
    return {};
  }
  result.centre = divided(result.centre, content);
  sum_inertia(vertices, face, kind, &result);
  return result;
}

}  // namespace swept::compiler
