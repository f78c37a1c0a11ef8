// SPDX-License-Identifier: Apache-2.0
// Laws of pairs with meshes that collide as they are, on their way: until the time that is returned no
// centre has got through the surface and no face is deeper than its floor; who is stopped has met
// something; what slides over a floor of many faces is not stopped by their seams.
#include "kernels/speculative/surface.h"

#include <gtest/gtest.h>

#include "kernels/geometry/contact_shapes.h"
#include "kernels/geometry/surface_shapes.h"
#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

constexpr bool in_f32 = sizeof(real) == 4;

real half_size(const Shape& s) {
  switch (s.type) {
    case geom_sphere:
    case geom_capsule:
      return s.size.x;
    case geom_cylinder:
      return min(s.size.x, s.size.y);
    default:
      return min(s.size.x, min(s.size.y, s.size.z));
  }
}

StepMotion<real> motion_of(const Point& dx, const Point& domega, real bound) {
  const Vec3<real> a = to_real(dx), w = to_real(domega);
  return {a, w, norm(a) + norm(w) * bound};
}

/// A body and a mesh on their way.
SweptPair pair_of_shapes(const Shape& body, const StepMotion<real>& motion1, const Shape& mesh,
                         const StepMotion<real>& motion2, real mesh_bound) {
  SurfaceBody at(body);
  return swept_pair(body, motion1, norm(at.box.high - at.box.low), mesh, motion2, mesh_bound,
                    half_size(body));
}

SurfaceFollow<SweptPair> follow(const SweptPair& pair, const SurfaceModel& model,
                                real margin = 0_r) {
  PairSide one = {}, two = {};
  two.is_surface = true;
  two.surface = model.surface();
  SurfaceFollow<SweptPair> all = {pair,
                                  {margin, 0_r, 64},
                                  ContactCount::several,
                                  one,
                                  two,
                                  {},
                                  false,
                                  ImpactSet(pair.origin, pair.bound1),
                                  ImpactSet(pair.origin, pair.bound1)};
  all.follow_all();
  return all;
}

/// The centre of the body in the frame of the mesh, at a time.
Point centre_at(const SweptPair& pair, double t) {
  const Placing at = place_pair(pair, static_cast<real>(t));
  return to_point(transpose_mul(at.mat2, -at.pos2));
}

/// The least signed distance of the body from any face, at a time.
double depth_at(const SweptPair& pair, const SurfaceModel& model, double t) {
  const Placing at = place_pair(pair, static_cast<real>(t));
  Shape body = pair.shape1;
  body.mat = at.mat1;
  double least = 1e300;
  for (int i = 0; i < static_cast<int>(model.raw().face.size()); ++i) {
    const FaceShape points(model.surface().face(i));
    Nearest nearest;
    least = std::min(least, static_cast<double>(convex_distance(body, points.at(at.pos2, at.mat2),
                                                                10_r, &nearest)));
  }
  return least;
}

Shape random_body(Uniform* random, int kind, double largest) {
  const int types[] = {geom_sphere, geom_capsule, geom_ellipsoid, geom_cylinder, geom_box};
  Shape body = {types[kind % 5], zero3<real>(), random->turn(), {}};
  body.size = to_real(
      {(*random)(0.2, 1) * largest, (*random)(0.2, 1) * largest, (*random)(0.2, 1) * largest});
  return body;
}

TEST(SurfaceOnItsWay, NoCentreGetsThroughBeforeTheTime) {
  Uniform random(11);
  int hits = 0, free = 0, through = 0, late = 0;
  double rounds = 0, deepest = 0;
  for (int k = 0; k < 24; ++k) {
    const bool closed = k % 3 != 2;
    RawMesh raw = dented_ball(1 + k % 2, 0.4, random.engine());
    if (!closed) {
      raw.face.resize(raw.face.size() * 2 / 3);
    }
    const SurfaceModel model(raw, closed);
    for (int i = 0; i < 60; ++i) {
      Shape body = random_body(&random, i, 0.1);
      const Shape mesh = {geom_mesh, to_real(random.in_box(1)), random.turn(), zero3<real>()};
      // from outside, past the mesh or through it
      Point from = random.in_box(1), to = random.in_box(0.8);
      const double length = std::sqrt(dot(from, from));
      from = {1.4 * from[0] / length, 1.4 * from[1] / length, 1.4 * from[2] / length};
      const Point way = to - from;
      body.pos = mesh.pos + to_real(from);
      const bool spins = i % 2 == 1;
      const real reach = 0.5_r;
      const SweptPair pair =
          pair_of_shapes(body,
                         motion_of({2 * way[0], 2 * way[1], 2 * way[2]},
                                   spins ? random.in_box(6) : Point{0, 0, 0}, reach),
                         mesh,
                         motion_of(spins ? random.in_box(0.3) : Point{0, 0, 0},
                                   spins ? random.in_box(1) : Point{0, 0, 0}, 1_r),
                         1.01_r);
      const SurfaceFollow<SweptPair> all = follow(pair, model);
      const bool hit = is_hit(all.earliest.end);
      const double time = hit ? static_cast<double>(all.earliest.t) : 1.0;
      ASSERT_TRUE(hit || all.earliest.end == AdvanceEnd::none) << k << " " << i;
      hits += hit ? 1 : 0;
      free += hit ? 0 : 1;
      rounds += all.earliest.rounds;
      // the floor of what is apart at first is the margin, here 0, less the band
      const double e = static_cast<double>(pair.thickness);
      const double lowest = -0.5 * e - 0.006 * e;
      for (int s = 1; s <= 40; ++s) {
        const double depth = depth_at(pair, model, time * s / 40);
        deepest = std::max(deepest, -depth / e);
        through += depth < lowest ? 1 : 0;
      }
      if (closed) {
        for (int s = 1; s <= 200; ++s) {
          through +=
              signed_distance(model.raw(), centre_at(pair, time * s / 200), true) < 0 ? 1 : 0;
        }
      }
      if (hit) {
        // what has ended the search is near
        const double gap = std::abs(depth_at(pair, model, time));
        late += gap > 0.012 * 2.5 + 0.51 * e ? 1 : 0;
      }
    }
  }
  std::printf("%d stopped, %d not; at most %.3f of the half size deep; %.1f rounds a pair\n", hits,
              free, deepest, rounds / (hits + free));
  EXPECT_GT(hits, 500);
  EXPECT_GT(free, 50);
  EXPECT_EQ(through, 0);
  EXPECT_EQ(late, 0);
}

TEST(SurfaceOnItsWay, ABulletStopsAtAWall) {
  Uniform random(12);
  double early = 0, after = -1;
  int points = 0;
  for (int i = 0; i < 300; ++i) {
    const SurfaceModel model(slab(6, 0.2, random.engine()), true);
    const Shape mesh = {geom_mesh, to_real(random.in_box(3)), random.turn(), zero3<real>()};
    const double radius = random(0.001, 0.05), height = random(0.06, 2);
    const Point way = {random(-0.2, 0.2), random(-0.2, 0.2), -random(height + 0.3, 40)};
    const Shape ball = {
        geom_sphere,
        mesh.pos + mesh.mat * to_real({random(-0.3, 0.3), random(-0.3, 0.3), height}),
        identity3(),
        {static_cast<real>(radius), 0_r, 0_r}};
    const SweptPair pair =
        pair_of_shapes(ball, motion_of(to_point(mesh.mat * to_real(way)), {0, 0, 0}, 0_r), mesh,
                       motion_of({0, 0, 0}, {0, 0, 0}, 0_r), 1_r);
    const SurfaceFollow<SweptPair> all = follow(pair, model);
    ASSERT_TRUE(is_hit(all.earliest.end)) << i;
    const double exact = (height - radius) / -way[2], t = static_cast<double>(all.earliest.t);
    after = std::max(after, t - exact);
    early = std::max(early, (exact - t) / exact);
    ASSERT_GT(all.impact.count, 0);
    points = std::max(points, all.impact.count);
    for (int k = 0; k < all.impact.count; ++k) {
      const Vec3<real> n = transpose_mul(mesh.mat, all.impact.at[k].normal);
      EXPECT_LT(n.z, -0.99_r) << i;
    }
  }
  std::printf(
      "a ball meets a floor of many faces: %.2g of the time early at most, %.2g late, %d "
      "point(s)\n",
      early, after, points);
  // the last step goes all the way
  EXPECT_TRUE(swept::test::near(early, 0, {1e-9, 1e-3}));
  EXPECT_LE(after, in_f32 ? 1e-6 : 1e-14);
}

TEST(SurfaceOnItsWay, SeamsBetweenFacesStopNothing) {
  Uniform random(13);
  const SurfaceModel model(slab(12, 0.1, random.engine()), true);
  const Shape mesh = {geom_mesh, zero3<real>(), identity3(), zero3<real>()};
  int stopped = 0, cases = 0;
  for (int i = 0; i < 400; ++i) {
    Shape body = random_body(&random, i, 0.05);
    body.mat = turn_about(2, random(0, 360));
    SurfaceBody low(body);
    const double e = static_cast<double>(half_size(body));
    // hovering, touching, or sunk in as soft contacts let it
    const double depth = i % 3 == 0 ? random(-0.01, 0) : (i % 3 == 1 ? 0 : random(0, 0.05) * e);
    body.pos = to_real({-0.5, random(-0.2, 0.2), 0});
    body.pos.z = static_cast<real>(-static_cast<double>(low.box.low.z) - depth);
    const SweptPair pair =
        pair_of_shapes(body, motion_of({1, random(-0.1, 0.1), 0}, {0, 0, 0}, 0_r), mesh,
                       motion_of({0, 0, 0}, {0, 0, 0}, 0_r), 1_r);
    const SurfaceFollow<SweptPair> all = follow(pair, model);
    stopped += all.earliest.end == AdvanceEnd::none ? 0 : 1;
    ++cases;
  }
  std::printf("%d of %d that slide over seams were stopped\n", stopped, cases);
  EXPECT_EQ(stopped, 0);
}

TEST(SurfaceOnItsWay, WhatTouchesGoesNoDeeperThanItsFloor) {
  Uniform random(15);
  const SurfaceModel model(slab(6, 0.2, random.engine()), true);
  int stopped = 0, through = 0, deeper = 0;
  double deepest = 0;
  for (int i = 0; i < 200; ++i) {
    Shape body = random_body(&random, i, 0.05);
    SurfaceBody low(body);
    const double e = static_cast<double>(half_size(body)), depth = random(0, 0.45) * e;
    body.pos = to_real({random(-0.2, 0.2), random(-0.2, 0.2), 0});
    body.pos.z = static_cast<real>(-static_cast<double>(low.box.low.z) - depth);
    const Shape mesh = model.shape(zero3<real>(), identity3());
    const SweptPair pair =
        pair_of_shapes(body,
                       motion_of({random(-0.1, 0.1), random(-0.1, 0.1), -random(0.5, 20) * e},
                                 i % 2 == 0 ? Point{0, 0, 0} : random.in_box(2), 0.1_r),
                       mesh, motion_of({0, 0, 0}, {0, 0, 0}, 0_r), 1_r);
    const SurfaceFollow<SweptPair> all = follow(pair, model);
    EXPECT_TRUE(all.touches) << i;
    const bool hit = is_hit(all.earliest.end);
    stopped += hit ? 1 : 0;
    const double time = hit ? static_cast<double>(all.earliest.t) : 1.0;
    for (int k = 1; k <= 50; ++k) {
      const double t = time * k / 50, here = -depth_at(pair, model, t) / e;
      deepest = std::max(deepest, here);
      // the band beyond the floor, see meeting_band
      deeper += here > 0.5 + 0.006 ? 1 : 0;
      through += centre_at(pair, t)[2] < 0 ? 1 : 0;
    }
  }
  std::printf("%d of 200 were stopped, at most %.3f of the half size deep\n", stopped, deepest);
  EXPECT_GT(stopped, 150);
  EXPECT_EQ(deeper, 0);
  EXPECT_EQ(through, 0);
}

TEST(SurfaceOnItsWay, TwoSurfacesThatAreApartMeetInTime) {
  Uniform random(14);
  int hits = 0, crossed = 0, cases = 0;
  for (int k = 0; k < 40; ++k) {
    const SurfaceModel a(dented_ball(1, 0.5, random.engine()), true),
        b(dented_ball(1, 0.5, random.engine()), true);
    const Shape first = a.shape(zero3<real>(), random.turn()),
                second = b.shape(to_real({2.2, random(-1, 1), random(-1, 1)}), random.turn());
    const bool spins = k % 2 == 1;
    const SweptPair pair = swept_pair(
        first, motion_of({3, 0, 0}, spins ? random.in_box(3) : Point{0, 0, 0}, 1_r), 1.01_r, second,
        motion_of({0, 0, 0}, spins ? random.in_box(3) : Point{0, 0, 0}, 1_r), 1.01_r, 0_r);
    PairSide one = {}, two = {};
    one.is_surface = two.is_surface = true;
    one.surface = a.surface();
    two.surface = b.surface();
    SurfaceFollow<SweptPair> all = {pair,
                                    {0_r, 0_r, 64},
                                    ContactCount::several,
                                    one,
                                    two,
                                    {},
                                    false,
                                    ImpactSet(pair.origin, 1_r),
                                    ImpactSet(pair.origin, 1_r)};
    all.follow_all();
    const double time = is_hit(all.earliest.end) ? static_cast<double>(all.earliest.t) : 1.0;
    hits += is_hit(all.earliest.end) ? 1 : 0;
    ++cases;
    for (int s = 1; s <= 40; ++s) {
      // no corner of the one is inside the other
      const Placing at = place_pair(pair, static_cast<real>(time * s / 40));
      for (const Point& p : a.raw().vertex) {
        const Vec3<real> here = transpose_mul(at.mat2, at.mat1 * to_real(p) - at.pos2);
        crossed += signed_distance(b.raw(), to_point(here), true) < -1e-6 ? 1 : 0;
      }
    }
  }
  std::printf("%d of %d pairs of surfaces met, %d corners got inside before\n", hits, cases,
              crossed);
  EXPECT_GT(hits, 20);
  EXPECT_EQ(crossed, 0);
}

}  // namespace
}  // namespace swept::SWEPT_NS
