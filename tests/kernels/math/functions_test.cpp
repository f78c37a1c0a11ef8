// SPDX-License-Identifier: Apache-2.0
// The elementary functions at special arguments, as in annex F of C99, and their symmetries.
#include "kernels/math/functions.h"

#include <gtest/gtest.h>

#include <numbers>

#include "kernels/math/ulp.h"

namespace swept::SWEPT_NS::test {
namespace {

constexpr real inf = infinity;
constexpr real nan = quiet_nan;
constexpr real denormal = std::numeric_limits<real>::denorm_min();
constexpr real largest = largest_real;
constexpr real pi = std::numbers::pi_v<real>;

const real specials[] = {
    0, -real(0), denormal, -denormal, smallest_normal, real(1e-10), real(0.5), 1,   -1,   real(1.5),
    2, 3,        -3,       real(1e9), -real(1e9),      largest,     -largest,  inf, -inf, nan};

#define EXPECT_SAME(got, want)                                                      \
  do {                                                                              \
    const real got_ = (got);                                                        \
    const real want_ = (want);                                                      \
    EXPECT_TRUE(same(got_, want_)) << #got << " is " << got_ << ", want " << want_; \
  } while (false)

TEST(Functions, KeepSignedZerosInfinitiesAndNaN) {
  for (const real zero : {real(0), -real(0)}) {
    EXPECT_SAME(sin(zero), zero);
    EXPECT_SAME(tan(zero), zero);
    EXPECT_SAME(asin(zero), zero);
    EXPECT_SAME(cos(zero), 1);
    EXPECT_SAME(exp(zero), 1);
    EXPECT_SAME(log(zero), -inf);
  }
  for (const real x : {inf, -inf, nan}) {
    EXPECT_SAME(sin(x), nan);
    EXPECT_SAME(cos(x), nan);
    EXPECT_SAME(tan(x), nan);
    EXPECT_SAME(asin(x), nan);
    EXPECT_SAME(acos(x), nan);
  }
  EXPECT_SAME(exp(inf), inf);
  EXPECT_SAME(exp(-inf), 0);
  EXPECT_SAME(exp(nan), nan);
  EXPECT_SAME(log(inf), inf);
  EXPECT_SAME(log(real(1)), 0);
  EXPECT_SAME(log(-denormal), nan);
  EXPECT_SAME(log(-inf), nan);
  EXPECT_SAME(log(nan), nan);
  EXPECT_SAME(acos(real(1)), 0);
  EXPECT_SAME(acos(real(-1)), pi);
  EXPECT_SAME(asin(real(1)), pi / 2);
  EXPECT_SAME(asin(std::nextafter(real(1), inf)), nan);
  EXPECT_SAME(acos(std::nextafter(real(-1), -inf)), nan);
}

TEST(Functions, DenormalsPassThroughWhatIsTheIdentityThere) {
  for (const real x : {denormal, -denormal, 3 * denormal, smallest_normal}) {
    EXPECT_SAME(sin(x), x);
    EXPECT_SAME(tan(x), x);
    EXPECT_SAME(asin(x), x);
    EXPECT_SAME(atan2(x, real(1)), x);
    EXPECT_SAME(pow(x, real(1)), x);
  }
}

TEST(Functions, ExpOverflowsAndUnderflowsWhereItShould) {
  const real last = is_f32 ? real(88.722839) : real(709.782712893384);
  const real first = is_f32 ? real(-103.97208) : real(-745.1332191019411);
  EXPECT_LT(exp(last - real(0.001)), inf);
  EXPECT_SAME(exp(last + real(0.001)), inf);
  EXPECT_SAME(exp(largest), inf);
  EXPECT_SAME(exp(first + real(0.001)), denormal);
  EXPECT_SAME(exp(first - real(0.001)), 0);
  EXPECT_SAME(exp(-largest), 0);
}

TEST(Functions, Atan2KnowsTheAxesAndTheCorners) {
  for (const real s : {real(1), real(-1)}) {
    EXPECT_SAME(atan2(s * 0, real(0)), s * 0);
    EXPECT_SAME(atan2(s * 0, -real(0)), s * pi);
    EXPECT_SAME(atan2(s * 0, denormal), s * 0);
    EXPECT_SAME(atan2(s * 0, -denormal), s * pi);
    EXPECT_SAME(atan2(s * denormal, real(0)), s * pi / 2);
    EXPECT_SAME(atan2(s * denormal, -real(0)), s * pi / 2);
    EXPECT_SAME(atan2(s * largest, inf), s * 0);
    EXPECT_SAME(atan2(s * largest, -inf), s * pi);
    EXPECT_SAME(atan2(s * inf, largest), s * pi / 2);
    EXPECT_SAME(atan2(s * inf, -largest), s * pi / 2);
    EXPECT_SAME(atan2(s * inf, inf), s * pi / 4);
    EXPECT_SAME(atan2(s * inf, -inf), s * static_cast<real>(3 * std::numbers::pi_v<wide> / 4));
  }
  for (const real x : specials) {
    EXPECT_SAME(atan2(nan, x), nan);
    EXPECT_SAME(atan2(x, nan), nan);
  }
}

TEST(Functions, PowIsThatOfTheStandardAtAllSpecialPairs) {
  // the standard library's pow of a wide type, rounded, is exact at these to less than half a unit
  const real exponents[] = {0,         -real(0),   1,         -1,         2,
                            3,         -3,         real(0.5), real(-0.5), real(2.5),
                            real(1e9), real(-1e9), denormal,  largest,    -largest,
                            inf,       -inf,       nan,       real(1) / 3};
  for (const real x : specials) {
    for (const real y : exponents) {
      const real got = pow(x, y);
      const real want = static_cast<real>(std::pow(static_cast<wide>(x), static_cast<wide>(y)));
      EXPECT_TRUE(same(got, want) ||
                  ulp_error(got, std::pow(static_cast<wide>(x), static_cast<wide>(y))) < 0.8)
          << "pow(" << x << ", " << y << ") is " << got << ", want " << want;
      EXPECT_EQ(std::signbit(got) && !std::isnan(got), std::signbit(want) && !std::isnan(want))
          << "pow(" << x << ", " << y << ")";
    }
  }
}

TEST(Functions, PowOfAnOddHugeIntegerKeepsTheSign) {
  const real odd = first_of_integers + 1;
  EXPECT_SAME(pow(real(-1), odd), -1);
  EXPECT_SAME(pow(real(-1), odd + 1), 1);
  EXPECT_SAME(pow(real(-1), 2 * odd), 1);
  EXPECT_SAME(pow(-real(0), odd), -real(0));
  EXPECT_SAME(pow(-inf, -odd), -real(0));
}

TEST(Functions, SineAndCosineTogetherAreThoseApart) {
  Arguments arguments(3);
  for (int i = 0; i < 100'000; ++i) {
    const real x = i % 2 == 0 ? arguments.any() : arguments.between(-10, 10);
    real s, c;
    sincos(x, &s, &c);
    ASSERT_TRUE(same(s, sin(x)) && same(c, cos(x))) << x;
    pack many_s, many_c;
    sincos(pack(x), &many_s, &many_c);
    ASSERT_TRUE(same(s, lane(many_s, W - 1)) && same(c, lane(many_c, W - 1))) << x;
  }
}

TEST(Functions, OddOnesAreOddAndEvenOnesAreEven) {
  Arguments arguments(4);
  for (int i = 0; i < 100'000; ++i) {
    const real x = arguments.any();
    const real y = arguments.any();
    const real inside = arguments.between(-1, 1);
    ASSERT_TRUE(same(sin(-x), -sin(x))) << x;
    ASSERT_TRUE(same(tan(-x), -tan(x))) << x;
    ASSERT_TRUE(same(cos(-x), cos(x))) << x;
    ASSERT_TRUE(same(asin(-inside), -asin(inside))) << inside;
    ASSERT_TRUE(same(atan2(-y, x), -atan2(y, x))) << y << ", " << x;
  }
}

TEST(Functions, AHugeAngleLeavesTheOtherLanesAlone) {
  Arguments arguments(5);
  for (int i = 0; i < 10'000; ++i) {
    alignas(64) real x[W];
    for (real& each : x) {
      each = arguments.between(-100, 100);
    }
    const pack calm = sin(load<pack>(x));
    const int disturbed = i % W;
    x[disturbed] = i % 3 == 0 ? nan : i % 3 == 1 ? inf : real(1e30);
    const pack together = sin(load<pack>(x));
    for (int l = 0; l < W; ++l) {
      ASSERT_TRUE(l == disturbed || same(lane(calm, l), lane(together, l)));
    }
    ASSERT_TRUE(same(lane(together, disturbed), sin(x[disturbed])));
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
