// SPDX-License-Identifier: Apache-2.0
// Ownership and copies of device memory.
#include "kernels/base/buffer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace swept::SWEPT_NS::test {
namespace {

TEST(Buffer, StartsZeroedAndAligned) {
  for (const std::size_t n : {1u, 3u, 1000u}) {
    const Buffer<int> b(n);
    EXPECT_EQ(b.size(), n);
    EXPECT_EQ(b.bytes(), n * sizeof(int));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.data()) % 64, 0u);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(b.data()[i], 0);
    }
  }
}

TEST(Buffer, AnEmptyOneHoldsNothing) {
  Buffer<real> b(0);
  EXPECT_EQ(b.data(), nullptr);
  EXPECT_EQ(b.size(), 0u);
  b.upload(nullptr, 0);
  b.download(nullptr, 0);
}

TEST(Buffer, GivesBackWhatWasUploaded) {
  std::vector<real> source(100);
  std::iota(source.begin(), source.end(), real(1));
  Buffer<real> b(100);
  b.upload(source.data(), 100);
  std::vector<real> target(100);
  b.download(target.data(), 100);
  EXPECT_EQ(target, source);
}

TEST(Buffer, CopiesPartsAtAnOffset) {
  Buffer<int> b(10);
  const int part[] = {7, 8, 9};
  b.upload(part, 3, 4);
  int all[10];
  b.download(all, 10);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(all[i], i >= 4 && i < 7 ? part[i - 4] : 0);
  }
  int one = 0;
  b.download(&one, 1, 5);
  EXPECT_EQ(one, 8);
}

TEST(Buffer, SaysHowManyBytesThereWereNotWhenMemoryEnds) {
  // more than any address space holds
  constexpr std::size_t count = std::size_t{1} << 58;
  try {
    const Buffer<int> b(count);
    FAIL() << "got " << b.bytes() << " bytes";
  } catch (const AllocationFailure& failure) {
    EXPECT_EQ(failure.bytes(), count * sizeof(int));
  }
}

TEST(Buffer, MovesItsMemory) {
  Buffer<int> a(4);
  a.data()[2] = 5;
  int* const memory = a.data();
  Buffer<int> b(std::move(a));
  EXPECT_EQ(b.data(), memory);
  EXPECT_EQ(b.size(), 4u);
  Buffer<int> c;
  c = std::move(b);
  EXPECT_EQ(c.data(), memory);
  EXPECT_EQ(c.data()[2], 5);
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
