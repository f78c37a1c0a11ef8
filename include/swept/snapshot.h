// SPDX-License-Identifier: Apache-2.0
// Snapshot: everything that environments of a batch need to go on, in memory or in a file.
//
//   const swept::Snapshot kept = batch.save();              // all environments
//   kept.write("run.snap");
//   batch.load(swept::Snapshot::read("run.snap"));          // bit for bit where it was
//   const int from[] = {0, 0}, to[] = {7, 9};
//   batch.load(kept, from, to);                             // the first saved one, into two others
//
// A run that goes on from a snapshot gives the bits of one that was never stopped, on any number of
// threads, in any tiling, and with any number of environments around it. A snapshot fits batches of
// the same model in the same precision.
#pragma once

#include <swept/batch.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace swept {

/// A number that says which compiled scene it is: equal for models whose sizes, options and arrays
/// are equal bit for bit; names play no part.
std::uint64_t model_hash(const Model& model);

/// Saved environments: their state and inputs, status and counters, and what was changed in their
/// models. Made by Batch::save; immutable, cheap to copy.
class Snapshot {
 public:
  /// A snapshot from its bytes or its file. Throws Error for anything that write() or bytes() did
  /// not give: a file that is cut off, damaged, of another kind or of another version.
  static Snapshot from_bytes(std::vector<std::byte> bytes);
  static Snapshot read(const std::filesystem::path& path);

  /// Write a file that is complete or not there: it gets its name last, and replaces one of that
  /// name. Throws Error if it cannot.
  void write(const std::filesystem::path& path) const;
  /// What a file would hold.
  std::span<const std::byte> bytes() const;

  int nenv() const;                  ///< saved environments
  Precision precision() const;       ///< of the batch they come from
  std::uint64_t model_hash() const;  ///< of its model
  const std::string& note() const;   ///< text that the caller of save() gave

  struct Content;
  explicit Snapshot(std::shared_ptr<const Content> content);
  const Content& content() const { return *content_; }

 private:
  std::shared_ptr<const Content> content_;
};

}  // namespace swept
