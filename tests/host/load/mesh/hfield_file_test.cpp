// SPDX-License-Identifier: Apache-2.0
// Height fields from pictures and from MuJoCo's binary format.
#include "host/load/mesh/mesh_files.h"

#include <limits>

namespace swept::test {
namespace {

using load_detail::hfield_format;
using load_detail::HFieldFormat;
using load_detail::read_hfield_binary;
using load_detail::read_hfield_png;

std::string png(const std::vector<unsigned char>& pixels, unsigned width, unsigned height,
                LodePNGColorType colour = LCT_GREY, unsigned depth = 8) {
  std::vector<unsigned char> bytes;
  // the picture is written as it is, not in the smallest form
  lodepng::State state;
  state.encoder.auto_convert = 0;
  state.info_raw.colortype = colour;
  state.info_raw.bitdepth = depth;
  state.info_png.color.colortype = colour;
  state.info_png.color.bitdepth = depth;
  EXPECT_EQ(lodepng::encode(bytes, pixels, width, height, state), 0u);
  return {bytes.begin(), bytes.end()};
}

std::string binary(int nrow, int ncol, const std::vector<float>& elevation) {
  return bytes_of(nrow) + bytes_of(ncol) + bytes_of(elevation);
}

TEST(HFieldPng, TheLastLineIsTheFirstRow) {
  const HFieldData field = read_hfield_png(png({1, 2, 3, 40, 50, 255}, 3, 2), "test.file");
  EXPECT_EQ(field.nrow, 2);
  EXPECT_EQ(field.ncol, 3);
  EXPECT_EQ(field.elevation, (std::vector<float>{40, 50, 255, 1, 2, 3}));
}

TEST(HFieldPng, OfDeepPicturesTheHighByteIsReadAndOfColoursRed) {
  EXPECT_EQ(read_hfield_png(png({1, 200, 2, 100, 3, 0, 4, 255}, 2, 2, LCT_GREY, 16), "a").elevation,
            (std::vector<float>{3, 4, 1, 2}));
  EXPECT_EQ(
      read_hfield_png(png({1, 9, 9, 2, 9, 9, 3, 9, 9, 4, 9, 9}, 2, 2, LCT_RGB), "a").elevation,
      (std::vector<float>{3, 4, 1, 2}));
  EXPECT_EQ(read_hfield_png(png({1, 0, 2, 0, 3, 9, 4, 9}, 2, 2, LCT_GREY_ALPHA), "a").elevation,
            (std::vector<float>{3, 4, 1, 2}));
}

TEST(HFieldPng, PicturesThatAreTooSmallOrDamagedAreRefused) {
  error_from(read_hfield_png, png({1, 2, 3}, 3, 1));
  error_from(read_hfield_png, png({1, 2, 3}, 1, 3));
  const std::string good = png({1, 2, 3, 4, 5, 6}, 3, 2);
  for (std::size_t length = 0; length + 12 < good.size(); ++length) {
    error_from(read_hfield_png, good.substr(0, length));
  }
}

TEST(HFieldPng, AHeaderCannotAskForMemoryThatTheDataDoNotFill) {
  for (const std::uint32_t side : {0x00001000u, 0x00010000u, 0x7fffffffu}) {
    std::string bytes = png({1, 2, 3, 4}, 2, 2);
    for (std::size_t k = 0; k < 8; ++k) {
      bytes[16 + k] = static_cast<char>(side >> (24 - 8 * (k % 4)));
    }
    lodepng_chunk_generate_crc(reinterpret_cast<unsigned char*>(bytes.data()) + 8);
    const Error error = error_from(read_hfield_png, bytes);
    // the smallest of them is refused for its data, the others for their size
    EXPECT_EQ(error.problem().find("cannot fill") != std::string::npos, side == 0x00001000u);
  }
}

TEST(HFieldBinary, RandomFieldsComeBackBitForBit) {
  std::mt19937_64 random(8);
  std::normal_distribution<float> normal;
  for (int i = 0; i < 300; ++i) {
    const int nrow = 2 + static_cast<int>(random() % 9);
    const int ncol = 2 + static_cast<int>(random() % 9);
    std::vector<float> elevation;
    for (int k = 0; k < nrow * ncol; ++k) {
      elevation.push_back(normal(random));
    }
    const HFieldData field = read_hfield_binary(binary(nrow, ncol, elevation), "test.file");
    EXPECT_EQ(field.nrow, nrow);
    EXPECT_EQ(field.ncol, ncol);
    EXPECT_EQ(field.elevation, elevation);
  }
}

TEST(HFieldBinary, WrongLengthsAndSizesAreRefused) {
  const std::vector<float> six = {0, 1, 2, 3, 4, 5};
  const std::string bytes = binary(2, 3, six);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    error_from(read_hfield_binary, bytes.substr(0, length));
  }
  error_from(read_hfield_binary, bytes + 'x');
  constexpr int most = std::numeric_limits<int>::max();
  for (const auto& [nrow, ncol] : std::vector<std::pair<int, int>>{
           {1, 6}, {6, 1}, {0, 3}, {-2, -3}, {3, 3}, {1 << 16, 1 << 16}, {most, most}, {2, most}}) {
    error_from(read_hfield_binary, binary(nrow, ncol, six));
  }
}

TEST(HFieldBinary, ElevationsThatAreNotFiniteAreRefused) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity}) {
    error_from(read_hfield_binary, binary(2, 2, {0, 1, bad, 3}));
  }
}

TEST(HFieldFormat, IsTheContentTypesElseTheSuffixs) {
  EXPECT_EQ(hfield_format("a.PNG", ""), HFieldFormat::png);
  EXPECT_EQ(hfield_format("a.bin", ""), HFieldFormat::binary);
  EXPECT_EQ(hfield_format("a", ""), HFieldFormat::binary);
  EXPECT_EQ(hfield_format("a.bin", "image/png"), HFieldFormat::png);
  EXPECT_EQ(hfield_format("a.png", "image/vnd.mujoco.hfield"), HFieldFormat::binary);
  EXPECT_THROW(hfield_format("a.png", "image/x"), Error);
}

}  // namespace
}  // namespace swept::test
