// SPDX-License-Identifier: Apache-2.0
// Fuzzer: snapshot files. Chance never meets a size and a checksum, so both are set right before the
// file is read; every third input is taken as it is.
#include "fuzz/fuzzer.h"

#include <cstring>
#include <span>
#include <vector>

#include "host/batch/hash.h"
#include "host/batch/snapshot_content.h"

namespace {

/// Fills up to whole words, then writes size and checksum.
void repair(std::vector<std::byte>* bytes) {
  constexpr std::size_t header = 48, place_of_size = 16, word = 8;
  if (bytes->size() < header + word) {
    return;
  }
  bytes->resize((bytes->size() + word - 1) / word * word);
  const std::uint64_t size = bytes->size();
  std::memcpy(bytes->data() + place_of_size, &size, word);
  swept::Hasher hasher;
  hasher.add_bytes(std::span(*bytes).first(bytes->size() - word));
  const std::uint64_t sum = hasher.value();
  std::memcpy(bytes->data() + bytes->size() - word, &sum, word);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) {
    bytes[i] = std::byte{data[i]};
  }
  if (size % 3 != 0) {
    repair(&bytes);
  }
  swept::test::expect_result_or_error([&bytes] {
    const swept::Snapshot::Content content = swept::decode_snapshot(std::move(bytes), "fuzz.snap");
    // every row that it promises must be there
    unsigned sum = 0;
    for (const swept::SnapshotArray& array : content.arrays) {
      for (int env = 0; env < content.nenv && array.width > 0; ++env) {
        for (const std::byte b : content.row(array, static_cast<std::size_t>(env))) {
          sum += std::to_integer<unsigned>(b);
        }
      }
    }
    static volatile unsigned sink;
    sink = sum;
  });
  return 0;
}
