// SPDX-License-Identifier: Apache-2.0
// Height fields from PNG pictures, by lodepng, and from MuJoCo's binary format.
#include "host/load/mesh/hfield_file.h"

#include <swept/error.h>

#include "host/load/mesh/bytes.h"
#include "host/load/mesh/suffix.h"

#include <lodepng.h>

#include <algorithm>
#include <cmath>

namespace swept::load_detail {
namespace {

/// Refuses grids without a cell and grids that are too large.
void check_size(std::int64_t nrow, std::int64_t ncol, const std::string& file) {
  const std::string size = std::to_string(nrow) + " rows and " + std::to_string(ncol) + " columns";
  if (nrow < 2 || ncol < 2) {
    throw Error(Place{file, 0, {}}, "the height field has " + size, "it needs at least 2 of each");
  }
  if (nrow > max_hfield_data / ncol) {
    throw Error(Place{file, 0, {}}, "the height field has " + size,
                "it may have " + std::to_string(max_hfield_data) + " elevations at most");
  }
}

/// A decoder that makes grey values and keeps nothing else.
lodepng::State grey_decoder() {
  lodepng::State state;
  state.info_raw.colortype = LCT_GREY;
  state.info_raw.bitdepth = 8;
  state.decoder.read_text_chunks = 0;
  state.decoder.remember_unknown_chunks = 0;
  return state;
}

[[noreturn]] void refuse_png(const std::string& file, const std::string& why) {
  throw Error(Place{file, 0, {}}, "the PNG picture cannot be read: " + why,
              "write it anew, as a grey picture");
}

}  // namespace

HFieldFormat hfield_format(const std::string& file, const std::string& content_type) {
  if (content_type == "image/png" || (content_type.empty() && lower_suffix(file) == ".png")) {
    return HFieldFormat::png;
  }
  if (content_type.empty() || content_type == "image/vnd.mujoco.hfield") {
    return HFieldFormat::binary;
  }
  throw Error(Place{file, 0, {}}, "no height field has the content type '" + content_type + "'",
              "use image/png or image/vnd.mujoco.hfield");
}

HFieldData read_hfield(std::string_view bytes, HFieldFormat format, const std::string& file) {
  return format == HFieldFormat::png ? read_hfield_png(bytes, file)
                                     : read_hfield_binary(bytes, file);
}

HFieldData read_hfield_png(std::string_view bytes, const std::string& file) {
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  lodepng::State state = grey_decoder();
  unsigned ncol = 0;
  unsigned nrow = 0;
  if (const unsigned code = lodepng_inspect(&ncol, &nrow, &state, data, bytes.size()); code != 0) {
    refuse_png(file, lodepng_error_text(code));
  }
  check_size(nrow, ncol, file);

  // no compressed byte stands for more than 1032 others: a header cannot ask for more memory
  const std::size_t line = (std::size_t{ncol} * lodepng_get_bpp(&state.info_png.color) + 7) / 8;
  const std::size_t decoded = nrow * (line + 1);
  if (decoded / 1032 > bytes.size()) {
    refuse_png(file, "its data cannot fill " + std::to_string(nrow) + " x " + std::to_string(ncol) +
                         " pixels");
  }
  // the passes of interlaced pictures add at most a filter byte for each line and pass
  state.decoder.zlibsettings.max_output_size = 2 * decoded + 64;

  std::vector<unsigned char> grey;
  if (const unsigned code = lodepng::decode(grey, ncol, nrow, state, data, bytes.size());
      code != 0) {
    refuse_png(file, lodepng_error_text(code));
  }
  HFieldData field;
  field.nrow = static_cast<int>(nrow);
  field.ncol = static_cast<int>(ncol);
  field.elevation.reserve(grey.size());
  // the last line of the picture is the first row
  for (std::size_t row = nrow; row-- > 0;) {
    const auto first = grey.begin() + static_cast<std::ptrdiff_t>(row * ncol);
    field.elevation.insert(field.elevation.end(), first, first + static_cast<std::ptrdiff_t>(ncol));
  }
  return field;
}

HFieldData read_hfield_binary(std::string_view bytes, const std::string& file) {
  const Place place{file, 0, {}};
  constexpr std::size_t header = 2 * sizeof(std::int32_t);
  if (bytes.size() < header) {
    throw Error(place,
                "a binary height field begins with two integers, and this file has " +
                    std::to_string(bytes.size()) + " bytes",
                "write nrow, ncol and the elevations");
  }
  HFieldData field;
  field.nrow = number_at<std::int32_t>(bytes, 0);
  field.ncol = number_at<std::int32_t>(bytes, sizeof(std::int32_t));
  check_size(field.nrow, field.ncol, file);
  const auto count = static_cast<std::size_t>(field.nrow) * static_cast<std::size_t>(field.ncol);
  if (bytes.size() != header + count * sizeof(float)) {
    throw Error(place,
                "the file has " + std::to_string(bytes.size()) + " bytes, but " +
                    std::to_string(field.nrow) + " x " + std::to_string(field.ncol) +
                    " elevations take " + std::to_string(header + count * sizeof(float)),
                "write int32 nrow, int32 ncol and nrow x ncol float32");
  }
  field.elevation = numbers_at<float>(bytes, header, count);
  const auto bad = std::find_if_not(field.elevation.begin(), field.elevation.end(),
                                    [](float x) { return std::isfinite(x); });
  if (bad != field.elevation.end()) {
    throw Error(place,
                "elevation " + std::to_string(bad - field.elevation.begin()) + " is not finite",
                "repair the program that wrote it");
  }
  return field;
}

}  // namespace swept::load_detail
