// SPDX-License-Identifier: Apache-2.0
// STL, binary and text.
#include "host/load/mesh/mesh_files.h"

#include <limits>

namespace swept::test {
namespace {

using load_detail::read_stl;

MeshData read(const std::string& bytes) {
  return read_stl(bytes, "test.file");
}

TEST(Stl, RandomMeshesComeBackBitForBitFromBothForms) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 300; ++i) {
    const MeshData mesh = random_mesh(&random, true);
    expect_equal(read(binary_stl(mesh)), mesh);
    expect_equal(read(text_stl(mesh)), mesh);
  }
}

TEST(Stl, VerticesWithTheSameBitsAreOneInTheOrderTheyAreSeen) {
  MeshData mesh = tetrahedron();
  const MeshData result = read(binary_stl(mesh));
  EXPECT_EQ(result.vertex, (std::vector<float>{0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(result.face, (std::vector<int>{0, 1, 2, 0, 2, 3, 0, 3, 1, 2, 1, 3}));
  // minus zero has other bits
  mesh.vertex.insert(mesh.vertex.end(), {-0.0f, 0, 0});
  mesh.face.insert(mesh.face.end(), {4, 1, 2});
  EXPECT_EQ(read(binary_stl(mesh)).vertex.size(), 15u);
}

TEST(Stl, ABinaryFileMayBeginWithSolid) {
  std::string bytes = binary_stl(tetrahedron());
  bytes.replace(0, 6, "solid ");
  EXPECT_EQ(read(bytes).face.size(), 12u);
}

TEST(Stl, TextMayHaveSeveralSolidsAndAnyCase) {
  std::string text = text_stl(tetrahedron());
  EXPECT_EQ(read(text + text).face.size(), 24u);
  for (char& c : text) {
    c = static_cast<char>(std::toupper(c));
  }
  text.replace(0, 5, "solid");
  EXPECT_EQ(read(text).face.size(), 12u);
}

TEST(Stl, WrongLengthsAndCountsAreRefused) {
  const std::string bytes = binary_stl(tetrahedron());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    error_from(read_stl, bytes.substr(0, length));
  }
  error_from(read_stl, bytes + 'x');
  for (const std::int64_t count : {0ll, 3ll, 5ll, 200001ll, 2147483648ll, 4294967295ll}) {
    error_from(read_stl, binary_stl(tetrahedron(), count));
  }
  error_from(read_stl, binary_stl({tetrahedron().vertex, {}}));
}

TEST(Stl, TwoHundredThousandTrianglesAreTheMost) {
  MeshData mesh = tetrahedron();
  const std::vector<int> faces = mesh.face;
  while (mesh.face.size() < 600000) {
    mesh.face.insert(mesh.face.end(), faces.begin(), faces.end());
  }
  EXPECT_EQ(read(binary_stl(mesh)).face.size(), 600000u);
  mesh.face.insert(mesh.face.end(), {0, 1, 2});
  error_from(read_stl, binary_stl(mesh));
  error_from(read_stl, text_stl(mesh));
}

TEST(Stl, CoordinatesThatAreNoNumberOrTooLargeAreRefused) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity, 2e9f}) {
    MeshData mesh = tetrahedron();
    mesh.vertex[7] = bad;
    error_from(read_stl, binary_stl(mesh));
    error_from(read_stl, text_stl(mesh));
  }
}

TEST(Stl, WrongTextIsRefusedWithItsLine) {
  const std::string text = text_stl(tetrahedron());
  const auto with = [&text](const std::string& from, const std::string& to) {
    std::string other = text;
    return other.replace(other.find(from), from.size(), to);
  };
  EXPECT_EQ(error_from(read_stl, with("vertex 0 0 0", "vertex 0 0")).line(), 5);
  EXPECT_EQ(error_from(read_stl, with("vertex 0 0 0", "vertex 0 0 1x")).line(), 4);
  EXPECT_EQ(error_from(read_stl, with("vertex 0 0 0", "vertex 0 0 1e999")).line(), 4);
  EXPECT_EQ(error_from(read_stl, with("endloop", "vertex 0 0 0")).line(), 7);
  EXPECT_EQ(error_from(read_stl, with("outer", "inner")).line(), 3);
  error_from(read_stl, "solid a\n");
  error_from(read_stl, "solid a\nendsolid a\n");
  error_from(read_stl, "solid " + std::string(1000, 'x'));
  error_from(read_stl, text + std::string(1000, 'x'));
}

TEST(Stl, DamagedFilesGiveAnErrorOrAMesh) {
  std::mt19937_64 random(4);
  const MeshData mesh = random_mesh(&random, true);
  const int binary = read_damaged(read_stl, binary_stl(mesh), 3000);
  const int text = read_damaged(read_stl, text_stl(mesh), 3000);
  for (const int read : {binary, text}) {
    EXPECT_GT(read, 20);
    EXPECT_LT(read, 2900);
  }
}

}  // namespace
}  // namespace swept::test
