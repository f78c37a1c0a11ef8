// SPDX-License-Identifier: Apache-2.0
// Every model of the public data that has meshes or height fields, against the official compiler,
// and from XML by JSON to the same arrays, bit for bit. What is left out is listed with the reason.
#include <swept/compile.h>
#include <swept/load.h>

#include "parity/mesh_row.h"
#include "support/data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>

namespace swept::test {
namespace {

namespace fs = std::filesystem;

/// Normals of polygons of 1e-4 of the mesh's size lose digits to where the sum starts.
constexpr double normal_tolerance = 1e-7;

/// Bit for bit the same arrays?
void expect_same_bits(const Model& a, const Model& b) {
  const auto same = [](const auto& x, const auto& y) {
    return x.size() == y.size() &&
           (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(x[0])) == 0);
  };
#define SWEPT_MODEL_INT(name, rows, cols, meaning) EXPECT_TRUE(same(a.name, b.name)) << #name;
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) \
  EXPECT_TRUE(same(a.name, b.name)) << #name;
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
}

/// What a file lacks, shortly: the kinds of what is not supported, or the message.
std::string lack(const fs::path& path, const std::string& message) {
  std::set<std::string> kinds;
  try {
    for (const Unsupported& item : unsupported(path)) {
      kinds.insert(item.what.substr(0, item.what.find('=')));
    }
  } catch (const Error&) {
    // not MJCF for us: the message says why
  }
  if (kinds.empty()) {
    return message.substr(0, std::min<std::size_t>(message.find('\n'), 200));
  }
  std::string text;
  for (const std::string& kind : kinds) {
    text += (text.empty() ? "" : ", ") + kind;
  }
  return text;
}

/// Compiles without contacts where only colliders are missing.
Model compile_anyhow(Spec spec) {
  try {
    return compile(spec);
  } catch (const Error& error) {
    if (std::string(error.what()).find("collider") == std::string::npos) {
      throw;
    }
    const int flags = spec.option.disableflags;
    spec.option.disableflags |= disable_contact;
    Model model = compile(spec);
    model.opt.disableflags = flags;
    return model;
  }
}

/// Compares all scenes with meshes or height fields below a folder of the public data.
void compare_folder(const std::string& folder, int least) {
  SWEPT_SKIP_WITHOUT(test_data(folder));
  mju_user_warning = [](const char*) {};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(test_data(folder))) {
    // a robot's scene has the same meshes again and a floor
    const bool again = std::getenv("SWEPT_LONG") == nullptr && folder == "menagerie" &&
                       entry.path().filename().string().starts_with("scene");
    if (entry.path().extension() == ".xml" && !again) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  MeshComparison sum;
  int compared = 0;
  std::vector<std::string> left_out;
  for (const fs::path& path : files) {
    const std::string name = fs::relative(path, test_data(folder)).string();
    SCOPED_TRACE(name);
    Model ours;
    try {
      ours = compile_anyhow(load(path));
    } catch (const Error& error) {
      try {
        // what the official library refuses too, or has no asset in, is not missing
        const Oracle oracle(path);
        if (oracle.model().nmesh + oracle.model().nhfield > 0) {
          left_out.push_back(name + ": " + lack(path, error.what()));
        }
      } catch (const std::runtime_error&) {
      }
      continue;
    }
    if (ours.nmesh + ours.nhfield == 0) {
      continue;
    }
    Oracle oracle(path);
    const Comparison result = ModelComparer(ours, oracle.model()).run();
    const MeshComparison meshes = compare_meshes(ours, oracle.model());
    print_row(name, result, meshes);
    EXPECT_LE(result.worst.size, mesh_tolerance) << result.worst.where;
    EXPECT_EQ(meshes.other_vertices, 0);
    EXPECT_EQ(meshes.other_polygons, 0);
    EXPECT_EQ(meshes.broken, 0);
    EXPECT_LE(meshes.worst_normal, normal_tolerance);
    sum.add(meshes);
    ++compared;
    expect_same_bits(ours, compile_anyhow(load_string(to_json(path), Format::json, path.string())));
  }
  std::printf("compared: %d scenes, %d meshes, %d hulls, %d polygons, %d coordinates; left out:\n",
              compared, sum.meshes, sum.hulls, sum.polygons, sum.vertices);
  for (const std::string& line : left_out) {
    std::printf("  %s\n", line.c_str());
  }
  EXPECT_GE(compared, least);
}

TEST(MeshCorpus, Menagerie) {
  compare_folder("menagerie", 5);
}

TEST(MeshCorpus, MujocoModels) {
  compare_folder("mujoco/model", 2);
}

TEST(MeshCorpus, MujocoTests) {
  compare_folder("mujoco/test", 40);
}

TEST(MeshCorpus, MujocoWarp) {
  compare_folder("mujoco_warp", 4);
}

}  // namespace
}  // namespace swept::test
