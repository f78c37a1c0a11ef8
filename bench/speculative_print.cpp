// SPDX-License-Identifier: Apache-2.0
// What speculative contacts cost, as tables for people and as an object for programs.
#include "bench/format.h"
#include "bench/speculative.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace swept::bench {

namespace {

using Json = nlohmann::ordered_json;

const char* name_of(Precision precision) {
  return precision == Precision::f32 ? "f32" : "f64";
}

Json counts_json(const SpeculativeCounts& counts) {
  Json json = Json::object();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    json[std::string(speculative_counter_names[i])] = counts[i];
  }
  return json;
}

Json overhead_json(const std::vector<OverheadRow>& rows) {
  Json list = Json::array();
  for (const OverheadRow& row : rows) {
    list.push_back({{"scene", row.scene},
                    {"precision", name_of(row.precision)},
                    {"envs", row.nenv},
                    {"seconds_off", row.off},
                    {"seconds_on", row.on},
                    {"ratio", row.ratio},
                    {"fast_pairs", row.swept}});
  }
  return list;
}

Json shots_json(const std::vector<ShotRow>& rows) {
  Json list = Json::array();
  for (const ShotRow& row : rows) {
    Json sides = Json::array();
    for (const ShotSide& side : row.sides) {
      sides.push_back({{"name", side.name},
                       {"detail", side.detail},
                       {"steps_per_second", side.steps_per_second},
                       {"outside", side.outside},
                       {"contacts", side.contacts}});
    }
    list.push_back({{"scene", row.scene},
                    {"envs", row.nenv},
                    {"bodies", row.bodies},
                    {"steps", row.steps},
                    {"sides", sides},
                    {"ratio", row.ratio},
                    {"env_steps", row.env_steps},
                    {"counters", counts_json(row.counts)}});
  }
  return list;
}

Json steps_json(const std::vector<StepResult>& results) {
  Json list = Json::array();
  for (const StepResult& result : results) {
    Json sides = Json::array();
    for (const StepSide& side : result.sides) {
      sides.push_back({{"timestep", side.timestep},
                       {"speculative", side.speculative},
                       {"seconds_per_simulated_second", side.cost},
                       {"outside", side.outside}});
    }
    list.push_back({{"scene", result.scene},
                    {"precision", name_of(result.precision)},
                    {"envs", result.nenv},
                    {"sides", sides},
                    {"speedup", result.speedup}});
  }
  return list;
}

Json rounds_json(const std::vector<RoundRow>& rows) {
  Json list = Json::array();
  for (const RoundRow& row : rows) {
    list.push_back({{"scene", row.scene},
                    {"pairs", row.pairs},
                    {"advanced", row.advanced},
                    {"mean", row.mean},
                    {"p95", row.p95},
                    {"p99", row.p99},
                    {"max", row.max}});
  }
  return list;
}

std::string shot_text(const ShotRow& row) {
  std::string text =
      fmt::format("{}: {} environments, episodes of {} steps\n", row.scene, row.nenv, row.steps);
  for (const ShotSide& side : row.sides) {
    text +=
        fmt::format("  {:<14} {:>9} steps/s {:>11} bodies/s   outside {:>5}   {:.1f} contacts\n",
                    side.name, rate_text(side.steps_per_second),
                    rate_text(side.steps_per_second * row.bodies), side.outside, side.contacts);
  }
  text += row.ratio > 0 ? fmt::format("  swept f32 over the official library: {:.2f}\n", row.ratio)
                        : "";
  text += fmt::format("  in {} steps (f32):", row.env_steps);
  for (std::size_t i = 0; i < row.counts.size(); ++i) {
    text += fmt::format(" {} {}{}", speculative_counter_names[i], row.counts[i],
                        i + 1 < row.counts.size() ? "," : "\n");
  }
  return text;
}

}  // namespace

std::string SpeculativeResult::to_json() const {
  return Json({{"overhead", overhead_json(overhead)},
               {"shots", shots_json(shots)},
               {"steps", steps_json(steps)},
               {"rounds", rounds_json(rounds)}})
      .dump(2);
}

std::string SpeculativeResult::to_text() const {
  std::string text =
      fmt::format("the flag on, everything slow\n{:<40} {:>5} {:>7} {:>12} {:>12} {:>8} {:>11}\n",
                  "scene", "", "envs", "off us/step", "on us/step", "ratio", "fast pairs");
  for (const OverheadRow& row : overhead) {
    text += fmt::format("{:<40} {:>5} {:>7} {:>12.3f} {:>12.3f} {:>8.4f} {:>11}\n", row.scene,
                        name_of(row.precision), row.nenv, 1e6 * row.off, 1e6 * row.on, row.ratio,
                        row.swept);
  }
  text += "\nshots\n";
  for (const ShotRow& row : shots) {
    text += shot_text(row);
  }
  for (const StepResult& result : steps) {
    text += fmt::format("\n{}, {}, {} environments\n", result.scene, name_of(result.precision),
                        result.nenv);
    for (const StepSide& side : result.sides) {
      text += fmt::format(
          "  steps of {:>5.2f} ms, flag {:<3}  {:>9.4f} s per simulated s   outside {}\n",
          1e3 * side.timestep, side.speculative ? "on" : "off", side.cost, side.outside);
    }
    text += fmt::format("  speed-up at nobody outside: {:.1f}\n", result.speedup);
  }
  text += fmt::format("\n{:<24} {:>9} {:>9} {:>7} {:>5} {:>5} {:>5}\n", "advances per pair",
                      "pairs", "advanced", "mean", "p95", "p99", "max");
  for (const RoundRow& row : rounds) {
    text += fmt::format("{:<24} {:>9} {:>9} {:>7.3f} {:>5} {:>5} {:>5}\n", row.scene, row.pairs,
                        row.advanced, row.mean, row.p95, row.p99, row.max);
  }
  return text;
}

}  // namespace swept::bench
