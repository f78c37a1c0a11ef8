// SPDX-License-Identifier: Apache-2.0
// A 64-bit hash of bytes. Each word goes in through a bijection of the state, so two inputs of one
// length that differ in one word never have the same hash.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace swept {

class Hasher {
 public:
  void add(std::uint64_t word) {
    // xor, multiplication by an odd number and xor of a shift can each be undone
    std::uint64_t x = (state_ ^ word) * 0x9fb21c651e98df25u;
    x ^= x >> 35;
    x *= 0xd6e8feb86659fd93u;
    state_ = x ^ (x >> 32);
  }

  /// The bytes, the last word filled up with zeros.
  void add_bytes(std::span<const std::byte> bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
      add(word);
    }
  }

  /// The length of an array, and its elements.
  template <class T>
  void add_array(const std::vector<T>& values) {
    add(values.size());
    add_bytes(std::as_bytes(std::span(values)));
  }

  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x243f6a8885a308d3u;
};

}  // namespace swept
