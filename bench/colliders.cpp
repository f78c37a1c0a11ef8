// SPDX-License-Identifier: Apache-2.0
// Pairs of geoms near each other; the official library's colliders through its table of functions.
#include "bench/colliders.h"

#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/error.h>
#include <swept/load.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#if SWEPT_HAVE_ORACLE

#include <algorithm>
#include <memory>
#include <random>

#include "bench/official_colliders.h"

namespace swept::bench {

namespace {

/// Points of a noisy ellipsoid, as the text of a mesh.
std::string mesh_text(const char* name, int count, double x, double y, double z, double noise) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::string text = fmt::format("<mesh name='{}' vertex='", name);
  for (int i = 0; i < count; ++i) {
    double p[3] = {normal(random), normal(random), normal(random)};
    const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) /
                          (1 - noise * std::uniform_real_distribution<double>(0, 1)(random));
    text += fmt::format("{:.6f} {:.6f} {:.6f} ", p[0] / length * x, p[1] / length * y,
                        p[2] / length * z);
  }
  return text + "'/>";
}

/// A type of geom, as XML.
struct Kind {
  std::string name, geom, asset;
  double size;  ///< [m] a radius
};

std::vector<Kind> all_kinds() {
  const auto mesh = [](const char* name, int count, double x, double y, double z, double noise) {
    return Kind{name, fmt::format("type='mesh' mesh='{}'", name),
                mesh_text(name, count, x, y, z, noise), std::max({x, y, z})};
  };
  return {{"plane", "type='plane' size='1 1 .1'", "", 1},
          {"sphere", "type='sphere' size='.2'", "", .2},
          {"capsule", "type='capsule' size='.1 .2'", "", .3},
          {"ellipsoid", "type='ellipsoid' size='.2 .3 .15'", "", .3},
          {"cylinder", "type='cylinder' size='.15 .2'", "", .25},
          {"box", "type='box' size='.2 .3 .15'", "", .39},
          mesh("tetrahedron", 4, .3, .3, .3, 0),
          mesh("pebble", 12, .2, .3, .25, 0),
          mesh("ball", 80, .25, .25, .25, 0),
          mesh("hull100", 100, .25, .25, .25, 1e-4),
          mesh("hull10k", 10000, .25, .25, .25, 1e-7)};
}

std::string scene_text(const Kind& a, const Kind& b) {
  const auto body = [](const Kind& k, const char* name) {
    const std::string geom = fmt::format("<geom name='{}' {}/>", name, k.geom);
    return k.name == "plane" ? geom : fmt::format("<body><freejoint/>{}</body>", geom);
  };
  return fmt::format(
      "<mujoco><option><flag gravity='disable'/></option><asset>{}{}</asset><worldbody>{}{}"
      "</worldbody></mujoco>",
      a.asset, a.name == b.name ? "" : b.asset, body(a, "one"), body(b, "two"));
}

double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

/// One precision of swept.
class Ours {
 public:
  Ours(const Model& model, Precision precision, const std::vector<double>& qpos, int poses)
      : batch_(model, {.nenv = poses, .precision = precision, .threads = 1}), poses_(poses) {
    batch_.write("qpos", qpos);
    batch_.forward();
    batch_.sync();
  }

  /// Seconds per pose: of the colliders that take a pair at a time, and of all collision stages.
  struct Turn {
    double alone, stage;
  };
  Turn collide() {
    batch_.profile(true);
    batch_.forward();
    batch_.sync();
    Turn turn = {0, 0};
    for (const ProfileEntry& entry : batch_.profile_entries()) {
      const bool alone = entry.name == "convex";
      turn.alone += alone ? entry.seconds / poses_ : 0;
      turn.stage += alone || entry.name == "broadphase" || entry.name == "narrowphase"
                        ? entry.seconds / poses_
                        : 0;
    }
    return turn;
  }
  double contacts() { return batch_.report().contacts.mean; }

 private:
  Batch batch_;
  int poses_;
};

/// Whether the narrow phase works on this pair in packs.
bool is_packed(const std::string& a, const std::string& b) {
  static const char* const packed[][2] = {
      {"plane", "sphere"},    {"plane", "capsule"},   {"plane", "box"},      {"plane", "ellipsoid"},
      {"plane", "cylinder"},  {"sphere", "sphere"},   {"sphere", "capsule"}, {"sphere", "box"},
      {"sphere", "cylinder"}, {"capsule", "capsule"}, {"capsule", "box"}};
  return std::any_of(std::begin(packed), std::end(packed),
                     [&](const auto& p) { return a == p[0] && b == p[1]; });
}

CollidersRow measure(const ColliderLibrary& library, const Kind& a, const Kind& b,
                     const CollidersOptions& options) {
  CollidersRow row;
  row.name = a.name + " " + b.name;
  const std::string text = scene_text(a, b);
  OfficialPair official(library, text);
  std::mt19937_64 random(5);
  std::vector<double> qpos;
  for (int i = 0; i < options.poses; ++i) {
    const std::vector<double> q = official.draw(&random, 0.1 * std::min(a.size, b.size));
    qpos.insert(qpos.end(), q.begin(), q.end());
  }
  const Model model = compile(load_string(text, Format::xml));
  Ours f64(model, Precision::f64, qpos, options.poses);
  Ours f32(model, Precision::f32, qpos, options.poses);
  row.packed = is_packed(a.name, b.name);
  std::vector<double> alone[3], stage[3];
  for (int turn = 0; turn < options.turns; ++turn) {
    const Ours::Turn ours64 = f64.collide();
    // never twice the same side: its second pass would find the meshes in the cache
    const OfficialPair::Turn theirs = official.collide();
    const Ours::Turn ours32 = f32.collide();
    const OfficialPair::Turn all = official.collision_stage();
    alone[0].push_back(ours64.alone);
    alone[1].push_back(ours32.alone);
    alone[2].push_back(theirs.seconds);
    stage[0].push_back(ours64.stage);
    stage[1].push_back(ours32.stage);
    stage[2].push_back(all.seconds);
    row.touching = theirs.touching;
    row.official_contacts = theirs.contacts;
  }
  row.alone = {median(alone[0]), median(alone[1]), median(alone[2])};
  row.stage = {median(stage[0]), median(stage[1]), median(stage[2])};
  row.contacts = f64.contacts();
  return row;
}

}  // namespace

CollidersResult colliders(const CollidersOptions& options) {
  const ColliderLibrary library(SWEPT_ORACLE_LIBRARY);
  CollidersResult result;
  const std::vector<Kind> kinds = all_kinds();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    for (std::size_t j = std::max<std::size_t>(i, 1); j < kinds.size(); ++j) {
      const std::string name = kinds[i].name + " " + kinds[j].name;
      if (name.find(options.only) == std::string::npos) {
        continue;
      }
      if (options.progress) {
        options.progress(name);
      }
      result.rows.push_back(measure(library, kinds[i], kinds[j], options));
    }
  }
  return result;
}

}  // namespace swept::bench

#else

namespace swept::bench {

CollidersResult colliders(const CollidersOptions&) {
  throw Error("this build has no headers of the official MuJoCo library",
              "run tools/setup test and configure again");
}

}  // namespace swept::bench

#endif

namespace swept::bench {

std::string CollidersResult::to_json() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  const auto times = [](const CollidersTimes& t) {
    return nlohmann::ordered_json(
        {{"f64_seconds", t.f64}, {"f32_seconds", t.f32}, {"official_seconds", t.official}});
  };
  for (const CollidersRow& row : rows) {
    list.push_back({{"pair", row.name},
                    {"packed", row.packed},
                    {"touching", row.touching},
                    {"alone", times(row.alone)},
                    {"stage", times(row.stage)},
                    {"contacts", row.contacts},
                    {"official_contacts", row.official_contacts}});
  }
  return nlohmann::ordered_json({{"colliders", list}}).dump(2);
}

std::string CollidersResult::to_text() const {
  const std::string titles = fmt::format("{:>8} {:>8} {:>8} {:>5} {:>5}", "f64 ns", "f32 ns",
                                         "official", "f64 x", "f32 x");
  const auto times = [](const CollidersTimes& t) {
    return fmt::format("{:>8.0f} {:>8.0f} {:>8.0f} {:>5.2f} {:>5.2f}", 1e9 * t.f64, 1e9 * t.f32,
                       1e9 * t.official, t.official / t.f64, t.official / t.f32);
  };
  std::string text =
      fmt::format("{:<24} {:>8}   collider alone{:26}   whole stage\n{:<24} {:>8} {} {}\n", "", "",
                  "", "pair", "touching", titles, titles);
  for (const CollidersRow& row : rows) {
    text +=
        fmt::format("{:<24} {:>8.2f} {} {}\n", row.name, row.touching,
                    row.packed ? fmt::format("{:>38}", "-") : times(row.alone), times(row.stage));
  }
  return text;
}

}  // namespace swept::bench
