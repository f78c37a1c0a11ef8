// SPDX-License-Identifier: Apache-2.0
// The host's end of directed conservative advancement on pairs whose time of impact is known: balls,
// and a ball that flies at a face.
#include "kernels/engine/tail.h"

#include <gtest/gtest.h>
#include <swept/compile.h>
#include <swept/load.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace swept::test {
namespace {

/// AdvanceEnd, as the answers say it.
enum End { end_none = 1, end_hit = 2, end_capped = 3 };

TailGeom<double> geom(int type, double size) {
  TailGeom<double> g{};
  g.type = type;
  g.size[0] = g.size[1] = g.size[2] = g.bound = size;
  g.mat[0] = g.mat[4] = g.mat[8] = 1;
  return g;
}

/// A pair that the device has looked at once.
TailPair pair_of(const TailGeom<double>& one, const TailGeom<double>& two) {
  TailPair pair{};
  pair.geom1 = one;
  pair.geom2 = two;
  pair.thickness = std::min(one.size[0], two.size[0]);
  pair.unit = 1;
  pair.state.end = end_capped;
  pair.state.rounds = 1;
  pair.state.normal[0] = 1;
  return pair;
}

/// Two balls, one of which flies past the other or hits it.
struct Balls {
  TailPair pair;
  double gap = 0;   ///< [m] at first, over the margin
  double when = 2;  ///< the time at which they are as near as the margin; 2: never

  explicit Balls(std::mt19937_64* random) {
    const auto uniform = [&](double lo, double hi) {
      return std::uniform_real_distribution<double>(lo, hi)(*random);
    };
    TailGeom<double> one = geom(geom_sphere, uniform(0.01, 0.3)),
                     two = geom(geom_sphere, uniform(0.01, 0.3));
    const double sum = one.size[0] + two.size[0], margin = uniform(0, 0.02);
    const double apart = sum + margin + uniform(0.05, 2), speed = uniform(0.2, 6);
    // along x, and beside it
    two.pos[0] = apart;
    two.way[0] = -speed;
    two.way[1] = speed * uniform(-0.3, 0.3);
    two.travel = std::hypot(two.way[0], two.way[1]);
    pair = pair_of(one, two);
    pair.margin = margin;
    pair.state.first = apart - sum;
    gap = apart - sum - margin;
    // |pos + t way| = sum + margin
    const double a = two.travel * two.travel, b = two.pos[0] * two.way[0];
    const double c = two.pos[0] * two.pos[0] - (sum + margin) * (sum + margin);
    const double square = b * b - a * c;
    if (square >= 0) {
      when = c / (-b + std::sqrt(square));
    }
  }

  /// How far they are apart over the margin at a time [m].
  double above(double t) const {
    const TailGeom<double>& two = pair.geom2;
    return std::hypot(two.pos[0] + t * two.way[0], two.pos[1] + t * two.way[1]) -
           pair.geom1.size[0] - two.size[0] - pair.margin;
  }
};

const Model& no_model() {
  static const Model none;
  return none;
}

TEST(Tail, FindsWhenBallsMeet) {
  const Tail tail(no_model());
  std::mt19937_64 random(1);
  int hits = 0, misses = 0, grazes = 0;
  for (int i = 0; i < 20000; ++i) {
    Balls balls(&random);
    // from any time at which the device may have stopped
    balls.pair.state.t = balls.pair.state.seen =
        std::uniform_real_distribution<double>(0, 0.999)(random) * std::min(balls.when, 0.9);
    // the band of advance.h: half a percent of the first gap or of the thickness
    const double thickness = balls.pair.thickness,
                 band = std::max(0.005 * std::min(balls.gap, thickness), 1e-4 * thickness);
    tail.follow({&balls.pair, 1});
    const TailState<double>& s = balls.pair.state;
    if (s.end == end_none) {
      EXPECT_GT(balls.when, 1 - 1e-12) << "case " << i;
      ++misses;
      continue;
    }
    ASSERT_EQ(s.end, end_hit) << "case " << i;
    EXPECT_GT(s.rounds, 0);
    // rounding of a clearance: some times 1e-16 of lengths of 3 m, over the speed
    EXPECT_LE(s.t, balls.when + 1e-12) << "case " << i;
    EXPECT_LE(balls.above(s.seen), band + 1e-12) << "case " << i;
    EXPECT_LE(s.seen, s.t);
    balls.when < 1 ? ++hits : ++grazes;
  }
  std::printf("%d hits, %d misses, %d that come within the band\n", hits, misses, grazes);
  EXPECT_GT(hits, 3000);
  EXPECT_GT(misses, 3000);
}

TEST(Tail, NeverGoesBackAndAtWorstKeepsTheCertifiedTime) {
  std::mt19937_64 random(2);
  int capped = 0, ended = 0;
  for (int i = 0; i < 2000; ++i) {
    const Balls balls(&random);
    double before = 0;
    for (const int cap : {0, 1, 2, 3, 5, 8, 100}) {
      TailPair pair = balls.pair;
      Tail(no_model(), cap).follow({&pair, 1});
      if (pair.state.end == end_none) {
        EXPECT_GT(balls.when, 1 - 1e-12);
        ++ended;
        break;
      }
      EXPECT_LE(pair.state.rounds, 1 + cap);
      EXPECT_GE(pair.state.t, before) << "case " << i << ", cap " << cap;
      EXPECT_LE(pair.state.t, balls.when + 1e-12) << "case " << i << ", cap " << cap;
      before = pair.state.t;
      capped += pair.state.end == end_capped ? 1 : 0;
      ended += pair.state.end == end_hit ? 1 : 0;
    }
  }
  EXPECT_GT(capped, 1000) << "the cap was never met";
  EXPECT_GT(ended, 1000);
}

/// What comes in in a bad state goes out as it came.
TEST(Tail, LeavesAloneWhatItCannotFollow) {
  std::mt19937_64 random(3);
  const Tail tail(no_model());
  for (int i = 0; i < 3; ++i) {
    TailPair pair = Balls(&random).pair;
    pair.state.t = pair.state.seen = 0.125;
    if (i == 0) {
      // deep in each other, and not looked at before
      pair.geom2.pos[0] = 0.5 * pair.geom1.size[0];
      pair.state.rounds = 0;
      pair.state.t = pair.state.seen = 0;
    } else {
      (i == 1 ? pair.geom2.way[1] : pair.margin) = std::numeric_limits<double>::quiet_NaN();
    }
    const TailState<double> before = pair.state;
    tail.follow({&pair, 1});
    EXPECT_EQ(pair.state.end, end_capped) << i;
    EXPECT_EQ(pair.state.t, before.t) << i;
    EXPECT_EQ(pair.state.rounds, before.rounds) << i;
  }
}

TEST(Tail, FollowsHulls) {
  // a cube as a mesh, whose vertices are rounded to single precision, against a ball
  const Model model = compile(load_string(
      "<mujoco><asset><mesh name='c' vertex='.1 .1 .1 -.1 .1 .1 .1 -.1 .1 -.1 -.1 .1 .1 .1 -.1 -.1 "
      ".1 -.1 .1 -.1 -.1 -.1 -.1 -.1'/></asset><worldbody><geom type='mesh' mesh='c'/></worldbody>"
      "</mujoco>",
      Format::xml, "cube"));
  const double half = static_cast<double>(0.1f);
  for (const double radius : {0.0625, 0.25}) {
    TailGeom<double> ball = geom(geom_sphere, radius), cube = geom(geom_mesh, half);
    cube.mesh = 0;
    cube.bound = 0.2;
    cube.pos[0] = 1;
    cube.way[0] = -2;
    cube.travel = 2;
    TailPair pair = pair_of(ball, cube);
    pair.state.first = 1 - half - radius;
    Tail(model).follow({&pair, 1});
    EXPECT_EQ(pair.state.end, end_hit);
    // rounding of a clearance of 1 m; 0.1 itself is 1.5e-9 away
    EXPECT_NEAR(pair.state.t, 0.5 * (1 - half - radius), 1e-13);
    EXPECT_GT(pair.state.corners, 0);
  }
}

}  // namespace
}  // namespace swept::test
