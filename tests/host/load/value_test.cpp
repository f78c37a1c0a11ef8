// SPDX-License-Identifier: Apache-2.0
// Attribute values: what each type admits, and that numbers keep their bits through text.
#include "host/load/value.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

namespace swept::load_detail {
namespace {

std::string wrong(std::string_view text, std::string_view type, Value* value) {
  return read_value(text, ValueType::parse(type), value);
}

TEST(Value, NumbersAreCountedExactlyOrUpToABound) {
  Value value;
  EXPECT_EQ(wrong("1 2 3", "r3", &value), "");
  EXPECT_EQ(value.numbers, (std::vector<double>{1.0, 2.0, 3.0}));
  EXPECT_NE(wrong("1 2", "r3", &value).find("has 2 numbers, expected 3"), std::string::npos);
  EXPECT_NE(wrong("1 2 3 4", "r3", &value), "");
  EXPECT_EQ(wrong("1", "r<3", &value), "");
  EXPECT_NE(wrong("1 2 3 4", "r<3", &value).find("1 to 3"), std::string::npos);
  EXPECT_EQ(wrong(" 1\t2\n3 4 5 6 7 ", "r*", &value), "");
  EXPECT_EQ(value.numbers.size(), 7U);
}

TEST(Value, EmptyNumbersCountAsNotGiven) {
  Value value;
  EXPECT_EQ(wrong("  ", "r3", &value), "");
  EXPECT_FALSE(value.given);
}

TEST(Value, EverySpellingOfANumberIsRead) {
  Value value;
  EXPECT_EQ(wrong("+1 -.5 2. 1e3 -1E-3", "r5", &value), "");
  EXPECT_EQ(value.numbers, (std::vector<double>{1.0, -0.5, 2.0, 1000.0, -0.001}));
  EXPECT_EQ(wrong("1e-400", "r1", &value), "");
  EXPECT_EQ(value.numbers[0], 0.0);
}

TEST(Value, WhatIsNoFiniteNumberIsRefused) {
  for (const char* const text :
       {"x", "1,2", "1 2x 3", "0x10", "--1", "+-1", "1e", ".", "nan", "inf", "-inf", "1e400"}) {
    Value value;
    EXPECT_NE(wrong(text, "r*", &value), "") << text;
  }
  for (const char* const text : {"1.5", "1e3", "4294967296", "99999999999999999999", "one"}) {
    Value value;
    EXPECT_NE(wrong(text, "i1", &value), "") << text;
  }
}

TEST(Value, KeywordsGiveTheirPosition) {
  Value value;
  EXPECT_EQ(wrong("slide", "free|ball|slide|hinge", &value), "");
  EXPECT_EQ(value.keyword, 2);
  EXPECT_NE(wrong("Slide", "free|ball|slide|hinge", &value), "");
  EXPECT_EQ(wrong("rgb depth", "+rgb|depth", &value), "");
  EXPECT_NE(wrong("rgb deep", "+rgb|depth", &value), "");
  EXPECT_EQ(wrong("16M", "m", &value), "");
  EXPECT_NE(wrong("16 MB", "m", &value), "");
}

TEST(Value, ShortestSpellingReadsBackToTheSameBits) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 100000; ++i) {
    const double number = std::bit_cast<double>(random());
    if (!std::isfinite(number)) {
      continue;
    }
    Value value;
    ASSERT_EQ(wrong(shortest(number), "r1", &value), "");
    ASSERT_EQ(std::bit_cast<std::uint64_t>(value.numbers[0]), std::bit_cast<std::uint64_t>(number));
  }
}

TEST(Value, NearestNameIsFoundAndFarOnesAreNot) {
  EXPECT_EQ(nearest("sise", {"type", "size", "pos"}), "size");
  EXPECT_EQ(nearest("dampin", {"stiffness", "damping"}), "damping");
  EXPECT_EQ(nearest("qqqqqqqq", {"type", "size", "pos"}), "");
}

}  // namespace
}  // namespace swept::load_detail
