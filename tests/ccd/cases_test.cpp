// SPDX-License-Identifier: Apache-2.0
// Impacts whose time is known: along a line, at 45 degrees, turning, sliding, through thin plates.
// Steps are printed beside those of the published table that the method's description has; that
// gives no sizes of its scenes, so only what does not depend on them is demanded.
#include "ccd/oracle.h"
#include "ccd/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

namespace swept::test {
namespace {

using ccd::Bound;
using ccd::Impact;
using ccd::Motion;
using ccd::Options;
using ccd::Pose;
using ccd::Status;

constexpr double pi = std::numbers::pi;
constexpr double tolerance = 1e-6;

/// A point of the world in a body's frame.
ccd::Vector<3> in_body(const Pose<3>& pose, const ccd::Vector<3>& x) {
  ccd::Vector<3> y{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      y[i] += pose.rotation[j][i] * (x[j] - pose.position[j]);
    }
  }
  return y;
}

/// How far a point of a body is from one of its facets.
double off_facet(const Shape<3>& shape, int facet, const ccd::Vector<3>& x) {
  std::array<ccd::Vector<3>, 3> corners;
  for (int k = 0; k < 3; ++k) {
    const int v = shape.facets[3 * facet + k];
    std::copy_n(shape.vertices.begin() + 3 * v, 3, corners[k].begin());
  }
  return oracle_facet_distance<3>({x, x, x}, corners);
}

/// Both bounds on one query.
template <int D>
struct Both {
  Impact<D> plain, directional;

  Both(const ccd::Body<D>& a, const ccd::Body<D>& b, const Motion<D>& motion_a,
       const Motion<D>& motion_b, double tol = tolerance) {
    Options options{.tolerance = tol};
    plain = ccd::time_of_impact(a, b, motion_a, motion_b, options);
    options.bound = Bound::directional;
    directional = ccd::time_of_impact(a, b, motion_a, motion_b, options);
  }

  void print(const char* name, const char* published_plain, const char* published_directional) {
    std::printf("%-34s %4d steps (%s), directional %2d (%s)\n", name, plain.iterations,
                published_plain, directional.iterations, published_directional);
  }
};

const auto rest = Motion<3>::resting({});
const auto rest_2d = Motion<2>::resting({});

TEST(Cases, HeadOnTakesOneStep) {
  const auto cube = box(0.5, 0.5, 0.5).body();
  Both<3> cubes(cube, cube, Motion<3>::between(at(-2, 0, 0), at(1, 0, 0)), rest);
  cubes.print("cubes head-on", "1", "1");
  const auto square = rectangle(0.5, 0.5).body();
  Both<2> squares(square, square, Motion<2>::between(at(-2, 0), at(1, 0)), rest_2d);
  squares.print("squares head-on", "1", "1");
  const auto check = [](const auto& impact) {
    EXPECT_EQ(impact.status, Status::contact);
    EXPECT_EQ(impact.iterations, 1);
    EXPECT_GE(impact.toi, (1 - tolerance) / 3);
    EXPECT_LE(impact.toi, 1.0 / 3);
  };
  check(cubes.plain);
  check(cubes.directional);
  check(squares.plain);
  check(squares.directional);
}

TEST(Cases, At45DegreesToAFaceTheDirectionalBoundTakesOneStep) {
  const auto cube = box(0.5, 0.5, 0.5).body();
  Both<3> both(cube, cube, Motion<3>::between(at(-2, -1, 0), at(0, 1, 0)), rest);
  both.print("45 degrees to a face", "12", "1");
  EXPECT_EQ(both.plain.status, Status::contact);
  EXPECT_EQ(both.plain.iterations, 12);
  EXPECT_EQ(both.directional.iterations, 1);
  // faces meet at x = -1, half way
  EXPECT_NEAR(both.plain.toi, 0.5, tolerance);
  EXPECT_NEAR(both.directional.toi, 0.5, tolerance);
}

/// A rod from the origin to (1, 0, 0), without width, as two triangles that stand along z.
Shape<3> rod() {
  return {{0, 0, -0.1, 1, 0, -0.1, 1, 0, 0.1, 0, 0, 0.1}, {0, 1, 2, 0, 2, 3}};
}

/// A line along z through a point at a radius and an angle in degrees.
Shape<3> post(double radius, double degrees) {
  const double x = radius * std::cos(degrees * pi / 180), y = radius * std::sin(degrees * pi / 180);
  return {{x, y, -1, x, y, 1}, {0, 1, 1}};
}

Motion<3> quarter_turn(double turns = 1) {
  Pose<3> end;
  end.rotation = turned({0, 0, 1}, turns * pi / 2);
  return Motion<3>::between({}, end);
}

TEST(Cases, AQuarterTurnStopsAtAPost) {
  // a post with a sharp edge at 60 degrees
  Both<3> sharp(rod().body(), post(0.95, 60).body(), quarter_turn(), rest);
  sharp.print("quarter turn onto a sharp post", "25", "25");
  // a round post: its thickness is the radius
  Both<3> round(rod().body(), post(0.95, 60).body(0.05), quarter_turn(), rest);
  round.print("quarter turn onto a round post", "25", "25");
  // the rod's end hits it, where no part of the bound on the speed is to spare
  const Both<3> end(rod().body(), post(1 - 1e-9, 60).body(), quarter_turn(), rest);
  const double angle = 60 - std::asin(0.05 / 0.95) * 180 / pi;
  for (const auto& impact : {sharp.plain, sharp.directional, end.plain, end.directional}) {
    EXPECT_EQ(impact.status, Status::contact);
    EXPECT_LE(impact.toi * pi / 2, pi / 3);
    // the published distance from the analytic angle; the tolerance at a radius of 0.95 is 1.06e-6
    EXPECT_GE(impact.toi * pi / 2, pi / 3 - 1.1e-6);
  }
  for (const auto& impact : {round.plain, round.directional}) {
    EXPECT_EQ(impact.status, Status::contact);
    EXPECT_LE(impact.toi * 90, angle);
    EXPECT_GE(impact.toi * 90, angle - 1.1e-6 * 180 / pi);
  }
  // half a turn, with the post at 120 degrees
  const Both<3> half(rod().body(), post(0.8, 120).body(0.05), quarter_turn(2), rest);
  EXPECT_NEAR(half.plain.toi, 0.646759, 1e-6);
  EXPECT_NEAR(half.directional.toi, 0.646759, 1e-6);
}

TEST(Cases, MoreThanATurnNeedsTheVelocity) {
  // 630 degrees in the step, past a post at 200
  const auto spin = Motion<3>::with_velocity({}, {0, 0, 0}, {0, 0, 3.5 * pi}, 1);
  const Both<3> both(rod().body(), post(0.8, 200).body(0.05), spin, rest);
  EXPECT_NEAR(both.plain.toi, 0.311773, 1e-6);
  EXPECT_NEAR(both.directional.toi, 0.311773, 1e-6);
  // the same two poses say -90 degrees, which meets nothing
  const auto poses = Motion<3>::between(spin.at(0), spin.at(1));
  const Both<3> shorter(rod().body(), post(0.8, 200).body(0.05), poses, rest);
  EXPECT_EQ(shorter.plain.status, Status::separate);
  EXPECT_EQ(shorter.directional.status, Status::separate);
}

TEST(Cases, TurningCubesMeetWhereBisectionSaysSo) {
  const Shape<3> cube = box(0.5, 0.5, 0.5);
  Pose<3> start = at(-2, 0.1, 0.2), end = at(1, -0.1, 0), other_end = at(0.2, 0.1, 0);
  start.rotation = turned({1, 2, 3}, 0.3);
  end.rotation = turned({-1, 2, 0.3}, 1.3);
  other_end.rotation = turned({0, 1, 1}, 0.8);
  const auto one = Motion<3>::between(start, end), two = Motion<3>::between({}, other_end);
  Both<3> steps(cube.body(), cube.body(), one, two);
  steps.print("cube and cube, both turning", "11", "9-10");
  EXPECT_LE(steps.directional.iterations, steps.plain.iterations);

  // the first of 1,000 samples at which they intersect, and the moment in the interval before it
  double high = 0;
  while (oracle_distance(cube, cube, one, two, high) > 0) {
    high += 1e-3;
    ASSERT_LT(high, 1);
  }
  double low = high - 1e-3;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (oracle_distance(cube, cube, one, two, middle) > 0 ? low : high) = middle;
  }
  // the closing speed is about 3, so a tolerance of 1e-7 is 3e-8 of the step
  const Both<3> fine(cube.body(), cube.body(), one, two, 1e-7);
  for (const auto& impact : {fine.plain, fine.directional}) {
    EXPECT_EQ(impact.status, Status::contact);
    EXPECT_LE(impact.toi, high);
    EXPECT_GE(impact.toi, high - 1e-7);
  }
}

TEST(Cases, WitnessPointsAreOnTheirFacetsAndAsFarApartAsSaid) {
  Random random(9);
  int contacts = 0;
  for (int i = 0; i < 100; ++i) {
    const Shape<3> a = noisy_sphere(30, 0.3, i), b = soup(9, 0.6, 1, random);
    const auto motion_a = Motion<3>::between(random_pose(random, ccd::Vector<3>{-3, 0, 0}),
                                             random_pose(random, ccd::Vector<3>{0.5, 0.4, 0.2}));
    const auto motion_b = Motion<3>::between(random_pose(random, ccd::Vector<3>{0, 0.3, 1}),
                                             random_pose(random, ccd::Vector<3>{0, 0, 0}));
    const Both<3> both(a.body(), b.body(), motion_a, motion_b);
    for (const Impact<3>& impact : {both.plain, both.directional}) {
      contacts += impact.status == Status::contact;
      const auto p = in_body(motion_a.at(impact.toi), impact.point_a),
                 q = in_body(motion_b.at(impact.toi), impact.point_b);
      // a few roundings of coordinates of up to 4
      EXPECT_LT(off_facet(a, impact.facet_a, p), 1e-14);
      EXPECT_LT(off_facet(b, impact.facet_b, q), 1e-14);
      EXPECT_NEAR(
          std::hypot(impact.point_a[0] - impact.point_b[0], impact.point_a[1] - impact.point_b[1],
                     impact.point_a[2] - impact.point_b[2]),
          impact.distance, 1e-14);
    }
  }
  EXPECT_GT(contacts, 100);
}

TEST(Cases, SlidingMeetsTheCapWithThePlainBoundOnly) {
  const auto cube = box(0.5, 0.5, 0.5).body();
  const auto table = box(5, 5, 0.5).body();
  for (double gap = 2 * tolerance; gap <= 256 * tolerance; gap *= 2) {
    const auto slide = Motion<3>::between(at(-2, 0, 1 + gap), at(2, 0, 1 + gap));
    Both<3> both(cube, table, slide, rest);
    EXPECT_EQ(both.plain.status, Status::not_converged);
    EXPECT_EQ(both.plain.iterations, 1000);
    // every step goes to half of the tolerance, less what rounding takes
    EXPECT_NEAR(both.plain.toi, 1000 * (gap - tolerance / 2) / both.plain.speed, 1e-9);
    EXPECT_LT(both.plain.lower_bound, 1.0);
    EXPECT_GE(both.plain.lower_bound, both.plain.toi);
    EXPECT_EQ(both.directional.status, Status::separate);
    EXPECT_LE(both.directional.iterations, 10);
    if (gap == 2 * tolerance || 2 * gap > 256 * tolerance) {
      both.print("sliding at a small gap", "1000", "7");
    }
    // the cap of a thousand steps is an option
    const auto longer = ccd::time_of_impact(cube, table, slide, rest,
                                            {.tolerance = tolerance, .max_iterations = 2000});
    EXPECT_GT(longer.toi, 1.9 * both.plain.toi);
    const Both<2> flat(rectangle(0.5, 0.5).body(), rectangle(5, 0.5).body(),
                       Motion<2>::between(at(-2, 1 + gap), at(2, 1 + gap)), rest_2d);
    EXPECT_EQ(flat.plain.status, Status::not_converged);
    EXPECT_EQ(flat.directional.status, Status::separate);
    EXPECT_LE(flat.directional.iterations, 10);
  }
}

TEST(Cases, AThinPlateIsNotCrossedWithinOneStep) {
  const auto cube = box(0.5, 0.5, 0.5).body();
  const auto plate = box(5, 5, 0.0005).body();
  Both<3> both(cube, plate, Motion<3>::between(at(0, 0, -2), at(0, 0, 2)), rest);
  both.print("a plate of 1e-3 crossed", "1", "1");
  // a ball, as a point with a thickness
  const Shape<3> point{{0, 0, 0}, {0, 0, 0}};
  const Both<3> ball(point.body(0.05), plate, Motion<3>::between(at(0, 0, -1), at(0, 0, 1)), rest);
  for (const auto& impact : {both.plain, both.directional}) {
    EXPECT_EQ(impact.status, Status::contact);
    EXPECT_EQ(impact.iterations, 1);
    EXPECT_NEAR(impact.toi, (1.5 - 0.0005) / 4, tolerance);
  }
  EXPECT_NEAR(ball.plain.toi, 0.47475, tolerance);
  EXPECT_NEAR(ball.directional.toi, 0.47475, tolerance);
}

TEST(Cases, GrazingBallsTouchOrPass) {
  const Shape<3> point{{0, 0, 0}, {0, 0, 0}};
  const auto ball = point.body(0.1);
  const auto pass = [&](double offset, Bound bound) {
    return ccd::time_of_impact(ball, ball, Motion<3>::between(at(-1, offset, 0), at(1, offset, 0)),
                               rest,
                               {.tolerance = tolerance, .max_iterations = 5000, .bound = bound});
  };
  for (const Bound bound : {Bound::plain, Bound::directional}) {
    EXPECT_NEAR(pass(0.19, bound).toi, 0.468775, 2e-6);
    // where the tolerance begins: balls that are larger by half a tolerance to a whole one
    for (const double offset : {0.2 - 1e-6, 0.2}) {
      const auto impact = pass(offset, bound);
      EXPECT_EQ(impact.status, Status::contact);
      const auto when = [&](double reach) {
        return 0.5 - 0.5 * std::sqrt(reach * reach - offset * offset);
      };
      EXPECT_GE(impact.toi, when(0.2 + tolerance) - 1e-12);
      EXPECT_LE(impact.toi, when(0.2 + tolerance / 2));
    }
    EXPECT_EQ(pass(0.2 + 1e-4, bound).status, Status::separate);
  }
}

TEST(Cases, ABodyInsideAHollowOneMeetsItsWall) {
  const auto inner = box(0.1, 0.1, 0.1).body(), outer = box(0.5, 0.5, 0.5).body();
  const Both<3> moves(inner, outer, Motion<3>::between(at(0, 0, 0), at(1, 0, 0)), rest);
  EXPECT_NEAR(moves.plain.toi, 0.4, tolerance);
  EXPECT_NEAR(moves.directional.toi, 0.4, tolerance);
  const Both<3> stays(inner, outer, rest, rest);
  EXPECT_EQ(stays.plain.status, Status::separate);
  EXPECT_NEAR(stays.plain.distance, 0.4, 1e-12);
}

TEST(Cases, ACommonVelocityCostsTheRelativeBoundNothing) {
  const auto cube = box(0.5, 0.5, 0.5).body();
  const auto one = Motion<3>::between(at(-2, 0, 0), at(101, 0, 0));
  const auto two = Motion<3>::between(at(0, 0, 0), at(100, 0, 0));
  const auto impact =
      ccd::time_of_impact(cube, cube, one, two, {.tolerance = tolerance, .relative = true});
  EXPECT_EQ(impact.iterations, 1);
  EXPECT_NEAR(impact.toi, 1.0 / 3, tolerance);
  const auto worst = ccd::time_of_impact(cube, cube, one, two, {.tolerance = tolerance});
  EXPECT_GT(worst.iterations, 100);
  EXPECT_NEAR(worst.toi, 1.0 / 3, tolerance);
}

TEST(Cases, TwoLargeMeshesOverEightSteps) {
  const Shape<3> one = noisy_sphere(5000, 0.1, 1), two = noisy_sphere(2000, 0.1, 2);
  const auto a = one.body(), b = two.body();
  EXPECT_NEAR(a.facets(), 5000, 100);
  EXPECT_NEAR(b.facets(), 2000, 100);
  Random random(3);
  int most = 0, least = 1000, most_directional = 0;
  std::int64_t pairs = 0;
  double seconds[2] = {};
  for (int step = 0; step < 8; ++step) {
    const auto motion_a = Motion<3>::between(
        random_pose(random, ccd::Vector<3>{-3, 0, 0}),
        random_pose(random, ccd::Vector<3>{uniform(random, -1, 1), uniform(random, -2, 2), 0.3}));
    const auto motion_b = Motion<3>::between({}, random_pose(random, ccd::Vector<3>{0, 0.2, 0}));
    Impact<3> got[2];
    for (const Bound bound : {Bound::plain, Bound::directional}) {
      const int k = bound == Bound::directional;
      const auto begin = std::chrono::steady_clock::now();
      got[k] =
          ccd::time_of_impact(a, b, motion_a, motion_b, {.tolerance = tolerance, .bound = bound});
      seconds[k] += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      EXPECT_NE(got[k].status, Status::not_converged);
      if (step % 4 == 0) {  // the oracle takes a second
        const double distance = oracle_distance(one, two, motion_a, motion_b, got[k].toi);
        EXPECT_GE(distance, tolerance / 2);
        EXPECT_LE(distance, got[k].status == Status::contact ? tolerance : HUGE_VAL);
      }
    }
    least = std::min(least, got[0].iterations);
    most = std::max(most, got[0].iterations);
    most_directional = std::max(most_directional, got[1].iterations);
    pairs = std::max(pairs, got[1].pairs);
    EXPECT_LE(got[1].iterations, got[0].iterations);
  }
  std::printf(
      "%-34s %d-%d steps (7-35), directional up to %d (half), up to %lld pairs (5e4-2e5), "
      "%.2f s and %.2f s (0.51 and 7.5)\n",
      "5,000 against 2,000 facets", least, most, most_directional, static_cast<long long>(pairs),
      seconds[0], seconds[1]);
}

/// The same facets in any order.
Shape<3> shuffled(const Shape<3>& shape, Random& random) {
  std::vector<std::size_t> order(shape.facets.size() / 3);
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::shuffle(order.begin(), order.end(), random);
  Shape<3> mixed = shape;
  for (std::size_t i = 0; i < shape.facets.size(); ++i) {
    mixed.facets[i] = shape.facets[3 * order[i / 3] + i % 3];
  }
  return mixed;
}

TEST(Cases, TheWorkGrowsSlowerThanTheFacets) {
  // the same two spheres, 64 times as many facets, smooth so that they stay the same
  std::int64_t pairs[2] = {}, facets[2] = {};
  for (int k = 0; k < 2; ++k) {
    Random order(5), random(6);
    const auto a = shuffled(noisy_sphere(k == 0 ? 500 : 32'000, 0, 1), order).body();
    facets[k] = a.facets();
    for (int i = 0; i < 4; ++i) {
      const auto motion = Motion<3>::between(random_pose(random, ccd::Vector<3>{-3, 0, 0}),
                                             random_pose(random, ccd::Vector<3>{1, 0.4, 0}));
      const auto turn = Motion<3>::between({}, random_pose(random, ccd::Vector<3>{}));
      const auto impact = ccd::time_of_impact(a, a, motion, turn, {.bound = Bound::directional});
      EXPECT_EQ(impact.status, Status::contact);
      pairs[k] += impact.pairs;
    }
  }
  const double growth = std::log(double(pairs[1]) / double(pairs[0])) /
                        std::log(double(facets[1]) / double(facets[0]));
  std::printf("%-34s %lld and %lld pairs for %lld and %lld facets: power %.2f\n", "growth",
              static_cast<long long>(pairs[0]), static_cast<long long>(pairs[1]),
              static_cast<long long>(facets[0]), static_cast<long long>(facets[1]), growth);
  // with boxes that are along the axes only it is 0.66
  EXPECT_LT(growth, 0.45);
}

}  // namespace
}  // namespace swept::test
