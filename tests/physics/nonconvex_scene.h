// SPDX-License-Identifier: Apache-2.0
// Scenes with meshes that collide as they are, and the meshes: strips of quadrilaterals raised to a
// height (rings, hooks, slots), rooms, a cup.
#pragma once

#include <array>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "physics/speculative_scene.h"

namespace swept::test {

/// Vertices and faces, which run counterclockwise seen from outside.
struct FaceMesh {
  std::vector<double> vertex;
  std::vector<int> face;

  int add(double x, double y, double z) {
    vertex.insert(vertex.end(), {x, y, z});
    return static_cast<int>(vertex.size()) / 3 - 1;
  }
  void quad(int a, int b, int c, int d) { face.insert(face.end(), {a, b, c, a, c, d}); }

  /// The element. It is weighed as the solid it is.
  std::string element(const std::string& name) const {
    std::string text =
        "<mesh name='" + name + "' inertia='exact' vertex='" + numbers(vertex) + "' face='";
    for (const int i : face) {
      text += std::to_string(i) + " ";
    }
    return text + "'/>";
  }
};

using Corner2 = std::array<double, 2>;

/// A strip of quadrilaterals between two lines in the plane, raised from z = low to high: closed.
///   inner, outer   corners of the lines, counterclockwise, the outer one on the right
///   round          the last corners go on to the first
inline FaceMesh strip(const std::vector<Corner2>& inner, const std::vector<Corner2>& outer,
                      bool round, double low, double high) {
  FaceMesh m;
  const int n = static_cast<int>(inner.size());
  for (std::size_t i = 0; i < inner.size(); ++i) {
    for (const double z : {low, high}) {
      m.add(inner[i][0], inner[i][1], z);
      m.add(outer[i][0], outer[i][1], z);
    }
  }
  // of corner i: inner low, outer low, inner high, outer high
  for (int i = 0; i + (round ? 0 : 1) < n; ++i) {
    const int a = 4 * i, b = 4 * ((i + 1) % n);
    m.quad(a + 2, a + 3, b + 3, b + 2);
    m.quad(a, b, b + 1, a + 1);
    m.quad(a + 1, b + 1, b + 3, a + 3);
    m.quad(b, a, a + 2, b + 2);
  }
  if (!round) {
    const int last = 4 * (n - 1);
    m.quad(0, 1, 3, 2);
    m.quad(last + 1, last, last + 2, last + 3);
  }
  return m;
}

/// A ring or a nut: n corners, radii [m], raised from -half to half.
inline FaceMesh ring(int n, double inner, double outer, double half) {
  std::vector<Corner2> in, out;
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * 3.14159265358979323846 * i / n;
    in.push_back({inner * std::cos(angle), inner * std::sin(angle)});
    out.push_back({outer * std::cos(angle), outer * std::sin(angle)});
  }
  return strip(in, out, true, -half, half);
}

/// A box without a way out: inner half sizes, and how thick its walls are [m].
inline FaceMesh room(const std::array<double, 3>& half, double wall) {
  FaceMesh m;
  for (int layer = 0; layer < 2; ++layer) {
    for (int i = 0; i < 8; ++i) {
      const auto at = [&](int k) {
        const double size = half[static_cast<std::size_t>(k)] + (layer == 0 ? wall : 0.0);
        return (i >> k & 1) != 0 ? size : -size;
      };
      m.add(at(0), at(1), at(2));
    }
  }
  const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                           {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& [a, b, c, d] : faces) {
    m.quad(a, b, c, d);
    m.quad(8 + a, 8 + d, 8 + c, 8 + b);  // seen from inside
  }
  return m;
}

/// A scene with surfaces.
///   names   geoms that collide as they are; empty: all collide as their hulls
inline std::string surface_scene(const std::string& meshes, const std::string& names,
                                 const std::string& bodies, const std::string& option = "") {
  std::string text;
  std::istringstream stream(names);
  for (std::string name; stream >> name;) {
    text += "<element objtype='geom' objname='" + name + "'/>";
  }
  if (!text.empty()) {
    text = "<custom><tuple name='nonconvex'>" + text + "</tuple></custom>";
  }
  return "<mujoco><compiler angle='radian'/>" + option + text + "<asset>" + meshes +
         "</asset><worldbody>" + bodies + "</worldbody></mujoco>";
}

/// A cup as one closed mesh, 24 x 24 x 12 cm, with walls and a floor of 2 cm, on a plane, and a ball
/// over it: the cup of scenes/collision_lesson.
inline std::string cup_scene(bool as_it_is) {
  return surface_scene(R"(<mesh name="cup" vertex="
      -.12 -.12 0    .12 -.12 0    .12 .12 0    -.12 .12 0
      -.12 -.12 .12  .12 -.12 .12  .12 .12 .12  -.12 .12 .12
      -.10 -.10 .12  .10 -.10 .12  .10 .10 .12  -.10 .10 .12
      -.10 -.10 .02  .10 -.10 .02  .10 .10 .02  -.10 .10 .02" face="
      0 2 1   0 3 2
      0 1 5   0 5 4   1 2 6   1 6 5   2 3 7   2 7 6   3 0 4   3 4 7
      4 5 9   4 9 8   5 6 10  5 10 9  6 7 11  6 11 10  7 4 8  7 8 11
      8 9 13  8 13 12  9 10 14  9 14 13  10 11 15  10 15 14  11 8 12  11 12 15
      12 13 14  12 14 15"/>)",
                       as_it_is ? "cup" : "", R"(
    <geom type="plane" size="1 1 .1"/>
    <body name="cup"><freejoint/><geom name="cup" type="mesh" mesh="cup"/></body>
    <body name="ball" pos=".01 .02 .25"><freejoint/><geom name="ball" size=".04"/></body>)");
}

}  // namespace swept::test
