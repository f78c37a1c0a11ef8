// SPDX-License-Identifier: Apache-2.0
// A pack does in every lane what a real does, bit for bit.
#include "kernels/base/pack.h"

#include <gtest/gtest.h>

#include "kernels/base/lanes_alike.h"

namespace swept::SWEPT_NS::test {
namespace {

TEST(Pack, ArithmeticIsThatOfItsLanes) {
  expect_lanes_alike("sum", [](auto a, auto b, auto, auto) { return a + b; });
  expect_lanes_alike("difference", [](auto a, auto b, auto, auto) { return a - b; });
  expect_lanes_alike("product", [](auto a, auto b, auto, auto) { return a * b; });
  expect_lanes_alike("quotient", [](auto a, auto b, auto, auto) { return a / b; });
  expect_lanes_alike("negative", [](auto a, auto, auto, auto) { return -a; });
  expect_lanes_alike("sqrt", [](auto a, auto, auto, auto) { return sqrt(a); });
  expect_lanes_alike("fma", [](auto a, auto b, auto c, auto) { return fma(a, b, c); });
}

TEST(Pack, ComparisonsAndChoicesAreThoseOfItsLanes) {
  expect_lanes_alike("min", [](auto a, auto b, auto, auto) { return min(a, b); });
  expect_lanes_alike("max", [](auto a, auto b, auto, auto) { return max(a, b); });
  expect_lanes_alike("abs", [](auto a, auto, auto, auto) { return abs(a); });
  expect_lanes_alike("clamp", [](auto a, auto b, auto c, auto) { return clamp(a, b, c); });
  expect_lanes_alike("select <",
                     [](auto a, auto b, auto c, auto d) { return select(a < b, c, d); });
  expect_lanes_alike("select ==",
                     [](auto a, auto b, auto c, auto d) { return select(a == b, c, d); });
  expect_lanes_alike("select and or", [](auto a, auto b, auto c, auto d) {
    return select((a < b && b <= c) || !(c != c), c, d);
  });
  expect_lanes_alike("is_finite",
                     [](auto a, auto b, auto c, auto) { return select(is_finite(a), b, c); });
}

TEST(Pack, ClampKeepsNaN) {
  EXPECT_TRUE(std::isnan(clamp(quiet_nan, real(-1), real(1))));
  EXPECT_TRUE(std::isnan(lane(clamp(pack(quiet_nan), pack(-1), pack(1)), W - 1)));
  EXPECT_EQ(clamp(real(3), real(-1), real(1)), 1);
  EXPECT_EQ(clamp(-infinity, real(-1), real(1)), -1);
}

TEST(Pack, AbsOfZeroIsPositiveZero) {
  EXPECT_FALSE(std::signbit(abs(-real(0))));
  EXPECT_FALSE(std::signbit(lane(abs(pack(-real(0))), 0)));
}

TEST(Pack, LoadsAndStoresItsLanesInOrder) {
  alignas(64) real source[2 * W];
  alignas(64) real target[2 * W] = {};
  for (int i = 0; i < 2 * W; ++i) {
    source[i] = real(i) + real(0.5);
  }
  const pack second = load<pack>(source + W);
  store(target, second);
  for (int l = 0; l < W; ++l) {
    EXPECT_EQ(lane(second, l), source[W + l]);
    EXPECT_EQ(target[l], source[W + l]);
    EXPECT_EQ(target[W + l], 0);
  }
  EXPECT_EQ(load<real>(source + 3), source[3]);
  store(target + 1, real(9));
  EXPECT_EQ(target[1], 9);
}

TEST(Pack, MasksAnswerForAllLanes) {
  for (int odd_one = 0; odd_one < W; ++odd_one) {
    alignas(64) real x[W] = {};
    x[odd_one] = 1;
    const mask_t<pack> one = load<pack>(x) > pack(0);
    EXPECT_TRUE(any_of(one));
    EXPECT_FALSE(none_of(one));
    EXPECT_EQ(all_of(one), W == 1);
    EXPECT_TRUE(all_of(one || !one));
    for (int l = 0; l < W; ++l) {
      EXPECT_EQ(lane(one, l), l == odd_one);
    }
  }
  EXPECT_FALSE(any_of(pack(0) > pack(0)));
  EXPECT_TRUE(none_of(pack(quiet_nan) == pack(quiet_nan)));
  EXPECT_TRUE(any_of(true) && all_of(true) && none_of(false));
}

TEST(Pack, KnowsItsWidth) {
  EXPECT_EQ(lanes_of<pack>, W);
  EXPECT_EQ(lanes_of<real>, 1);
  EXPECT_EQ(sizeof(pack), W * sizeof(real));
  EXPECT_GE(alignof(pack), sizeof(pack));
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
