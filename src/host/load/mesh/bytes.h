// SPDX-License-Identifier: Apache-2.0
// Little-endian numbers at unaligned places in the bytes of a file.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace swept::load_detail {

static_assert(std::endian::native == std::endian::little, "files are copied as they are");

/// The number at an offset; it must lie within the bytes.
template <class T>
T number_at(std::string_view bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// `count` numbers from an offset on; all must lie within the bytes.
template <class T>
std::vector<T> numbers_at(std::string_view bytes, std::size_t offset, std::size_t count) {
  std::vector<T> values(count);
  if (count > 0) {
    std::memcpy(values.data(), bytes.data() + offset, count * sizeof(T));
  }
  return values;
}

}  // namespace swept::load_detail
