// SPDX-License-Identifier: Apache-2.0
// Tables of sweeps as HDF5 files; see table.h.
#pragma once

#include "tools/swept/sweep/table.h"

#include <filesystem>

namespace swept::cli {

/// Write a table; the same table gives the same bytes. False: it could not be written.
bool write_hdf5(const Table& table, const std::filesystem::path& path);

/// Read one. False: the file is no table of a sweep.
bool read_hdf5(const std::filesystem::path& path, Table* table);

}  // namespace swept::cli
