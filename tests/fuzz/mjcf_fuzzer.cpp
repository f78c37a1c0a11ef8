// SPDX-License-Identifier: Apache-2.0
// Fuzzer: MJCF text, up to the Spec.
#include "fuzz/fuzzer.h"

#include <swept/load.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  swept::test::expect_result_or_error([data, size] {
    swept::load_string(swept::test::as_text(data, size), swept::Format::xml, "fuzz.xml");
  });
  return 0;
}
