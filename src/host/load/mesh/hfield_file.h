// SPDX-License-Identifier: Apache-2.0
// Height-field files: a grey PNG picture or MuJoCo's binary format become a grid of elevations,
// as the file has them: normalization comes later.
//
// PNG      any picture; its grey value, 0 to 255. The last line of the picture is row 0.
// binary   int32 nrow, int32 ncol, float32 elevations [nrow, ncol], little-endian; nothing more.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace swept::load_detail {

/// A grid of elevations. Rows go from the smallest y to the largest, columns along x.
struct HFieldData {
  int nrow = 0;                  ///< at least 2
  int ncol = 0;                  ///< at least 2
  std::vector<float> elevation;  ///< [nrow, ncol], finite
};

enum class HFieldFormat { png, binary };

/// Most elevations of one height field; larger files are refused before they are read.
inline constexpr int max_hfield_data = 1 << 26;

/// The format of a file: by its content type ("image/png", "image/vnd.mujoco.hfield"), or, if that
/// is empty, PNG for the suffix .png in either case, else binary. Throws Error for any other.
HFieldFormat hfield_format(const std::string& file, const std::string& content_type);

/// Reads a height field from the bytes of a file.
///   file   its name, for messages
/// Throws Error, with the file's name, for whatever is not in the format.
HFieldData read_hfield(std::string_view bytes, HFieldFormat format, const std::string& file);

/// The same, for each format.
HFieldData read_hfield_png(std::string_view bytes, const std::string& file);
HFieldData read_hfield_binary(std::string_view bytes, const std::string& file);

}  // namespace swept::load_detail
