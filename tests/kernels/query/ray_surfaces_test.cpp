// SPDX-License-Identifier: Apache-2.0
// Rays against meshes and height fields: what the trees and the walks find is what a search of
// everything finds, to the bit; closed surfaces have no leaks; fields are solid.
#include "kernels/query/ray.h"
#include "kernels/query/rays.h"
#include "support/face_boxes.h"
#include "support/host_tile.h"

#include <array>
#include <map>

namespace swept::SWEPT_NS {
namespace {

using test::Place;
using test::RandomRays;

constexpr double rounding = sizeof(real) == 4 ? 1e-5 : 1e-12;

/// A scene of one body whose arrays hold a mesh or a height field.
ModelArrays empty_scene() {
  ModelArrays scene;
  scene.nbody = 1;
  return scene;
}

/// A bumpy ball: an octahedron whose faces were cut in four several times, with random radii.
struct Ball {
  std::vector<double> vertex;
  std::vector<int> face;

  Ball(int cuts, RandomRays* random) {
    vertex = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    face = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    for (int i = 0; i < cuts; ++i) {
      cut();
    }
    for (std::size_t v = 0; v < vertex.size(); v += 3) {
      const double scale = static_cast<double>(random->uniform(0.7, 1)) /
                           std::hypot(vertex[v], vertex[v + 1], vertex[v + 2]);
      for (std::size_t k = v; k < v + 3; ++k) {
        vertex[k] = static_cast<double>(static_cast<float>(vertex[k] * scale));
      }
    }
  }

  void cut() {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [at, is_new] =
          middles.try_emplace(std::minmax(a, b), static_cast<int>(vertex.size() / 3));
      for (std::size_t k = 0; is_new && k < 3; ++k) {
        vertex.push_back(0.5 * (vertex[3 * static_cast<std::size_t>(a) + k] +
                                vertex[3 * static_cast<std::size_t>(b) + k]));
      }
      return at->second;
    };
    std::vector<int> finer;
    for (std::size_t f = 0; f < face.size(); f += 3) {
      const int a = face[f], b = face[f + 1], c = face[f + 2];
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca});
    }
    face = finer;
  }

  HostTile tile() const {
    ModelArrays scene = empty_scene();
    scene.nmesh = 1;
    scene.nmeshvert = static_cast<int>(vertex.size() / 3);
    scene.nmeshface = static_cast<int>(face.size() / 3);
    scene.resize();
    finish_tree(&scene);
    scene.mesh_vertnum = {scene.nmeshvert};
    scene.mesh_facenum = {scene.nmeshface};
    scene.mesh_vert = vertex;
    scene.mesh_face = face;
    test::add_face_boxes(&scene);
    return HostTile(scene, 1);
  }
};

TEST(RayMesh, TheTreeFindsWhatASearchOfAllFacesFinds) {
  RandomRays random(1);
  for (int cuts = 0; cuts < 4; ++cuts) {
    const Ball ball(cuts, &random);
    const HostTile tile = ball.tile();
    const RayMesh mesh = {tile.model_at(0), 0, static_cast<real>(rounding)};
    int hits = 0;
    for (int i = 0; i < 2000; ++i) {
      const Ray ray = random.ray(2, 0.5);
      RayHit found, best;
      meet_mesh(&found, mesh, ray);
      for (int f = 0; f < static_cast<int>(ball.face.size() / 3); ++f) {
        meet_triangle(&best, ray, frame_across(ray.u), mesh.face(f));
      }
      ASSERT_EQ(found.at, best.at) << i;
      hits += found.at < ray_miss ? 1 : 0;
    }
    EXPECT_GT(hits, 800);
  }
}

TEST(RayMesh, NoRayLeavesAClosedMeshUnseen) {
  RandomRays random(2);
  const Ball ball(3, &random);
  const HostTile tile = ball.tile();
  const RayMesh mesh = {tile.model_at(0), 0, static_cast<real>(rounding)};
  const auto vertices = static_cast<int>(ball.vertex.size() / 3);
  for (int i = 0; i < 20000; ++i) {
    // from inside to a vertex, to the middle of an edge, or anywhere
    const Vec3<real> from = random.in_box(0.3);
    const int v = random.integer(vertices);
    const Vec3<real> to = i % 3 == 0 ? mesh.vertex(v) : random.in_box(1);
    const Triangle t = mesh.face(random.integer(static_cast<int>(ball.face.size() / 3)));
    const Vec3<real> aim = i % 3 == 1 ? (t.a + t.b) * 0.5_r : to;
    if (norm(aim - from) < 0.01_r) {
      continue;
    }
    const Ray ray = {from, normalize(aim - from), 0_r};
    RayHit hit;
    meet_mesh(&hit, mesh, ray);
    ASSERT_LT(hit.at, ray_miss) << i;
    ASSERT_GT(dot(hit.normal, ray.u), -static_cast<real>(rounding)) << "the normal leads out";
  }
}

TEST(RayMesh, FlatFacesAndEmptyMeshesAreNoTrouble) {
  const Ray ray = {{0.1_r, 0.1_r, 1_r}, {0, 0, -1_r}, 0_r};
  const auto cast = [&](Triangle t) {
    RayHit hit;
    meet_triangle(&hit, ray, frame_across(ray.u), t);
    return hit;
  };
  const Vec3<real> o = zero3<real>(), x = {1_r, 0, 0}, y = {0, 1_r, 0}, z = {0, 0, 1_r};
  EXPECT_EQ(cast({o, x, y}).at, 1_r);
  EXPECT_EQ(cast({o, x, y}).normal.z, 1_r);
  EXPECT_EQ(cast({o, y, x}).at, 1_r) << "from behind";
  EXPECT_EQ(cast({o, y, x}).normal.z, -1_r);
  EXPECT_EQ(cast({o, o, o}).at, ray_miss);
  EXPECT_EQ(cast({o, x + y, x + y}).at, ray_miss);
  EXPECT_EQ(cast({x + y, z, o}).at, ray_miss) << "seen edge on";
  const Ball none = [] {
    RandomRays random(3);
    Ball b(0, &random);
    b.face.clear();
    return b;
  }();
  const HostTile tile = none.tile();
  RayHit hit;
  meet_mesh(&hit, {tile.model_at(0), 0, 0_r}, ray);
  EXPECT_EQ(hit.at, ray_miss);
}

/// A random field, and the height of its surface.
struct Field {
  std::vector<real> data;
  HfieldShape shape;

  Field(int nrow, int ncol, RandomRays* random) {
    for (int i = 0; i < nrow * ncol; ++i) {
      // flat parts and holes down to the base among the hills
      data.push_back(random->integer(5) == 0 ? static_cast<real>(random->integer(2))
                                             : random->uniform(0, 1));
    }
    shape.nrow = nrow;
    shape.ncol = ncol;
    shape.data = data.data();
    const real size[4] = {random->logarithmic(0.3, 3), random->logarithmic(0.3, 3),
                          random->logarithmic(0.1, 1), random->logarithmic(0.1, 1)};
    std::copy(size, size + 4, shape.size);
  }

  double height(Place p) const {
    const double sx = static_cast<double>(shape.size[0]), sy = static_cast<double>(shape.size[1]);
    const double x = (p.x + sx) / (2 * sx) * (shape.ncol - 1),
                 y = (p.y + sy) / (2 * sy) * (shape.nrow - 1);
    const int c = std::clamp(static_cast<int>(x), 0, shape.ncol - 2);
    const int r = std::clamp(static_cast<int>(y), 0, shape.nrow - 2);
    const double u = x - c, v = y - r;
    const auto h = [&](int row, int col) { return static_cast<double>(shape.height(row, col)); };
    // the lower triangle (r, c), (r, c+1), (r+1, c+1), or the upper one
    return u > v ? h(r, c) + u * (h(r, c + 1) - h(r, c)) + v * (h(r + 1, c + 1) - h(r, c + 1))
                 : h(r, c) + v * (h(r + 1, c) - h(r, c)) + u * (h(r + 1, c + 1) - h(r + 1, c));
  }

  /// Depth in the solid without the floor at z = 0 that rays see inside it: positive within, but
  /// only along z and across the sides.
  double depth(Place p) const {
    const double side = std::min(static_cast<double>(shape.size[0]) - std::abs(p.x),
                                 static_cast<double>(shape.size[1]) - std::abs(p.y));
    if (side < 0) {
      return side;
    }
    return std::min({side, height(p) - p.z, p.z + static_cast<double>(shape.size[3])});
  }
};

TEST(RayField, TheWalkFindsWhatASearchOfAllCellsFinds) {
  RandomRays random(4);
  for (int i = 0; i < 200; ++i) {
    const Field field(2 + random.integer(20), 2 + random.integer(20), &random);
    for (int k = 0; k < 50; ++k) {
      const Ray ray = random.ray(4, 0.5);
      // every cell, and what else is part of the field
      const RayField all = {{field.shape}, ray, frame_across(ray.u)};
      const real depth = 0.5_r * field.shape.size[3];
      RayHit best = ray_box({{ray.p.x, ray.p.y, ray.p.z + depth}, ray.u, ray.first},
                            {field.shape.size[0], field.shape.size[1], depth});
      for (int r = 0; r + 1 < field.shape.nrow; ++r) {
        for (int c = 0; c + 1 < field.shape.ncol; ++c) {
          all.meet_cell(&best, r, c);
        }
      }
      for (int side = 0; side < 4; ++side) {
        all.meet_side(&best, side < 2, side % 2 != 0);
      }
      ASSERT_EQ(ray_hfield(field.shape, ray).at, best.at) << i << " " << k;
    }
  }
}

TEST(RayField, RaysFromOutsideMeetTheSurfaceAndNothingIsBeforeIt) {
  RandomRays random(5);
  int hits = 0;
  for (int i = 0; i < 200; ++i) {
    const Field field(2 + random.integer(6), 2 + random.integer(6), &random);
    for (int k = 0; k < 40; ++k) {
      const Ray ray = random.ray(5, 0.3);
      const RayHit hit = ray_hfield(field.shape, ray);
      if (field.depth(test::place_at(ray, 0)) > 0) {
        continue;
      }
      const bool is_hit = hit.at < ray_miss;
      const double end = is_hit ? static_cast<double>(hit.at) : 30.0;
      hits += is_hit ? 1 : 0;
      if (is_hit) {
        const Place at = test::place_at(ray, end);
        // depth along z overstates the distance from a steep wall
        EXPECT_LT(std::abs(field.depth(at)), 1e3 * rounding) << i << " " << k;
        EXPECT_LT(static_cast<double>(dot(hit.normal, ray.u)), 100 * rounding);
        EXPECT_NEAR(static_cast<double>(norm(hit.normal)), 1.0, rounding);
      }
      for (int s = 0; s < 300; ++s) {
        ASSERT_LT(field.depth(test::place_at(ray, end * s / 300)), 1e3 * rounding)
            << i << " " << k << " " << s;
      }
    }
  }
  EXPECT_GT(hits, 2000);
}

TEST(RayField, FromInsideRaysMeetTheWallsAndTheFloorOfTheField) {
  RandomRays random(6);
  Field field(4, 5, &random);
  std::fill(field.data.begin(), field.data.end(), 1_r);
  const real x = field.shape.size[0], y = field.shape.size[1], top = field.shape.size[2],
             base = field.shape.size[3];
  const auto cast = [&](Vec3<real> from, Vec3<real> u) {
    return ray_hfield(field.shape, {from, u, 0_r});
  };
  const Vec3<real> high = {0, 0, 0.5_r * top}, low = {0, 0, -0.5_r * base};
  EXPECT_NEAR(cast(high, {1_r, 0, 0}).at, x, rounding);
  EXPECT_EQ(cast(high, {1_r, 0, 0}).normal.x, 1_r);
  EXPECT_NEAR(cast(high, {0, -1_r, 0}).at, y, rounding);
  EXPECT_EQ(cast(high, {0, -1_r, 0}).normal.y, -1_r);
  EXPECT_NEAR(cast(high, {0, 0, 1_r}).at, 0.5_r * top, rounding);
  EXPECT_NEAR(cast(high, {0, 0, -1_r}).at, 0.5_r * top, rounding) << "the floor of the field";
  EXPECT_EQ(cast(high, {0, 0, -1_r}).normal.z, 1_r);
  EXPECT_NEAR(cast(low, {0, 0, 1_r}).at, 0.5_r * base, rounding);
  EXPECT_NEAR(cast(low, {0, 0, -1_r}).at, 0.5_r * base, rounding);
  EXPECT_EQ(cast(low, {0, 0, -1_r}).normal.z, -1_r);
  EXPECT_NEAR(cast(low, {-1_r, 0, 0}).at, x, rounding);
}

}  // namespace
}  // namespace swept::SWEPT_NS
