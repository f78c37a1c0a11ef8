// SPDX-License-Identifier: Apache-2.0
// What the fuzzers share. Each is one source file with a function that libFuzzer calls with bytes,
// again and again: a loader may take them or throw swept::Error. Any other exception, and whatever
// AddressSanitizer or UndefinedBehaviorSanitizer finds, is a finding.
#pragma once

#include <swept/error.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace swept::test {

/// The bytes as text.
inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Calls a loader; an Error must say something.
template <class Loader>
void expect_result_or_error(const Loader& loader) {
  try {
    loader();
  } catch (const Error& error) {
    if (error.problem().empty()) {
      std::abort();
    }
  }
}

}  // namespace swept::test
