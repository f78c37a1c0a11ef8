// SPDX-License-Identifier: Apache-2.0
// Reading of sweep files, member by member.
#include "tools/swept/sweep/plan.h"

#include "tools/swept/sweep/json_reader.h"

#include <swept/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace swept::cli {

namespace {

// a path of the file, relative to the file's folder
std::string beside(const std::string& file, const std::string& path) {
  return (std::filesystem::path(file).parent_path() / path).string();
}

Selection read_selection(JsonReader& json) {
  return {json.text("field"), json.labels("of"), json.labels("column")};
}

// `parent` gives what the target does not say by itself
Target read_target(JsonReader& json, JsonReader& parent) {
  Target target;
  target.numbers = read_selection(json);
  target.place = json.place_of("field");
  JsonReader& changes = json.has("change") ? json : parent;
  const std::string change = changes.word("change", {"set", "scale", "add", "rotate"}, "set");
  target.change = change == "set"     ? Change::set
                  : change == "scale" ? Change::scale
                  : change == "add"   ? Change::add
                                      : Change::rotate;
  if (target.change == Change::rotate) {
    const std::vector<double> axis = changes.numbers("axis");
    const double length = axis.size() == 3 ? std::hypot(axis[0], axis[1], axis[2]) : 0;
    if (length == 0) {
      changes.fail("axis", "an axis has three numbers that are not all 0", "write [0, 1, 0]");
    }
    std::transform(axis.begin(), axis.end(), target.axis.begin(),
                   [&](double x) { return x / length; });
  }
  return target;
}

// from, from + step, ... up to `to`
std::vector<double> walk(JsonReader& range, double from, double to) {
  const double step = range.number("step");
  const double count = std::floor((to - from) / step + 1e-9) + 1;
  if (!(count >= 1 && count <= 1e7)) {
    range.fail("step", fmt::format("steps of {} do not lead from {} to {}", step, from, to),
               "give one that does, in at most ten million steps");
  }
  std::vector<double> values;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    values.push_back(from + step * i);
  }
  return values;
}

// `count` values from `from` to `to`, at equal distances or equal ratios
std::vector<double> divide(JsonReader& range, double from, double to) {
  const bool log = range.word("spacing", {"linear", "log"}, "linear") == "log";
  const std::int64_t count = range.whole("count", 1);
  if (count > 10'000'000) {
    range.fail("count", "more than ten million values are asked for", "give fewer");
  }
  if (log && !(from > 0 && to > 0)) {
    range.fail("spacing", "a range with equal ratios has no place for 0 or less",
               "give ends above 0, or the spacing linear");
  }
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i) {
    const double part = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.0;
    values.push_back(log ? from * std::pow(to / from, part) : from + (to - from) * part);
  }
  if (count > 1) {
    values.back() = to;
  }
  return values;
}

void read_range(const Json& json, JsonReader& parent, Parameter* parameter) {
  JsonReader range(json, parent.file(), parent.place_of("range"));
  const double from = range.number("from"), to = range.number("to");
  parameter->values = range.has("step") ? walk(range, from, to) : divide(range, from, to);
  parameter->log = !range.has("step") && range.text("spacing", "linear") == "log";
  range.finish();
}

// the two numbers of a distribution
std::vector<double> read_pair(JsonReader& json, const std::string& name) {
  std::vector<double> pair = json.numbers(name);
  if (pair.size() != 2) {
    json.fail(name, fmt::format("there are {} numbers", pair.size()),
              name == "normal" ? "write [mean, deviation]" : "write [low, high]");
  }
  if (name == "normal" ? pair[1] < 0 : pair[0] > pair[1]) {
    json.fail(name, name == "normal" ? "the deviation is negative" : "low is above high",
              "exchange or change them");
  }
  if (name == "log_uniform" && pair[0] <= 0) {
    json.fail(name, "its logarithm has no place for 0 or less", "give a low end above 0");
  }
  return pair;
}

void read_values(JsonReader& json, Parameter* parameter) {
  const std::vector<std::string> kinds{"values", "range", "uniform", "log_uniform", "normal"};
  std::vector<std::string> given;
  std::copy_if(kinds.begin(), kinds.end(), std::back_inserter(given),
               [&](const std::string& kind) { return json.has(kind); });
  if (given.size() != 1) {
    json.fail(
        "",
        fmt::format("{} of values, range, uniform, log_uniform and normal are given", given.size()),
        "give one of them");
  }
  const std::string& kind = given.front();
  if (kind == "values") {
    parameter->values = json.numbers(kind);
  } else if (kind == "range") {
    read_range(*json.find(kind), json, parameter);
  } else {
    parameter->values = read_pair(json, kind);
    parameter->log = kind == "log_uniform";
    parameter->source = kind == "uniform"       ? Source::uniform
                        : kind == "log_uniform" ? Source::log_uniform
                                                : Source::normal;
  }
}

// names become titles of columns
std::string read_name(JsonReader& json) {
  std::string name = json.text("name");
  if (name.find_first_of(",\"\n\r#[]/") != std::string::npos || name == "." ||
      name == "combination" || name == "status") {
    json.fail("name", fmt::format("'{}' cannot be the title of a column", name),
              "use letters, digits and _, and neither 'combination' nor 'status'");
  }
  return name;
}

// a unit stands in brackets behind the title
std::string read_unit(JsonReader& json) {
  std::string unit = json.text("unit", "");
  if (unit.find_first_of(",\"\n\r#[]") != std::string::npos) {
    json.fail("unit", "a unit has no comma, quote, bracket or #", "write it otherwise");
  }
  return unit;
}

Parameter read_parameter(const Json& item, const std::string& file, const std::string& place) {
  JsonReader json(item, file, place);
  Parameter parameter;
  parameter.place = place;
  parameter.name = read_name(json);
  parameter.unit = read_unit(json);
  read_values(json, &parameter);
  if (const Json* targets = json.find("targets")) {
    if (!targets->is_array() || targets->empty()) {
      json.fail("targets", "this is no list of targets", "write [{\"field\": ...}, ...]");
    }
    for (std::size_t i = 0; i < targets->size(); ++i) {
      JsonReader target((*targets)[i], file, fmt::format("{}.targets[{}]", place, i));
      parameter.targets.push_back(read_target(target, json));
      target.finish();
    }
  } else {
    parameter.targets.push_back(read_target(json, json));
  }
  json.finish();
  return parameter;
}

template <class Choice>
Choice choose(JsonReader& json, const std::string& name,
              const std::vector<std::pair<std::string, Choice>>& choices,
              const std::string& otherwise) {
  std::vector<std::string> words;
  for (const auto& choice : choices) {
    words.push_back(choice.first);
  }
  const std::string word = json.word(name, words, otherwise);
  return std::find_if(choices.begin(), choices.end(),
                      [&](const auto& choice) { return choice.first == word; })
      ->second;
}

void read_event(JsonReader& json, Measure* measure) {
  if (json.has("above") == json.has("below")) {
    json.fail("", "the time of an event needs a threshold",
              "give either \"above\" or \"below\" a number");
  }
  measure->above = json.has("above");
  measure->threshold = json.number(measure->above ? "above" : "below");
}

Measure read_measure(const Json& item, const std::string& file, const std::string& place) {
  JsonReader json(item, file, place);
  Measure measure;
  measure.place = json.place_of("field");
  measure.name = read_name(json);
  measure.unit = read_unit(json);
  measure.numbers = read_selection(json);
  measure.over = choose<Over>(json, "over",
                              {{"one", Over::one},
                               {"min", Over::min},
                               {"max", Over::max},
                               {"sum", Over::sum},
                               {"mean", Over::mean},
                               {"norm", Over::norm}},
                              "one");
  measure.take = choose<Take>(json, "take",
                              {{"final", Take::final},
                               {"mean", Take::mean},
                               {"min", Take::min},
                               {"max", Take::max},
                               {"rms", Take::rms},
                               {"time", Take::time}},
                              "");
  measure.from = json.number("from", measure.from);
  measure.to = json.number("to", measure.to);
  if (measure.from > measure.to) {
    json.fail("to", "the window ends before it begins", "exchange from and to");
  }
  if (measure.take == Take::time) {
    read_event(json, &measure);
  }
  json.finish();
  return measure;
}

ControlPlan read_controls(JsonReader& json) {
  ControlPlan controls;
  const Json* given = json.find("controls");
  if (given == nullptr || *given == "none") {
    return controls;
  }
  if (given->is_string()) {
    controls.kind = ControlPlan::Kind::file;
    controls.file = beside(json.file(), json.text("controls"));
    return controls;
  }
  JsonReader outer(*given, json.file(), json.place_of("controls"));
  const Json* members = outer.find("random");
  if (members == nullptr) {
    outer.fail(
        "", "these controls are not known",
        "write \"none\", the name of a CSV file, or {\"random\": {\"seed\": 1, \"hold\": 5}}");
  }
  JsonReader random(*members, json.file(), outer.place_of("random"));
  controls.kind = ControlPlan::Kind::random;
  controls.seed = static_cast<std::uint64_t>(random.whole("seed", 0, 1));
  controls.hold = static_cast<int>(std::min<std::int64_t>(random.whole("hold", 1, 5), 1 << 30));
  random.finish();
  outer.finish();
  return controls;
}

void read_samples(JsonReader& json, Plan* plan) {
  const bool drawn = std::any_of(plan->parameters.begin(), plan->parameters.end(),
                                 [](const Parameter& parameter) { return parameter.drawn(); });
  const Json* given = json.find("samples");
  if ((given != nullptr) != drawn) {
    json.fail(drawn ? "" : "samples",
              drawn ? "parameters are drawn, and nothing says how often"
                    : "no parameter is drawn, so there is nothing to sample",
              drawn ? "add \"samples\": {\"count\": 100}"
                    : "leave it out, or give a parameter uniform, log_uniform or normal");
  }
  if (given == nullptr) {
    return;
  }
  JsonReader samples(*given, json.file(), json.place_of("samples"));
  plan->samples.count = samples.whole("count", 1);
  plan->samples.sobol = samples.word("sequence", {"random", "sobol"}, "random") == "sobol";
  plan->samples.seed = static_cast<std::uint64_t>(samples.whole("seed", 0, 1));
  samples.finish();
}

// every title of a column stands once
void check_names(const Plan& plan) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name, const std::string& place) {
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      throw Error(Place{plan.path, 0, place}, fmt::format("the name '{}' stands twice", name),
                  "call one of them otherwise");
    }
    names.push_back(name);
  };
  for (const Parameter& parameter : plan.parameters) {
    add(parameter.name, parameter.place);
  }
  for (const Measure& measure : plan.measures) {
    add(measure.name, measure.place);
  }
}

// calls read(item, place) for each item of a list that must not be empty
template <class Read>
void read_list(JsonReader& json, const std::string& name, const Read& read) {
  const Json* list = json.find(name);
  if (list == nullptr || !list->is_array() || list->empty()) {
    json.fail(list == nullptr ? "" : name,
              fmt::format("'{}' is no list with something in it", name),
              "swept sweep --help shows one");
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    read((*list)[i], fmt::format("{}[{}]", name, i));
  }
}

}  // namespace

Plan read_plan(const std::string& path) {
  const Json whole = read_json(path);
  JsonReader json(whole, path, "");
  Plan plan;
  plan.path = path;
  plan.text = whole.dump();
  plan.scene = beside(path, json.text("scene"));
  plan.steps = json.whole("steps", 1);
  plan.precision = json.word("precision", {"f32", "f64"}, "f32");
  if (json.has("keyframe")) {
    const std::vector<std::string> keyframe = json.labels("keyframe");
    plan.keyframe = keyframe.front();
  }
  plan.every = json.whole("every", 1, 1);
  plan.controls = read_controls(json);
  read_list(json, "parameters", [&](const Json& item, const std::string& place) {
    plan.parameters.push_back(read_parameter(item, path, place));
  });
  read_list(json, "measures", [&](const Json& item, const std::string& place) {
    plan.measures.push_back(read_measure(item, path, place));
  });
  read_samples(json, &plan);
  json.finish();
  check_names(plan);
  count_combinations(plan);
  return plan;
}

}  // namespace swept::cli
