// SPDX-License-Identifier: Apache-2.0
// Meshes and height fields without the official library: volumes and inertias with a closed form,
// laws under motion and scale, hulls and polygons of random clouds, and the tree of faces.
#include <swept/compile.h>

#include "host/batch/edit_rules.h"
#include "host/compile/mesh/assets.h"
#include "host/compile/mesh/hull.h"
#include "host/compile/mesh/volume.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace swept {
namespace {

using compiler::compile_mesh;
using compiler::CompiledMesh;
using compiler::cross;
using compiler::dot;
using compiler::Hull;
using compiler::norm;
using compiler::rotate;
using compiler::operator+;
using compiler::operator-;
using compiler::operator*;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double normal() { return normal_(engine_); }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Quat quat() { return compiler::normalized({normal(), normal(), normal(), normal()}); }
  Vec3 vector() { return {normal(), normal(), normal()}; }

 private:
  std::mt19937 engine_;
  std::normal_distribution<double> normal_;
};

Mesh named() {
  Mesh mesh;
  mesh.name = "m";
  return mesh;
}

CompiledMesh builtin(MeshBuiltin shape, const std::vector<double>& params, Mesh mesh = named()) {
  compiler::MeshContent content{{}, {}, mesh.inertia};
  EXPECT_EQ(compiler::make_builtin(shape, params, &content), "");
  return compile_mesh(Spec{}, mesh, content, true);
}

Vec3 vertex(const CompiledMesh& mesh, int i) {
  const std::size_t v = 3 * static_cast<std::size_t>(i);
  return {mesh.vertex[v], mesh.vertex[v + 1], mesh.vertex[v + 2]};
}

TEST(Mesh, ABoxHasTheVolumeTheInertiaAndTheAxesOfABox) {
  Random random(1);
  for (int n = 0; n < 200; ++n) {
    Mesh mesh = named();
    for (std::size_t k = 0; k < 3; ++k) {
      mesh.scale[k] = random.uniform(0.2, 2);
    }
    mesh.scale[1] += 2.1;
    mesh.scale[2] += 4.2;
    const Vec3 half = mesh.scale;
    mesh.refquat = random.quat();
    // scale acts after the rotation, so turn the box itself
    std::vector<float> corners;
    const Vec3 offset = random.vector();
    for (int i = 0; i < 8; ++i) {
      const Vec3 corner{(i & 1) != 0 ? half[0] : -half[0], (i & 2) != 0 ? half[1] : -half[1],
                        (i & 4) != 0 ? half[2] : -half[2]};
      for (const double x : rotate(mesh.refquat, corner) + offset) {
        corners.push_back(static_cast<float>(x));
      }
    }
    mesh.scale = {1, 1, 1};
    const CompiledMesh box = compile_mesh(Spec{}, mesh, {corners, {}, MeshInertia::legacy}, true);
    // the corners are single precision
    EXPECT_NEAR(box.content, 8 * half[0] * half[1] * half[2], 1e-5 * box.content);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(box.box[k], half[k], 1e-5 * half[2]);
      EXPECT_NEAR(box.high[k], half[k], 1e-5 * half[2]);
      EXPECT_NEAR(box.low[k], -half[k], 1e-5 * half[2]);
    }
    EXPECT_EQ(box.hull.vertex.size(), 8u);
    EXPECT_EQ(box.polygons.size(), 6u);
  }
}

TEST(Mesh, FineBuiltinShapesApproachTheirLimits) {
  constexpr double pi = 3.14159265358979323846;
  // a polyhedron inside misses a share of the order of the square of its edges
  EXPECT_NEAR(builtin(MeshBuiltin::sphere, {4}).content, 4.0 / 3 * pi, 0.02);
  EXPECT_NEAR(builtin(MeshBuiltin::hemisphere, {10}).content, 2.0 / 3 * pi, 0.05);
  EXPECT_NEAR(builtin(MeshBuiltin::supersphere, {64, 1, 1}).content, 4.0 / 3 * pi, 0.02);
  EXPECT_NEAR(builtin(MeshBuiltin::cone, {256, 0}).content, 2 * pi / 3, 0.001);
  EXPECT_NEAR(builtin(MeshBuiltin::cone, {256, 1}).content, 2 * pi, 0.001);
  EXPECT_NEAR(builtin(MeshBuiltin::grid, {3, 4, 5, .1, .2, .3}).content, .2 * .6 * 1.2, 1e-6);
  Mesh exact = named();
  exact.inertia = MeshInertia::exact;
  EXPECT_NEAR(builtin(MeshBuiltin::supertorus, {64, .3, 1, 1}, exact).content, 2 * pi * pi * .09,
              0.01);
  Mesh shell = named();
  shell.inertia = MeshInertia::shell;
  EXPECT_NEAR(builtin(MeshBuiltin::sphere, {4}, shell).content, 4 * pi, 0.05);
}

TEST(Mesh, ScaleAndMotionActAsOnSolids) {
  Random random(2);
  for (int n = 0; n < 100; ++n) {
    compiler::MeshContent content{{}, {}, MeshInertia::exact};
    for (int i = 0; i < 60; ++i) {
      content.vertex.push_back(static_cast<float>(random.normal()));
    }
    Mesh mesh = named();
    content.inertia = MeshInertia::convex;
    const CompiledMesh plain = compile_mesh(Spec{}, mesh, content, true);
    mesh.refpos = random.vector();
    mesh.refquat = random.quat();
    const double s = random.uniform(0.2, 3) * (n % 2 == 0 ? 1 : -1);
    mesh.scale = {s, s, s};
    const CompiledMesh moved = compile_mesh(Spec{}, mesh, content, true);
    const double size = std::fabs(s);
    // principal axes of 20 points in double precision
    EXPECT_NEAR(moved.content, plain.content * size * size * size, 1e-10 * moved.content);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(moved.box[k], size * plain.box[k], 1e-6 * size);
      const Vec3 centre = rotate(compiler::conjugate(mesh.refquat), plain.frame.pos - mesh.refpos);
      EXPECT_NEAR(moved.frame.pos[k], s * centre[k], 1e-9 * size);
    }
  }
}

/// Is every vertex below every face, and does every edge have a face on both sides?
void expect_convex(const CompiledMesh& mesh) {
  std::set<std::pair<int, int>> edges;
  const std::vector<int>& face = mesh.hull.face;
  for (std::size_t f = 0; f < face.size(); f += 3) {
    const Vec3 a = vertex(mesh, face[f]);
    const Vec3 normal = cross(vertex(mesh, face[f + 1]) - a, vertex(mesh, face[f + 2]) - a);
    const double area = norm(normal);
    for (int v = 0; v < static_cast<int>(mesh.vertex.size() / 3) && area > 1e-6; ++v) {
      // vertices are single precision
      EXPECT_LE(dot(normal, vertex(mesh, v) - a), 1e-5 * area);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_TRUE(edges.insert({face[f + k], face[f + (k + 1) % 3]}).second);
    }
  }
  for (const auto& [from, to] : edges) {
    EXPECT_EQ(edges.count({to, from}), 1u);
  }
  EXPECT_EQ(mesh.hull.vertex.size() + face.size() / 3, edges.size() / 2 + 2);
}

TEST(Mesh, HullsOfCloudsAreConvexAndClosedAndTheirPolygonsCoverThem) {
  Random random(3);
  for (int n = 0; n < 100; ++n) {
    compiler::MeshContent content{{}, {}, MeshInertia::legacy};
    const int count = 5 + 3 * n;
    for (int i = 0; i < 3 * count; ++i) {
      const double x = random.normal();
      // every third cloud on a grid, where many points are in one plane
      content.vertex.push_back(static_cast<float>(n % 3 == 0 ? std::round(2 * x) / 2 : x));
    }
    Mesh mesh = named();
    mesh.scale[0] = n % 2 == 0 ? 1 : -1;
    const CompiledMesh cloud = compile_mesh(Spec{}, mesh, content, true);
    expect_convex(cloud);
    // the polygons' area is that of the triangles
    double triangles = 0, polygons = 0;
    for (std::size_t f = 0; f < cloud.hull.face.size(); f += 3) {
      const Vec3 a = vertex(cloud, cloud.hull.face[f]);
      triangles += norm(cross(vertex(cloud, cloud.hull.face[f + 1]) - a,
                              vertex(cloud, cloud.hull.face[f + 2]) - a));
    }
    for (std::size_t p = 0; p < cloud.polygons.size(); ++p) {
      const std::vector<int>& polygon = cloud.polygons[p];
      EXPECT_NEAR(norm(cloud.polygon_normal[p]), 1, 1e-12);
      Vec3 sum{};
      for (std::size_t i = 0; i < polygon.size(); ++i) {
        sum = sum +
              cross(vertex(cloud, polygon[i]), vertex(cloud, polygon[(i + 1) % polygon.size()]));
      }
      polygons += dot(sum, cloud.polygon_normal[p]);
      EXPECT_GT(dot(cloud.polygon_normal[p], vertex(cloud, polygon[0])), 0);
    }
    // triangles without area are in no polygon; joined ones differ by up to 0.01 rad
    EXPECT_NEAR(polygons, triangles, 1e-3 * triangles);
  }
}

TEST(Mesh, ALimitedHullHasNoMoreVertices) {
  Mesh mesh = named();
  for (const int most : {4, 10, 50}) {
    mesh.maxhullvert = most;
    const CompiledMesh limited = builtin(MeshBuiltin::sphere, {3}, mesh);
    EXPECT_LE(limited.hull.vertex.size(), static_cast<std::size_t>(most));
    EXPECT_GE(limited.hull.vertex.size(), 4u);
  }
}

TEST(Hull, TheWorkForARoundOneGrowsWithItsVertices) {
  for (const int n : {2000, 20000}) {
    // a spiral of equal areas on the unit sphere
    std::vector<Vec3> points;
    for (int i = 0; i < n; ++i) {
      const double z = 1.0 - (2.0 * i + 1.0) / n, turn = i * 2.399963229728653;
      const double r = std::sqrt(1.0 - z * z);
      points.push_back({r * std::cos(turn), r * std::sin(turn), z});
    }
    std::string problem;
    const auto tests = 150 * static_cast<std::uint64_t>(n);
    const compiler::Hull hull = compiler::convex_hull(points, -1, tests, &problem);
    EXPECT_EQ(problem, "");
    EXPECT_EQ(hull.vertex.size(), points.size());
    // far less is not enough
    compiler::convex_hull(points, -1, tests / 10, &problem);
    EXPECT_NE(problem, "");
  }
}

TEST(Hull, OfAPrismOfManyCornersEndsWithAnErrorThatSaysHowToBoundIt) {
  constexpr int n = 2000;
  std::vector<Vec3> points;
  for (int i = 0; i < 2 * n; ++i) {
    const double angle = i % n * 2.0 * 3.14159265358979323846 / n;
    points.push_back({std::cos(angle), std::sin(angle), i < n ? 0.0 : 1.0});
  }
  std::string problem;
  constexpr std::uint64_t few = 1000000;
  EXPECT_TRUE(compiler::convex_hull(points, -1, few, &problem).empty());
  EXPECT_NE(problem.find("set maxhullvert"), std::string::npos) << problem;
  EXPECT_EQ(compiler::convex_hull(points, 64, few, &problem).vertex.size(), 64U);
  EXPECT_EQ(problem, "");
  // what a mesh of that size may take is enough
  const std::uint64_t allowed = compiler::hull_tests(points.size());
  EXPECT_EQ(compiler::convex_hull(points, -1, allowed, &problem).vertex.size(), points.size());
}

TEST(Hull, AVertexWithManyNeighboursKnowsEachOnce) {
  constexpr int n = 5000;
  std::vector<Vec3> points = {Vec3{0.0, 0.0, 1.0}, Vec3{0.0, 0.0, -1.0}};
  for (int i = 0; i < n; ++i) {
    const double angle = i * 2.0 * 3.14159265358979323846 / n;
    points.push_back({std::cos(angle), std::sin(angle), 0.0});
  }
  std::string problem;
  const compiler::Hull hull =
      compiler::convex_hull(points, -1, compiler::hull_tests(points.size()), &problem);
  ASSERT_EQ(hull.vertex.size(), points.size());
  for (std::size_t v = 0; v < hull.vertex.size(); ++v) {
    std::set<int> neighbours;
    std::size_t count = 0;
    for (auto e = static_cast<std::size_t>(hull.edge_adr[v]); hull.edge[e] >= 0; ++e) {
      neighbours.insert(hull.edge[e]);
      ++count;
    }
    EXPECT_EQ(neighbours.size(), count);
    EXPECT_EQ(count, hull.vertex[v] < 2 ? std::size_t{n} : std::size_t{4});
  }
}

TEST(FaceTree, EachFaceIsInOneLeafAndInAllBoxesAboveEvenInSinglePrecision) {
  Random random(4);
  for (const int count : {1, 2, 3, 7, 64, 1000}) {
    std::vector<float> points;
    std::vector<int> face;
    for (int i = 0; i < 3 * count; ++i) {
      face.push_back(i);
      for (int k = 0; k < 3; ++k) {
        points.push_back(static_cast<float>(1000 + random.normal()));
      }
    }
    const compiler::FaceTree tree = compiler::face_tree(points, face);
    ASSERT_EQ(tree.face.size(), 2 * static_cast<std::size_t>(count) - 1);
    std::vector<int> depth(tree.face.size(), 0);
    std::set<int> seen;
    int deepest = 0;
    for (std::size_t n = 0; n < tree.face.size(); ++n) {
      for (const int child : tree.child[n]) {
        if (child >= 0) {
          ASSERT_GT(child, static_cast<int>(n));
          depth[static_cast<std::size_t>(child)] = depth[n] + 1;
        }
      }
      deepest = std::max(deepest, depth[n]);
      if (tree.face[n] >= 0) {
        EXPECT_TRUE(seen.insert(tree.face[n]).second);
      }
      // the faces below
      std::vector<std::size_t> stack{n};
      while (!stack.empty()) {
        const std::size_t at = stack.back();
        stack.pop_back();
        for (const int child : tree.child[at]) {
          if (child >= 0) {
            stack.push_back(static_cast<std::size_t>(child));
          }
        }
        for (std::size_t i = 0; tree.face[at] >= 0 && i < 9; ++i) {
          const std::size_t k = i % 3;
          const float x = points[9 * static_cast<std::size_t>(tree.face[at]) + i];
          const auto centre = static_cast<float>(tree.aabb[n][k]);
          const auto half = static_cast<float>(tree.aabb[n][3 + k]);
          EXPECT_LE(std::fabs(x - centre), half);
        }
      }
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(count));
    EXPECT_LE(deepest, 1 + static_cast<int>(std::ceil(std::log2(count))));
  }
}

TEST(HField, ElevationsFillTheUnitInterval) {
  HField field;
  field.name = "h";
  field.size = {1, 1, 1, 1};
  const auto compiled = compiler::compile_hfield(Spec{}, field, 2, 3, {3, 1, 2, 5, 1, 4});
  EXPECT_EQ(compiled.elevation, (std::vector<float>{.5, 0, .25, 1, 0, .75}));
  EXPECT_EQ(compiler::compile_hfield(Spec{}, field, 2, 2, {7, 7, 7, 7}).elevation,
            (std::vector<float>(4, 0)));
  EXPECT_EQ(compiler::compile_hfield(Spec{}, field, 2, 2, {}).elevation,
            (std::vector<float>(4, 0)));
  EXPECT_THROW(compiler::compile_hfield(Spec{}, field, 1, 4, {1, 2, 3, 4}), Error);
  EXPECT_THROW(compiler::compile_hfield(Spec{}, field, 2, 2, {1, 2, 3}), Error);
  EXPECT_THROW(compiler::compile_hfield(Spec{}, field, 2, 2, {1, 2, 3, HUGE_VALF}), Error);
}

/// A scene with a mesh and a height field, made by a program.
Spec scene_with_assets() {
  Spec spec;
  Mesh mesh = named();
  mesh.builtin = MeshBuiltin::sphere;
  mesh.params = {1};
  spec.meshes.push_back(mesh);
  HField field;
  field.name = "h";
  field.nrow = 2;
  field.ncol = 2;
  field.size = {1, 1, 1, 1};
  spec.hfields.push_back(field);
  Geom geom;
  geom.type = GeomType::mesh;
  geom.mesh = "m";
  geom.contype = geom.conaffinity = 0;
  spec.worldbody.geoms.push_back(geom);
  geom.type = GeomType::hfield;
  geom.mesh.clear();
  geom.hfield = "h";
  spec.worldbody.geoms.push_back(geom);
  return spec;
}

TEST(Assets, AProgramsSceneCompilesAndMissingAssetsAreNamed) {
  const Model model = compile(scene_with_assets());
  EXPECT_EQ(model.nmesh, 1);
  EXPECT_EQ(model.geom_dataid, (std::vector<int>{0, 0}));
  EXPECT_EQ(model.names.mesh, (std::vector<std::string>{"m"}));
  for (const bool mesh : {true, false}) {
    Spec spec = scene_with_assets();
    mesh ? spec.meshes.clear() : spec.hfields.clear();
    try {
      compile(spec);
      ADD_FAILURE() << "not refused";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(mesh ? "no mesh 'm'" : "no hfield 'h'"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(Assets, OnlyElevationsMayDifferBetweenEnvironments) {
  EXPECT_EQ(writable_rule("hfield_data").kind, EditKind::plain);
  for (const char* const name : {"mesh_vert", "mesh_polynormal", "mesh_hullvert", "mesh_scale",
                                 "mesh_pos", "mesh_quat", "meshbvh_aabb", "hfield_size"}) {
    try {
      writable_rule(name);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find(name), std::string::npos) << what;
      EXPECT_NE(what.find("compile the scene anew"), std::string::npos) << what;
    }
  }
  Model model = compile(scene_with_assets());
  EXPECT_EQ(find_problem(model, Precision::f64), "");
  model.hfield_data[2] = 1.5;
  EXPECT_NE(find_problem(model, Precision::f64).find("hfield_data[2] is 1.5"), std::string::npos);
}

}  // namespace
}  // namespace swept
