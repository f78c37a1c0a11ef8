// SPDX-License-Identifier: Apache-2.0
// MuJoCo's binary meshes, and which format a file has.
#include "host/load/mesh/mesh_files.h"

#include <limits>

namespace swept::test {
namespace {

using load_detail::mesh_format;
using load_detail::MeshFormat;
using load_detail::read_msh;

TEST(Msh, RandomMeshesComeBackBitForBit) {
  std::mt19937_64 random(6);
  for (int i = 0; i < 300; ++i) {
    const MeshData mesh = random_mesh(&random, false);
    expect_equal(read_msh(msh_bytes(mesh), "test.file"), mesh);
  }
}

TEST(Msh, NormalsAndTextureCoordinatesArePassedOver) {
  const MeshData mesh = tetrahedron();
  std::vector<float> numbers = mesh.vertex;
  numbers.resize(12 + 12 + 8, 7.0f);
  expect_equal(read_msh(msh_bytes({4, 4, 4, 4}, numbers, mesh.face), "test.file"), mesh);
  numbers.resize(12 + 8);
  expect_equal(read_msh(msh_bytes({4, 0, 4, 4}, numbers, mesh.face), "test.file"), mesh);
}

TEST(Msh, WrongLengthsAreRefused) {
  const std::string bytes = msh_bytes(tetrahedron());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    error_from(read_msh, bytes.substr(0, length));
  }
  // what follows the faces is no part of them
  EXPECT_NE(error_from(read_msh, bytes + bytes_of(0)).problem().find("bytes"), std::string::npos);
}

TEST(Msh, CountsThatCannotBeAreRefusedBeforeAnythingIsAllocated) {
  const MeshData mesh = tetrahedron();
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  for (const std::array<std::int32_t, 4>& counts : std::vector<std::array<std::int32_t, 4>>{
           {-4, 0, 0, 4},
           {4, -1, 0, 4},
           {4, 3, 0, 4},
           {4, 0, 3, 4},
           {4, 0, 0, -4},
           {3, 0, 0, 4},
           {5, 0, 0, 4},
           {most, 0, 0, 4},
           {4, 0, 0, most},
           {most, most, most, most},
           {1 << 30, 1 << 30, 1 << 30, 1 << 30},
           {std::numeric_limits<std::int32_t>::min(), 0, 0, 0}}) {
    error_from(read_msh, msh_bytes(counts, mesh.vertex, mesh.face));
  }
  error_from(read_msh, msh_bytes({3, 0, 0, 1}, {0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 2}));
}

TEST(Msh, VerticesAndFacesThatCannotBeAreRefused) {
  for (const int bad : {-1, 4, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
    MeshData mesh = tetrahedron();
    mesh.face[5] = bad;
    error_from(read_msh, msh_bytes(mesh));
  }
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    MeshData mesh = tetrahedron();
    mesh.vertex[5] = bad;
    error_from(read_msh, msh_bytes(mesh));
  }
}

TEST(Msh, DamagedFilesGiveAnErrorOrAMesh) {
  std::mt19937_64 random(7);
  const int read = read_damaged(read_msh, msh_bytes(random_mesh(&random, false)), 3000);
  EXPECT_GT(read, 100);
  EXPECT_LT(read, 2900);
}

TEST(MeshFormat, IsTheContentTypesElseTheSuffixs) {
  EXPECT_EQ(mesh_format("a/b.obj", ""), MeshFormat::obj);
  EXPECT_EQ(mesh_format("b.OBJ", ""), MeshFormat::obj);
  EXPECT_EQ(mesh_format("b.Stl", ""), MeshFormat::stl);
  EXPECT_EQ(mesh_format("b.c.msh", ""), MeshFormat::msh);
  EXPECT_EQ(mesh_format("b.stl", "model/obj"), MeshFormat::obj);
  EXPECT_EQ(mesh_format("b", "model/stl"), MeshFormat::stl);
  EXPECT_EQ(mesh_format("b", "model/vnd.mujoco.msh"), MeshFormat::msh);
  for (const char* const file : {"a.dae", "a", "obj", "a.obj/b", ""}) {
    EXPECT_THROW(mesh_format(file, ""), Error) << file;
  }
  EXPECT_THROW(mesh_format("a.obj", "model/x"), Error);
}

}  // namespace
}  // namespace swept::test
