// SPDX-License-Identifier: Apache-2.0
// Snippets of MJCF that scenes of meshes and height fields are put together from.
#pragma once

#include <ostream>
#include <string>

namespace swept::test {

/// A scene in parts.
struct MeshScene {
  const char* name;
  std::string head;  ///< compiler, default
  std::string assets;
  std::string world;
  std::string tail = {};

  std::string xml() const {
    return "<mujoco>" + head + "<asset>" + assets + "</asset><worldbody>" + world + "</worldbody>" +
           tail + "</mujoco>";
  }
};

inline void PrintTo(const MeshScene& scene, std::ostream* out) {
  *out << scene.name;
}

/// One body with a geom of mesh m that collides, and one with a geom that does not.
inline const std::string both = R"(
  <body pos="1 2 3" euler="10 20 30"><freejoint/><geom type="mesh" mesh="m" pos=".1 .2 .3"
    euler="40 50 60"/></body>
  <body><joint/><geom type="mesh" mesh="m" contype="0" conaffinity="0" mass="3"/>
    <geom size=".1" pos="0 1 0"/></body>)";
inline const std::string only_looks = R"(
  <body pos="1 2 3" euler="10 20 30"><freejoint/>
    <geom type="mesh" mesh="m" contype="0" conaffinity="0"/></body>)";

/// A flat shell alone would fulfil A + B >= C by rounding only, on either side.
inline const std::string flat = R"(
  <body pos="1 2 3" euler="10 20 30"><freejoint/><geom size=".01" pos=".1 .2 .3"/>
    <geom type="mesh" mesh="m" contype="0" conaffinity="0"/></body>)";

inline const std::string wedge_vertices =
    R"(vertex="0 0 0  2 0 0  2 1 0  0 1 0  0 0 .5  2 0 .7  .3 .2 .1  0 .9 .4" )";
inline const std::string prism =
    R"(vertex="0 0 0  1 0 0  0 1.5 0  0 0 2  1 0 2  0 1.5 2"
       face="0 2 1  3 4 5  0 1 4  0 4 3  1 2 5  1 5 4  2 0 3  2 3 5" )";
/// A box with a dent in its top.
inline const std::string dented =
    R"(vertex="-1 -1 0  1 -1 0  1 1 0  -1 1 0  -1 -1 1  1 -1 1  1 1 1  -1 1 1  .2 .1 .3"
       face="0 2 1  0 3 2  0 1 5  0 5 4  1 2 6  1 6 5  2 3 7  2 7 6  3 0 4  3 4 7
             4 5 8  5 6 8  6 7 8  7 4 8" )";

inline std::string mesh(const std::string& attributes) {
  return "<mesh name=\"m\" " + attributes + "/>";
}

inline std::string builtin(const std::string& shape, const std::string& params,
                           const std::string& more = {}) {
  return mesh("builtin=\"" + shape + "\" params=\"" + params + "\" " + more);
}

/// Geoms of every primitive type that is fitted to mesh m.
inline std::string fitted(const std::string& more = {}) {
  std::string text;
  for (const std::string type : {"sphere", "capsule", "cylinder", "ellipsoid", "box"}) {
    text += "<body pos=\"0 0 1\"><joint/><geom type=\"" + type +
            "\" mesh=\"m\" contype=\"0\" conaffinity=\"0\" pos=\".1 .2 .3\" euler=\"10 20 30\" " +
            more + "/></body>";
  }
  return text;
}

inline const std::string h3 = R"(<hfield name="h" nrow="3" ncol="4" size="2 3 .5 .2" )";
inline const std::string fields = R"(
  <geom type="hfield" hfield="h" pos="1 2 3" euler="10 20 30"/>
  <body pos="0 0 2"><joint/><geom type="hfield" hfield="h" group="1"/></body>
  <body pos="0 0 9"><joint/><geom type="hfield" hfield="h" shellinertia="true"/></body>)";

}  // namespace swept::test
