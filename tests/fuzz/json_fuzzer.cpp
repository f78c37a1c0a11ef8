// SPDX-License-Identifier: Apache-2.0
// Fuzzer: scenes in their JSON spelling, up to the Spec, and written as JSON again.
#include "fuzz/fuzzer.h"

#include <swept/load.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  swept::test::expect_result_or_error([data, size] {
    const std::string_view text = swept::test::as_text(data, size);
    swept::load_string(text, swept::Format::json, "fuzz.json");
    const std::string again = swept::to_json(text, swept::Format::json, "fuzz.json");
    swept::load_string(again, swept::Format::json, "again.json");
  });
  return 0;
}
