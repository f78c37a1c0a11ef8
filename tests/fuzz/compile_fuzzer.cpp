// SPDX-License-Identifier: Apache-2.0
// Fuzzer: MJCF text through the loader and the compiler. A short text may hold a million elements
// (replicate); scenes of more than some thousand are loaded only, since each takes seconds under the
// sanitizers and small ones reach the same code. LargeScene compiles large ones.
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
    constexpr std::size_t most = 3000;
    if (count(spec.worldbody) <= most) {
      swept::compile(spec);
    }
  });
  return 0;
}
