// SPDX-License-Identifier: Apache-2.0
// Where the files of assets are looked for, and that each is read once.
#include "host/load/mesh/asset_files.h"

#include "host/load/mesh/mesh_files.h"

#include <fstream>

namespace swept::test {
namespace {

namespace fs = std::filesystem;
using load_detail::asset_stem;
using load_detail::AssetFiles;
using load_detail::AssetFolders;
using load_detail::AssetKind;
using load_detail::resolve_asset;

/// A folder that is removed in the end.
class AssetFilesTest : public ::testing::Test {
 protected:
  AssetFilesTest() {
    const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ =
        fs::temp_directory_path() / ("swept_" + name + std::to_string(std::random_device()()));
    fs::create_directories(folder_);
  }
  ~AssetFilesTest() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  fs::path folder_;
};

TEST(ResolveAsset, RelativeNamesStandInTheDirectoryOfTheirKind) {
  const AssetFolders plain{"scenes", "", "", false};
  EXPECT_EQ(resolve_asset(plain, AssetKind::mesh, "a.obj"), "scenes/a.obj");
  EXPECT_EQ(resolve_asset(plain, AssetKind::mesh, "sub/../a.obj"), "scenes/a.obj");
  const AssetFolders folders{"scenes", "meshes/", "textures", false};
  EXPECT_EQ(resolve_asset(folders, AssetKind::mesh, "b/a.obj"), "scenes/meshes/b/a.obj");
  EXPECT_EQ(resolve_asset(folders, AssetKind::hfield, "a.png"), "scenes/meshes/a.png");
  EXPECT_EQ(resolve_asset(folders, AssetKind::texture, "a.png"), "scenes/textures/a.png");
  EXPECT_EQ(resolve_asset(folders, AssetKind::mesh, "b\\a.obj"), "scenes/meshes/b/a.obj");
  EXPECT_EQ(resolve_asset({"", "m", "", false}, AssetKind::mesh, "a.obj"), "m/a.obj");
}

TEST(ResolveAsset, AbsoluteNamesAreTakenAsTheyAre) {
  const AssetFolders folders{"scenes", "/meshes", "", false};
  EXPECT_EQ(resolve_asset(folders, AssetKind::mesh, "a.obj"), "/meshes/a.obj");
  EXPECT_EQ(resolve_asset(folders, AssetKind::mesh, "/b/a.obj"), "/b/a.obj");
}

TEST(ResolveAsset, StrippathTakesTheNamesFoldersAway) {
  const AssetFolders folders{"scenes", "meshes", "", true};
  for (const char* const name : {"a.obj", "b/a.obj", "/b/a.obj", "b\\c\\a.obj"}) {
    EXPECT_EQ(resolve_asset(folders, AssetKind::mesh, name), "scenes/meshes/a.obj");
  }
}

TEST(ResolveAsset, TheStemIsTheNameWithoutFoldersAndSuffix) {
  EXPECT_EQ(asset_stem("b/x.y.obj"), "x.y");
  EXPECT_EQ(asset_stem("b\\x.obj"), "x");
}

TEST_F(AssetFilesTest, AFileIsReadOnceUnderWhateverPath) {
  const fs::path path = write("a.obj", obj_text(tetrahedron()));
  AssetFiles files;
  const MeshData& first = files.mesh(path, "", {});
  expect_equal(first, tetrahedron());
  // what comes later to the file has no effect
  write("a.obj", "v 1 1 1\n");
  EXPECT_EQ(&files.mesh(folder_ / "." / "a.obj", "", {}), &first);
  EXPECT_EQ(&files.mesh(path, "model/obj", {}), &first);
  EXPECT_THROW(files.mesh(path, "model/vnd.mujoco.msh", {}), Error);
  AssetFiles fresh;
  EXPECT_THROW(fresh.mesh(path, "", {}), Error);
}

TEST_F(AssetFilesTest, HeightFieldsAreReadByTheirSuffix) {
  const fs::path path =
      write("a.bin", bytes_of(2) + bytes_of(2) + bytes_of(std::vector<float>{1, 2, 3, 4}));
  AssetFiles files;
  EXPECT_EQ(files.hfield(path, "", {}).elevation, (std::vector<float>{1, 2, 3, 4}));
}

TEST_F(AssetFilesTest, ErrorsStandAtTheAssetAndNameTheFile) {
  const Place place{"scene.xml", 7, "mujoco/asset/mesh[a]"};
  AssetFiles files;
  const auto error_at = [&files, &place](const fs::path& path) {
    try {
      files.mesh(path, "", place);
    } catch (const Error& error) {
      EXPECT_EQ(error.file(), "scene.xml");
      EXPECT_EQ(error.line(), 7);
      EXPECT_NE(error.problem().find(path.string()), std::string::npos) << error.what();
      return;
    }
    ADD_FAILURE() << "no error for " << path;
  };
  error_at(folder_ / "missing.obj");
  fs::create_directory(folder_ / "folder.obj");
  error_at(folder_ / "folder.obj");
  error_at(write("a.dae", "x"));
  error_at(write("empty.obj", ""));
  error_at(write("bad.obj", "v 1 2\n"));
  // a file of 5 GB, without blocks on the disk
  const fs::path large = write("large.obj", "");
  fs::resize_file(large, 5'000'000'000);
  error_at(large);
  if (fs::exists("/dev/zero")) {
    fs::create_symlink("/dev/zero", folder_ / "zero.obj");
    error_at(folder_ / "zero.obj");
  }
}

}  // namespace
}  // namespace swept::test
