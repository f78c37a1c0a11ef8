// SPDX-License-Identifier: Apache-2.0
// swept ccd: the first time at which two moving bodies touch, or the answers to labelled queries.
#include "src/ccd/queries.h"
#include "tools/swept/ccd_input.h"
#include "tools/swept/commands.h"

#include <swept/ccd.h>
#include <swept/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace swept::cli {

namespace {

using Json = nlohmann::ordered_json;

template <int D>
void print_impact(const CcdOptions& options, const ccd::Impact<D>& impact) {
  if (options.json) {
    const Json json = {{"status", ccd::to_string(impact.status)},
                       {"toi", impact.toi},
                       {"lower_bound", impact.lower_bound},
                       {"distance", impact.distance},
                       {"tolerance", impact.tolerance},
                       {"speed_bound", impact.speed},
                       {"point_a", impact.point_a},
                       {"point_b", impact.point_b},
                       {"facet_a", impact.facet_a},
                       {"facet_b", impact.facet_b},
                       {"iterations", impact.iterations},
                       {"pairs", impact.pairs}};
    fmt::print("{}\n", json.dump(2));
    return;
  }
  const char* const facet = D == 2 ? "segment" : "triangle";
  fmt::print("{:<13} {}\n", "status", ccd::to_string(impact.status));
  fmt::print("{:<13} {:.17g}\n", "toi", impact.toi);
  fmt::print("{:<13} apart until {:.17g}\n", "certified", impact.lower_bound);
  fmt::print("{:<13} {:.9g} (tolerance {:.3g})\n", "distance", impact.distance, impact.tolerance);
  fmt::print("{:<13} {} {} at ({:.9g})\n", "point a", facet, impact.facet_a,
             fmt::join(impact.point_a, ", "));
  fmt::print("{:<13} {} {} at ({:.9g})\n", "point b", facet, impact.facet_b,
             fmt::join(impact.point_b, ", "));
  fmt::print("{:<13} {} iterations, {} pairs of {}s; speeds of up to {:.6g}\n", "work",
             impact.iterations, impact.pairs, facet, impact.speed);
}

template <int D>
void impact_of_files(const CcdOptions& options) {
  const CcdMotions<D> motions = read_ccd_motions<D>(options.motion);
  const ccd::Body<D> a = read_ccd_body<D>(options.a, motions.thickness_a);
  const ccd::Body<D> b = read_ccd_body<D>(options.b, motions.thickness_b);
  print_impact<D>(options,
                  ccd::time_of_impact<D>(
                      a, b, motions.a, motions.b,
                      {.tolerance = options.tolerance,
                       .max_iterations = options.max_iterations,
                       .bound = options.directional ? ccd::Bound::directional : ccd::Bound::plain,
                       .relative = options.relative}));
}

template <class T>
Json answer(const CcdOptions& options, const std::vector<ccd::Query>& queries) {
  const ccd::QueryTally t =
      ccd::answer_queries<T>(queries,
                             {.tolerance = static_cast<T>(options.tolerance),
                              .separation = static_cast<T>(options.separation),
                              .max_iterations = options.max_iterations},
                             options.turns);
  return {{"precision", sizeof(T) == 4 ? "f32" : "f64"},
          {"missed", t.missed},
          {"false_alarms", t.false_alarms},
          {"not_converged", t.unfinished},
          {"iterations", t.iterations},
          {"mean_ns", t.mean_ns},
          {"median_ns", t.median_ns},
          {"p99_ns", t.p99_ns},
          {"max_ns", t.max_ns}};
}

/// Whether no collision was missed.
bool answers_of_queries(const CcdOptions& options) {
  const std::vector<ccd::Query> queries = ccd::read_queries(options.queries);
  std::size_t collisions = 0;
  for (const ccd::Query& query : queries) {
    collisions += query.collides;
  }
  Json json = {{"queries", queries.size()},
               {"collisions", collisions},
               {"separation", options.separation},
               {"answers", {answer<double>(options, queries), answer<float>(options, queries)}}};
  if (options.json) {
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{} queries, {} of them collisions\n", queries.size(), collisions);
    fmt::print("{:<10}{:>8}{:>14}{:>15}{:>12}{:>11}{:>11}{:>11}{:>12}\n", "precision", "missed",
               "false alarms", "not converged", "iterations", "mean ns", "median ns", "p99 ns",
               "max ns");
    for (const Json& a : json["answers"]) {
      fmt::print("{:<10}{:>8}{:>14}{:>15}{:>12.2f}{:>11.0f}{:>11.0f}{:>11.0f}{:>12.0f}\n",
                 a["precision"].get<std::string>(), a["missed"].get<std::size_t>(),
                 a["false_alarms"].get<std::size_t>(), a["not_converged"].get<std::size_t>(),
                 a["iterations"].get<double>(), a["mean_ns"].get<double>(),
                 a["median_ns"].get<double>(), a["p99_ns"].get<double>(),
                 a["max_ns"].get<double>());
    }
  }
  return json["answers"][0]["missed"] == 0 && json["answers"][1]["missed"] == 0;
}

}  // namespace

int ccd(const CcdOptions& options) {
  if (!options.queries.empty()) {
    if (!options.a.empty() || !options.motion.empty()) {
      throw Error("bodies and --queries at the same time", "ask for one of them");
    }
    return answers_of_queries(options) ? exit_done : exit_failed;
  }
  if (options.a.empty() || options.b.empty()) {
    throw Error("no two bodies", "name two files, or a labelled set with --queries");
  }
  if (options.flat) {
    impact_of_files<2>(options);
  } else {
    impact_of_files<3>(options);
  }
  return exit_done;
}

}  // namespace swept::cli
