// SPDX-License-Identifier: Apache-2.0
// What is read of a file against what the official library reads. Its compiled mesh is moved and
// turned to its inertial frame and is in single precision; mesh_pos and mesh_quat say how.
#include "host/load/mesh/asset_files.h"
#include "host/load/mesh/mesh_files.h"
#include "support/data.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include <mujoco/mujoco.h>

namespace swept::test {
namespace {

namespace fs = std::filesystem;
using load_detail::HFieldFormat;
using load_detail::MeshFormat;
using load_detail::read_asset_bytes;
using load_detail::read_hfield;
using load_detail::read_mesh;

using OracleModel = std::unique_ptr<mjModel, decltype(&mj_deleteModel)>;

/// A model of one asset whose file is given as bytes; null with the reason if it is refused.
OracleModel oracle_model(const std::string& asset, const std::string& file,
                         const std::string& bytes, std::string* why) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  const std::string scene = "<mujoco><asset>" + asset + "</asset></mujoco>";
  mj_addBufferVFS(&vfs, "scene.xml", scene.data(), static_cast<int>(scene.size()));
  mj_addBufferVFS(&vfs, file.c_str(), bytes.data(), static_cast<int>(bytes.size()));
  char error[1000] = "";
  OracleModel model(mj_loadXML("scene.xml", &vfs, error, sizeof(error)), mj_deleteModel);
  mj_deleteVFS(&vfs);
  *why = error;
  return model;
}

OracleModel oracle_mesh(const std::string& suffix, const std::string& bytes, std::string* why) {
  // shell inertia exists for open meshes too; no geom uses the mesh, so no hull is made
  return oracle_model("<mesh name='m' file='m" + suffix + "' inertia='shell'/>", "m" + suffix,
                      bytes, why);
}

/// Compares one mesh file; false if it is refused, which both sides must do.
bool same_mesh(const std::string& suffix, const std::string& bytes, const std::string& label) {
  std::string why;
  const OracleModel model = oracle_mesh(suffix, bytes, &why);
  std::optional<MeshData> mesh;
  std::string problem;
  try {
    mesh = read_mesh(bytes, load_detail::mesh_format("m" + suffix, ""), label);
  } catch (const Error& error) {
    problem = error.what();
  }
  if (model == nullptr) {
    EXPECT_FALSE(mesh.has_value()) << label << ": " << why;
    return false;
  }
  if (!mesh) {
    ADD_FAILURE() << problem;
    return false;
  }
  EXPECT_EQ(mesh->vertex.size(), 3 * static_cast<std::size_t>(model->nmeshvert)) << label;
  if (mesh->vertex.size() != 3 * static_cast<std::size_t>(model->nmeshvert)) {
    return false;
  }
  // without faces the official library takes those of the hull
  if (!mesh->face.empty()) {
    EXPECT_EQ(mesh->face,
              std::vector<int>(model->mesh_face, model->mesh_face + 3 * model->nmeshface))
        << label;
  }
  double largest = 0.0;
  double reach = 0.0;
  for (std::size_t v = 0; v < mesh->vertex.size(); v += 3) {
    mjtNum local[3];
    mjtNum point[3];
    for (std::size_t k = 0; k < 3; ++k) {
      local[k] = static_cast<double>(model->mesh_vert[v + k]);
    }
    mju_rotVecQuat(point, local, model->mesh_quat);
    for (std::size_t k = 0; k < 3; ++k) {
      const double raw = static_cast<double>(mesh->vertex[v + k]);
      largest = std::max(largest, std::abs(point[k] + model->mesh_pos[k] - raw));
      reach = std::max(reach, std::abs(raw) + std::abs(local[k]));
    }
  }
  // vertices are rounded to single precision after they are moved: 2^-24 of each coordinate
  EXPECT_LT(largest, 2e-7 * reach) << label;
  return true;
}

TEST(MeshFileOracle, RandomMeshesAreReadAlike) {
  std::mt19937_64 random(9);
  std::normal_distribution<float> normal;
  for (int i = 0; i < 50; ++i) {
    MeshData mesh = random_mesh(&random, true);
    for (float& x : mesh.vertex) {
      x = normal(random);
    }
    EXPECT_TRUE(same_mesh(".obj", obj_text(mesh), "obj"));
    EXPECT_TRUE(same_mesh(".stl", binary_stl(mesh), "stl"));
    EXPECT_TRUE(same_mesh(".msh", msh_bytes(mesh), "msh"));
  }
}

TEST(MeshFileOracle, PolygonsAreCutAlike) {
  std::mt19937_64 random(10);
  std::uniform_real_distribution<double> radius(0.3, 1.0);
  for (int i = 0; i < 300; ++i) {
    // a star-shaped outline in a tilted plane, and a point off it
    const int n = 4 + i % 9;
    std::string text;
    std::string face = "f";
    for (int k = 0; k < n; ++k) {
      const double angle = 2.0 * mjPI * k / n;
      const double r = i % 2 == 0 ? 1.0 : radius(random);
      const double x = r * std::cos(angle);
      const double y = r * std::sin(angle);
      char line[100];
      std::snprintf(line, sizeof(line), "v %.7g %.7g %.7g\n", x, y, 0.3 * x - 0.2 * y);
      text += line;
      face += " " + std::to_string(k + 1);
    }
    EXPECT_TRUE(same_mesh(".obj", text + "v 0 0 3\n" + face + "\nf 1 2 " + std::to_string(n + 1),
                          std::to_string(i) + ": " + text));
  }
}

TEST(MeshFileOracle, PublicMeshFilesAreReadAlike) {
  SWEPT_SKIP_WITHOUT(test_data("menagerie"));
  constexpr std::uintmax_t largest = 2'000'000;
  int meshes = 0;
  int refused = 0;
  for (const char* const folder : {"mujoco/test/user/testdata", "mujoco/test/xml/testdata",
                                   "mujoco/test/engine/testdata", "mujoco/model", "menagerie"}) {
    if (!fs::exists(test_data(folder))) {
      continue;
    }
    std::vector<fs::path> paths;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(test_data(folder))) {
      const std::string suffix = entry.path().extension().string();
      if ((suffix == ".obj" || suffix == ".stl" || suffix == ".STL" || suffix == ".msh") &&
          entry.file_size() < largest) {
        paths.push_back(entry.path());
      }
    }
    std::sort(paths.begin(), paths.end());
    for (const fs::path& path : paths) {
      const bool same = same_mesh(path.extension().string(), read_asset_bytes(path), path.string());
      ++(same ? meshes : refused);
    }
  }
  std::printf("%d mesh files are read alike, %d the official library refuses\n", meshes, refused);
  EXPECT_GT(meshes, 50);
}

TEST(MeshFileOracle, HeightFieldsAreReadAlike) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 60; ++i) {
    const unsigned nrow = 2 + static_cast<unsigned>(random() % 7);
    const unsigned ncol = 2 + static_cast<unsigned>(random() % 7);
    const bool picture = i % 2 == 0;
    std::string bytes;
    if (picture) {
      const bool colour = i % 4 == 0;
      std::vector<unsigned char> pixels((colour ? 3 : 1) * nrow * ncol);
      for (unsigned char& pixel : pixels) {
        pixel = static_cast<unsigned char>(random() % 256);
      }
      std::vector<unsigned char> png;
      ASSERT_EQ(lodepng::encode(png, pixels, ncol, nrow, colour ? LCT_RGB : LCT_GREY), 0u);
      bytes.assign(png.begin(), png.end());
    } else {
      std::normal_distribution<float> normal;
      std::vector<float> elevation(nrow * ncol);
      for (float& x : elevation) {
        x = normal(random);
      }
      bytes =
          bytes_of(static_cast<int>(nrow)) + bytes_of(static_cast<int>(ncol)) + bytes_of(elevation);
    }
    const std::string file = picture ? "h.png" : "h.bin";
    std::string why;
    const OracleModel model =
        oracle_model("<hfield name='h' size='1 1 1 1' file='" + file + "'/>", file, bytes, &why);
    ASSERT_NE(model, nullptr) << why;
    const HFieldData field =
        read_hfield(bytes, picture ? HFieldFormat::png : HFieldFormat::binary, file);
    ASSERT_EQ(field.nrow, model->hfield_nrow[0]);
    ASSERT_EQ(field.ncol, model->hfield_ncol[0]);
    // the official library stores elevations between 0 and 1
    const auto [lowest, highest] =
        std::minmax_element(field.elevation.begin(), field.elevation.end());
    const float range = *highest - *lowest;
    for (std::size_t k = 0; k < field.elevation.size(); ++k) {
      const float expected = range > 0.0f ? (field.elevation[k] - *lowest) / range : 0.0f;
      EXPECT_FLOAT_EQ(model->hfield_data[k], expected);
    }
  }
}

}  // namespace
}  // namespace swept::test
