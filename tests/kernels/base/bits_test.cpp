// SPDX-License-Identifier: Apache-2.0
// Reals and packs as bits and back.
#include "kernels/base/bits.h"

#include <gtest/gtest.h>

#include "kernels/math/ulp.h"

namespace swept::SWEPT_NS::test {
namespace {

TEST(Bits, GoThereAndBackUnchanged) {
  Arguments arguments(1);
  for (int i = 0; i < 10'000; ++i) {
    const real x = arguments.any();
    ASSERT_EQ(bits_of(x), bits_of_real(x));
    ASSERT_TRUE(same(of_bits<real>(bits_of(x)), x));
    const pack p = of_bits<pack>(bits_of(pack(x)));
    ASSERT_TRUE(same(lane(p, W - 1), x));
  }
}

TEST(Bits, MagnitudeAndSignTakeANumberApart) {
  Arguments arguments(2);
  for (int i = 0; i < 10'000; ++i) {
    const real x = arguments.any();
    ASSERT_TRUE(same(magnitude(x), std::abs(x)));
    ASSERT_TRUE(same(flip_sign(magnitude(x), sign_of(x)), x));
    ASSERT_TRUE(same(lane(flip_sign(pack(x), sign_of(pack(real(-1)))), 0), -x));
  }
  EXPECT_FALSE(std::signbit(magnitude(-real(0))));
}

TEST(Bits, RoundToTheNearestEvenInteger) {
  Arguments arguments(3);
  for (int i = 0; i < 10'000; ++i) {
    const real x = i % 4 == 0 ? std::floor(arguments.between(-1000, 1000)) + real(0.5)
                              : arguments.between(-1e6, 1e6);
    ASSERT_EQ(round_to_integer(x), std::nearbyint(x)) << x;
    ASSERT_EQ(lane(round_to_integer(pack(x)), 0), std::nearbyint(x)) << x;
  }
}

TEST(Bits, PowersOfTwoOfAllNormalExponents) {
  const int first = 1 - exponent_bias;
  const int last = exponent_bias;
  for (int n = first; n <= last; ++n) {
    ASSERT_EQ(power_of_two(real(n)), std::ldexp(real(1), n)) << n;
    ASSERT_EQ(lane(power_of_two(pack(real(n))), W - 1), std::ldexp(real(1), n)) << n;
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
