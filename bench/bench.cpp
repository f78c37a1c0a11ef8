// SPDX-License-Identifier: Apache-2.0
// A table of scenes, each compared as `swept bench` does it; the results as one JSON array on the
// standard output. With --scaling: the cost over the numbers of environments and threads instead;
// with --isolation: the cost of environments that go bad; with --broadphase: the cost per geom of
// finding pairs, for scenes of its own; with --colliders: the cost of the contacts of a pair, per pair
// of types; with --ccd: the cost of continuous collision of meshes and
// crowds.
//   swept_bench [--quick] [--against mujoco] [--scaling] [--isolation] [--threads N] [name ...]
//   swept_bench [--quick] --broadphase | --ccd | --colliders [pair]
#include "bench/broadphase.h"
#include "bench/ccd.h"
#include "bench/colliders.h"
#include "bench/compare.h"
#include "bench/isolation.h"
#include "bench/mujoco.h"
#include "bench/scaling.h"
#include "bench/speculative.h"

#include <swept/error.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

namespace {

struct Entry {
  const char* name;
  const char* file;  // under scenes/
  int nenv;
  int steps;
  int warmup = 500;
};

constexpr Entry table[] = {
    {"humanoid", "humanoid/humanoid.xml", 4096, 100},
    {"balls", "balls/balls.xml", 1024, 100},
    {"tendon", "tendon/tendon.xml", 4096, 200},
    {"pendulum", "pendulum/pendulum.xml", 16384, 500},
    {"hand", "hand/hand.xml", 1024, 100},
    {"pile", "pile/pile.xml", 4, 20, 200},
};

std::string file_of(const Entry& entry) {
  return fmt::format("{}/scenes/{}", SWEPT_SOURCE_FOLDER, entry.file);
}

std::string compare_scene(const Entry& entry, bool quick, int threads, bool against_mujoco) {
  swept::bench::CompareOptions options;
  options.scene = file_of(entry);
  options.nenv = quick ? std::max(entry.nenv / 10, 1) : entry.nenv;
  options.steps = entry.steps;
  options.warmup = quick ? 50 : entry.warmup;
  options.threads = threads;
  options.against_mujoco = against_mujoco;
  const swept::bench::CompareResult result = swept::bench::compare(options);
  std::cerr << result.to_text() << "\n";
  return result.to_json();
}

std::string scale_scene(const Entry& entry, bool quick, int threads) {
  swept::bench::ScalingOptions options;
  options.scene = file_of(entry);
  options.threads = threads;
  if (quick) {
    options.sizes = {64, 512};
    options.warmup = 50;
    options.work = 5'000;
  }
  const swept::bench::ScalingResult result = swept::bench::scaling(options);
  std::cerr << result.to_text() << "\n";
  return result.to_json();
}

std::string isolate_scene(const Entry& entry, bool quick, int threads) {
  swept::bench::IsolationOptions options;
  options.scene = file_of(entry);
  options.nenv = quick ? entry.nenv / 10 : entry.nenv;
  options.threads = threads;
  if (quick) {
    options.warmup = 50;
  }
  const swept::bench::IsolationResult result = swept::bench::isolation(options);
  std::cerr << result.to_text() << "\n";
  return result.to_json();
}

int measure_speculative(bool quick, int threads, bool against_mujoco) {
  swept::bench::SpeculativeOptions options;
  const auto calm = [&](const char* file, int nenv, int warmup) {
    options.calm.push_back({fmt::format("{}/scenes/{}", SWEPT_SOURCE_FOLDER, file), nenv,
                            quick ? warmup / 10 : warmup});
  };
  calm("humanoid/humanoid.xml", 256, 2000);
  calm("pile/pile.xml", 1, 300);
  if (quick) {
    options.turns = 5;
    options.shot_turns = 2;
  }
  options.quick = quick;
  options.threads = threads > 0 ? threads : 1;
  options.against_mujoco = against_mujoco;
  options.progress = [](const std::string& what) { std::cerr << what << "\n"; };
  const swept::bench::SpeculativeResult result = swept::bench::measure_speculative(options);
  std::cerr << result.to_text() << "\n";
  std::cout << result.to_json() << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Compare the table's scenes; JSON on the standard output, progress on the error output.");
  std::vector<std::string> names;
  std::string against;
  bool quick = false;
  bool scaling = false;
  bool isolation = false;
  bool broadphase = false;
  bool ccd = false;
  bool colliders = false;
  bool speculative = false;
  int threads = 0;
  app.add_option("names", names, "scenes of the table (default: all)");
  app.add_option("--against", against, "the other side")->check(CLI::IsMember({"mujoco"}));
  app.add_option("--threads", threads, "threads on every side, 0: all")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--quick", quick, "a tenth of the environments and of the warm-up");
  app.add_flag("--scaling", scaling,
               "cost over the numbers of environments and threads, and time to the first step");
  app.add_flag("--isolation", isolation,
               "cost of environments that go bad, for the others: turns with and without them");
  app.add_flag("--broadphase", broadphase,
               "cost per geom of finding pairs of geoms, 10 to 20,000 of them");
  app.add_flag(
      "--colliders", colliders,
      "cost of the contacts of a pair of geoms beside the official colliders; a name picks "
      "pairs");
  app.add_flag("--ccd", ccd,
               "cost of continuous collision: meshes of 100 to 1,000,000 facets, 10 to 10,000 "
               "bodies, batches of queries beside one thread");
  app.add_flag(
      "--speculative", speculative,
      "what speculative contacts cost where nothing is fast, speed and crossings of fast "
      "bodies at thin walls, larger steps, advances per pair; one thread unless --threads");
  CLI11_PARSE(app, argc, argv);

  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  try {
    if (broadphase) {
      swept::bench::BroadphaseOptions options;
      if (quick) {
        options.sizes = {10, 100, 1000};
      }
      options.progress = [](const std::string& what) { std::cerr << what << "\n"; };
      const swept::bench::BroadphaseResult result = swept::bench::broadphase(options);
      std::cerr << result.to_text() << "\n";
      std::cout << result.to_json() << "\n";
      return 0;
    }
    if (colliders) {
      swept::bench::CollidersOptions options;
      options.only = names.empty() ? "" : names.front();
      options.turns = quick ? 5 : options.turns;
      options.progress = [](const std::string& what) { std::cerr << what << "\n"; };
      const swept::bench::CollidersResult result = swept::bench::colliders(options);
      std::cerr << result.to_text() << "\n";
      std::cout << result.to_json() << "\n";
      return 0;
    }
    if (ccd) {
      swept::bench::CcdOptions options;
      if (quick) {
        options.facets = {100, 1000, 10000};
        options.bodies = {10, 100, 1000};
        options.batch = 4'000;
      }
      options.batch_threads = threads;
      options.progress = [](const std::string& what) { std::cerr << what << "\n"; };
      const swept::bench::CcdResult result = swept::bench::measure_ccd(options);
      std::cerr << result.to_text() << "\n";
      std::cout << result.to_json() << "\n";
      return 0;
    }
    if (speculative) {
      return measure_speculative(quick, threads, against == "mujoco");
    }
    for (const std::string& name : names) {
      if (std::none_of(std::begin(table), std::end(table),
                       [&](const Entry& e) { return e.name == name; })) {
        throw swept::Error(fmt::format("no scene '{}' in the table", name),
                           "see bench/README.md for their names");
      }
    }
    for (const Entry& entry : table) {
      if (!names.empty() && std::find(names.begin(), names.end(), entry.name) == names.end()) {
        continue;
      }
      results.push_back(nlohmann::ordered_json::parse(
          scaling     ? scale_scene(entry, quick, threads)
          : isolation ? isolate_scene(entry, quick, threads)
                      : compare_scene(entry, quick, threads, against == "mujoco")));
    }
  } catch (const swept::Error& error) {
    std::cerr << "swept_bench: error: " << error.what() << "\n";
    return 1;
  }
  std::cout << results.dump(2) << "\n";
  return 0;
}
