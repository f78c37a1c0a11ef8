// SPDX-License-Identifier: Apache-2.0
// The summary of a sweep as text and as JSON.
#include "tools/swept/sweep/sweep_result.h"

#include "bench/format.h"

#include <swept/batch.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace swept::cli {

void count_stopped(const Table& table, SweepResult* result) {
  const std::vector<double>& statuses = table.columns.back().numbers;
  for (std::size_t row = 0; row < statuses.size(); ++row) {
    if (statuses[row] != 0) {
      if (result->stopped++ == 0) {
        result->first_stopped = static_cast<std::int64_t>(row);
        result->first_status = static_cast<int>(statuses[row]);
      }
    }
  }
}

void print_table(const SweepOptions& options, const SweepResult& result) {
  const auto line = [](const char* title, const std::string& text) {
    fmt::print("{:<14} {}\n", title, text);
  };
  line("sweep", options.file);
  line("combinations", fmt::format("{}, {} run now", result.combinations, result.run));
  if (result.run > 0) {
    line("batches", fmt::format("{}, of at most {} environments", result.batches, result.envs));
    line("time", fmt::format("{:.3g} s", result.seconds));
    line("speed", bench::rate_text(result.rate()) + " steps/s");
  }
  if (result.stopped > 0) {
    line("stopped",
         fmt::format("{}; the first is combination {}: {}", result.stopped, result.first_stopped,
                     describe(static_cast<Status>(result.first_status))));
  }
  if (result.whole) {
    line("table", result.table);
  } else {
    line(result.interrupted ? "interrupted" : "unfinished",
         fmt::format("{} of {} rows are there; {}", result.rows, result.combinations,
                     result.interrupted ? "the same command goes on from them"
                                        : "the last shard to finish makes the table"));
  }
  if (result.whole && !options.plot.empty()) {
    line("plot", options.plot);
  }
}

void print_json(const SweepOptions& options, const SweepResult& result) {
  nlohmann::ordered_json json = {{"sweep", options.file},
                                 {"combinations", result.combinations},
                                 {"rows", result.rows},
                                 {"run", result.run},
                                 {"batches", result.batches},
                                 {"envs", result.envs},
                                 {"steps", result.steps},
                                 {"seconds", result.seconds},
                                 {"steps_per_second", result.rate()},
                                 {"stopped", result.stopped},
                                 {"interrupted", result.interrupted},
                                 {"whole", result.whole},
                                 {"table", result.table}};
  fmt::print("{}\n", json.dump(2));
}

}  // namespace swept::cli
