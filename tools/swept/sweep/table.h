// SPDX-License-Identifier: Apache-2.0
// Table: the result of a sweep, one row per combination in their order, as CSV text or as HDF5.
//
//   CSV    # swept sweep 1 <identity>
//          combination,friction [1],slope [deg],distance [m],status
//          0,0.1,10,0.42,0
//          ...                       what is not a number is written nan
//   HDF5   a dataset [rows] for every column, named as the column, with the attributes unit and
//          meaning; attributes of the file: format, identity, columns (their order)
//
// A file gets its name when it is complete, in place of one that had it.
#pragma once

#include "tools/swept/sweep/runner.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace swept::cli {

struct Column {
  std::string name, unit, meaning;
  bool whole = false;  ///< whole numbers
  std::vector<double> numbers;
};

struct Table {
  std::string identity;  ///< says which sweep it is; one word
  std::vector<Column> columns;
};

/// Is it the name of an HDF5 file: does it end in .h5 or .hdf5.
bool is_hdf5(const std::filesystem::path& path);

/// Write a table to `path` by way of a file `half`, in the same file system, that has no other use.
/// Throws Error if it cannot be written.
void write_table(const Table& table, const std::filesystem::path& path,
                 const std::filesystem::path& half);

/// Read a table back; CSV has no meanings. Throws Error if it is no table of a sweep.
Table read_table(const std::filesystem::path& path);

}  // namespace swept::cli
