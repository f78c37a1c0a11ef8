// SPDX-License-Identifier: Apache-2.0
// What `swept sweep` did, and its two ways of being printed.
#pragma once

#include "tools/swept/commands.h"
#include "tools/swept/sweep/table.h"

#include <cstdint>
#include <string>

namespace swept::cli {

struct SweepResult {
  std::string table;   ///< path
  bool whole = false;  ///< the table is there
  bool interrupted = false;
  std::int64_t combinations = 0;  ///< of the whole sweep
  std::int64_t rows = 0;          ///< of them that are known, from all processes
  std::int64_t run = 0;           ///< by this process
  std::int64_t batches = 0;       ///< by this process
  int envs = 0;                   ///< in its largest batch
  std::int64_t steps = 0;         ///< of every combination
  double seconds = 0;             ///< wall time of its batches
  std::int64_t stopped = 0;       ///< combinations that stand still
  std::int64_t first_stopped = 0;
  int first_status = 0;

  /// Steps of all environments together, per second.
  double rate() const {
    return seconds > 0 ? static_cast<double>(run) * static_cast<double>(steps) / seconds : 0;
  }
};

/// Count the combinations of a table that stand still.
void count_stopped(const Table& table, SweepResult* result);

/// A table for people, on the standard output.
void print_table(const SweepOptions& options, const SweepResult& result);

/// One JSON object on the standard output.
void print_json(const SweepOptions& options, const SweepResult& result);

}  // namespace swept::cli
