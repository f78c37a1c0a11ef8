// SPDX-License-Identifier: Apache-2.0
// The project's own scenes do what their READMEs say.
#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/load.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace swept {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(SWEPT_SOURCE_DIR) / "scenes";

Model model_of(const char* name) {
  return compile(load(folder / name));
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Folders that hold a scene of their own name, with those inside folders of scenes.
std::vector<fs::path> scene_folders(const fs::path& parent) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent)) {
    if (!entry.is_directory()) {
      continue;
    }
    const fs::path& path = entry.path();
    EXPECT_TRUE(fs::exists(path / "README.md")) << path;
    if (fs::exists(path / (path.filename().string() + ".xml"))) {
      found.push_back(path);
      continue;
    }
    const std::vector<fs::path> inside = scene_folders(path);
    EXPECT_FALSE(inside.empty()) << path << " holds no scene";
    found.insert(found.end(), inside.begin(), inside.end());
  }
  return found;
}

TEST(Scenes, EveryFolderHasASceneThatCompilesAndAReadme) {
  const std::vector<fs::path> folders = scene_folders(folder);
  for (const fs::path& path : folders) {
    const std::string name = path.filename().string();
    const Model model = compile(load(path / (name + ".xml")));
    EXPECT_EQ(model.names.model, name);
  }
  EXPECT_GE(folders.size(), 17u);
}

TEST(Scenes, TheJsonHumanoidIsTheXmlHumanoid) {
  const fs::path xml = folder / "humanoid/humanoid.xml", json = folder / "humanoid/humanoid.json";
  EXPECT_EQ(text_of(json), to_json(xml)) << "make it anew with to_json()";
  const Model a = compile(load(xml)), b = compile(load(json));
#define SWEPT_MODEL_INT(name, rows, cols, meaning) EXPECT_EQ(a.name, b.name);
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) EXPECT_EQ(a.name, b.name);
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
}

TEST(Scenes, TheHumanoidIsAPersonOfFiftyKilograms) {
  const Model model = model_of("humanoid/humanoid.xml");
  EXPECT_EQ(model.nq, 28);
  EXPECT_EQ(model.nv, 27);
  EXPECT_EQ(model.nu, 21);
  EXPECT_EQ(model.ntendon, 2);
  EXPECT_NEAR(model.body_subtreemass[0], 50.2, 0.1);
}

TEST(Scenes, TheHumanoidStandsOnItsSolesInBothKeyframes) {
  const Model model = model_of("humanoid/humanoid.xml");
  Batch batch(model, {.nenv = 1, .precision = Precision::f64});
  const auto heights = batch.field<double>("geom_xpos");
  for (int key = 0; key < model.nkey; ++key) {
    batch.reset(key);
    batch.forward();
    double lowest = 1;
    for (int geom = 0; geom < model.ngeom; ++geom) {
      // the capsules across heel and toes lie level, so their axis is one radius above the ground
      const std::string& name = model.names.geom[geom];
      if (name.find("heel") != std::string::npos || name.find("toes") != std::string::npos) {
        lowest = std::min(lowest, heights(0, geom, 2) - model.geom_size[3 * geom]);
      }
    }
    EXPECT_NEAR(lowest, 0, 1e-4) << model.names.key[key];  // the keyframes have four digits
  }
}

TEST(Scenes, ThePendulumKeepsItsEnergy) {
  const Model model = model_of("pendulum/pendulum.xml");
  Batch batch(model, {.nenv = 1, .precision = Precision::f64});
  batch.reset(1);  // horizontal
  const auto qpos = batch.field<double>("qpos");
  const auto qvel = batch.field<double>("qvel");
  for (int i = 0; i < 100; ++i) {
    batch.step(20);
    const double energy = 0.5 * 1.002 * qvel(0) * qvel(0) - 9.81 * std::cos(qpos(0));
    // RK4 at 5 ms loses about 1e-10 of 9.81 J a step
    EXPECT_NEAR(energy, 0, 1e-5);
  }
}

TEST(Scenes, TheBallsStayInTheirTray) {
  const Model model = model_of("balls/balls.xml");
  Batch batch(model, {.nenv = 4});
  batch.step(750);  // 3 s: all have fallen
  const auto qpos = batch.field<float>("qpos");
  for (int env = 0; env < 4; ++env) {
    for (int ball = 0; ball < 16; ++ball) {
      EXPECT_LT(std::abs(qpos(env, 7 * ball)), 0.4f);
      EXPECT_LT(std::abs(qpos(env, 7 * ball + 1)), 0.4f);
      EXPECT_GT(qpos(env, 7 * ball + 2), 0.04f);
      EXPECT_LT(qpos(env, 7 * ball + 2), 0.3f);
    }
  }
}

/// Largest difference of qacc between the precisions at states that random controls lead to, over
/// the largest acceleration of the environment (at least 1).
double largest_precision_gap(const Model& model) {
  constexpr int nenv = 64;
  const std::size_t nv = static_cast<std::size_t>(model.nv);
  Batch single(model, {.nenv = nenv, .precision = Precision::f32});
  Batch twice(model, {.nenv = nenv, .precision = Precision::f64});
  single.field_info("qacc");
  twice.field_info("qacc");
  std::mt19937 random(3);
  std::uniform_real_distribution<double> control(-1, 1);
  std::vector<double> ctrl(static_cast<std::size_t>(nenv * model.nu));
  double worst = 0;
  for (int round = 0; round < 20; ++round) {
    std::generate(ctrl.begin(), ctrl.end(), [&] { return control(random); });
    single.write("ctrl", ctrl);
    single.step(20);
    for (const char* name : {"qpos", "qvel", "act", "ctrl", "qacc_warmstart", "time"}) {
      twice.write(name, single.read(name));
    }
    single.forward();
    twice.forward();
    const std::vector<double> a = single.read("qacc"), b = twice.read("qacc");
    for (std::size_t env = 0; env < nenv; ++env) {
      double gap = 0, size = 1;
      for (std::size_t i = env * nv; i < (env + 1) * nv; ++i) {
        gap = std::max(gap, std::abs(a[i] - b[i]));
        size = std::max(size, std::abs(b[i]));
      }
      worst = std::max(worst, gap / size);
    }
  }
  return worst;
}

TEST(Scenes, TheClawIsTheSameInBothPrecisions) {
  Model model = model_of("tendon/tendon.xml");
  model.opt.tolerance = 1e-15;  // the rest of the solver's error, not its patience, is compared
  // 2e-5 seen; a contact whose normal is decided by rounding gives more than 1
  EXPECT_LT(largest_precision_gap(model), 1e-4);
}

TEST(Scenes, TheClawsTendonsStayInTheirRange) {
  const Model model = model_of("tendon/tendon.xml");
  Batch batch(model, {.nenv = 1, .precision = Precision::f64});
  const auto length = batch.field<double>("ten_length");
  for (const int key : {0, 1}) {
    batch.reset(key);
    batch.step(500);
    for (int t = 0; t < 2; ++t) {
      // limits are soft: a tenth of a radian
      EXPECT_GT(length(0, t), model.tendon_range[2 * t] - 0.1);
      EXPECT_LT(length(0, t), model.tendon_range[2 * t + 1] + 0.1);
    }
  }
}

}  // namespace
}  // namespace swept
