// SPDX-License-Identifier: Apache-2.0
// swept info: sizes, options, memory, candidate pairs, notices; or everything that is unsupported.
#include "bench/format.h"
#include "tools/swept/commands.h"
#include "tools/swept/scene.h"

#include <swept/batch.h>
#include <swept/error.h>
#include <swept/explain.h>
#include <swept/load.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <utility>
#include <vector>

namespace swept::cli {

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::pair<const char*, int>> sizes_of(const Model& m) {
  return {{"nq", m.nq},
          {"nv", m.nv},
          {"nu", m.nu},
          {"na", m.na},
          {"nbody", m.nbody},
          {"njnt", m.njnt},
          {"ngeom", m.ngeom},
          {"nsite", m.nsite},
          {"ntendon", m.ntendon},
          {"nkey", m.nkey},
          {"nmocap", m.nmocap},
          {"ntree", m.ntree},
          {"nM", m.nM},
          {"npair", m.npair},
          {"nexclude", m.nexclude},
          {"ncandidate", m.ncandidate},
          {"nsweep", m.nsweep}};
}

const char* integrator_name(int integrator) {
  constexpr const char* names[] = {"Euler", "RK4", "implicit", "implicitfast", "discrete"};
  return names[integrator];
}

// names of the bits that are set, in MJCF's spelling
std::vector<std::string> flag_names(int bits, std::initializer_list<const char*> names) {
  std::vector<std::string> set;
  int bit = 1;
  for (const char* name : names) {
    if ((bits & bit) != 0) {
      set.push_back(name);
    }
    bit <<= 1;
  }
  return set;
}

Json options_of(const Model& m) {
  constexpr const char* solvers[] = {"PGS", "CG", "Newton"};
  return {{"timestep", m.opt_timestep[0]},
          {"gravity", m.opt_gravity},
          {"integrator", integrator_name(m.opt.integrator)},
          {"cone", m.opt.cone == cone_elliptic ? "elliptic" : "pyramidal"},
          {"impratio", m.opt_impratio[0]},
          {"solver", solvers[m.opt.solver]},
          {"tolerance", m.opt.tolerance},
          {"iterations", m.opt.iterations},
          {"ls_tolerance", m.opt.ls_tolerance},
          {"ls_iterations", m.opt.ls_iterations},
          {"disabled",
           flag_names(m.opt.disableflags,
                      {"constraint",   "equality",  "frictionloss", "limit",     "contact",
                       "spring",       "damper",    "gravity",      "clampctrl", "warmstart",
                       "filterparent", "actuation", "refsafe",      "sensor",    "midphase",
                       "eulerdamp",    "autoreset", "nativeccd",    "island",    "multiccd"})},
          {"enabled", flag_names(m.opt.enableflags, {"override", "energy", "fwdinv", "invdiscrete",
                                                     "sleep", "diagexact", "ipc", "speculative"})}};
}

std::vector<int> pairs_by_kind(const Model& m) {
  std::vector<int> count(collider_kinds, 0);
  for (const int kind : m.candidate_kind) {
    ++count[kind];
  }
  return count;
}

int report_unsupported(const InfoOptions& options, const std::vector<Unsupported>& places) {
  if (options.json) {
    Json list = Json::array();
    for (const Unsupported& u : places) {
      list.push_back({{"file", u.place.file},
                      {"line", u.place.line},
                      {"element", u.place.element},
                      {"what", u.what}});
    }
    fmt::print("{}\n", Json{{"scene", options.scene}, {"unsupported", list}}.dump(2));
  } else {
    for (const Unsupported& u : places) {
      fmt::print("{}:{}: {}: unsupported {}\n", u.place.file, u.place.line, u.place.element,
                 u.what);
    }
  }
  fmt::print(stderr, "swept: error: {}: {} in it not supported; remove {} or wait for support\n",
             options.scene,
             places.size() == 1 ? "1 place is" : fmt::format("{} places are", places.size()),
             places.size() == 1 ? "it" : "them");
  return exit_failed;
}

void print_json(const InfoOptions& options, const Model& m) {
  Json json = {{"scene", options.scene}, {"model", m.names.model}};
  for (const auto& [name, value] : sizes_of(m)) {
    json["sizes"][name] = value;
  }
  json["options"] = options_of(m);
  json["mass"] = m.body_subtreemass[0];
  json["pairs"] = Json::object();
  const std::vector<int> pairs = pairs_by_kind(m);
  for (int kind = 0; kind < collider_kinds; ++kind) {
    json["pairs"][std::string(collider_name(kind))] = pairs[kind];
  }
  for (const auto& [name, precision] :
       {std::pair{"f32", Precision::f32}, {"f64", Precision::f64}}) {
    const MemoryEstimate memory = estimate_memory(m, precision);
    json["memory"][name] = {{"state", memory.state_bytes},
                            {"scratch", memory.scratch_bytes},
                            {"per_env", memory.env_bytes},
                            {"per_thread", memory.thread_bytes},
                            {"fixed", memory.fixed_bytes},
                            {"tile", memory.tile},
                            {"per_env_gpu", memory.env_bytes + memory.scratch_bytes}};
  }
  json["keyframes"] = m.names.key;
  json["notices"] = m.notices;
  json["unsupported"] = Json::array();
  json["backends"] = available_backends();
  fmt::print("{}\n", json.dump(2));
}

// a list of words in rows of at most 72 columns, the first behind `title`
void print_words(const char* title, const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (line.size() + word.size() > 72) {
      fmt::print("{:<13} {}\n", title, line);
      title = "";
      line.clear();
    }
    line += (line.empty() ? "" : "  ") + word;
  }
  fmt::print("{:<13} {}\n", title, line.empty() ? "none" : line);
}

void print_text(const InfoOptions& options, const Model& m) {
  fmt::print(
      "{:<13} {}\n", "scene",
      m.names.model.empty() ? options.scene : fmt::format("{} ({})", m.names.model, options.scene));
  std::vector<std::string> words;
  for (const auto& [name, value] : sizes_of(m)) {
    words.push_back(fmt::format("{} {}", name, value));
  }
  print_words("sizes", words);
  fmt::print("{:<13} {:.6g} kg\n", "mass", m.body_subtreemass[0]);

  words.clear();
  const Json opt = options_of(m);
  for (const auto& [name, value] : opt.items()) {
    if (!value.is_array() || !value.empty()) {
      words.push_back(
          fmt::format("{} {}", name, value.is_string() ? value.get<std::string>() : value.dump()));
    }
  }
  print_words("options", words);

  words.clear();
  const std::vector<int> pairs = pairs_by_kind(m);
  for (int kind = 0; kind < collider_kinds; ++kind) {
    if (pairs[kind] > 0) {
      words.push_back(fmt::format("{} {}", collider_name(kind), pairs[kind]));
    }
  }
  if (m.nsweep > 0) {
    words.push_back(fmt::format("swept {}", m.nsweep));
  }
  print_words("pairs", words);
  print_words("keyframes", m.names.key);

  for (const auto& [name, precision] :
       {std::pair{"f32", Precision::f32}, {"f64", Precision::f64}}) {
    const MemoryEstimate memory = estimate_memory(m, precision);
    const auto text = [](std::size_t bytes) {
      return bench::bytes_text(static_cast<double>(bytes));
    };
    fmt::print(
        "{:<13} CPU: {} per environment ({} of state, twice), {} per thread, which steps {} "
        "at a time, and {} once\n",
        fmt::format("memory {}", name), text(memory.env_bytes), text(memory.state_bytes),
        text(memory.thread_bytes), memory.tile, text(memory.fixed_bytes));
    fmt::print("{:<13} GPU: {} per environment, of which {} for stepping, and {} once\n", "",
               text(memory.env_bytes + memory.scratch_bytes), text(memory.scratch_bytes),
               text(memory.fixed_bytes));
  }
  print_words("backends", available_backends());
  for (const std::string& notice : m.notices) {
    fmt::print("{:<13} {}\n", "notice", notice);
  }
  fmt::print("{:<13} none\n", "unsupported");
}

}  // namespace

int info(const InfoOptions& options) {
  const std::vector<Unsupported> places = unsupported(options.scene);
  if (!places.empty()) {
    return report_unsupported(options, places);
  }
  const Model model = open_scene(options.scene);
  if (options.json) {
    print_json(options, model);
  } else {
    print_text(options, model);
  }
  return exit_done;
}

}  // namespace swept::cli
