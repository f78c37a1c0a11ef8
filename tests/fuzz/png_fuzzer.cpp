// SPDX-License-Identifier: Apache-2.0
// Fuzzer: PNG height fields. Every chunk of a picture ends with a checksum, which chance never
// meets, so the checksums are set right before the picture is read.
#include "fuzz/fuzzer.h"

#include "host/load/mesh/hfield_file.h"

#include <string>

#include <lodepng.h>

namespace {

/// Length, type, data, checksum; again and again after 8 bytes.
void repair_checksums(std::string* picture) {
  constexpr std::size_t signature = 8;
  constexpr std::size_t frame = 12;
  auto* const bytes = reinterpret_cast<unsigned char*>(picture->data());
  for (std::size_t at = signature; at + frame <= picture->size();) {
    const std::size_t length = lodepng_chunk_length(bytes + at);
    if (length > picture->size() - at - frame) {
      return;
    }
    lodepng_chunk_generate_crc(bytes + at);
    at += frame + length;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string picture(swept::test::as_text(data, size));
  repair_checksums(&picture);
  swept::test::expect_result_or_error(
      [&picture] { swept::load_detail::read_hfield_png(picture, "fuzz.png"); });
  return 0;
}
