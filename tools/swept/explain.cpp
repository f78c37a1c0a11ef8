// SPDX-License-Identifier: Apache-2.0
// swept explain: whether two geoms can collide, which rule decides, and what a contact of theirs
// would have.
#include "tools/swept/commands.h"

#include <swept/explain.h>
#include <swept/load.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace swept::cli {

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> names_of(const std::vector<CollisionRule>& rules) {
  std::vector<std::string> names;
  for (const CollisionRule rule : rules) {
    names.emplace_back(rule_name(rule));
  }
  return names;
}

Json json_of(const ExplainedGeom& geom) {
  return {{"id", geom.id},
          {"name", geom.name},
          {"type", geom.type},
          {"body", geom.body},
          {"file", geom.place.file},
          {"line", geom.place.line},
          {"contype", geom.contype},
          {"conaffinity", geom.conaffinity},
          {"priority", geom.priority}};
}

void print_json(const ExplainOptions& options, const Explanation& e) {
  Json json = {{"scene", options.scene}, {"geoms", {json_of(e.geoms[0]), json_of(e.geoms[1])}},
               {"collides", e.collides}, {"rule", rule_name(e.rule)},
               {"why", e.why},           {"also", names_of(e.also)},
               {"collider", nullptr}};
  if (e.collider >= 0) {
    json["collider"] = collider_name(e.collider);
    json["contact"] = {{"margin", e.margin}, {"gap", e.gap},
                       {"condim", e.condim}, {"friction", e.friction},
                       {"solref", e.solref}, {"solreffriction", e.solreffriction},
                       {"solimp", e.solimp}, {"decided_by", e.decided_by}};
  }
  fmt::print("{}\n", json.dump(2));
}

/// "1 0.005 0.0001"
template <class List>
std::string numbers(const List& list) {
  std::string text;
  for (const double x : list) {
    text += fmt::format("{}{:.6g}", text.empty() ? "" : " ", x);
  }
  return text;
}

void print_line(const char* title, const std::string& text) {
  fmt::print("{:<13} {}\n", title, text);
}

void print_geom(const char* title, const ExplainedGeom& geom) {
  std::string text = geom.name.empty() ? fmt::format("geom {}", geom.id)
                                       : fmt::format("'{}' (geom {})", geom.name, geom.id);
  text += fmt::format(", a {} of body '{}'", geom.type, geom.body);
  if (!geom.place.file.empty()) {
    text += fmt::format(", {}:{}", geom.place.file, geom.place.line);
  }
  print_line(title, text);
}

void print_text(const Explanation& e) {
  print_geom("geom 1", e.geoms[0]);
  print_geom("geom 2", e.geoms[1]);
  print_line("collide", e.collides ? "yes" : "no");
  print_line("rule", std::string(rule_name(e.rule)));
  print_line("why", e.why);
  if (!e.also.empty()) {
    print_line("also", fmt::format("{}", fmt::join(names_of(e.also), ", ")));
  }
  if (e.collider < 0) {
    return;
  }
  print_line("collider", std::string(collider_name(e.collider)));
  print_line("margin",
             fmt::format("{:.6g} m, gap {:.6g} m: listed at {:.6g} m, pushes below {:.6g} m",
                         e.margin, e.gap, e.margin + e.gap, e.margin));
  print_line("condim", std::to_string(e.condim));
  print_line("friction", numbers(e.friction));
  print_line("solref", numbers(e.solref));
  if (e.solreffriction != Solref{}) {
    print_line("for friction", numbers(e.solreffriction));
  }
  print_line("solimp", numbers(e.solimp));
  print_line("decided by", e.decided_by);
}

}  // namespace

int explain(const ExplainOptions& options) {
  const Explanation e = explain_collision(load(options.scene), options.geom1, options.geom2);
  if (options.json) {
    print_json(options, e);
  } else {
    print_text(e);
  }
  return exit_done;
}

}  // namespace swept::cli
