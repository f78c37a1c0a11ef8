// SPDX-License-Identifier: Apache-2.0
// Compiled scenes against the official library, array by array (see model_comparer.h). Scenes are
// gymnasium's robots, MuJoCo's humanoid, three humanoids of MuJoCo Warp, and every scene of
// MuJoCo's own test data that both sides load. Each scene also goes XML -> JSON -> arrays and must
// give the same bits. A scene that is refused for a missing collider alone is compared with
// contacts switched off.
#include <swept/compile.h>
#include <swept/load.h>

#include "parity/model_comparer.h"
#include "support/data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>
#include <utility>

namespace swept::test {
namespace {

namespace fs = std::filesystem;

/// Bit for bit the same?
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// A scene that went through its JSON spelling gives the same model, bit for bit.
void compare_json(const Model& from_xml, const fs::path& path) {
  const std::string json = to_json(path);
  const Model from_json = compile(load_string(json, Format::json, path.string()));
#define SWEPT_MODEL_INT(name, rows, cols, meaning) \
  EXPECT_TRUE(same_bits(from_xml.name, from_json.name)) << #name;
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) \
  EXPECT_TRUE(same_bits(from_xml.name, from_json.name)) << #name;
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
  const auto names = [](const Model& m) {
    return std::vector{m.names.body,   m.names.joint,    m.names.geom,   m.names.site,
                       m.names.camera, m.names.light,    m.names.pair,   m.names.exclude,
                       m.names.tendon, m.names.actuator, m.names.key,    m.names.numeric,
                       m.names.text,   m.names.tuple,    {m.names.model}};
  };
  EXPECT_EQ(names(from_xml), names(from_json));
  EXPECT_EQ(std::memcmp(&from_xml.stat, &from_json.stat, sizeof(Statistic)), 0);
  EXPECT_EQ(from_xml.opt.tolerance, from_json.opt.tolerance);
  EXPECT_EQ(from_xml.opt.disableflags, from_json.opt.disableflags);
  EXPECT_EQ(from_xml.opt.iterations, from_json.opt.iterations);
}

/// Why a scene was left out, on one line: what is not supported, or the message.
std::string reason(const fs::path& path, const std::string& message) {
  constexpr std::size_t most = 3;
  std::set<std::string> what;
  try {
    for (const Unsupported& item : unsupported(path)) {
      what.insert(item.what);
    }
  } catch (const Error&) {
    // not MJCF at all: the message says so
  }
  if (what.empty()) {
    return message.substr(0, message.find('\n'));
  }
  std::string text;
  std::size_t listed = 0;
  for (const std::string& item : what) {
    if (listed++ == most) {
      return text + " and " + std::to_string(what.size() - most) + " more";
    }
    text += (text.empty() ? "" : ", ") + item;
  }
  return text;
}

/// Compiles a scene; one that lacks only colliders is compiled without contacts.
///   full   set to false in that case
Model compile_for_comparison(const Spec& spec, bool* full) {
  *full = true;
  try {
    return compile(spec);
  } catch (const Error&) {
    Spec quiet = spec;
    quiet.option.disableflags |= disable_contact;
    Model model = compile(quiet);
    model.opt.disableflags = spec.option.disableflags;
    *full = false;
    return model;
  }
}

/// How many scenes agree, and how many of them with their contacts.
struct Count {
  int compared = 0;
  int full = 0;
};

/// Compares scenes and prints a row for each.
///   required   a scene that does not load is a failure; otherwise it is listed with the reason
Count compare_scenes(const std::vector<std::pair<std::string, fs::path>>& scenes, bool required) {
  std::vector<std::string> left_out;
  Count count;
  std::printf("%-56s %9s %6s %8s %8s  %s\n", "scene", "contacts", "arrays", "numbers", "worst",
              "where");
  for (const auto& [name, path] : scenes) {
    SCOPED_TRACE(name);
    try {
      bool full = true;
      const Model ours = compile_for_comparison(load(path), &full);
      Oracle oracle(path);
      const Comparison result = ModelComparer(ours, oracle.model()).run();
      std::printf("%-56s %9s %6d %8zu %8.1e  %s\n", name.c_str(),
                  full ? std::to_string(ours.ncandidate).c_str() : "off", result.arrays,
                  result.numbers, result.worst.size, result.worst.where.c_str());
      EXPECT_LE(result.worst.size, compile_tolerance) << result.worst.where;
      ++count.compared;
      if (full) {
        ++count.full;
        compare_json(ours, path);
        compare_candidates(ours, oracle);
      }
    } catch (const std::runtime_error& error) {
      EXPECT_FALSE(required) << name << ": " << error.what();
      left_out.push_back(name + ": " + reason(path, error.what()));
    }
  }
  std::printf("compared: %d, of these without contacts: %d; left out: %zu\n", count.compared,
              count.compared - count.full, left_out.size());
  for (const std::string& line : left_out) {
    std::printf("  %s\n", line.c_str());
  }
  return count;
}

/// The official library speaks on stderr when it warns; the table is enough here.
class CompileParity : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    mju_user_warning = [](const char*) {};
    std::printf("official library: %s\n", mj_versionString());
  }
};

TEST_F(CompileParity, GymnasiumRobotsCompileAsInTheOfficialLibrary) {
  SWEPT_SKIP_WITHOUT(gymnasium_asset("ant.xml"));
  std::vector<std::pair<std::string, fs::path>> scenes;
  for (const char* name :
       {"ant", "half_cheetah", "hopper", "humanoid", "humanoidstandup", "inverted_double_pendulum",
        "inverted_pendulum", "point", "reacher", "walker2d", "walker2d_v5"}) {
    scenes.emplace_back(std::string("gymnasium/") + name,
                        gymnasium_asset(std::string(name) + ".xml"));
  }
  EXPECT_EQ(compare_scenes(scenes, true).full, 11);
}

TEST_F(CompileParity, HumanoidsCompileAsInTheOfficialLibrary) {
  SWEPT_SKIP_WITHOUT(test_data("mujoco/model/humanoid/humanoid.xml"));
  const std::vector<std::pair<std::string, fs::path>> scenes = {
      {"humanoid", test_data("mujoco/model/humanoid/humanoid.xml")},
      {"three_humanoids", test_data("mujoco_warp/benchmarks/humanoid/three_humanoids.xml")},
  };
  EXPECT_EQ(compare_scenes(scenes, true).full, 2);
}

TEST_F(CompileParity, TestScenesOfTheOfficialLibraryCompileAsThere) {
  // how many of them need only what is supported, and how many lack nothing but a collider besides
  constexpr int with_contacts = 32;
  constexpr int in_all = 55;
  const fs::path folder = test_data("mujoco/test");
  SWEPT_SKIP_WITHOUT(folder);
  std::vector<std::pair<std::string, fs::path>> scenes;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".xml") {
      scenes.emplace_back(fs::relative(entry.path(), folder).string(), entry.path());
    }
  }
  std::sort(scenes.begin(), scenes.end());
  const Count count = compare_scenes(scenes, false);
  EXPECT_GE(count.full, with_contacts);
  EXPECT_GE(count.compared, in_all);
}

}  // namespace
}  // namespace swept::test
