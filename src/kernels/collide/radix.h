// SPDX-License-Identifier: Apache-2.0
// Sorting of records by integer keys, digit by digit, least significant first. Each lane of a group
// counts and moves a part of the records of its own, so records of equal keys keep their order for
// any group.
#pragma once

#include "kernels/base/group.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

constexpr int radix_bits = 8;
static_assert(1 << radix_bits == SweepView::digit_values);

/// Two integers that are moved together.
struct Record {
  int a, b;
};

/// Places of n records before and after sorting; they swap at every pass.
struct RadixRoom {
  Record* from;
  Record* to;
  int* counters;  ///< [digit_values][lanes of the group]
};

/// The bits that numbers below n need.
SWEPT_FN int bits_below(int n) {
  int bits = 0;
  while (bits < 31 && (1 << bits) < n) {
    ++bits;
  }
  return bits;
}

/// Where the records of each digit and lane begin, from how many there are. Ends with a barrier.
SWEPT_FN void sum_counters(const Group auto g, int* counters) {
  const int values = SweepView::digit_values, size = g.size();
  const int first = values * g.lane() / size * size, last = values * (g.lane() + 1) / size * size;
  int sum = 0;
  for (int k = first; k < last; ++k) {
    sum += counters[k];
  }
  int before = g.exclusive_scan(sum);
  for (int k = first; k < last; ++k) {
    const int here = counters[k];
    counters[k] = before;
    before += here;
  }
  g.sync();
}

/// Sort n records by one digit of their keys; a digit that all have in common moves nothing. The
/// records must be visible to all lanes, and are so on return.
///   key     unsigned key(Record)
///   shift   lowest bit of the digit
template <class Key>
SWEPT_FN void sort_by_digit(const Group auto g, RadixRoom* room, int n, const Key& key, int shift) {
  const int size = g.size();
  const int first = static_cast<int>(static_cast<long long>(n) * g.lane() / size);
  const int last = static_cast<int>(static_cast<long long>(n) * (g.lane() + 1) / size);
  int* const mine = room->counters + g.lane();
  const auto digit = [&](const Record& r) {
    return static_cast<int>(key(r) >> shift & (SweepView::digit_values - 1));
  };
  for (int d = 0; d < SweepView::digit_values; ++d) {
    mine[d * size] = 0;
  }
  for (int i = first; i < last; ++i) {
    ++mine[digit(room->from[i]) * size];
  }
  const int common = n > 0 ? digit(room->from[0]) : 0;
  if (g.sum(mine[common * size]) == n) {
    return;
  }
  sum_counters(g, room->counters);
  for (int i = first; i < last; ++i) {
    const Record r = room->from[i];
    room->to[mine[digit(r) * size]++] = r;
  }
  Record* const sorted = room->to;
  room->to = room->from;
  room->from = sorted;
  g.sync();
}

/// Sort n records by the lowest `bits` bits of their keys. The result is room->from.
template <class Key>
SWEPT_FN void sort_by(const Group auto g, RadixRoom* room, int n, const Key& key, int bits) {
  for (int shift = 0; shift < bits; shift += radix_bits) {
    sort_by_digit(g, room, n, key, shift);
  }
}

}  // namespace swept::SWEPT_NS
