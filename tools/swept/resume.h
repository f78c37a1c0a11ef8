// SPDX-License-Identifier: Apache-2.0
// Runs that go on where another one stopped: a snapshot of the batch, with a note that says how many
// steps were taken and where the controls came from.
#pragma once

#include "tools/swept/commands.h"

#include <swept/snapshot.h>

#include <cstdint>
#include <string>

namespace swept::cli {

/// Where a run begins.
struct Start {
  std::int64_t step = 0;      ///< steps taken by the runs before
  bool same_controls = true;  ///< the controls are a continuation of those of the run before
};

/// Put the batch where the saved run was. Throws Error, naming the file, if it does not fit.
Start resume(const RunOptions& options, const Snapshot& snapshot, Batch& batch);

/// Write `options.save` after so many steps in all. Throws Error if it cannot be written.
void save_run(const RunOptions& options, std::int64_t step, Batch& batch);

}  // namespace swept::cli
