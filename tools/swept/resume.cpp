// SPDX-License-Identifier: Apache-2.0
// The note in a run's snapshot is one JSON object.
#include "tools/swept/resume.h"

#include <swept/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace swept::cli {

namespace {

nlohmann::json controls_of(const RunOptions& options) {
  nlohmann::json controls = {{"ctrl", options.ctrl}};
  if (options.ctrl == "random") {
    controls["seed"] = options.seed;
    controls["hold"] = options.hold;
  }
  return controls;
}

}  // namespace

Start resume(const RunOptions& options, const Snapshot& snapshot, Batch& batch) {
  const Place place{options.load, 0, {}};
  if (snapshot.nenv() != options.envs) {
    throw Error(place,
                fmt::format("it holds {} environments, not {}", snapshot.nenv(), options.envs),
                "leave --envs out");
  }
  try {
    batch.load(snapshot);
  } catch (const Error& error) {
    const bool precision = snapshot.precision() != batch.options().precision;
    const char* saved = snapshot.precision() == Precision::f32 ? "f32" : "f64";
    throw Error(place, error.problem(),
                precision ? fmt::format("use --precision {}", saved) : error.remedy());
  }

  // a snapshot that another program wrote has no note of ours
  const nlohmann::json note = nlohmann::json::parse(snapshot.note(), nullptr, false);
  if (!note.is_object() || !note.contains("step") || !note["step"].is_number_integer()) {
    return {0, false};
  }
  return {note["step"].get<std::int64_t>(),
          note.value("controls", nlohmann::json()) == controls_of(options)};
}

void save_run(const RunOptions& options, std::int64_t step, Batch& batch) {
  const nlohmann::json note = {{"step", step}, {"controls", controls_of(options)}};
  batch.save({}, note.dump()).write(options.save);
}

}  // namespace swept::cli
