// SPDX-License-Identifier: Apache-2.0
// Models that others wrote: each loads or gives an Error, and those that load mean the same as
// their JSON spelling.
#include "host/load/load_support.h"
#include "support/data.h"

#include <algorithm>

namespace swept::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> scenes_below(const fs::path& folder) {
  std::vector<fs::path> scenes;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".xml") {
      scenes.push_back(entry.path());
    }
  }
  std::sort(scenes.begin(), scenes.end());
  return scenes;
}

/// True if the scene loads; then its JSON spelling is checked.
bool loads(const fs::path& path) {
  try {
    const Spec spec = load(path);
    const std::string json = to_json(path);
    EXPECT_EQ(describe(load_string(json, Format::json)), describe(spec)) << path;
    EXPECT_TRUE(unsupported(path).empty()) << path;
    return true;
  } catch (const Error& error) {
    // an error stands in a file
    EXPECT_FALSE(error.file().empty()) << path << ": " << error.what();
    return false;
  }
}

TEST(Corpus, GymnasiumsModelsLoad) {
  SWEPT_SKIP_WITHOUT(gymnasium_asset(""));
  for (const char* const name :
       {"ant", "half_cheetah", "hopper", "humanoid", "humanoidstandup", "inverted_double_pendulum",
        "inverted_pendulum", "point", "reacher", "swimmer", "walker2d", "walker2d_v5"}) {
    EXPECT_TRUE(loads(gymnasium_asset(std::string(name) + ".xml"))) << name;
  }
}

TEST(Corpus, PublicHumanoidsLoad) {
  SWEPT_SKIP_WITHOUT(test_data("mujoco/model/humanoid"));
  EXPECT_TRUE(loads(test_data("mujoco/model/humanoid/humanoid.xml")));
  SWEPT_SKIP_WITHOUT(test_data("mujoco_warp/benchmarks/humanoid"));
  EXPECT_TRUE(loads(test_data("mujoco_warp/benchmarks/humanoid/humanoid.xml")));
  EXPECT_TRUE(loads(test_data("mujoco_warp/benchmarks/humanoid/three_humanoids.xml")));
}

TEST(Corpus, PublicTestScenesLoadOrGiveAnError) {
  SWEPT_SKIP_WITHOUT(test_data("mujoco/test"));
  int loaded = 0;
  for (const fs::path& scene : scenes_below(test_data("mujoco/test"))) {
    loaded += loads(scene) ? 1 : 0;
  }
  // at least this many of them need only what is supported
  EXPECT_GE(loaded, 50);
}

TEST(Corpus, EveryOtherPublicSceneLoadsOrGivesAnError) {
  for (const char* const folder : {"mujoco/model", "mujoco_warp", "menagerie"}) {
    SWEPT_SKIP_WITHOUT(test_data(folder));
    for (const fs::path& scene : scenes_below(test_data(folder))) {
      loads(scene);
    }
  }
}

}  // namespace
}  // namespace swept::test
