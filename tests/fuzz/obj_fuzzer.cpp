// SPDX-License-Identifier: Apache-2.0
// Fuzzer: Wavefront OBJ meshes.
#include "fuzz/fuzzer.h"

#include "host/load/mesh/mesh_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  swept::test::expect_result_or_error(
      [data, size] { swept::load_detail::read_obj(swept::test::as_text(data, size), "fuzz.obj"); });
  return 0;
}
