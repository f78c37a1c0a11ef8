// SPDX-License-Identifier: Apache-2.0
// Which geoms are fast, which pairs the swept bounds leave out, and that nothing that meets is left
// out; the same numbers in packs.
#include <gtest/gtest.h>

#include <limits>

#include "kernels/collide/lanes.h"
#include "kernels/geometry/exact.h"
#include "kernels/speculative/advance.h"
#include "kernels/speculative/sampled.h"

namespace swept::SWEPT_NS {
namespace {

TEST(SweptBounds, AGeomIsFastFromTheSmallestHalfSizeOfThePairOn) {
  const real thin = 1_r / 1024_r;
  EXPECT_TRUE(is_fast<real>(thin, thin));
  EXPECT_FALSE(is_fast<real>(thin * 0.999_r, thin));
  EXPECT_FALSE(is_fast<real>(0_r, 0_r));
  EXPECT_FALSE(is_fast<real>(0_r, no_thickness));
  // what is no number must not pass for slow
  EXPECT_TRUE(is_fast<real>(std::numeric_limits<real>::quiet_NaN(), thin));
  EXPECT_EQ(half_thickness<real>(geom_plane, {0_r, 0_r, 0_r}), no_thickness);
  EXPECT_EQ(half_thickness<real>(geom_box, {0.3_r, 0.1_r, 0.2_r}), 0.1_r);
}

TEST(SweptBounds, ASphereDoesNotTurnAndAPlaneStays) {
  const Vec3<real> dx = {3_r, 4_r, 0_r}, domega = {0_r, 0_r, 2_r};
  EXPECT_EQ(step_motion<real>(geom_sphere, dx, domega, 0.5_r).travel, 5_r);
  EXPECT_EQ(step_motion<real>(geom_box, dx, domega, 0.5_r).travel, 6_r);
  EXPECT_EQ(step_motion<real>(geom_plane, dx, domega, 0.5_r).travel, 0_r);
}

TEST(SweptBounds, OfSpheresMeetAtTheNearestPointOfTheWay) {
  const auto meet = [](double b, double way, double reach) {
    return swept_balls_meet<real>({1_r, static_cast<real>(b), 0_r},
                                  {static_cast<real>(-way), 0_r, 0_r}, static_cast<real>(reach));
  };
  EXPECT_TRUE(meet(0.1999, 2, 0.2));
  EXPECT_FALSE(meet(0.2001, 2, 0.2));
  // too far, and away
  EXPECT_TRUE(meet(0, 0.801, 0.2));
  EXPECT_FALSE(meet(0, 0.799, 0.2));
  EXPECT_FALSE(meet(0, -5, 0.2));
  EXPECT_TRUE(swept_ball_meets_plane<real>(1_r, -0.95_r, 0.1_r));
  EXPECT_FALSE(swept_ball_meets_plane<real>(1_r, -0.85_r, 0.1_r));
  EXPECT_FALSE(swept_ball_meets_plane<real>(1_r, 5_r, 0.1_r));
}

TEST(SweptBounds, OfSlowGeomsStayInTheParityOnly) {
  // geom 1 is just slow; what geom 2 travels alone is not enough
  const Vec3<real> size = {0.1_r, 0_r, 0_r};
  const auto moving = [](real x) {
    return step_motion<real>(geom_sphere, {x, 0_r, 0_r}, zero3<real>(), 0.1_r);
  };
  const Mat3<real> mat = diagonal<real>({1_r, 1_r, 1_r});
  const SweptPair pair =
      swept_pair({geom_sphere, {0_r, 0_r, 0_r}, mat, size}, moving(0.0999_r), 0.1_r,
                 {geom_sphere, {0.5_r, 0_r, 0_r}, mat, size}, moving(-0.25_r), 0.1_r, 0.1_r);
  EXPECT_TRUE(is_fast(pair));
  EXPECT_TRUE(bounds_may_meet(pair, 0_r, SpeculativeMode::robust));
  EXPECT_FALSE(bounds_may_meet(pair, 0_r, SpeculativeMode::parity));
}

TEST(SweptBounds, NeverLeaveOutAPairThatMeets) {
  RandomShots random(31);
  int hits = 0, pruned = 0;
  for (int i = 0; i < 1500; ++i) {
    const Shot shot =
        random.shot(shot_types[random.integer(0, 6)], shot_types[random.integer(1, 6)], 600, 1.2);
    OfficialShot official(shot);
    const SweptPair pair = official.pair();
    const AdvanceState s = advance_to_end(pair, {});
    const bool may = bounds_may_meet(pair, 0_r, SpeculativeMode::robust);
    if (is_hit(s.end) && !may) {
      // within the band of the advancement, but beside
      SampledWay way(&official);
      EXPECT_GT(way.least(0, 1, 500), 0) << i;
    }
    hits += is_hit(s.end) ? 1 : 0;
    pruned += may ? 0 : 1;
  }
  std::printf("%d hits, %d pruned\n", hits, pruned);
  EXPECT_GT(hits, 400);
  EXPECT_GT(pruned, 50);
}

TEST(SweptBounds, AlongAnAxisHoldTheGeomDuringTheWholeStep) {
  RandomShots random(32);
  double loosest = 0;
  for (int i = 0; i < 1000; ++i) {
    const Shot shot = random.shot(geom_sphere, shot_types[random.integer(1, 6)], 2000);
    const OfficialShot official(shot);
    const Shape shape = official.shape(1);
    const StepMotion<real> motion = official.motion(1);
    const std::array<double, 3> axis = random.direction(1);
    const Vec3<real> u = normalize(Vec3<real>{
        static_cast<real>(axis[0]), static_cast<real>(axis[1]), static_cast<real>(axis[2])});
    const mjtNum* const box = official.scene.model->geom_aabb + 6;
    const auto of = [&](const mjtNum* x) {
      return Vec3<real>{static_cast<real>(x[0]), static_cast<real>(x[1]), static_cast<real>(x[2])};
    };
    const SweptInterval<real> got = swept_interval<real>(
        u, shape.pos, shape.mat, of(box), of(box + 3), official.bound(1), motion, 0_r);
    Shape there = shape;
    double lo = 1e30, hi = -1e30;
    for (int k = 0; k <= 100; ++k) {
      const real t = static_cast<real>(k) / 100_r;
      there.mat = turned(shape.mat, motion.domega, t);
      there.pos = shape.pos + motion.dx * t;
      hi = std::max(hi, reach(there, point_of(u)));
      lo = std::min(lo, -reach(there, times(point_of(u), -1)));
    }
    const double slack = single ? 1e-5 : 1e-12;
    EXPECT_LE(static_cast<double>(got.lo), lo + slack) << i;
    EXPECT_GE(static_cast<double>(got.hi), hi - slack) << i;
    loosest = std::max(loosest, static_cast<double>(got.hi - got.lo) - (hi - lo));
  }
  std::printf("at most %.2f m too wide\n", loosest);
  EXPECT_LT(loosest, 1);
}

TEST(SweptBounds, InPacksAreTheSameBits) {
  RandomShots random(33);
  alignas(64) real in[10][W], lo[W], hi[W];
  const auto vec = [&](int k) {
    return Vec3<pack>{load<pack>(in[k]), load<pack>(in[k + 1]), load<pack>(in[k + 2])};
  };
  const auto one = [&](int k, int l) { return Vec3<real>{in[k][l], in[k + 1][l], in[k + 2][l]}; };
  for (int i = 0; i < 100; ++i) {
    for (auto& row : in) {
      for (real& x : row) {
        x = static_cast<real>(random.uniform(-1, 1));
      }
    }
    const auto interval = [](auto u, auto center, auto dx) {
      using V = decltype(u.x);
      const Mat3<V> mat = diagonal<V>({V(1_r), V(1_r), V(1_r)});
      const StepMotion<V> motion = step_motion<V>(geom_box, dx, u, V(0.4_r));
      return swept_interval<V>(u, center, mat, zero3<V>(), {V(0.1_r), V(0.2_r), V(0.3_r)}, V(0.4_r),
                               motion, V(0.01_r));
    };
    const SweptInterval<pack> all = interval(vec(0), vec(3), vec(6));
    store(lo, all.lo);
    store(hi, all.hi);
    const unsigned meet = to_bits<pack>(swept_balls_meet<pack>(vec(3), vec(6), load<pack>(in[9])));
    for (int l = 0; l < lanes_of<pack>; ++l) {
      const SweptInterval<real> want = interval(one(0, l), one(3, l), one(6, l));
      EXPECT_EQ(lo[l], want.lo);
      EXPECT_EQ(hi[l], want.hi);
      EXPECT_EQ((meet >> l & 1u) != 0, swept_balls_meet<real>(one(3, l), one(6, l), in[9][l]));
    }
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS
