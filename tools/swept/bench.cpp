// SPDX-License-Identifier: Apache-2.0
// swept bench: the comparison of bench/compare.h from the command line.
#include "bench/compare.h"
#include "tools/swept/commands.h"
#include "tools/swept/progress.h"

#include <fmt/format.h>

#include <cstdio>
#include <optional>

namespace swept::cli {

int compare(const BenchCommand& options) {
  bench::CompareOptions wanted;
  wanted.scene = options.scene;
  wanted.nenv = options.envs;
  wanted.steps = options.steps;
  wanted.warmup = options.warmup;
  wanted.turns = options.turns;
  wanted.threads = options.threads;
  wanted.hold = options.hold;
  wanted.seed = options.seed;
  wanted.device = options.device;
  wanted.against_mujoco = options.against == "mujoco";
  if (options.precision != "both") {
    wanted.precisions = {options.precision == "f32" ? Precision::f32 : Precision::f64};
  }

  // the line of progress is wiped before the table is printed
  std::optional<Progress> progress;
  progress.emplace();
  wanted.progress = [&](const std::string& what) { progress->show(what); };
  const bench::CompareResult result = bench::compare(wanted);
  progress.reset();

  if (options.json) {
    fmt::print("{}\n", result.to_json());
  } else {
    fmt::print("{}", result.to_text());
  }
  return exit_done;
}

}  // namespace swept::cli
