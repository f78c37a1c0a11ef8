// SPDX-License-Identifier: Apache-2.0
// A comparison as a table for people and as an object for programs.
#include "bench/compare.h"
#include "bench/format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace swept::bench {

nlohmann::ordered_json json_of(const Spread& spread) {
  return {{"mean", spread.mean}, {"p95", spread.p95}, {"max", spread.max}};
}

nlohmann::ordered_json json_of(const Quality& quality) {
  return {{"contacts", json_of(quality.contacts)},
          {"rows", json_of(quality.rows)},
          {"iterations", json_of(quality.iterations)},
          {"residual", json_of(quality.residual)},
          {"penetration", quality.penetration},
          {"dropped", quality.dropped},
          {"unstable", quality.unstable},
          {"samples", quality.samples}};
}

std::string bytes_text(double bytes) {
  if (bytes < 1e4) {
    return fmt::format("{:.0f} B", bytes);
  }
  if (bytes < 1e7) {
    return fmt::format("{:.1f} kB", bytes / 1e3);
  }
  return bytes < 1e10 ? fmt::format("{:.1f} MB", bytes / 1e6)
                      : fmt::format("{:.1f} GB", bytes / 1e9);
}

std::string rate_text(double rate) {
  if (rate < 1e3) {
    return fmt::format("{:.1f}", rate);
  }
  return rate < 1e6 ? fmt::format("{:.1f} k", rate / 1e3) : fmt::format("{:.2f} M", rate / 1e6);
}

std::string CompareResult::to_json() const {
  nlohmann::ordered_json json = {{"scene", scene},   {"model", model},     {"nv", nv},
                                 {"nu", nu},         {"envs", nenv},       {"steps", steps},
                                 {"warmup", warmup}, {"threads", threads}, {"hold", hold}};
  json["sides"] = nlohmann::ordered_json::array();
  for (const SideResult& side : sides) {
    nlohmann::ordered_json entry = {{"name", side.name},
                                    {"detail", side.detail},
                                    {"steps_per_second", side.steps_per_second},
                                    {"seconds", side.seconds},
                                    {"bytes_per_env", side.bytes_per_env}};
    entry.update(json_of(side.quality));
    if (has_mujoco) {
      entry["ratio"] = side.steps_per_second / sides.back().steps_per_second;
    }
    json["sides"].push_back(entry);
  }
  json["notes"] = notes;
  return json.dump(2);
}

std::string CompareResult::to_text() const {
  std::string text = fmt::format(
      "{} ({}): {} environments, {} threads, {} warm-up steps, {} turns of {} steps, controls new "
      "every {}\n",
      model.empty() ? scene : model, scene, nenv, threads, warmup,
      sides.empty() ? 0 : sides.front().seconds.size(), steps, hold);
  text += fmt::format("{:<14} {:>9} {:>6} {:>9} {:>8} {:>14} {:>7} {:>11} {:>9} {:>9}\n", "side",
                      "steps/s", "ratio", "contacts", "rows", "iterations p95", "dropped",
                      "penetration", "residual", "memory");
  for (const SideResult& side : sides) {
    const Quality& q = side.quality;
    const std::string ratio =
        has_mujoco ? fmt::format("{:.2f}", side.steps_per_second / sides.back().steps_per_second)
                   : "-";
    text += fmt::format(
        "{:<14} {:>9} {:>6} {:>9.3f} {:>8.2f} {:>9.2f} {:>4.1f} {:>7} {:>9.1f} mm {:>8.1e} {:>9}\n",
        side.name, rate_text(side.steps_per_second), ratio, q.contacts.mean, q.rows.mean,
        q.iterations.mean, q.iterations.p95, q.dropped, 1e3 * q.penetration, q.residual.mean,
        bytes_text(static_cast<double>(side.bytes_per_env)));
  }
  for (const SideResult& side : sides) {
    text += fmt::format("  {}: {}\n", side.name, side.detail);
  }
  for (const std::string& note : notes) {
    text += fmt::format("  note: {}\n", note);
  }
  return text;
}

}  // namespace swept::bench
