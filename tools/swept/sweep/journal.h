// SPDX-License-Identifier: Apache-2.0
// Journal: rows of one shard of a sweep as they are finished, in a file that only grows.
//
//   swept sweep journal 1 <identity>
//   <combination>,<number>,...,<status>,<checksum of the line so far>
//   ...
//
// The rows of a batch are written by one call and are then on the disk. Whatever ends the process,
// and wherever in a line: what is read back is all whole lines up to the first that is not, and the
// rest is cut off before more is written. Numbers have as many digits as it takes to read back the
// same bits. A lock, which ends with the process, keeps a second process out.
#pragma once

#include "tools/swept/sweep/runner.h"

#include <filesystem>
#include <string>
#include <vector>

namespace swept::cli {

class Journal {
 public:
  /// Open the journal of a shard for writing, or make it.
  ///   identity   says which sweep it is; one word
  ///   numbers    count of numbers in a row
  /// Throws Error if another process has it open, if it is of another sweep, or if it cannot be
  /// written.
  Journal(const std::filesystem::path& path, const std::string& identity, std::size_t numbers);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Is the file still there under its name; it is not if another process removed it after it was
  /// opened.
  bool is_there() const;
  /// Append rows. Throws Error if they cannot be written; none of them counts then.
  void append(const std::vector<Row>& rows);

 private:
  std::filesystem::path path_;
  int file_ = -1;
};

/// The whole rows of a journal, in the order in which they were written. Empty if the file is not
/// there, or not begun. Throws Error if it is of another sweep.
std::vector<Row> read_journal(const std::filesystem::path& path, const std::string& identity,
                              std::size_t numbers);

}  // namespace swept::cli
