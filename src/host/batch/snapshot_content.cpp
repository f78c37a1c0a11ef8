// SPDX-License-Identifier: Apache-2.0
// Encoding and checking of snapshots.
#include "host/batch/snapshot_content.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <swept/error.h>

#include "host/batch/hash.h"

namespace swept {

namespace {

static_assert(std::endian::native == std::endian::little, "snapshots are little-endian");

constexpr char magic[8] = {'S', 'W', 'E', 'P', 'T', 'E', 'N', 'V'};
constexpr std::uint32_t version = 1;

struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t precision;  ///< 32 or 64
  std::uint64_t size;       ///< bytes, checksum included
  std::uint64_t model;      ///< model_hash()
  std::uint32_t nenv;
  std::uint32_t narray;
  std::uint64_t note;  ///< bytes
};
static_assert(sizeof(Header) == 48);

struct ArrayEntry {
  char name[40];  ///< filled up with zeros
  std::uint64_t scalar;
  std::uint64_t width;
};
static_assert(sizeof(ArrayEntry) == 56);

constexpr std::size_t checksum_bytes = sizeof(std::uint64_t);

constexpr std::size_t padded(std::size_t bytes) {
  return (bytes + 7) / 8 * 8;
}

std::uint64_t checksum(std::span<const std::byte> bytes) {
  Hasher hasher;
  hasher.add_bytes(bytes);
  return hasher.value();
}

[[noreturn]] void refuse(const std::string& source, const std::string& problem,
                         const std::string& remedy) {
  throw Error(Place{source, 0, {}}, problem, remedy);
}

constexpr const char* intact = "use an intact copy, or save it again";

/// The header, if size, magic, version and checksum are right.
Header checked_header(std::span<const std::byte> bytes, const std::string& source) {
  const std::size_t known = std::min(bytes.size(), sizeof magic);
  // an empty file has no bytes to point at, which memcmp may not be given
  if (!std::equal(magic, magic + known, reinterpret_cast<const char*>(bytes.data()))) {
    refuse(source, "this is no snapshot of swept",
           "give a file that Snapshot::write or swept run --save made");
  }
  if (bytes.size() < sizeof(Header) + checksum_bytes) {
    refuse(source, "the snapshot is cut off after " + std::to_string(bytes.size()) + " bytes",
           intact);
  }
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.version != version) {
    refuse(source,
           "the snapshot is of version " + std::to_string(header.version) +
               ", this program reads version " + std::to_string(version),
           "read it with the program that wrote it, or save it again with this one");
  }
  if (header.size != bytes.size()) {
    refuse(source,
           bytes.size() < header.size
               ? "the snapshot is cut off: " + std::to_string(bytes.size()) + " of " +
                     std::to_string(header.size) + " bytes are there"
               : "the snapshot has " + std::to_string(bytes.size()) + " bytes, not the " +
                     std::to_string(header.size) + " that it was written with",
           intact);
  }
  std::uint64_t stored = 0;
  std::memcpy(&stored, bytes.data() + bytes.size() - checksum_bytes, sizeof stored);
  if (bytes.size() % 8 != 0 || stored != checksum(bytes.first(bytes.size() - checksum_bytes))) {
    refuse(source, "the snapshot is damaged: its checksum does not fit its content", intact);
  }
  return header;
}

/// Takes parts of known size off the front of what is left.
class Cursor {
 public:
  Cursor(std::size_t at, std::size_t end, const std::string& source)
      : at_(at), end_(end), source_(source) {}

  /// Place of the next `count` items of `size` bytes; 0 items or 0 bytes take no room.
  std::size_t take(std::uint64_t count, std::uint64_t size) {
    const std::size_t left = end_ - at_;
    if (size != 0 && count > left / size) {
      fail();
    }
    const std::size_t start = at_;
    at_ += std::min(padded(count * size), left);
    return start;
  }
  void expect_end() const {
    if (at_ != end_) {
      fail();
    }
  }

 private:
  [[noreturn]] void fail() const {
    refuse(source_, "the snapshot contradicts itself: its parts do not fill it", intact);
  }
  std::size_t at_, end_;
  const std::string& source_;
};

template <class T>
void append(std::vector<std::byte>* bytes, const T* data, std::size_t count) {
  const auto* from = reinterpret_cast<const std::byte*>(data);
  bytes->insert(bytes->end(), from, from + count * sizeof(T));
  bytes->resize(padded(bytes->size()));
}

}  // namespace

const SnapshotArray* Snapshot::Content::find(std::string_view name) const {
  const auto found = std::find_if(arrays.begin(), arrays.end(), [name](const SnapshotArray& array) {
    return array.name == name;
  });
  return found == arrays.end() ? nullptr : &*found;
}

std::span<const std::byte> Snapshot::Content::row(const SnapshotArray& array,
                                                  std::size_t env) const {
  const std::size_t size = array.width * bytes_of(array.scalar);
  return {bytes.data() + array.at + env * size, size};
}

std::vector<std::byte> encode_snapshot(Precision precision, std::uint64_t model, int nenv,
                                       std::string_view note,
                                       const std::vector<SnapshotPart>& parts) {
  // room for everything, so that nothing is moved
  std::size_t size = sizeof(Header) + parts.size() * sizeof(ArrayEntry) + padded(note.size());
  for (const SnapshotPart& part : parts) {
    size += padded(part.data.size());
  }
  size += checksum_bytes;

  Header header{};
  std::memcpy(header.magic, magic, sizeof magic);
  header.version = version;
  header.precision = precision == Precision::f32 ? 32 : 64;
  header.size = size;
  header.model = model;
  header.nenv = static_cast<std::uint32_t>(nenv);
  header.narray = static_cast<std::uint32_t>(parts.size());
  header.note = note.size();

  std::vector<std::byte> bytes;
  bytes.reserve(size);
  append(&bytes, &header, 1);
  for (const SnapshotPart& part : parts) {
    ArrayEntry entry{};
    std::memcpy(entry.name, part.name.data(), std::min(part.name.size(), sizeof entry.name - 1));
    entry.scalar = static_cast<std::uint64_t>(part.scalar);
    entry.width = part.width;
    append(&bytes, &entry, 1);
  }
  append(&bytes, note.data(), note.size());
  for (const SnapshotPart& part : parts) {
    append(&bytes, part.data.data(), part.data.size());
  }
  const std::uint64_t sum = checksum(bytes);
  append(&bytes, &sum, 1);
  return bytes;
}

Snapshot::Content decode_snapshot(std::vector<std::byte> bytes, const std::string& source) {
  const Header header = checked_header(bytes, source);
  Snapshot::Content content;
  content.precision = header.precision == 32 ? Precision::f32 : Precision::f64;
  content.model = header.model;
  content.nenv = static_cast<int>(header.nenv);

  Cursor cursor(sizeof(Header), bytes.size() - checksum_bytes, source);
  const std::size_t entries = cursor.take(header.narray, sizeof(ArrayEntry));
  const std::size_t note = cursor.take(header.note, 1);
  content.note.assign(reinterpret_cast<const char*>(bytes.data()) + note, header.note);
  for (std::size_t i = 0; i < header.narray; ++i) {
    ArrayEntry entry;
    std::memcpy(&entry, bytes.data() + entries + i * sizeof entry, sizeof entry);
    entry.name[sizeof entry.name - 1] = '\0';
    const auto scalar = static_cast<Scalar>(entry.scalar & 3);
    const std::size_t size = bytes_of(scalar) * header.nenv;
    content.arrays.push_back({entry.name, scalar, entry.width, cursor.take(entry.width, size)});
  }
  cursor.expect_end();
  content.bytes = std::move(bytes);
  return content;
}

}  // namespace swept
