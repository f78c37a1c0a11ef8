// SPDX-License-Identifier: Apache-2.0
// Fuzzer: MuJoCo's binary height fields.
#include "fuzz/fuzzer.h"

#include "host/load/mesh/hfield_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  swept::test::expect_result_or_error([data, size] {
    swept::load_detail::read_hfield_binary(swept::test::as_text(data, size), "fuzz.bin");
  });
  return 0;
}
