// SPDX-License-Identifier: Apache-2.0
// The growing polytope: a closed surface around its vertices, whatever points it grows by, and bit
// for bit that of a plain implementation, one face after the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "kernels/geometry/horizon.h"

namespace swept::SWEPT_NS {
namespace {

using Points = std::vector<Vec3<real>>;

/// A face of the plain polytope.
struct PlainFace {
  int corner[3], neighbour[3];
  Vec3<real> normal;
  real offset, key;
  bool live;
};

/// The polytope again, by branches and lists.
struct Plain {
  Points vertex;
  std::vector<PlainFace> face;
  std::vector<int> unused;

  int make(int a, int b, int c) {
    int f = static_cast<int>(face.size());
    if (unused.empty()) {
      face.emplace_back();
    } else {
      f = unused.back();
      unused.pop_back();
    }
    const Vec3<real> va = at(a), vb = at(b), vc = at(c);
    const Vec3<real> ab = vb - va, bc = vc - vb, ca = va - vc;
    const real lab = fused_dot(ab, ab), lbc = fused_dot(bc, bc), lca = fused_dot(ca, ca);
    const Vec3<real> n = lab > lbc && lab > lca ? fused_cross(bc, ca)
                         : lbc > lca            ? fused_cross(ca, ab)
                                                : fused_cross(ab, bc);
    const real square = fused_dot(n, n);
    const Vec3<real> normal = n * (square > 0_r ? 1_r / sqrt(square) : 0_r);
    const real offset = fused_dot(normal, va);
    face[static_cast<std::size_t>(f)] = {
        {a, b, c}, {-1, -1, -1}, normal, offset, square > 0_r ? offset : no_key, true};
    return f;
  }
  Vec3<real> at(int v) const { return vertex[static_cast<std::size_t>(v)]; }
  PlainFace& of(int f) { return face[static_cast<std::size_t>(f)]; }
  bool sees(int f, Vec3<real> w, real margin) {
    return fused_dot(of(f).normal, w) - of(f).offset > margin;
  }

  void start() {
    const int corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    for (const auto& c : corners) {
      make(c[0], c[1], c[2]);
    }
    link();
  }

  /// Neighbours, by looking for the edges in the other direction.
  void link() {
    std::map<std::pair<int, int>, int> face_of;
    for (int f = 0; f < static_cast<int>(face.size()); ++f) {
      for (int k = 0; k < 3 && of(f).live; ++k) {
        face_of[{of(f).corner[k], of(f).corner[(k + 1) % 3]}] = f;
      }
    }
    for (const auto& [edge, f] : face_of) {
      for (int k = 0; k < 3; ++k) {
        if (of(f).corner[k] == edge.first) {
          of(f).neighbour[k] = face_of.at({edge.second, edge.first});
        }
      }
    }
  }

  bool add(Vec3<real> w, int first, real margin) {
    std::vector<int> seen = {first};
    std::vector<std::pair<int, int>> edges;
    const auto is_in = [&](int f) { return std::find(seen.begin(), seen.end(), f) != seen.end(); };
    for (std::size_t i = 0; i < seen.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        const int f = seen[i], other = of(f).neighbour[k];
        if (is_in(other)) {
          continue;
        }
        if (sees(other, w, margin)) {
          seen.push_back(other);
        } else {
          edges.emplace_back(of(f).corner[k], of(f).corner[(k + 1) % 3]);
        }
      }
    }
    // one loop, no vertex twice
    std::set<int> on_border;
    for (const auto& e : edges) {
      on_border.insert(e.first);
    }
    if (edges.size() < 3 || on_border.size() != edges.size()) {
      return false;
    }
    std::size_t length = 0;
    int v = edges[0].first;
    do {
      v = std::find_if(edges.begin(), edges.end(), [&](const auto& e) {
            return e.first == v;
          })->second;
      ++length;
    } while (v != edges[0].first);
    if (length != edges.size()) {
      return false;
    }
    for (const int f : seen) {
      of(f).live = false;
      of(f).key = no_key;
      unused.push_back(f);
    }
    vertex.push_back(w);
    for (const auto& e : edges) {
      make(e.first, e.second, static_cast<int>(vertex.size()) - 1);
    }
    link();
    return true;
  }

  int nearest() {
    int best = -1;
    for (int f = 0; f < static_cast<int>(face.size()); ++f) {
      if (of(f).key < (best < 0 ? no_key : of(best).key)) {
        best = f;
      }
    }
    return best;
  }
};

/// Whether both are the same, bit for bit.
void expect_same(const Polytope& p, Plain& plain) {
  ASSERT_EQ(p.nvertex, static_cast<int>(plain.vertex.size()));
  ASSERT_EQ(p.nface, static_cast<int>(plain.face.size()));
  ASSERT_EQ(p.nfree, static_cast<int>(plain.unused.size()));
  for (int f = 0; f < p.nface; ++f) {
    const PlainFace& other = plain.of(f);
    ASSERT_EQ(p.state[f] == face_live, other.live) << f;
    ASSERT_EQ(p.key[f], other.key) << f;
    if (!other.live) {
      continue;
    }
    const Vec3<real> n = p.normal[f];
    ASSERT_TRUE(n.x == other.normal.x && n.y == other.normal.y && n.z == other.normal.z) << f;
    ASSERT_EQ(p.offset[f], other.offset) << f;
    for (int k = 0; k < 3; ++k) {
      ASSERT_EQ(p.corner[f][k], other.corner[k]) << f;
      ASSERT_EQ(p.neighbour[f][k], other.neighbour[k]) << f;
    }
  }
}

/// A surface is closed if every edge is there once in each direction; V - E + F = 2 if it is a
/// sphere.
void expect_closed(const Polytope& p) {
  std::set<std::pair<int, int>> edges;
  std::set<int> vertices;
  int faces = 0;
  for (int f = 0; f < p.nface; ++f) {
    if (p.state[f] != face_live) {
      continue;
    }
    ++faces;
    for (int k = 0; k < 3; ++k) {
      const int a = p.corner[f][k], b = p.corner[f][(k + 1) % 3];
      ASSERT_TRUE(edges.emplace(a, b).second) << a << " " << b;
      vertices.insert(a);
    }
  }
  for (const auto& e : edges) {
    ASSERT_EQ(edges.count({e.second, e.first}), 1u) << e.first << " " << e.second;
  }
  ASSERT_EQ(2 * static_cast<int>(vertices.size()) - static_cast<int>(edges.size()) + 2 * faces, 4);
}

/// Both polytopes of four points; false if they have no volume.
bool start_both(const Points& four_points, Polytope* p, Plain* plain) {
  for (int i = 0; i < 4; ++i) {
    p->vertex[i] = {four_points[static_cast<std::size_t>(i)], {0_r, 0_r, 0_r}, i, i};
  }
  if (!start_tetrahedron(p)) {
    return false;
  }
  for (int i = 0; i < 4; ++i) {
    plain->vertex.push_back(p->vertex[i].w);
  }
  plain->start();
  return true;
}

/// Four of the points with volume, if there are: each the furthest from those before.
Points spread(const Points& points) {
  Points out = {points[0]};
  const auto furthest_by = [&](const auto& measure) {
    out.push_back(*std::max_element(points.begin(), points.end(), [&](Vec3<real> a, Vec3<real> b) {
      return measure(a) < measure(b);
    }));
  };
  furthest_by([&](Vec3<real> a) { return norm(a - out[0]); });
  furthest_by([&](Vec3<real> a) { return norm(cross(a - out[0], out[1] - out[0])); });
  furthest_by([&](Vec3<real> a) {
    return std::abs(dot(a - out[0], cross(out[1] - out[0], out[2] - out[0])));
  });
  return out;
}

/// Grow both by the points that lie furthest along the normal of the nearest face, as EPA does.
/// The number of vertices.
int grow(const Points& points, bool convex) {
  const auto p = std::make_unique<Polytope>();
  Plain plain;
  if (!start_both(spread(points), p.get(), &plain)) {
    return 0;
  }
  expect_same(*p, plain);
  real size = 0_r;
  for (const Vec3<real>& point : points) {
    size = std::max(size, norm(point));
  }
  const real margin = 4_r * epsilon * size;
  for (int f = nearest_face(*p); f >= 0; f = nearest_face(*p)) {
    EXPECT_EQ(f, plain.nearest());
    const Vec3<real> n = p->normal[f];
    const Vec3<real> w = *std::max_element(
        points.begin(), points.end(),
        [&](Vec3<real> a, Vec3<real> b) { return fused_dot(n, a) < fused_dot(n, b); });
    const bool room = p->nvertex < polytope_vertices && fused_dot(n, w) - p->offset[f] > margin;
    p->vertex[p->nvertex] = {w, {0_r, 0_r, 0_r}, 0, 0};
    const bool added = room && add_vertex(p.get(), f, margin);
    EXPECT_EQ(added, room && plain.add(w, f, margin));
    if (!added) {
      p->key[f] = plain.of(f).key = no_key;
    }
    expect_same(*p, plain);
    expect_closed(*p);
    if (testing::Test::HasFatalFailure()) {
      return 0;
    }
  }
  // a vertex that is not seen lies below by the margin, and each of the faces between may be off by
  // as much; the normal of a flat triangle has lost digits besides
  const real below = 64_r * margin;
  for (int f = 0; convex && f < p->nface; ++f) {
    for (int v = 0; v < p->nvertex && p->state[f] == face_live; ++v) {
      EXPECT_LT(fused_dot(p->normal[f], p->vertex[v].w) - p->offset[f], below) << f << " " << v;
    }
  }
  return p->nvertex;
}

struct Random {
  std::mt19937_64 engine{20};

  real uniform(double lo, double hi) {
    return static_cast<real>(std::uniform_real_distribution<double>(lo, hi)(engine));
  }
  Vec3<real> inside() {
    while (true) {
      const Vec3<real> a = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
      if (norm(a) < 1_r && norm(a) > 0.01_r) {
        return a;
      }
    }
  }
  Points many(int count, bool on_sphere) {
    Points out;
    for (int i = 0; i < count; ++i) {
      const Vec3<real> a = inside();
      out.push_back(on_sphere ? a * (1_r / norm(a)) : a);
    }
    return out;
  }
};

TEST(Polytope, OfPointsOnASphereIsClosedAndThatOfThePlainOne) {
  Random random;
  int most = 0;
  for (int i = 0; i < 20; ++i) {
    most = std::max(most, grow(random.many(4 + 15 * i, true), true));
  }
  EXPECT_EQ(most, polytope_vertices);
}

TEST(Polytope, OfPointsInASphereIsClosedAndThatOfThePlainOne) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    EXPECT_GE(grow(random.many(4 + 3 * i, false), true), 4);
  }
}

TEST(Polytope, OfBoxesTakesTheirEightCorners) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const Vec3<real> h = {random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)};
    Points corners;
    for (int k = 0; k < 8; ++k) {
      corners.push_back({k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z});
    }
    std::shuffle(corners.begin(), corners.end(), random.engine);
    EXPECT_EQ(grow(corners, true), 8);
  }
}

TEST(Polytope, HoldsCoplanarAndDuplicatePoints) {
  Random random;
  for (int i = 0; i < 200; ++i) {
    // a grid of few numbers has many points on a plane, on a line and at the same place
    Points points;
    for (int k = 0; k < 60; ++k) {
      const auto number = [&]() { return static_cast<real>(std::round(random.uniform(-2, 2))); };
      points.push_back({number() + 0.25_r, number(), number()});
    }
    EXPECT_GE(grow(points, true), 4);
  }
}

TEST(Polytope, OfPointsInAPlaneHasNoStart) {
  Random random;
  for (int i = 0; i < 50; ++i) {
    Points points = random.many(20, false);
    for (Vec3<real>& point : points) {
      point.z = 0_r;
    }
    EXPECT_EQ(grow(points, true), 0);
  }
}

TEST(Polytope, RefusesABorderThatIsNoLoopAndThenStaysAsItIs) {
  Random random;
  int added = 0, refused = 0;
  for (int i = 0; i < 400; ++i) {
    // any face, any margin: what is seen may be all, ring-shaped or pinched
    const auto p = std::make_unique<Polytope>();
    Plain plain;
    if (!start_both(random.many(4, true), p.get(), &plain)) {
      continue;
    }
    for (int k = 0; k < 60 && p->nvertex < polytope_vertices; ++k) {
      const Vec3<real> w = random.inside() * random.uniform(0.8, 1.6);
      const real margin = random.uniform(-0.6, 0.3);
      const int first = static_cast<int>(random.engine() % static_cast<unsigned>(p->nface));
      if (p->state[first] != face_live) {
        continue;
      }
      p->vertex[p->nvertex] = {w, {0_r, 0_r, 0_r}, 0, 0};
      const bool fits = add_vertex(p.get(), first, margin);
      ASSERT_EQ(fits, plain.add(w, first, margin));
      ++(fits ? added : refused);
      ASSERT_NO_FATAL_FAILURE(expect_same(*p, plain));
      ASSERT_NO_FATAL_FAILURE(expect_closed(*p));
      ASSERT_EQ(nearest_face(*p), plain.nearest());
    }
  }
  EXPECT_GT(added, 1000);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace swept::SWEPT_NS
