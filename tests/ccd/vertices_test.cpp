// SPDX-License-Identifier: Apache-2.0
// Pieces of deforming meshes: known times, hard places, and the guarantee on random queries, in f64
// and in f32.
#include "ccd/oracle.h"
#include "ccd/shapes.h"

#include <swept/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace swept::test {
namespace {

using ccd::MovingVertex;
using ccd::Status;
using ccd::Vector;
using ccd::VertexImpact;
using ccd::VertexOptions;

using Vertices = std::array<MovingVertex<double>, 4>;

MovingVertex<double> still(double x, double y, double z) {
  return {{x, y, z}, {x, y, z}};
}

MovingVertex<double> moving(const Vector<3>& from, const Vector<3>& way) {
  return {from, {from[0] + way[0], from[1] + way[1], from[2] + way[2]}};
}

/// The same with every coordinate scaled, then shifted.
template <std::size_t N>
std::array<MovingVertex<double>, N> placed(std::array<MovingVertex<double>, N> v, double scale,
                                           double shift) {
  for (auto& vertex : v) {
    for (int k = 0; k < 3; ++k) {
      vertex.start[k] = scale * vertex.start[k] + shift;
      vertex.end[k] = scale * vertex.end[k] + shift;
    }
  }
  return v;
}

const Vertices parallel_edges{still(-1, 0, 0), still(1, 0, 0), moving({-0.5, 0, 1}, {0, 0, -2}),
                              moving({1.5, 0, 1}, {0, 0, -2})};
const Vertices falling_vertex{moving({0.2, 0.2, 0.1}, {0, 0, -1}), still(0, 0, 0), still(1, 0, 0),
                              still(0, 1, 0)};

TEST(Vertices, MeetAtKnownTimes) {
  const auto edges = ccd::edge_edge_impact<double>(parallel_edges);
  EXPECT_EQ(edges.status, Status::contact);
  EXPECT_NEAR(edges.toi, 0.5, 1e-6);
  EXPECT_EQ(edges.iterations, 1);
  EXPECT_NEAR(edges.normal[2], 1, 1e-9);
  const auto face = ccd::vertex_triangle_impact<double>(falling_vertex);
  EXPECT_NEAR(face.toi, 0.1, 2e-6);
  EXPECT_NEAR(face.normal[2], -1, 1e-9);
  const auto edge = ccd::vertex_edge_impact<double>(
      {moving({0.3, 0, 1}, {0, 0, -2}), still(0, 0, 0), still(1, 0, 0)});
  EXPECT_NEAR(edge.toi, 0.5, 1e-6);
  const auto vertex =
      ccd::vertex_vertex_impact<double>({moving({0, 0, 1}, {0, 0, -2}), still(0, 0, 0)});
  EXPECT_NEAR(vertex.toi, 0.5, 1e-6);
  // and pass each other
  EXPECT_EQ(
      ccd::vertex_vertex_impact<double>({moving({0, 0.1, 1}, {0, 0, -2}), still(0, 0, 0)}).status,
      Status::separate);
}

TEST(Vertices, CollinearAndTiltedEdgesDoNotJump) {
  const Vertices collinear{still(0, 0, 0), still(1, 0, 0), moving({2, 0, 0}, {-2, 0, 0}),
                           moving({3, 0, 0}, {-2, 0, 0})};
  EXPECT_NEAR(ccd::edge_edge_impact<double>(collinear).toi, 0.5, 2e-6);
  for (const double tilt : {1e-8, -1e-8, 1e-12}) {
    Vertices tilted = parallel_edges;
    tilted[2].start[1] = tilted[2].end[1] = tilt;
    tilted[3].start[1] = tilted[3].end[1] = -tilt;
    EXPECT_NEAR(ccd::edge_edge_impact<double>(tilted).toi, 0.5, 2e-6);
  }
}

TEST(Vertices, WithACommonMotionArePlainlyApart) {
  Vertices far = falling_vertex;
  for (auto& v : far) {
    v.end = {v.start[0] + 1000, v.start[1], v.start[2]};
  }
  const auto apart = ccd::vertex_triangle_impact<double>(far);
  EXPECT_EQ(apart.status, Status::separate);
  EXPECT_EQ(apart.iterations, 1);
  far[0].end[2] -= 0.2;
  EXPECT_NEAR(ccd::vertex_triangle_impact<double>(far).toi, 0.5, 1e-5);
}

TEST(Vertices, TinyFarAndHugeOnesMeetAtTheSameTime) {
  const double want = ccd::vertex_triangle_impact<double>(falling_vertex).toi;
  for (const double scale : {0x1p-20, 0x1p-200, 0x1p40, 0x1p200}) {
    EXPECT_EQ(ccd::vertex_triangle_impact<double>(placed(falling_vertex, scale, 0)).toi, want);
    EXPECT_EQ(ccd::edge_edge_impact<double>(placed(parallel_edges, scale, 0)).toi,
              ccd::edge_edge_impact<double>(parallel_edges).toi);
  }
  // a million away: coordinates are rounded to 1e-10
  EXPECT_NEAR(ccd::vertex_triangle_impact<double>(placed(falling_vertex, 1, 1e6)).toi, want, 1e-8);
  // and in f32, with the origin subtracted before rounding
  const auto local = ccd::localize<float>(placed(falling_vertex, 1, 1e6));
  EXPECT_NEAR(ccd::vertex_triangle_impact<float>(local).toi, want, 2e-4);
}

TEST(Vertices, WithoutLengthOrAreaArePoints) {
  const auto fall = moving({0.5, 0, 1}, {0, 0, -2});
  // a triangle that is a segment, one that is a point, edges that are points
  EXPECT_NEAR(
      ccd::vertex_triangle_impact<double>({fall, still(0, 0, 0), still(0, 0, 0), still(1, 0, 0)})
          .toi,
      0.5, 1e-6);
  EXPECT_NEAR(ccd::vertex_triangle_impact<double>(
                  {moving({0, 0, 1}, {0, 0, -2}), still(0, 0, 0), still(0, 0, 0), still(0, 0, 0)})
                  .toi,
              0.5, 1e-6);
  EXPECT_NEAR(ccd::edge_edge_impact<double>({fall, fall, still(0, 0, 0), still(1, 0, 0)}).toi, 0.5,
              1e-6);
  EXPECT_NEAR(ccd::edge_edge_impact<double>({fall, fall, still(0.5, 0, 0), still(0.5, 0, 0)}).toi,
              0.5, 1e-6);
  // a triangle that collapses on the way
  const auto impact =
      ccd::vertex_triangle_impact<double>({moving({0.2, 0.2, 1}, {0, 0, -0.5}), still(0, 0, 0),
                                           moving({1, 0, 0}, {-2, 0, 0}), still(0, 1, 0)});
  EXPECT_EQ(impact.status, Status::separate);
}

TEST(Vertices, ThatCoincideTouchAtTheStart) {
  for (const double way : {0.0, 1.0}) {
    const auto impact = ccd::vertex_triangle_impact<double>(
        {moving({0, 0, 0}, {0, 0, way}), still(0, 0, 0), still(1, 0, 0), still(0, 1, 0)});
    EXPECT_EQ(impact.status, Status::initial_contact);
    EXPECT_EQ(impact.toi, 0);
    EXPECT_EQ(impact.normal, (Vector<3>{0, 0, 0}));
  }
  Vertices same = parallel_edges;
  same[2] = same[0];
  same[3] = same[1];
  EXPECT_EQ(ccd::edge_edge_impact<double>(same).status, Status::initial_contact);
}

TEST(Vertices, KeepTheirSeparation) {
  const auto impact =
      ccd::vertex_triangle_impact<double>(falling_vertex, {.tolerance = 1e-6, .separation = 0.05});
  EXPECT_EQ(impact.status, Status::contact);
  EXPECT_NEAR(impact.toi, 0.05, 1e-6);
  EXPECT_GE(impact.distance, 0.05);
  const auto held = ccd::vertex_triangle_impact<double>(falling_vertex, {.separation = 0.2});
  EXPECT_EQ(held.status, Status::initial_contact);
}

TEST(Vertices, PassingAndComingBackMeetAtTheFirstTime) {
  // the second edge slides along y while it tilts: over the first one, which is on the x axis, it
  // is at z = (s - 1/4) (s - 3/4)
  const Vertices v{still(-1, 0, 0), still(1, 0, 0), moving({0, 0, 3.0 / 16}, {0, -2, 0}),
                   moving({0, 2, -13.0 / 16}, {0, -2, 1})};
  EXPECT_NEAR(ccd::edge_edge_impact<double>(v).toi, 0.25, 1e-5);
  // the same from the other end
  Vertices back = v;
  for (auto& vertex : back) {
    std::swap(vertex.start, vertex.end);
  }
  EXPECT_NEAR(ccd::edge_edge_impact<double>(back).toi, 0.25, 1e-5);
}

TEST(Vertices, ThatMakeNoSenseAreRefused) {
  Vertices bad = falling_vertex;
  bad[2].end[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(ccd::vertex_triangle_impact<double>(bad), Error);
  bad[2].end[1] = HUGE_VAL;
  EXPECT_THROW(ccd::edge_edge_impact<double>(bad), Error);
  EXPECT_THROW(ccd::vertex_triangle_impact<double>(falling_vertex, {.tolerance = -1}), Error);
  EXPECT_THROW(ccd::vertex_triangle_impact<double>(falling_vertex, {.separation = -1}), Error);
  EXPECT_THROW(ccd::vertex_triangle_impact<double>(falling_vertex, {.max_iterations = 0}), Error);
}

/// The true distance of the pieces at s, extended precision: a triangle, an edge or a vertex is a
/// triangle with equal corners.
double distance_at(const Vertices& v, bool faces, double s) {
  std::array<Vector<3>, 4> x;
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 3; ++k) {
      x[i][k] = (1 - s) * v[i].start[k] + s * v[i].end[k];
    }
  }
  return faces ? oracle_facet_distance<3>({x[0], x[0], x[0]}, {x[1], x[2], x[3]})
               : oracle_facet_distance<3>({x[0], x[1], x[1]}, {x[2], x[3], x[3]});
}

template <class T>
void random_pieces_keep_their_distance(std::uint64_t seed) {
  Random random(seed);
  const int count = std::getenv("SWEPT_LONG") != nullptr ? 200'000 : 4'000;
  int contacts = 0, separate = 0, capped = 0;
  double iterations = 0;
  for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "query " << i);
    const double flat = i % 3 ? 1 : std::pow(10, uniform(random, -8, 0));
    Vertices v;
    for (auto& vertex : v) {
      for (int k = 0; k < 3; ++k) {
        vertex.start[k] = (k == 2 ? flat : 1) * uniform(random, -1, 1);
        vertex.end[k] = (k == 2 ? flat : 1) * uniform(random, -1, 1);
      }
    }
    const bool faces = i % 2;
    VertexOptions<T> options;
    options.separation = i % 4 == 0 ? static_cast<T>(0.05 * flat) : 0;
    options.tolerance = i % 5 == 0 ? static_cast<T>(1e-4) : 0;
    const auto local = ccd::localize<T>(v);
    const VertexImpact<T> impact = faces ? ccd::vertex_triangle_impact<T>(local, options)
                                         : ccd::edge_edge_impact<T>(local, options);
    contacts += impact.status == Status::contact;
    separate += impact.status == Status::separate;
    capped += impact.status == Status::not_converged;
    iterations += impact.iterations;
    if (impact.status == Status::initial_contact) {
      EXPECT_LE(distance_at(v, faces, 0), options.separation + impact.tolerance);
      continue;
    }
    const double keep = options.separation + impact.tolerance / 2;
    for (int k = 0; k <= 50; ++k) {
      const double s = k % 2 ? k / 50.0 : 1 - std::pow(0.6, k / 2);
      EXPECT_GE(distance_at(v, faces, s * impact.toi), keep);
    }
    EXPECT_GE(distance_at(v, faces, impact.toi), keep);
    if (impact.status == Status::contact) {
      EXPECT_LE(distance_at(v, faces, impact.toi), options.separation + impact.tolerance);
    }
  }
  std::printf("f%zu: %d contacts, %d separate, %d not converged, %.2f steps\n", 8 * sizeof(T),
              contacts, separate, capped, iterations / count);
  EXPECT_GT(contacts, count / 10);
  EXPECT_GT(separate, count / 10);
  EXPECT_LT(capped, count / 100);
}

TEST(Vertices, KeepTheirDistanceUntilTheTimeOfImpact) {
  random_pieces_keep_their_distance<double>(1);
  random_pieces_keep_their_distance<float>(2);
}

}  // namespace
}  // namespace swept::test
