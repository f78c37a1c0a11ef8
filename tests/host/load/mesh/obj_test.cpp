// SPDX-License-Identifier: Apache-2.0
// Wavefront OBJ: what is read, what is left out, and what is refused.
#include "host/load/mesh/mesh_files.h"

namespace swept::test {
namespace {

using load_detail::read_obj;

MeshData read(const std::string& text) {
  return read_obj(text, "test.file");
}

const char* const four = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";

TEST(Obj, RandomMeshesComeBackBitForBit) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) {
    const MeshData mesh = random_mesh(&random, false);
    expect_equal(read(obj_text(mesh)), mesh);
  }
}

TEST(Obj, OnlyTheFirstObjectsFacesAreReadAndAllVertices) {
  const std::vector<int> first = {0, 1, 2};
  EXPECT_EQ(read(std::string(four) + "o a\nf 1 2 3\no b\nf 1 2 4\n").face, first);
  EXPECT_EQ(read(std::string(four) + "g a\nf 1 2 3\ng b\nv 5 5 5\nf 1 2 4\n").face, first);
  EXPECT_EQ(read(std::string(four) + "f 1 2 3\no b\nv 5 5 5\nf 1 2 5\n").vertex.size(), 15u);
  // materials and smoothing groups begin no object
  EXPECT_EQ(read(std::string(four) + "usemtl a\nf 1 2 3\nusemtl b\ns 2\nf 1 2 4\n").face.size(),
            6u);
}

TEST(Obj, QuadsAreCutAlongTheShorterDiagonal) {
  // a flat trapezoid: from vertex 1 to 3 it is longer than from 2 to 4
  const std::string v = "v 0 0 0\nv 3 0 0\nv 3.2 1 0\nv 0.5 1 0\n";
  EXPECT_EQ(read(v + "f 1 2 3 4\n").face, (std::vector<int>{0, 1, 3, 1, 2, 3}));
  EXPECT_EQ(read(v + "f 2 3 4 1\n").face, (std::vector<int>{1, 2, 3, 1, 3, 0}));
}

TEST(Obj, LargerPolygonsAreCutIntoTrianglesThatCoverThem) {
  // an arrow with a notch; its area is 1.25
  const MeshData mesh = read("v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 0.25 0\nv 0 1 0\nf 1 2 3 4 5\n");
  ASSERT_EQ(mesh.face.size(), 9u);
  double area = 0.0;
  for (std::size_t f = 0; f < 9; f += 3) {
    const auto corner = [&mesh, f](std::size_t k) {
      return &mesh.vertex[3 * static_cast<std::size_t>(mesh.face[f + k])];
    };
    const float* const a = corner(0);
    const float* const b = corner(1);
    const float* const c = corner(2);
    const double part = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    EXPECT_GT(part, 0.0);
    area += part;
  }
  EXPECT_EQ(area, 1.25);
}

TEST(Obj, IndicesMayCountBackAndHaveOtherParts) {
  EXPECT_EQ(read(std::string(four) + "f -4 -3 -1\n").face, (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(read(std::string(four) + "vt 0 0\nvn 0 0 1\nf 1/1 2//1 3/1/1\n").face,
            (std::vector<int>{0, 1, 2}));
  // a face may stand before its vertices
  EXPECT_EQ(read("f 1 2 3\n" + std::string(four)).face, (std::vector<int>{0, 1, 2}));
}

TEST(Obj, SpacesCommentsColoursAndLineEndsDoNotMatter) {
  const MeshData mesh = read(std::string(four) + "f 1 2 3\n");
  expect_equal(read("# a\r\nv 0 0 0 1\r\n\tv\t1 0  0 0.5 0.5 0.5\r\nv 0 1 0\r\nv 0 0 1\r\n"
                    "curv 1 2\r\n\r\nf 1 2 3 \r\n"),
               mesh);
  expect_equal(read("v 0 0 0\rv +1 0 0\rv 0 1. 0\rv 0 0 1e0\rf 1 2 3"), mesh);
}

TEST(Obj, VerticesAloneAreAMeshWithoutFaces) {
  const MeshData mesh = read(four);
  EXPECT_EQ(mesh.vertex.size(), 12u);
  EXPECT_TRUE(mesh.face.empty());
}

TEST(Obj, WrongLinesAreRefusedWithTheirNumber) {
  for (const char* const line : {"v 1 2",        "v",         "v 1 2 x",
                                 "v 1 2 nan",    "v 1 2 inf", "v 1 2 1e",
                                 "v 1 2 1e9999", "v 1 2 .",   "v 1 2 0x10",
                                 "f 1 2 9",      "f 1 2 0",   "f 1 2 -5",
                                 "f a b c",      "f 1 2 3.5", "f 1 2 3 # c",
                                 "f 1 2 \\",     "f 1/x 2 3", "f 1 2 99999999999999999999",
                                 "l 0 1",        "p -9"}) {
    const Error error = error_from(read_obj, std::string(four) + line + "\nv 0 0 2\n");
    EXPECT_EQ(error.line(), 5) << line;
  }
}

TEST(Obj, CoordinatesBeyondSinglePrecisionAreRefused) {
  error_from(read_obj, std::string(four) + "v 0 0 1e40\n");
  error_from(read_obj, std::string(four) + "v 0 0 0e999\n");
}

TEST(Obj, FilesThatAreNoMeshAreRefused) {
  for (const char* const text : {"", "\n\n", "# only a comment", "v 0 0 0\nv 1 0 0\nv 0 1 0\n"}) {
    error_from(read_obj, text);
  }
  // the first object is a line
  error_from(read_obj, std::string(four) + "o a\nl 1 2\no b\nf 1 2 3\n");
  error_from(read_obj, std::string(10000, '\0'));
}

TEST(Obj, FacesWithManyCornersAreRefused) {
  std::string face = "f";
  for (int i = 0; i < 600; ++i) {
    face += " " + std::to_string(i % 4 + 1);
  }
  EXPECT_EQ(error_from(read_obj, four + face).line(), 5);
}

TEST(Obj, DamagedFilesGiveAnErrorOrAMesh) {
  std::mt19937_64 random(3);
  const int read = read_damaged(read_obj, obj_text(random_mesh(&random, false)), 3000);
  EXPECT_GT(read, 100);
  EXPECT_LT(read, 2900);
}

}  // namespace
}  // namespace swept::test
