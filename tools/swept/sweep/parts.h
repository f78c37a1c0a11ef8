// SPDX-License-Identifier: Apache-2.0
// Parts: the folder beside a table in which the shards of a sweep keep their rows until all are
// there.
//
//   sweep.csv                       the table, once it is whole
//   sweep.csv.parts/shard-1-of-4    journals, see journal.h
//
// Any process of the sweep that finds all rows makes the table, gives it its name and removes the
// folder. When two do so at a time, both write the same bytes; one that no longer finds the folder
// finds the table.
#pragma once

#include "tools/swept/sweep/journal.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace swept::cli {

/// One of several shares of a sweep: combinations c with c % count = index - 1.
struct Shard {
  std::int64_t index = 1, count = 1;
};

class Parts {
 public:
  ///   table      path of the table
  ///   identity   says which sweep it is; one word
  ///   numbers    count of numbers in a row
  Parts(const std::filesystem::path& table, std::string identity, std::size_t numbers);

  const std::filesystem::path& folder() const { return folder_; }
  /// Where a shard keeps its rows; makes the folder, in one that is there. Throws Error if it cannot.
  std::filesystem::path journal(const Shard& shard) const;
  /// The rows of all shards by combination, those that are not there yet with no numbers, and how
  /// many are there. Throws Error if two processes found different rows for a combination.
  struct Rows {
    std::vector<Row> by_combination;
    std::int64_t found = 0;
  };
  Rows read(std::int64_t combinations) const;
  /// A name for a half-written table, of this process alone.
  std::filesystem::path half() const;
  /// Remove the folder.
  void remove() const;

 private:
  std::filesystem::path folder_;
  std::string identity_;
  std::size_t numbers_;
};

}  // namespace swept::cli
