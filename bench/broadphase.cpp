// SPDX-License-Identifier: Apache-2.0
// Free balls that detect each other at a distance and do not push, so that a pass through the stages
// is short; the profile says how long the broad phase took.
#include "bench/broadphase.h"

#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/spec.h>

#include "host/compile/candidates.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace swept::bench {

namespace {

constexpr double radius = 0.01;  ///< [m]
constexpr double reach = 0.1;    ///< [m] of a ball and its gap
constexpr int nenv = 16;         ///< a pack, or two

Spec balls(int count) {
  Spec spec;
  for (int i = 0; i < count; ++i) {
    Body body;
    Joint joint;
    joint.type = JointType::free;
    body.joints.push_back(joint);
    Geom geom;
    geom.type = GeomType::sphere;
    geom.size = {radius, 0, 0};
    geom.gap = reach - radius;
    body.geoms.push_back(geom);
    spec.worldbody.bodies.push_back(body);
  }
  return spec;
}

/// Positions of the balls of all environments, with about as many contacts per ball for any number.
std::vector<double> positions(const std::string& spread, int geoms) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  const double side = 2 * reach * std::cbrt(static_cast<double>(geoms));
  std::vector<double> qpos;
  for (int env = 0; env < nenv; ++env) {
    double centre[3] = {};
    for (int i = 0; i < geoms; ++i) {
      double p[3] = {side * uniform(random), side * uniform(random), side * uniform(random)};
      if (spread == "clustered") {
        if (i % 50 == 0) {
          std::copy(p, p + 3, centre);
          for (double& c : centre) {
            c *= 10;
          }
        }
        for (int k = 0; k < 3; ++k) {
          p[k] = centre[k] + 3 * reach * normal(random);
        }
      } else if (spread == "stacked") {
        p[0] = 0.05 * reach * normal(random);
        p[1] = 0.05 * reach * normal(random);
        p[2] = 1.5 * reach * i;
      }
      qpos.insert(qpos.end(), {p[0], p[1], p[2], 1, 0, 0, 0});
    }
  }
  return qpos;
}

/// Fastest time of the broad phase of an environment [s], and contacts per environment.
struct Time {
  double seconds = std::numeric_limits<double>::infinity(), contacts = 0;
};
Time time_of(const Model& model, const std::vector<double>& qpos, int turns) {
  Batch batch(model, {.nenv = nenv, .precision = Precision::f32, .threads = 1, .tile = nenv});
  batch.write("qpos", qpos);
  batch.forward();
  batch.sync();
  Time best;
  for (int turn = 0; turn < turns; ++turn) {
    batch.profile(true);
    batch.forward();
    batch.sync();
    double seconds = 0;
    for (const ProfileEntry& entry : batch.profile_entries()) {
      seconds += entry.name == "sweep" || entry.name == "broadphase" ? entry.seconds : 0;
    }
    best.seconds = std::min(best.seconds, seconds / nenv);
  }
  best.contacts = batch.report().contacts.mean;
  return best;
}

BroadphaseRow measure(const Spec& spec, const std::string& spread, int geoms, int turns) {
  Model model = compile(spec);
  const std::vector<double> qpos = positions(spread, geoms);
  BroadphaseRow row;
  row.spread = spread;
  row.geoms = geoms;
  row.swept = model.nsweep > 0;
  if (model.ncandidate > 0) {
    compiler::list_candidates(model, max_candidates, std::numeric_limits<int>::max());
    row.all_pairs = time_of(model, qpos, turns).seconds / geoms;
  }
  compiler::list_candidates(model, 0);
  const Time swept = time_of(model, qpos, turns);
  row.sweep = swept.seconds / geoms;
  row.contacts = swept.contacts / geoms;
  return row;
}

}  // namespace

std::string BroadphaseResult::to_json() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const BroadphaseRow& row : rows) {
    list.push_back({{"spread", row.spread},
                    {"geoms", row.geoms},
                    {"swept", row.swept},
                    {"sweep_seconds_per_geom", row.sweep},
                    {"contacts_per_geom", row.contacts}});
    if (row.all_pairs >= 0) {
      list.back()["all_pairs_seconds_per_geom"] = row.all_pairs;
    }
  }
  return nlohmann::ordered_json({{"broadphase", list}}).dump(2);
}

std::string BroadphaseResult::to_text() const {
  std::string text = fmt::format("{:<10} {:>7} {:>14} {:>14} {:>10}  {}\n", "spread", "geoms",
                                 "sweep ns/geom", "all ns/geom", "contacts", "taken");
  for (const BroadphaseRow& row : rows) {
    text += fmt::format("{:<10} {:>7} {:>14.0f} {:>14} {:>10.2f}  {}\n", row.spread, row.geoms,
                        1e9 * row.sweep,
                        row.all_pairs < 0 ? "-" : fmt::format("{:.0f}", 1e9 * row.all_pairs),
                        row.contacts, row.swept ? "sweep" : "all pairs");
  }
  return text;
}

BroadphaseResult broadphase(const BroadphaseOptions& options) {
  BroadphaseResult result;
  for (const int geoms : options.sizes) {
    const Spec spec = balls(geoms);
    for (const char* const spread : {"uniform", "clustered", "stacked"}) {
      if (options.progress) {
        options.progress(fmt::format("{} geoms, {}", geoms, spread));
      }
      result.rows.push_back(measure(spec, spread, geoms, options.turns));
    }
  }
  return result;
}

}  // namespace swept::bench
