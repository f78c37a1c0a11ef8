// SPDX-License-Identifier: Apache-2.0
// Places, boxes and radii of a query against extended precision: the errors that rounding.h counts
// with. 20,000 random pairs of motions.
#include "kernels/ccd/boxes.h"
#include "kernels/ccd/compact.h"
#include "kernels/ccd/rounding.h"
#include "support/thread_group.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace swept::SWEPT_NS::test {
namespace {

using Exact = long double;
using ExactVec = std::array<Exact, 3>;
using Random = std::mt19937_64;

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

/// Numbers that the host has in double, as the device gets them.
Twofold<real> twofold(double x) {
  const real hi = static_cast<real>(x);
  return {hi, static_cast<real>(x - static_cast<double>(hi))};
}

struct Turning {
  std::array<double, 4> q;
  std::array<double, 3> axis;
  double angle;

  explicit Turning(Random& random) {
    std::normal_distribution<double> normal;
    double square = 0, length = 0;
    for (double& x : q) {
      x = normal(random);
      square += x * x;
    }
    for (double& x : axis) {
      x = normal(random);
      length += x * x;
    }
    for (double& x : q) {
      x /= std::sqrt(square);
    }
    for (double& x : axis) {
      x /= std::sqrt(length);
    }
    angle = random() % 5 == 0 ? 0 : uniform(random, 0, random() % 5 == 0 ? 30 : 3.2);
  }

  TurnData data() const {
    return {{twofold(q[0]), twofold(q[1]), twofold(q[2]), twofold(q[3])},
            {twofold(axis[0]), twofold(axis[1]), twofold(axis[2])},
            twofold(angle),
            {0_r, 0_r, 1_r}};
  }

  /// R x or, with `back`, R' x.
  ExactVec turn(const ExactVec& x, Exact s, bool back) const {
    const Exact half = s * angle / 2, c = std::cos(half), t = std::sin(half);
    const Exact k[4] = {c, t * axis[0], t * axis[1], t * axis[2]};
    Exact p[4] = {k[0] * q[0] - k[1] * q[1] - k[2] * q[2] - k[3] * q[3],
                  k[0] * q[1] + k[1] * q[0] + k[2] * q[3] - k[3] * q[2],
                  k[0] * q[2] - k[1] * q[3] + k[2] * q[0] + k[3] * q[1],
                  k[0] * q[3] + k[1] * q[2] - k[2] * q[1] + k[3] * q[0]};
    Exact square = 0;
    for (const Exact v : p) {
      square += v * v;
    }
    // v + 2 w (u x v) + 2 u x (u x v)
    const Exact w = back ? -p[0] : p[0];
    const ExactVec u = {p[1], p[2], p[3]};
    const auto cross = [](const ExactVec& a, const ExactVec& b) {
      return ExactVec{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                      a[0] * b[1] - a[1] * b[0]};
    };
    const ExactVec ux = cross(u, x), uux = cross(u, ux);
    ExactVec y;
    for (int i = 0; i < 3; ++i) {
      y[i] = x[i] + 2 * (w * ux[i] + uux[i]) / square;
    }
    return y;
  }
};

Exact distance(const ExactVec& a, Vec3<real> b) {
  const Exact d[3] = {a[0] - Exact(b.x), a[1] - Exact(b.y), a[2] - Exact(b.z)};
  return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

ExactVec exact(Vec3<real> v) {
  return {Exact(v.x), Exact(v.y), Exact(v.z)};
}

Vec3<real> random_vector(Random& random, double size) {
  return {static_cast<real>(uniform(random, -size, size)),
          static_cast<real>(uniform(random, -size, size)),
          static_cast<real>(uniform(random, -size, size))};
}

TEST(CcdPlaces, PointsOfTheFirstBodyAreOffByWhatRoundingCountsWith) {
  Random random(1);
  Exact worst = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Turning a(random), b(random);
    std::array<double, 3> start, way;
    for (int k = 0; k < 3; ++k) {
      start[k] = uniform(random, -1, 1);
      way[k] = uniform(random, -1, 1);
    }
    QueryData q{};
    q.turn_a = a.data();
    q.turn_b = b.data();
    q.start = {twofold(start[0]), twofold(start[1]), twofold(start[2])};
    q.way = {twofold(way[0]), twofold(way[1]), twofold(way[2])};
    const real s = static_cast<real>(uniform(random, 0, 1));
    const Vec3<real> x = random_vector(random, random() % 2 ? 1 : 0.01);
    const PlacedPair placed = place(q, s);
    ExactVec world = a.turn(exact(x), s, false);
    Exact offset = 0;
    for (int k = 0; k < 3; ++k) {
      const Exact d = Exact(start[k]) + Exact(s) * way[k];
      world[k] += d;
      offset += d * d;
    }
    const ExactVec want = b.turn(world, s, true);
    const Exact r = std::sqrt(Exact(dot(x, x)));
    // 17 u r_a + 18 u |D|: all but the rounding of x
    const Exact bar = Exact(half_ulp) * (17 * r + 18 * std::sqrt(offset));
    const Exact error = distance(want, placed(x));
    EXPECT_LE(error, bar);
    worst = std::max(worst, error / bar);
    // and back into the world
    const ExactVec back = b.turn(exact(x), s, false);
    EXPECT_LE(distance(back, placed.world * x), 14 * Exact(half_ulp) * r);
  }
  std::printf("worst: %.2Lf of the bound\n", worst);
}

BoxNode random_box(Random& random) {
  const double size = random() % 2 ? 0.5 : 0.05;
  BoxNode box{random_vector(random, 0.5), abs(random_vector(random, size)), -1};
  if (random() % 4 == 0) {
    box.half.z = 0;
  }
  return box;
}

Vec3<real> point_in(const BoxNode& box, Random& random) {
  const auto t = [&] {
    return random() % 3 == 0 ? (random() % 2 ? 1.0 : -1.0) : uniform(random, -1, 1);
  };
  return {static_cast<real>(box.center.x + t() * box.half.x),
          static_cast<real>(box.center.y + t() * box.half.y),
          static_cast<real>(box.center.z + t() * box.half.z)};
}

TEST(CcdPlaces, BoxesBoundDistancesAndRadiiOfWhatIsInThem) {
  Random random(2);
  int apart = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Turning turn_a(random), turn_b(random);
    QueryData q{};
    q.turn_a = turn_a.data();
    q.turn_b = turn_b.data();
    const Vec3<real> o = random_vector(random, 1);
    q.start = {{o.x, 0_r}, {o.y, 0_r}, {o.z, 0_r}};
    const PlacedPair placed = place(q, static_cast<real>(uniform(random, 0, 1)));
    const BoxNode a = random_box(random), b = random_box(random);
    const real size = norm(a.center) + norm(a.half) + norm(b.center) + norm(b.half) + norm(o);
    const real bound = distance_bound(gaps_of(placed, a, b), box_roundings * half_ulp * size);
    apart += bound > 0;
    const Vec3<real> k = random_vector(random, 1);
    for (int j = 0; j < 8; ++j) {
      const Vec3<real> x = point_in(a, random), y = point_in(b, random);
      EXPECT_GE(norm(placed(x) - y), bound);
      EXPECT_LE(norm(cross(k, x)), radius_bound(k, a) * (1 + 40 * half_ulp));
    }
  }
  EXPECT_GT(apart, 2'000);
}

TEST(CcdPlaces, TheLargestRadiusIsThatOfAllCorners) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    // a chain of leaves, each with the box of what follows around it
    const int m = 1 + static_cast<int>(random() % 20);
    std::vector<Facet3> facets;
    std::vector<BoxNode> nodes;
    for (int f = 0; f < m; ++f) {
      facets.push_back(
          {{random_vector(random, 1), random_vector(random, 1), random_vector(random, 1)}});
    }
    const BoxNode all{{0_r, 0_r, 0_r}, {1_r, 1_r, 1_r}, 0};
    for (int f = 0; f < m; ++f) {
      if (f + 1 < m) {
        nodes.push_back(all);
        nodes.back().second = static_cast<int>(nodes.size()) + 1;
      }
      nodes.push_back(all);
      nodes.back().second = -1 - f;
    }
    const Vec3<real> k = random_vector(random, 1);
    real want = 0;
    for (const Facet3& f : facets) {
      for (const Vec3<real>& v : f.v) {
        want = max(want, norm(cross(k, v)));
      }
    }
    EXPECT_EQ(largest_radius({nodes.data(), facets.data()}, k), want);
  }
}

TEST(CcdPlaces, CompactKeepsTheActiveInOrderForAnyNumberOfLanes) {
  Random random(4);
  for (const int n : {0, 1, 7, 32, 33, 100}) {
    std::vector<Track> tracks(100, new_track());
    std::vector<int> from, want;
    for (int i = 0; i < n; ++i) {
      from.push_back(99 - i);
      const bool active = random() % 2;
      tracks[static_cast<std::size_t>(99 - i)].state =
          active ? TrackState::active : TrackState::contact;
      if (active) {
        want.push_back(99 - i);
      }
    }
    for (const int lanes : {1, 4, 32}) {
      std::vector<int> to(101, -1);
      int count = -1;
      run_lanes(lanes, [&](const ThreadGroup g) {
        compact(g, tracks.data(), from.data(), n, to.data(), &count);
      });
      ASSERT_EQ(count, static_cast<int>(want.size()));
      to.resize(want.size());
      EXPECT_EQ(to, want);
    }
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
