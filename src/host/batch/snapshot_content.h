// SPDX-License-Identifier: Apache-2.0
// The inside of a snapshot: its bytes, and where everything in them is. All numbers are
// little-endian; every part starts at a multiple of 8.
//
//   header     48 bytes, Header
//   arrays     56 bytes each, ArrayEntry
//   note       text
//   data       one array after the other, [nenv, width] without gaps
//   checksum   8 bytes: the hash of all before
//
// Arrays of state carry the field's name. What a user has changed in the model of some of the
// environments stands in two arrays per field: "model.<field>" with the rows, and "differs.<field>"
// with 1 where a row is not as compiled.
#pragma once

#include <swept/snapshot.h>

#include <string>
#include <string_view>
#include <vector>

namespace swept {

/// What an array is called before the name of a model field.
inline constexpr std::string_view model_rows_prefix = "model.";
inline constexpr std::string_view model_differs_prefix = "differs.";

/// One array of a snapshot.
struct SnapshotArray {
  std::string name;
  Scalar scalar = Scalar::f64;
  std::size_t width = 0;  ///< numbers per environment
  std::size_t at = 0;     ///< first byte of its data in the snapshot
};

/// What goes into a snapshot, the rows of an array filled in by the caller.
struct SnapshotPart {
  std::string name;
  Scalar scalar = Scalar::f64;
  std::size_t width = 0;
  std::vector<std::byte> data;  ///< [nenv, width]
};

struct Snapshot::Content {
  std::vector<std::byte> bytes;
  Precision precision = Precision::f32;
  std::uint64_t model = 0;
  int nenv = 0;
  std::string note;
  std::vector<SnapshotArray> arrays;

  /// An array by name; null if there is none.
  const SnapshotArray* find(std::string_view name) const;
  /// Row `env` of an array.
  std::span<const std::byte> row(const SnapshotArray& array, std::size_t env) const;
};

/// Bytes of an element.
constexpr std::size_t bytes_of(Scalar scalar) {
  return scalar == Scalar::f32 || scalar == Scalar::i32 ? 4 : 8;
}

/// Bytes with header and checksum.
std::vector<std::byte> encode_snapshot(Precision precision, std::uint64_t model, int nenv,
                                       std::string_view note,
                                       const std::vector<SnapshotPart>& parts);

/// Check bytes and find everything in them. `source` is what messages call them: a path, or empty.
/// Throws Error.
Snapshot::Content decode_snapshot(std::vector<std::byte> bytes, const std::string& source);

}  // namespace swept
