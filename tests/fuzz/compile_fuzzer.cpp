// SPDX-License-Identifier: Apache-2.0
// Fuzzer: MJCF text through the loader and the compiler. Scenes of more than some hundred elements
// are loaded only: what they cost grows with their size, and small ones reach the same code.
#include "fuzz/fuzzer.h"

#include <swept/compile.h>
#include <swept/load.h>

namespace {

std::size_t count(const swept::Body& body) {
  std::size_t n = 1 + body.geoms.size() + body.joints.size() + body.sites.size();
  for (const swept::Body& child : body.bodies) {
    n += count(child);
  }
  return n;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  swept::test::expect_result_or_error([data, size] {
    const swept::Spec spec =
        swept::load_string(swept::test::as_text(data, size), swept::Format::xml, "fuzz.xml");
    constexpr std::size_t most = 300;
    if (count(spec.worldbody) <= most) {
      swept::compile(spec);
    }
  });
  return 0;
}
