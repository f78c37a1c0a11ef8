// SPDX-License-Identifier: Apache-2.0
// The first of many contacts against trying every pair, bit for bit.
#include "ccd/shapes.h"

#include <swept/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <tuple>
#include <vector>

namespace swept::test {
namespace {

using ccd::Body;
using ccd::Bound;
using ccd::Motion;
using ccd::Options;
using ccd::PairImpact;
using ccd::Status;
using ccd::Vector;

template <int D>
struct Crowd {
  std::vector<Body<D>> bodies;
  std::vector<Motion<D>> motions;
};

/// Every pair whose answer is not "separate", in the order of (toi, first, second).
template <int D>
std::vector<PairImpact<D>> every_pair(const Crowd<D>& crowd, const Options& options) {
  std::vector<PairImpact<D>> found;
  const int n = static_cast<int>(crowd.bodies.size());
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      auto impact = ccd::time_of_impact(crowd.bodies[i], crowd.bodies[j], crowd.motions[i],
                                        crowd.motions[j], options);
      if (impact.status != Status::separate) {
        found.push_back({i, j, impact});
      }
    }
  }
  std::sort(found.begin(), found.end(), [](const auto& x, const auto& y) {
    return std::tie(x.impact.toi, x.first, x.second) < std::tie(y.impact.toi, y.first, y.second);
  });
  return found;
}

template <int D>
void expect_same(const PairImpact<D>& got, const PairImpact<D>& want) {
  EXPECT_EQ(got.first, want.first);
  EXPECT_EQ(got.second, want.second);
  EXPECT_EQ(got.impact.status, want.impact.status);
  EXPECT_EQ(got.impact.toi, want.impact.toi);
  EXPECT_EQ(got.impact.distance, want.impact.distance);
  EXPECT_EQ(got.impact.point_a, want.impact.point_a);
  EXPECT_EQ(got.impact.point_b, want.impact.point_b);
  EXPECT_EQ(got.impact.facet_a, want.impact.facet_a);
  EXPECT_EQ(got.impact.facet_b, want.impact.facet_b);
  EXPECT_EQ(got.impact.iterations, want.impact.iterations);
}

template <int D>
Shape<D> shape_of(std::uint64_t seed) {
  if constexpr (D == 2) {
    return seed % 2 ? noisy_polygon(8, 0.3, seed) : rectangle(0.8, 0.4);
  } else {
    return seed % 2 ? noisy_sphere(12, 0.3, seed) : box(0.8, 0.4, 0.6);
  }
}

/// Bodies on their ways of up to `travel` along each axis, some of them with thickness: anywhere in
/// a box of half side `size`, or, if that is 0, on a grid on which none touch at the start.
template <int D>
Crowd<D> crowd(int count, double size, double travel, Random& random) {
  Crowd<D> made;
  const int line = static_cast<int>(std::ceil(std::pow(count, 1.0 / D)));
  for (int i = 0; i < count; ++i) {
    made.bodies.push_back(shape_of<D>(random()).body(i % 7 == 0 ? 0.1 : 0));
    Vector<D> from, to;
    for (int k = 0, cell = i; k < D; ++k, cell /= line) {
      from[k] =
          size > 0 ? uniform(random, -size, size) : 3 * (cell % line) + uniform(random, -0.1, 0.1);
      to[k] = from[k] + uniform(random, -travel, travel);
    }
    auto start = random_pose(random, from), end = random_pose(random, to);
    if (i % 3 == 0) {
      end.rotation = start.rotation;
    }
    if (i % 11 == 0) {
      end = start;
    }
    made.motions.push_back(Motion<D>::between(start, end));
  }
  return made;
}

/// Both functions against every pair; returns the first time.
template <int D>
double compare(const Crowd<D>& c, const Options& options) {
  const auto want = every_pair(c, options);
  const auto got = ccd::first_impact<D>(c.bodies, c.motions, options);
  const auto pairs = static_cast<std::int64_t>(c.bodies.size() * (c.bodies.size() - 1) / 2);
  EXPECT_LE(got.candidates, pairs);
  EXPECT_LE(got.tested, got.candidates);
  if (want.empty()) {
    EXPECT_EQ(got.earliest.first, -1);
    EXPECT_EQ(got.earliest.impact.status, Status::separate);
    EXPECT_EQ(got.earliest.impact.toi, 1);
  } else {
    expect_same(got.earliest, want.front());
  }
  for (const double until : {0.0, 0.3, 1.0}) {
    const auto list = ccd::all_impacts<D>(c.bodies, c.motions, until, options);
    const auto count = std::count_if(want.begin(), want.end(),
                                     [&](const auto& w) { return w.impact.toi <= until; });
    EXPECT_EQ(list.size(), static_cast<std::size_t>(count)) << "until " << until;
    for (std::size_t i = 0; i < std::min(list.size(), want.size()); ++i) {
      expect_same(list[i], want[i]);
    }
  }
  return got.earliest.impact.toi;
}

TEST(FirstImpact, IsThatOfEveryPairBitForBit) {
  Random random(1);
  int between = 0;
  const auto count_between = [&between](double toi) { between += toi > 0 && toi < 1; };
  for (int i = 0; i < 30 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "crowd " << i);
    Options options;
    options.bound = i % 4 < 2 ? Bound::directional : Bound::plain;
    options.tolerance = i % 3 == 0 ? 1e-4 : 0;
    options.relative = i % 5 == 0;
    options.max_iterations = i % 8 == 0 ? 3 : 1000;  // with pairs that meet the cap
    const int count = 2 + static_cast<int>(random() % 30);
    const double size = i % 2 ? uniform(random, 2, 12) : 0, travel = uniform(random, 0, 4);
    count_between(compare(crowd<3>(count, size, travel, random), options));
    count_between(compare(crowd<2>(count, size, travel, random), options));
  }
  EXPECT_GT(between, 15);
}

TEST(FirstImpact, OfThreeHundredBodiesIsThatOfEveryPair) {
  Random random(2);
  EXPECT_GT(compare(crowd<3>(300, 0, 1, random), {.bound = Bound::directional}), 0);
  compare(crowd<2>(300, 40, 1, random), {});
}

TEST(FirstImpact, OfThousandsOfBodiesTriesFewPairs) {
  // 10,000 in the long form
  const int count = std::getenv("SWEPT_LONG") != nullptr ? 10'000 : 2'000;
  Random random(3);
  const auto c = crowd<3>(count, 0, 0.8, random);
  const auto got = ccd::first_impact<3>(c.bodies, c.motions);
  ASSERT_GE(got.earliest.first, 0);
  EXPECT_GT(got.earliest.impact.toi, 0);
  EXPECT_LT(got.candidates, 30 * count);
  EXPECT_LT(got.tested, got.candidates / 3);
  // turning bodies are met by their rings and balls, not by how far their corners go
  EXPECT_LT(got.candidates, count);
  const auto all = ccd::all_impacts<3>(c.bodies, c.motions);
  ASSERT_FALSE(all.empty());
  expect_same(got.earliest, all.front());
  std::printf("%d bodies: %lld candidates, %lld tested, %zu contacts\n", count,
              static_cast<long long>(got.candidates), static_cast<long long>(got.tested),
              all.size());
}

TEST(FirstImpact, OfSixBallsOverTenSubsteps) {
  // balls in a box of side 6 that bounce off each other by swapping velocities along their centres
  Random random(4);
  const auto ball = noisy_sphere(120, 0, 1).placed({0, 0, 0}, 0.5).body();
  std::vector<Vector<3>> place, velocity;
  for (int i = 0; i < 6; ++i) {
    place.push_back({2.0 * (i % 3) - 2, 2.0 * (i / 3) - 1, uniform(random, -0.5, 0.5)});
    velocity.push_back({uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1)});
  }
  std::int64_t tested = 0;
  for (int step = 0; step < 10; ++step) {
    Crowd<3> crowd;
    for (int i = 0; i < 6; ++i) {
      ccd::Pose<3> pose;
      pose.position = place[i];
      crowd.bodies.push_back(ball);
      crowd.motions.push_back(Motion<3>::with_velocity(pose, velocity[i], {0, 0, 1}, 0.4));
    }
    compare(crowd, {.tolerance = 1e-6});
    const auto got = ccd::first_impact<3>(crowd.bodies, crowd.motions, {.tolerance = 1e-6});
    tested += got.tested;
    const double time = 0.4 * got.earliest.impact.toi;
    for (int i = 0; i < 6; ++i) {
      for (int k = 0; k < 3; ++k) {
        place[i][k] += time * velocity[i][k];
      }
    }
    if (got.earliest.first >= 0) {
      std::swap(velocity[got.earliest.first], velocity[got.earliest.second]);
    }
    for (int i = 0; i < 6; ++i) {
      for (int k = 0; k < 3; ++k) {  // walls
        velocity[i][k] = std::abs(place[i][k]) > 2.5 ? -std::copysign(velocity[i][k], place[i][k])
                                                     : velocity[i][k];
      }
    }
  }
  std::printf("six balls over ten substeps: %lld of 150 pairs tested (78)\n",
              static_cast<long long>(tested));
  EXPECT_LT(tested, 150);
}

TEST(FirstImpact, GivesATieToTheSmallestPair) {
  // three gaps that close at the same time
  const auto cube = box(0.5, 0.5, 0.5).body();
  const std::vector<ccd::Mesh> bodies(6, cube);
  std::vector<Motion<3>> motions;
  for (int i = 0; i < 3; ++i) {
    motions.push_back(Motion<3>::between(at(0, 4.0 * i, 0), at(0, 4.0 * i, 0)));
  }
  for (const int i : {2, 1, 0}) {
    motions.push_back(Motion<3>::between(at(-2, 4.0 * i, 0), at(0, 4.0 * i, 0)));
  }
  const auto got = ccd::first_impact<3>(bodies, motions);
  EXPECT_EQ(got.earliest.first, 0);
  EXPECT_EQ(got.earliest.second, 5);
  EXPECT_EQ(got.tested, 3);
  EXPECT_EQ(ccd::all_impacts<3>(bodies, motions).size(), 3u);
}

TEST(FirstImpact, APairThatOnlyTheCapStopsIsInTheAnswer) {
  // a cube slides past another at a gap of some tolerances, for which the plain bound has not
  // enough steps; the boxes alone would show that they never touch. A third one is hit later.
  const auto cube = box(0.5, 0.5, 0.5).body();
  const std::vector<ccd::Mesh> bodies(4, cube);
  for (const double gap : {3e-4, 2e-3, 0.02, 0.2}) {
    SCOPED_TRACE(testing::Message() << "gap " << gap);
    Crowd<3> c{{bodies}, {}};
    c.motions = {Motion<3>::resting(at(0, 0, 0)),
                 Motion<3>::between(at(-2, 1 + gap, 0), at(2, 1 + gap, 0)),
                 Motion<3>::between(at(0, 0, 9), at(0, 0, 11)), Motion<3>::resting(at(0, 0, 11))};
    for (const int cap : {20, 1000}) {
      compare(c, {.tolerance = 1e-4, .max_iterations = cap});
    }
  }
}

TEST(FirstImpact, OfNothingIsSeparate) {
  EXPECT_EQ(ccd::first_impact<3>({}, {}).earliest.first, -1);
  const std::vector<ccd::Polyline> one{rectangle(1, 1).body()};
  const std::vector<Motion<2>> still(1);
  EXPECT_EQ(ccd::first_impact_2d(one, still).earliest.first, -1);
  EXPECT_THROW(ccd::first_impact<2>(one, {}), Error);
  EXPECT_THROW(ccd::all_impacts<2>(one, still, 2), Error);
}

}  // namespace
}  // namespace swept::test
