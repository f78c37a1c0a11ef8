// SPDX-License-Identifier: Apache-2.0
// The result of `swept run` as a table and as JSON.
#include "bench/format.h"
#include "tools/swept/run_result.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace swept::cli {

namespace {

std::string spread_text(const Spread& spread, const char* format) {
  return fmt::format("mean {}, p95 {}, largest {}", fmt::format(fmt::runtime(format), spread.mean),
                     fmt::format(fmt::runtime(format), spread.p95),
                     fmt::format(fmt::runtime(format), spread.max));
}

void line(const char* title, const std::string& text) {
  fmt::print("{:<14} {}\n", title, text);
}

std::string memory_text(const RunOptions& options, const Report& report) {
  return fmt::format("{} per environment: {} state, {} scratch while it is stepped",
                     bench::bytes_text(static_cast<double>(report.total_bytes) / options.envs),
                     bench::bytes_text(static_cast<double>(report.state_bytes)),
                     bench::bytes_text(static_cast<double>(report.scratch_bytes)));
}

/// What speculative contacts have done; empty where they are off.
std::string speculative_text(const SpeculativeCounts& counts) {
  std::string text;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    text += fmt::format("{}{} {}", k > 0 ? ", " : "", speculative_counter_names[k], counts[k]);
  }
  return text;
}

}  // namespace

void print_table(const RunOptions& options, const RunResult& result) {
  const bench::Quality& q = result.quality;
  line("scene",
       result.model.empty() ? options.scene : fmt::format("{} ({})", result.model, options.scene));
  line("environments",
       fmt::format("{} on {}, {} side by side", options.envs, result.backend, result.lanes));
  line("steps", result.steps == options.steps
                    ? fmt::format("{}, {:.6g} s simulated", result.steps, result.simulated)
                    : fmt::format("{} of {}, {:.6g} s simulated", result.steps, options.steps,
                                  result.simulated));
  line("time", fmt::format("{:.3f} s", result.seconds));
  line("speed", fmt::format("{} steps/s of all environments together",
                            bench::rate_text(result.rate(options.envs))));
  line("contacts", spread_text(q.contacts, "{:.3g}"));
  line("rows", spread_text(q.rows, "{:.3g}"));
  line("iterations", spread_text(q.iterations, "{:.3g}"));
  line("dropped", fmt::format("{} contacts", q.dropped));
  line("penetration", fmt::format("{:.2f} mm at most", 1e3 * q.penetration));
  line("residual", spread_text(q.residual, "{:.2e}"));
  line("memory", memory_text(options, result.report));
  if (result.frozen.empty()) {
    line("frozen", "0 environments");
  }
  for (const Frozen& frozen : result.frozen) {
    line("frozen", fmt::format("{} environments: {} (first: environment {} after step {})",
                               frozen.count, frozen.reason, frozen.first_env, frozen.first_step));
  }
  if (!options.auto_reset.empty()) {
    line("reset", fmt::format("{} times, all environments together", result.report.resets));
  }
  if (result.speculative) {
    line("speculative", speculative_text(result.report.speculative));
  }
  line("state hash", fmt::format("{:016x}", result.hash));
  if (!options.load.empty()) {
    line("continued", fmt::format("after {} steps of {}", result.first_step, options.load));
  }
  if (!options.save.empty()) {
    line("saved", options.save);
  }
  if (!options.record.empty()) {
    line("recorded", fmt::format("{} rows in {}", result.recorded_rows, options.record));
  }
  for (const std::string& notice : result.notices) {
    line("notice", notice);
  }
  if (result.interrupted) {
    line("interrupted", fmt::format("after {} steps", result.steps));
  }
}

void print_json(const RunOptions& options, const RunResult& result) {
  nlohmann::ordered_json json = {{"scene", options.scene},
                                 {"model", result.model},
                                 {"envs", options.envs},
                                 {"backend", result.backend},
                                 {"precision", options.precision},
                                 {"threads", result.threads},
                                 {"steps", result.steps},
                                 {"steps_asked", options.steps},
                                 {"simulated", result.simulated},
                                 {"seconds", result.seconds},
                                 {"steps_per_second", result.rate(options.envs)}};
  json.update(bench::json_of(result.quality));
  json.erase("unstable");
  const Report& report = result.report;
  json["memory"] = {{"total", report.total_bytes},
                    {"per_env", report.total_bytes / static_cast<std::size_t>(options.envs)},
                    {"state_per_env", report.state_bytes},
                    {"scratch_per_env", report.scratch_bytes}};
  json["capacity"] = {{"pairs", report.capacity.pairs}, {"contacts", report.capacity.contacts},
                      {"rows", report.capacity.rows},   {"nonzeros", report.capacity.nonzeros},
                      {"slots", report.capacity.slots}, {"fast", report.capacity.fast},
                      {"growths", report.growths}};
  json["frozen"] = nlohmann::ordered_json::array();
  for (const Frozen& frozen : result.frozen) {
    json["frozen"].push_back({{"reason", frozen.reason},
                              {"count", frozen.count},
                              {"first_env", frozen.first_env},
                              {"first_step", frozen.first_step}});
  }
  json["resets"] = report.resets;
  for (std::size_t k = 0; result.speculative && k < report.speculative.size(); ++k) {
    json["speculative"][std::string(speculative_counter_names[k])] = report.speculative[k];
  }
  json["first_step"] = result.first_step;
  json["state_hash"] = fmt::format("{:016x}", result.hash);
  json["recorded_rows"] = result.recorded_rows;
  json["notices"] = result.notices;
  json["interrupted"] = result.interrupted;
  json["error"] = result.error;
  fmt::print("{}\n", json.dump(2));
}

}  // namespace swept::cli
