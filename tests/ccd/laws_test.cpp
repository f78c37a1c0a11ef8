// SPDX-License-Identifier: Apache-2.0
// Laws of the time of impact on random queries, in space and in the plane: bodies convex and not,
// one facet and many, turning and not, with thickness and without. 2,000 queries; SWEPT_LONG in the
// environment takes 100,000.
#include "ccd/oracle.h"
#include "ccd/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace swept::test {
namespace {

using ccd::Body;
using ccd::Bound;
using ccd::Impact;
using ccd::Motion;
using ccd::Options;
using ccd::Pose;
using ccd::Status;
using ccd::Vector;

int queries() {
  return std::getenv("SWEPT_LONG") != nullptr ? 100'000 : 2'000;
}

Shape<3> random_shape(Random& random, Shape<3>*) {
  return test::random_shape(random, 16, static_cast<int>(random() % 6));
}

Shape<2> random_shape(Random& random, Shape<2>*) {
  switch (random() % 4) {
    case 0:
      return rectangle(uniform(random, 0.1, 1), uniform(random, 0.001, 1));
    case 1:
      return segments(5, 0.7, 0.7, random);
    case 2:
      return segments(1, 0.5, 1.5, random);
    default:
      return noisy_polygon(12, 0.4, random());
  }
}

/// Two bodies on their ways, and both answers.
template <int D>
struct Query {
  Shape<D> shape_a, shape_b;
  double thickness;
  Body<D> a, b;
  Pose<D> from_a, to_a, from_b, to_b;
  Motion<D> motion_a, motion_b;
  Options options;
  Impact<D> plain, directional;

  explicit Query(Random& random)
      : shape_a(random_shape(random, static_cast<Shape<D>*>(nullptr))),
        shape_b(random_shape(random, static_cast<Shape<D>*>(nullptr))),
        thickness(random() % 4 == 0 ? uniform(random, 0, 0.2) : 0),
        a(shape_a.body(thickness)),
        b(shape_b.body()) {
    // the first starts some way off and passes by the second, or hits it
    const auto direction = random_direction<D>(random), aside = random_direction<D>(random);
    const double start = uniform(random, 1, 4), way = uniform(random, 0, 6),
                 miss = uniform(random, 0, 2);
    Vector<D> from, to;
    for (int k = 0; k < D; ++k) {
      from[k] = start * direction[k];
      to[k] = (start - way) * direction[k] + miss * aside[k];
    }
    from_a = random_pose(random, from);
    to_a = random_pose(random, to);
    from_b = random_pose(random, Vector<D>{});
    to_b = random_pose(random, Vector<D>{});
    const bool turn_a = random() % 3 != 0, turn_b = random() % 3 == 0;
    to_a.rotation = turn_a ? to_a.rotation : from_a.rotation;
    to_b.rotation = turn_b ? to_b.rotation : from_b.rotation;
    motion_a = Motion<D>::between(from_a, to_a);
    motion_b = Motion<D>::between(from_b, to_b);
    options.tolerance = random() % 2 ? 0 : std::pow(10, uniform(random, -9, -3));
    plain = solve(Bound::plain);
    directional = solve(Bound::directional);
  }

  Impact<D> solve(Bound bound) const {
    Options chosen = options;
    chosen.bound = bound;
    return ccd::time_of_impact(a, b, motion_a, motion_b, chosen);
  }

  double distance(double s) const {
    return oracle_distance<D>(shape_a, shape_b, motion_a, motion_b, s);
  }

  /// Whether the distance is at least this.
  bool apart(double s, double bar) const {
    return oracle_apart<D>(shape_a, shape_b, motion_a, motion_b, s, bar);
  }
};

/// What random queries were like, so that no law is shown on nothing.
struct Seen {
  int contacts = 0, separate = 0, initial = 0, capped = 0, compared = 0, grazing = 0;
  int steps_plain = 0, steps_directional = 0;

  void count(Status status) {
    contacts += status == Status::contact;
    separate += status == Status::separate;
    initial += status == Status::initial_contact;
    capped += status == Status::not_converged;
  }
};

// d >= thickness + tolerance / 2 at 200 samples of [0, toi], a quarter of them close to its end,
// and at the bound that is said to be certified; at a contact d <= thickness + tolerance
template <int D>
void check_distances(const Query<D>& q, const Impact<D>& impact, int samples) {
  if (impact.status == Status::initial_contact) {
    EXPECT_EQ(impact.toi, 0);
    EXPECT_EQ(impact.lower_bound, 0);
    EXPECT_LE(q.distance(0), q.thickness + impact.tolerance);
    return;
  }
  EXPECT_GE(impact.lower_bound, impact.toi);
  EXPECT_LE(impact.lower_bound, 1);
  const double bar = q.thickness + impact.tolerance / 2;
  EXPECT_GE(q.distance(impact.toi), bar);
  EXPECT_GE(q.distance(impact.lower_bound), bar);
  for (int k = 0; k < samples; ++k) {
    const double share = k % 4 > 0 ? double(k) / samples : 1 - std::pow(0.7, k / 4 + 1);
    const double s = impact.toi * share;
    EXPECT_TRUE(q.apart(s, bar)) << "at " << s << ": " << q.distance(s) << ", not " << bar;
  }
  if (impact.status == Status::contact) {
    EXPECT_LE(q.distance(impact.toi), q.thickness + impact.tolerance);
  } else if (impact.status == Status::separate) {
    EXPECT_EQ(impact.toi, 1);
    EXPECT_GT(q.distance(1), q.thickness + impact.tolerance * (1 - 1e-9));
  }
  // every step is as long as half a tolerance, less 4 errors, of which a tolerance has 16 or more
  EXPECT_LE(impact.iterations, std::ceil(impact.speed / (0.25 * impact.tolerance)));
  if (impact.tolerance > 1e-8) {
    EXPECT_LE(impact.iterations, std::ceil(impact.speed / (0.499 * impact.tolerance)));
  }
}

// the directional loop is never behind the plain one, so where the distance falls it takes no more
// steps; it may take more where it passes a place at which the plain one stopped in the band
// between half a tolerance and a whole one, after which the distance rises above the tolerance
// again
template <int D>
void compare_bounds(const Query<D>& q, Seen* seen) {
  seen->steps_plain += q.plain.iterations;
  seen->steps_directional += q.directional.iterations;
  if (q.plain.status == q.directional.status && q.directional.iterations <= q.plain.iterations) {
    ++seen->compared;
    return;
  }
  if (q.plain.status == Status::not_converged) {
    return;  // the cap stops it earlier
  }
  ++seen->grazing;
  EXPECT_EQ(q.plain.status, Status::contact);
  double most = 0;
  for (int k = 1; k <= 50; ++k) {
    most = std::max(most, q.distance(q.plain.toi + k * (q.directional.toi - q.plain.toi) / 50));
  }
  EXPECT_GT(most, q.thickness + q.plain.tolerance);
}

template <int D>
void laws_of_distance_and_steps(std::uint64_t seed) {
  Random random(seed);
  Seen seen;
  for (int i = 0; i < queries() && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "query " << i);
    const Query<D> q(random);
    seen.count(q.plain.status);
    // the one that got farther covers the way of the other
    const bool plain_farther = q.plain.toi > q.directional.toi;
    check_distances(q, q.plain, plain_farther ? 200 : 8);
    check_distances(q, q.directional, plain_farther ? 8 : 200);
    compare_bounds(q, &seen);
  }
  std::printf(
      "%dD: %d contacts, %d separate, %d initial, %d at the cap, %d grazing; %d plain steps, "
      "%d directional\n",
      D, seen.contacts, seen.separate, seen.initial, seen.capped, seen.grazing, seen.steps_plain,
      seen.steps_directional);
  EXPECT_GT(seen.contacts, queries() / 5);
  EXPECT_GT(seen.separate, queries() / 5);
  EXPECT_GT(seen.initial, queries() / 100);
  EXPECT_LT(seen.grazing, queries() / 50);
}

TEST(Laws, DistanceAndStepsInSpace) {
  laws_of_distance_and_steps<3>(11);
}
TEST(Laws, DistanceAndStepsInThePlane) {
  laws_of_distance_and_steps<2>(12);
}

/// How fast the bodies close before the contact; 0 where that is too slow to compare times.
template <int D>
double closing_speed(const Query<D>& q) {
  const double step = 1e-4;
  const auto& impact = q.directional;
  if (impact.status != Status::contact || impact.toi < 2 * step) {
    return 0;
  }
  const double here = q.distance(impact.toi), before = q.distance(impact.toi - step),
               earlier = q.distance(impact.toi - 2 * step);
  const double speed = (before - here) / step, last = (earlier - before) / step;
  // nearly constant, and no graze
  return std::abs(last - speed) < 0.05 * speed && speed > 0.05 * impact.speed ? speed : 0;
}

/// A rigid motion of the world.
template <int D>
Pose<D> moved(const Pose<D>& frame, const Pose<D>& pose) {
  Pose<D> there;
  there.position = frame.position;
  for (int i = 0; i < D; ++i) {
    for (int k = 0; k < D; ++k) {
      there.position[i] += frame.rotation[i][k] * pose.position[k];
      double sum = 0;
      for (int j = 0; j < D; ++j) {
        sum += frame.rotation[i][j] * pose.rotation[j][k];
      }
      there.rotation[i][k] = sum;
    }
  }
  return there;
}

template <int D>
void laws_of_symmetry(std::uint64_t seed) {
  Random random(seed);
  int compared = 0, reversed = 0;
  for (int i = 0; i < queries() && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "query " << i);
    const Query<D> q(random);
    const Pose<D> frame =
        random_pose(random, 3.0 * random_direction<D>(random)[0] > 0 ? random_direction<D>(random)
                                                                     : Vector<D>{});
    Options options = q.options;
    options.bound = Bound::directional;
    const double speed = closing_speed(q);
    if (speed > 0) {
      ++compared;
      // both times are in the band between half a tolerance and a whole one
      const double bar = q.directional.tolerance / speed;
      const auto swapped = ccd::time_of_impact(q.b, q.a, q.motion_b, q.motion_a, options);
      EXPECT_NEAR(swapped.toi, q.directional.toi, bar);
      const auto turned_a = Motion<D>::between(moved(frame, q.from_a), moved(frame, q.to_a));
      const auto turned_b = Motion<D>::between(moved(frame, q.from_b), moved(frame, q.to_b));
      const auto elsewhere = ccd::time_of_impact(q.a, q.b, turned_a, turned_b, options);
      EXPECT_NEAR(elsewhere.toi, q.directional.toi, bar);
      Pose<D> far_a = q.to_a, far_b = q.to_b;
      for (int k = 0; k < D; ++k) {
        far_a.position[k] += 5.0 + k;
        far_b.position[k] += 5.0 + k;
      }
      const auto together = ccd::time_of_impact(q.a, q.b, Motion<D>::between(q.from_a, far_a),
                                                Motion<D>::between(q.from_b, far_b), options);
      EXPECT_NEAR(together.toi, q.directional.toi, bar);
    }
    if (q.directional.status == Status::separate) {
      bool apart = true;
      for (int k = 0; k <= 20 && apart; ++k) {
        apart = q.apart(k / 20.0, q.thickness + 0.01);
      }
      if (apart) {  // no doubt between the samples about the tolerance's band
        ++reversed;
        const auto back = ccd::time_of_impact(q.a, q.b, Motion<D>::between(q.to_a, q.from_a),
                                              Motion<D>::between(q.to_b, q.from_b), options);
        EXPECT_EQ(back.status, Status::separate);
      }
    }
  }
  std::printf("%dD: %d times compared, %d reversed\n", D, compared, reversed);
  EXPECT_GT(compared, queries() / 10);
  EXPECT_GT(reversed, queries() / 10);
}

TEST(Laws, SwappingMovingAndReversingInSpace) {
  laws_of_symmetry<3>(13);
}
TEST(Laws, SwappingMovingAndReversingInThePlane) {
  laws_of_symmetry<2>(14);
}

}  // namespace
}  // namespace swept::test
