// SPDX-License-Identifier: Apache-2.0
// Laws of contacts with meshes that collide as they are: distances of balls are exact, inside and
// outside; a flat floor of many faces pushes upwards only; a hull made of faces is as deep as the hull;
// few contacts stay and the deepest is among them.
#include <gtest/gtest.h>

#include "kernels/geometry/contact_shapes.h"
#include "kernels/geometry/surface_shapes.h"
#include "kernels/geometry/surface_surface.h"
#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using swept::test::near;
using swept::test::Tolerance;

// a few roundings of lengths of order 1; near edges that lie flat a direction is known to the square
// root of that only, and the distance to its square
constexpr Tolerance distance_bar = {1e-12, 3e-6};

double least_of(const Witness* w, int n) {
  double least = 1e300;
  for (int i = 0; i < n; ++i) {
    least = std::min(least, static_cast<double>(w[i].dist));
  }
  return least;
}

const Mat3<real> upright_mat = identity3();
const Shape at_rest = {geom_mesh, {0_r, 0_r, 0_r}, upright_mat, {0_r, 0_r, 0_r}};

/// A closed box of twelve faces.
RawMesh box_of_faces(const Point& half) {
  RawMesh m;
  for (int i = 0; i < 8; ++i) {
    m.vertex.push_back({(i & 1) != 0 ? half[0] : -half[0], (i & 2) != 0 ? half[1] : -half[1],
                        (i & 4) != 0 ? half[2] : -half[2]});
  }
  const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                           {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& [a, b, c, d] : faces) {
    m.face.insert(m.face.end(), {{a, b, c}, {a, c, d}});
  }
  return m;
}

TEST(Surface, TellsTheInsideAndTheDistanceOfEveryPoint) {
  Uniform random(1);
  double worst = 0;
  int inside = 0;
  for (int k = 0; k < 20; ++k) {
    const SurfaceModel model(dented_ball(k % 3, 0.3, random.engine()), true);
    for (int i = 0; i < 300; ++i) {
      const Point p = random.in_box(0.9);
      const double want = signed_distance(model.raw(), to_point(to_real(p)), true);
      const SurfacePoint got = nearest_on_surface(model.surface(), to_real(p));
      const double distance = std::sqrt(static_cast<double>(got.square));
      worst = std::max(worst, std::abs((got.inside ? -distance : distance) - want));
      inside += got.inside ? 1 : 0;
    }
  }
  std::printf("6000 points, %d inside, worst error %.2g m\n", inside, worst);
  EXPECT_GT(inside, 300);
  EXPECT_TRUE(near(worst, 0, distance_bar));
}

TEST(Surface, BallsHaveTheirExactDistanceInsideAndOutside) {
  Uniform random(2);
  double worst = 0, below = 0;
  int hits = 0, inside = 0, none = 0;
  for (int k = 0; k < 40; ++k) {
    const bool closed = k % 4 != 3;
    RawMesh raw = dented_ball(1 + k % 3, 0.3, random.engine());
    if (!closed) {
      raw.face.resize(raw.face.size() / 2);
    }
    const SurfaceModel model(raw, closed);
    for (int i = 0; i < 400; ++i) {
      const Point centre = random.in_box(1.1);
      const real radius = static_cast<real>(std::exp(random(std::log(0.003), std::log(0.4))));
      const real detect = static_cast<real>(random(0, 0.1));
      // the mesh stands anywhere
      const Shape mesh = {geom_mesh, to_real(random.in_box(2)), random.turn(), zero3<real>()};
      const Shape ball = {
          geom_sphere, mesh.pos + mesh.mat * to_real(centre), upright_mat, {radius, 0_r, 0_r}};
      Witness w[ContactSet::most];
      const int n = surface_convex(ball, mesh, model.surface(), detect, ContactCount::several, w);
      const Point c = to_point(transpose_mul(mesh.mat, ball.pos - mesh.pos));
      const double want = signed_distance(model.raw(), c, closed) - static_cast<double>(radius);
      if (n == 0) {
        ++none;
        EXPECT_GT(want, static_cast<double>(detect) - distance_bar.bar(swept::test::default_bar))
            << k << " " << i;
        continue;
      }
      ++hits;
      inside += want < -static_cast<double>(radius) ? 1 : 0;
      const double least = least_of(w, n);
      worst = std::max(worst, std::abs(least - want));
      below = std::max(below, want - least);
      for (int j = 0; j < n; ++j) {
        EXPECT_TRUE(near(norm(w[j].normal), 1, distance_bar));
      }
    }
  }
  std::printf("%d contacts (%d with the centre inside), %d apart, worst error %.2g m\n", hits,
              inside, none, worst);
  EXPECT_GT(inside, 1000);
  EXPECT_GT(none, 1000);
  EXPECT_TRUE(near(worst, 0, distance_bar));
}

TEST(Surface, AFloorOfManyFacesPushesUpwardsOnly) {
  Uniform random(3);
  const SurfaceModel model(slab(12, 0.1, random.engine()), true);
  const int types[] = {geom_sphere, geom_capsule, geom_ellipsoid, geom_cylinder, geom_box};
  double tilt = 0, error = 0;
  int most = 0, bodies = 0;
  for (int i = 0; i < 3000; ++i) {
    Shape body = {types[i % 5], {0_r, 0_r, 0_r}, random.turn(), {}};
    body.size = to_real({random(0.02, 0.15), random(0.02, 0.15), random(0.02, 0.15)});
    if (i % 2 == 0) {
      body.mat = turn_about(2, random(0, 360));  // upright: faces lie flat
    }
    SurfaceBody at_origin(body);
    // the lowest point a little below the floor, or above it within the margin
    const double depth = random(-0.004, 0.004);
    body.pos = to_real({random(-0.3, 0.3), random(-0.3, 0.3), 0});
    body.pos.z = static_cast<real>(-static_cast<double>(at_origin.box.low.z) - depth);
    Witness w[ContactSet::most];
    const int n = surface_convex(body, at_rest, model.surface(), 0.005_r, ContactCount::several, w);
    ASSERT_GT(n, 0) << i;
    ++bodies;
    most = std::max(most, n);
    if (body.type != geom_cylinder) {
      // a disk stands for a polygon where it lies nearly flat
      error = std::max(error, std::abs(least_of(w, n) + depth));
    }
    for (int k = 0; k < n; ++k) {
      // from the body to the floor
      tilt = std::max(tilt, 1 + static_cast<double>(w[k].normal.z));
      EXPECT_LE(w[k].dist, 0.005_r);
    }
  }
  std::printf(
      "%d bodies, at most %d contacts, worst tilt 1 - cos = %.2g, worst depth error %.2g m\n",
      bodies, most, tilt, error);
  EXPECT_LE(most, 4);
  // a push may lean by push_slack against each side that lies flat: half of the square of both
  EXPECT_TRUE(near(tilt, 0, {2e-6, 1e-5}));
  // which makes the way to a floor 4 mm away longer by as much
  EXPECT_TRUE(near(error, 0, {1e-8, 2e-6}));
}

TEST(Surface, AHullOfFacesIsAsDeepAsTheHull) {
  Uniform random(4);
  double apart = 0, over = 0;
  int n_apart = 0, n_over = 0;
  for (int i = 0; i < 4000; ++i) {
    const Point half = {random(0.1, 0.5), random(0.1, 0.5), random(0.1, 0.5)};
    const SurfaceModel model(box_of_faces(half), true);
    // what the surface's floats make of it
    const Point h = model.raw().vertex[7];
    const Shape hull = {geom_box, zero3<real>(), upright_mat, to_real(h)};
    const int types[] = {geom_capsule, geom_ellipsoid, geom_cylinder, geom_box};
    Shape body = {types[i % 4], zero3<real>(), random.turn(), {}};
    body.size = to_real({random(0.05, 0.3), random(0.05, 0.3), random(0.05, 0.3)});
    // moved along a random direction until it is this far away
    const Point way = random.in_box(1);
    const double want = random(-0.02, 0.05);
    double low = 0, high = 3;
    Nearest nearest;
    for (int k = 0; k < 60; ++k) {
      const double t = 0.5 * (low + high);
      body.pos = to_real({t * way[0], t * way[1], t * way[2]});
      (convex_distance(body, hull, 10_r, &nearest) < want ? low : high) = t;
    }
    const double exact = convex_distance(body, hull, 10_r, &nearest);
    if (std::abs(exact - want) > 1e-3) {
      continue;
    }
    Witness w[ContactSet::most];
    const int n = surface_convex(body, at_rest, model.surface(), 0.06_r, ContactCount::one, w);
    ASSERT_GT(n, 0) << i;
    const double error = std::abs(least_of(w, n) - exact);
    if (exact > 0) {
      ++n_apart;
      apart = std::max(apart, error);
    } else {
      ++n_over;
      over = std::max(over, error);
    }
  }
  std::printf("%d apart, worst %.2g m; %d over each other, worst %.2g m\n", n_apart, apart, n_over,
              over);
  EXPECT_GT(n_apart, 1000);
  EXPECT_GT(n_over, 500);
  EXPECT_TRUE(near(apart, 0, {1e-9, 1e-5}));
  EXPECT_TRUE(near(over, 0, {1e-6, 1e-4}));
}

TEST(ContactSet, KeepsFewAndTheDeepest) {
  Uniform random(5);
  for (int i = 0; i < 300; ++i) {
    ContactSet set(zero3<real>(), 1_r);
    double deepest = 1;
    for (int k = 0; k < 40; ++k) {
      const real dist = static_cast<real>(random(-0.01, 0.01));
      deepest = std::min(deepest, static_cast<double>(dist));
      const Mat3<real> turn = random.turn();
      set.add({dist, to_real(random.in_box(1)),
               k % 2 == 0 ? Vec3<real>{0_r, 0_r, 1_r} : column_x(turn)});
      EXPECT_LE(set.count, ContactSet::most);
    }
    EXPECT_EQ(least_of(set.at, set.count), deepest);
    int upright = 0;
    for (int k = 0; k < set.count; ++k) {
      upright += set.at[k].normal.z >= 1_r ? 1 : 0;
    }
    EXPECT_LE(upright, ContactSet::most_of_direction);
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS
